"""Changes the verifier in one place after another: the cases of `verifier_cases` must notice.

    python tests/mutate_verifier.py [--every N]

A change is *killed* where some case ends otherwise than with the real verifier, where a
case takes too long, or where the module cannot be loaded. Prints the share that is killed
and every change that is not. Loads nothing anew, so hundreds of changes take minutes.
"""

from __future__ import annotations

import argparse
import ast
import copy
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from endsight.verifier import checking
from hidden_cases import hidden_cases
from verifier_cases import Case, by_hands, outcome, proofs

SECONDS = 10
CORE = ("walk", "plans", "beliefs", "checking")
"""The modules that are changed, in the order in which they are loaded."""
COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
REVERSED = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
CALCULATED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.Add,
              ast.Div: ast.Mult}  # fmt: skip
# These only say how far a message is shortened, speak to people, or are never reached in these runs.
SKIPPED = {"line", "__len__"}


class TooLong(BaseException):
    """A case has taken its time."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)  # computing time: a busy machine kills nothing
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def places(tree: ast.Module) -> list[ast.AST]:
    """The nodes that may be changed, in a fixed order; not texts, types or what speaks to people."""
    found: list[ast.AST] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef) and node.name in SKIPPED:
            return
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.JoinedStr) or not isinstance(child, ast.AST):
                    continue
                if isinstance(child, ast.If) and ast.unparse(child.test).startswith("__name__"):
                    continue  # the command itself
                if isinstance(child, ast.keyword) and child.arg == "strict":
                    continue  # lists of other lengths do not come about
                if isinstance(child, ast.Slice) and isinstance(child.upper, ast.Constant):
                    continue  # how far a text is shortened
                found.append(child)
                visit(child)

    visit(tree)
    return found


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Nodes to put in the place of one, with what they change."""
    if isinstance(node, ast.Compare):
        for number, operator in enumerate(node.ops):
            for table in (COMPARED, REVERSED):
                if type(operator) in table:
                    other = copy.deepcopy(node)
                    other.ops[number] = table[type(operator)]()
                    yield "comparison", other
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in CALCULATED:
        other = copy.deepcopy(node)
        other.op = CALCULATED[type(node.op)]()
        yield "calculation", other
    elif isinstance(node, ast.BoolOp):
        other = copy.deepcopy(node)
        other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and / or", other
        for number in range(len(node.values)):
            fewer = copy.deepcopy(node)
            del fewer.values[number]
            yield "a part less", fewer if len(fewer.values) > 1 else fewer.values[0]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "no sign", copy.deepcopy(node.operand)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "a number more", ast.Constant(node.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "true / false", ast.Constant(not node.value)
    elif isinstance(node, ast.Raise):
        yield "not raised", ast.Pass()
    elif isinstance(node, ast.If | ast.IfExp):
        for value in (True, False):
            other = copy.deepcopy(node)
            other.test = ast.Constant(value)
            yield f"always {value}", other
    elif isinstance(node, ast.Return) and ast.unparse(node) not in ("return", "return None"):
        yield "returns nothing", ast.Return(ast.Constant(None))
    elif (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max", "any", "all")
    ):
        other = copy.deepcopy(node)
        other.func = ast.Name({"min": "max", "max": "min", "any": "all", "all": "any"}[node.func.id], ast.Load())
        yield "min / max, any / all", other
    elif isinstance(node, ast.Expr | ast.AugAssign) and not isinstance(getattr(node, "value", None), ast.Constant):
        yield "left out", ast.Pass()


class Put(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """What was changed, and the text of the module with that change."""
    tree = ast.parse(source)
    for node in places(tree):
        for kind, new in changes(node):
            text = ast.unparse(ast.fix_missing_locations(Put(node, new).visit(tree)))
            Put(new, node).visit(tree)
            yield f"line {getattr(node, 'lineno', '?')}: {kind}: {ast.unparse(node)[:70]!r}", text


def texts() -> dict[str, str]:
    """The source of every module that is changed."""
    folder = Path(checking.__file__).parent
    return {name: (folder / f"{name}.py").read_text(encoding="utf-8") for name in CORE}


def loaded(sources: dict[str, str]) -> Any:
    """The module that gives verdicts, of a verifier made of these sources."""
    for name, text in sources.items():
        # Dataclasses look up the module that they are defined in, and each module the ones before it.
        sys.modules[f"endsight.verifier.{name}"] = module = ModuleType(f"endsight.verifier.{name}")
        exec(compile(text, f"{name}.py", "exec"), module.__dict__)
    return module


def is_killed(sources: dict[str, str], cases: list[Case], expected: list[tuple[str, ...]]) -> bool:
    """Whether some case ends otherwise."""
    real = {f"endsight.verifier.{name}": sys.modules[f"endsight.verifier.{name}"] for name in CORE}
    try:
        with at_most(SECONDS):
            module = loaded(sources)
            for _ in range(2):
                if any(outcome(module, case) != before for case, before in zip(cases, expected, strict=True)):
                    return True
                module.LONG_PLAY = 0  # all plays are walked ply by ply, where that will do
            return False
    except (Exception, SystemExit, TooLong):
        return True
    finally:
        sys.modules.update(real)


def survivors(every: int = 1) -> tuple[int, list[str]]:
    """How many changes were made, and those that no case has noticed."""
    cases = by_hands() + hidden_cases() + proofs()
    expected = [outcome(checking, case) for case in cases]
    sources = texts()
    if is_killed(sources, cases, expected):
        raise SystemExit("the cases end otherwise with the verifier as it is")
    made = [(name, *mutant) for name in CORE for mutant in mutants(sources[name])][::every]
    left = [f"{name}, {what}" for name, what, text in made if not is_killed({**sources, name: text}, cases, expected)]
    return len(made), left


def main() -> int:
    parser = argparse.ArgumentParser(description="Change the verifier, and see whether its cases notice.")
    parser.add_argument("--every", type=int, default=1, help="only every so many changes")
    given = parser.parse_args()
    made, left = survivors(given.every)
    print(f"{made} changes, {made - len(left)} killed: {100 * (made - len(left)) / made:.1f}%")
    for change in left:
        print("  " + change)
    return 0 if made - len(left) >= 0.95 * made else 1


if __name__ == "__main__":
    sys.exit(main())
