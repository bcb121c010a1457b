"""Rules that hang, eat memory, raise, print, or do harm to the process, in any of their methods."""

from __future__ import annotations

from pathlib import Path

RULES = '''
import gc, os, re, signal, sys, time
from typing import NamedTuple
from endsight.game import Game

def deed():
    {deed}

{at_import}
class Mean(Game):
    """Take one or two from a heap; who takes the last wins."""

    heap: int = 5

    class State(NamedTuple):
        heap: int
        turn: int

    def setup(self):
        {setup}

    def limits(self):
        {limits}
        return self.State(self.heap, 1)

    def start(self):
        {start}
        return self.State(self.heap, 0)

    def to_move(self, state):
        {to_move}
        return state.turn

    def moves(self, state):
        {moves}
        for take in (1, 2):
            if take <= state.heap:
                yield take

    def play(self, state, move):
        {play}
        return self.State(state.heap - move, 1 - state.turn)

    def payoff(self, state):
        {payoff}
        return (1, -1) if state.turn == 1 else (-1, 1)

    def show(self, state):
        {show}
        return f"{{state.heap}} {{state.turn}}"

    def parse(self, text):
        {parse}
        heap, turn = text.split()
        return self.State(int(heap), int(turn))
'''

METHODS = ("setup", "limits", "start", "to_move", "moves", "play", "payoff", "show", "parse")
PLACES = ("at_import", *METHODS)

HANGS = {
    "loop": "while True: pass",
    "sleep": "time.sleep(10**6)",
    "power": "10**10**8",
    "expression": "re.match(r'(a+)+$', 'a' * 60 + 'b')",
    "deaf": """while True:
        try:
            time.sleep(1)
        except BaseException:
            pass""",
    "sum": "sum(range(10**12))",
    "ignored": """signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True: pass""",
}
EATS = {
    "list": """found = [0]
    while True: found += found""",
    "bytes": "kept = b'x' * 10**11",
    "zeros": """kept = []
    while True: kept.append(bytes(10**9))""",
    "int": "x = 1 << 10**12",
    "objects": """kept = []
    while True: kept.append([len(kept)])""",
    "deaf": """kept = []
    while True:
        try:
            kept.append(b'x' * 10**7)
        except BaseException:
            pass""",
}
RAISES = {
    "base": "raise BaseException('base')",
    "interrupt": "raise KeyboardInterrupt",
    "exit": "sys.exit(0)",
    "generator": "raise GeneratorExit",
    "stop": "raise StopIteration",
    "memory": "raise MemoryError",
    "recursion": "deed()",
    "error": "raise ValueError('a value')",
    "broken pipe": "raise BrokenPipeError",
    "leave": "os._exit(0)",
    "own": "class Own(BaseException): pass\n    raise Own",
}
DISTURBS = {
    "print": "print('printed by rules')",
    "errors": "print('printed by rules', file=sys.stderr)",
    "write": "os.write(1, b'written by rules\\n')",
    "close": "sys.stdout.close(); sys.stderr.close(); sys.stdin.close()",
    "close numbers": "os.close(0); os.close(1); os.close(2)",
    "none": "sys.stdout = sys.stderr = sys.stdin = None",
    "folder": "os.chdir('/')",
    "signals": """for name in ("SIGINT", "SIGALRM", "SIGTERM", "SIGCHLD", "SIGPIPE"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)""",
    "depth": "sys.setrecursionlimit(60)",
    "deep": "sys.setrecursionlimit(10**6)",
    "read": "sys.stdin.read()",
    "collect": "gc.disable()",
    "environment": "os.environ.clear()",
    "trace": "sys.settrace(lambda *a: None)",
    "hook": "sys.excepthook = sys.unraisablehook = None",
}
DEEDS = {"hangs": HANGS, "eats": EATS, "raises": RAISES, "disturbs": DISTURBS}


def rules_text(place: str, deed: str) -> str:
    """Rules that do that in one method (or when they are imported), and play well otherwise."""
    places = dict.fromkeys(PLACES, "pass") | {place: "deed()"}
    return RULES.format(deed=deed, **places)


def write_rules(folder: Path) -> dict[str, Path]:
    """A file for every deed in every place, by `kind-deed-place`, and a good one, `good`."""
    found = {"good": folder / "good.py"}
    found["good"].write_text(rules_text("setup", "pass"), encoding="utf-8")
    for kind, deeds in DEEDS.items():
        for name, deed in deeds.items():
            for place in PLACES:
                path = folder / f"{kind}_{name.replace(' ', '_')}_{place}.py"
                path.write_text(rules_text(place, deed), encoding="utf-8")
                found[f"{kind}-{name}-{place}"] = path
    return found
