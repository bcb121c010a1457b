"""Mistakes put back into the compiler, one at a time: `fuzz_rules.py` must find each of them.

    python tests/compiler_mistakes.py --most 2000

A mistake is a place in a function of the compiler, with the text that stands there and the text of the mistake. The
first are those that were made once; the others are their neighbours, and checks that keep something out. Printed is
after how many programs each is found by the interpreter of the core.
"""

from __future__ import annotations

import argparse
import time
from contextlib import AbstractContextManager
from pathlib import Path

from fuzz_rules import Verdict, by_interpreter, own_cache, verdict
from interpreted import compiler_with
from program_texts import program

__all__ = ["MISTAKES", "found_after", "mistaken"]

MISTAKES: dict[str, list[tuple[str, str, str]]] = {
    "a comprehension binds names of the function": [
        ("scopes:_Renamer._fresh", "number, fresh = 2, name", "return name")
    ],
    "the first iterable is read inside": [
        (
            "scopes:_Renamer._comprehension",
            "        self._enter(",
            "        class Zero(ast.NodeTransformer):\n"
            "            def visit_Name(self, name):\n"
            "                return ast.copy_location(ast.Constant(0), name) if name.id in names else name\n"
            "        first.iter = Zero().visit(first.iter)\n"
            "        self._enter(",
        )
    ],
    "a decorator is dropped": [
        (
            "sources:function_of",
            "return value if",
            "value = getattr(value, '__wrapped__', value)\n    return value if",
        )
    ],
    "a method chosen in setup is that of the class": [("sources:method_of", " or name in vars(game)", "")],
    "a class method gets the instance": [
        ("calls:Calls._function_called", "if owner is self.unit.game else Value.of(owner)", "")
    ],
    "an unbound name reads 0": [
        (
            "reading:ExpressionReading._name",
            "if known is UNKNOWN:",
            "if known is UNKNOWN:\n            return Value.of(0)",
        )
    ],
    "assert is dropped": [("statements:Statements._do_assert", "if sys.flags.optimize:", "if True:")],
    "zip(strict=True) is not checked": [("views:ViewReading._zipped", "if strict == [True]:", "if False:")],
    "a truth value is paid": [("results:require_result", "item in (core.BOOL, core.EITHER) for", "False for")],
    "a tuple that may get shorter is taken for one of fixed length": [
        ("fields:Fields._tuple_fitted", "            self.unit.gets_shorter(kind)\n", "")
    ],
    "a number is taken for a member of an IntEnum": [
        ("fields:Fields._fitted", "self.unit.numbered.add(kind.place)", "pass"),
    ],
    "the key of a dictionary is searched among all but the first": [
        ("dictionaries:_count_of_first", "core.Number(len(keys.first)", "core.Number(1 + len(keys.first)"),
    ],
    "a built-in function is taken by its name": [
        (
            "calls:Calls._called",
            "if function is STATE:",
            "for known, method in BUILT_IN:\n"
            "            if known.__name__ == getattr(node.func, 'id', ''):\n"
            "                return method(self, node, known)\n"
            "        if function is STATE:",
        ),
    ],
    "parameters and setup are forgotten": [
        ("resolve:Outside.attribute", "getattr(self.game, name, UNKNOWN)", "getattr(type(self.game), name, UNKNOWN)")
    ],
    "a global is read before the closure": [
        ("resolve:Outside.name", "(self.cells, self.space, self.built_in)", "(self.space, self.built_in, self.cells)")
    ],
    "default values are those of the text": [
        ("specialising:defaults_of", "return defaults", "return {key: Value.of(5) for key in defaults}")
    ],
    "a loop forgets where break leads after an attempt": [
        ("branches:Branches.attempt", "del self.jumps[depth:]", "pass")
    ],
    "names of break are forgotten": [
        ("branches:Branches.loop", 'self.merged([done, *jumps["break"]])', "self.merged([done])")
    ],
    "defaults of inner functions are read inside": [
        ("scopes:_Renamer._defaults", "arguments.defaults =", "return\n        arguments.defaults =")
    ],
    "a function reads names where it is called": [
        ("specialising:Functions.call_local", "if is_here:", "if True:"),
        (
            "specialising:Functions.call_local",
            "maker.request._replace(home=maker.home",
            "to.request._replace(home=to.home",
        ),
    ],
    "any class with fields is a NamedTuple": [
        ("resolve:is_named_tuple", "return getters and functions and same", "return True")
    ],
    "attributes of classes are read once": [
        ("resolve:_of_type", "meta = type(kind)", "return getattr(kind, name, UNKNOWN)")
    ],
    "attributes of modules are read once": [
        ("resolve:Outside.attribute", "vars(base).get(name, UNKNOWN)", "getattr(base, name, UNKNOWN)")
    ],
    "every enumeration is plain": [("resolve:_is_plain_enum", "Enum) and all", "Enum) or all")],
    "a set that is written out has an order": [("known_objects:KnownObjects.is_in_order", "return", "return True or")],
    "a list comes back under another name": [("flow:Flow._named_in", "return all_reached(", "return {expr.name} or (")],
    "a list under two names is two lists": [("functions:Translator.run", "if shared in self.mutated:", "if False:")],
    "a list that is chosen is another list": [
        ("flow:Flow.met", "set().union(*map(self.lists_of, found)) | {name}", "{name}")
    ],
    "a slice is cut where an earlier turn cut it": [
        ("branches:_widened", "    return Value(", "    return value if value.expr and not value.is_known else Value("),
        ("branches:Branches.loop", "if is_widened and", "if"),
    ],
    "one function is one rule": [
        ("specialising:Functions.translated", "(what, rule), name", "(what, bool(rule)), name")
    ],
    "what moves returns is thrown away": [
        ("statements:Statements._do_return", 'elif self.rule == "moves" and', "elif False and")
    ],
    "`:=` comes when its name is read": [
        ("flow:Flow._begin", "self.given_inside = {", "self.given_inside = set() or {"),
        ("reading:ExpressionReading.as_read", "if name not in self.given_inside or", "if True or"),
        ("syntax:names_given_once", "if names.count(each.target.id) == 1 or", "if True or"),
    ],
    "items are swapped one after the other": [
        (
            "assigning:Assigning._assign_all",
            "self.as_now(value, source) if changes else value",
            "value",
        )
    ],
    "what cannot be reached is worked out": [
        (
            "reading:ExpressionReading._boolop",
            "statements, value, names = self.part(lambda: self.material(part_of(other), other))",
            "statements, value, names = (), self.material(part_of(other), other), self.names",
        )
    ],
    "what is not None is true": [
        (
            "reading:ExpressionReading._boolop",
            "if statements or left.type.label or holds_sequence(left.type):",
            "if statements:",
        )
    ],
    "a part of a chain is worked out twice": [("operators:Operators._further", "if not statements:", "if True:")],
    "division rounds to zero": [
        (
            "interpreter:Interpreter._calculated",
            "try:",
            "if node.op == 'divide' and right:\n"
            "            return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)\n        try:",
        )
    ],
    "sums wrap around": [
        ("interpreter:Interpreter._word", "raise Faulty(site)", "return (number + (1 << 63)) % (1 << 64) - (1 << 63)")
    ],
    "shifts to the left lose bits": [
        ("interpreter:Interpreter._word", "if not", "number = number if site else number & 255\n        if not")
    ],
    "the else of a loop runs after break": [
        (
            "interpreter:Interpreter._loop",
            'return left if left.how == "return" else None',
            'if left.how == "return":\n                    return left\n                break',
        )
    ],
    "a range goes one too far": [
        ("interpreter:Interpreter._numbers", "range(start, stop, step)", "range(start, stop + (step < -1), step)")
    ],
    "moves of every type are of the first": [("results:as_mixed", "core.Number(place)", "core.Number(0)")],
    "a move that is a NamedTuple is a plain tuple": [("results:decoder", "objects.classes[kind.label]._make", "tuple")],
    "the largest member of a move is lost": [("results:_members", "range(bits[0].bit_length())", "range(9)")],
    "a move that is a truth value is a number": [("results:decoder", "if kind != core.BOOL", "if True")],
    "numbers are instances of every class": [("built_in:BuiltIn._is_of", "return False", "return True")],
    "an index from the end is not checked": [
        (
            "interpreter:Interpreter._item",
            "if not -len(items) <= index < len(items):",
            "index = max(index, -len(items))\n        if not index < len(items):",
        )
    ],
}
"""What goes wrong -> places as `module:function`, each with its text and the mistaken text."""
ABOUT = {
    "a tuple that may get shorter is taken for one of fixed length": "field hand",
    "a number is taken for a member of an IntEnum": "field level",
    "a decorator is dropped": "decorator",
    "a method chosen in setup is that of the class": "method chosen in setup",
    "a class method gets the instance": "class method",
    "zip(strict=True) is not checked": "zip strict",
    "a truth value is paid": "truth",
    "a built-in function is taken by its name": "another name in the module",
    "a global is read before the closure": "closure",
    "a loop forgets where break leads after an attempt": "break after any of lists",
    "defaults of inner functions are read inside": "default of an inner lambda",
    "a function reads names where it is called": "function handed over",
    "any class with fields is a NamedTuple": "named tuple",
    "attributes of classes are read once": "attribute that is worked out",
    "attributes of modules are read once": "attribute that is worked out",
    "every enumeration is plain": "enumeration",
    "a set that is written out has an order": "set written out",
    "a list comes back under another name": "list given back",
    "a list under two names is two lists": "list under two names",
    "a list that is chosen is another list": "list chosen of two",
    "a slice is cut where an earlier turn cut it": "parts of tuples",
    "one function is one rule": "one function for two rules",
    "what moves returns is thrown away": "value that moves throws away",
    "`:=` comes when its name is read": "walrus",
    "items are swapped one after the other": "swap",
    "a part of a chain is worked out twice": "chain",
    "numbers are instances of every class": "moves numbers or words",
}
"""Tags of the programs that can show a mistake: others are not tried."""


def mistaken(mistake: str) -> AbstractContextManager[None]:
    """The compiler with that mistake."""
    return compiler_with(MISTAKES[mistake])


def found_after(mistake: str, folder: Path, most: int) -> tuple[int, Verdict] | None:
    """The number of the first program that shows a mistake, and what differs."""
    with mistaken(mistake):
        for seed in range(1, most + 1):
            drawn = program(seed)
            came = verdict(drawn.text, folder, by_interpreter) if ABOUT.get(mistake) in {None, *drawn.tags} else None
            if came is not None and came.kind == "different":
                return seed, came
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=2000, help="programs that are tried for each")
    parser.add_argument("--only", default="", help="a part of the names of mistakes that are tried")
    options = parser.parse_args()
    missed = 0
    with own_cache() as folder:
        for mistake in MISTAKES:
            if options.only not in mistake:
                continue
            began = time.process_time()
            found = found_after(mistake, folder, options.most)
            missed += found is None
            told = "not found" if found is None else f"program {found[0]}: {found[1].told[:70]}"
            print(f"{mistake}: {told} ({time.process_time() - began:.0f} s)", flush=True)
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
