"""What play reaches of Python and its libraries is known to depend on its arguments alone, whatever it is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from amounts import every
from edited_rules import key

RULES = """
import {imports}
import functools
import operator
from typing import NamedTuple
from endsight.game import Game
import tools
{head}

class Own(Game):
    inside = 1
    class State(NamedTuple):
        left: int
    def limits(self): return self.State(1)
    def start(self): return self.State(1)
    def moves(self, state): return [0] if state.left else []
    def play(self, state, move): return self.State(0)
    def payoff(self, state): return {payoff}
    {method}
"""

FUNCTIONS = {
    "pydoc.locate": "'tools.FACTOR'",
    "importlib.import_module": "'tools'",
    "builtins.__import__": "'tools'",
    "builtins.open": "'board.txt'",
    "builtins.eval": "'1'",
    "builtins.exec": "''",
    "builtins.compile": "'1', '', 'eval'",
    "builtins.id": "1",
    "builtins.hash": "'text'",
    "builtins.input": "",
    "io.open": "'board.txt'",
    "time.time": "",
    "time.perf_counter_ns": "",
    "random.random": "",
    "random.Random": "",
    "random.SystemRandom": "",
    "secrets.randbelow": "2",
    "os.getcwd": "",
    "os.getenv": "'HOME'",
    "os.path.exists": "'board.txt'",
    "os.path.abspath": "'board.txt'",
    "os.urandom": "1",
    "pathlib.Path": "",
    "sys._getframe": "",
    "sys.getsizeof": "1",
    "sys.getrecursionlimit": "",
    "inspect.currentframe": "",
    "inspect.getsource": "tools",
    "traceback.extract_stack": "",
    "linecache.getline": "'rules.py', 1",
    "gc.get_objects": "",
    "platform.node": "",
    "locale.getlocale": "",
    "datetime.date.today": "",
    "datetime.datetime.now": "",
    "decimal.getcontext": "",
    "threading.get_ident": "",
    "uuid.uuid4": "",
    "tempfile.mkdtemp": "",
    "subprocess.getoutput": "'date'",
    "pickle.loads": "b'N.'",
    "ctypes.string_at": "0",
    "glob.glob": "'*'",
    "shutil.which": "'date'",
    "types.CodeType.co_lines": "1",
    "types.FrameType.f_lineno.__get__": "1",
    "builtins.str.__hash__": "'text'",
    "site.getusersitepackages": "",
    "weakref.ref": "int",
    "statistics.NormalDist().samples": "1",
    "numpy.random.rand": "",
    "numpy.load": "'board.npy'",
    "endsight.solve": "1",
}
"""Functions that may read something that no argument says, with arguments."""

WAYS = {
    "as it is": ("", "{function}({arguments})", ""),
    "renamed": ("other = {function}", "other({arguments})", ""),
    "in a table": ("TABLE = {{'one': [{function}]}}", "TABLE['one'][0]({arguments})", ""),
    "in a part": ("other = functools.partial({function})", "other({arguments})", ""),
    "as a default": ("def other(function={function}): return function({arguments})", "other()", ""),
    "in a closure": ("def made(call): return lambda: call({arguments})\nother = made({function})", "other()", ""),
    "in a class": ("", "self.renamed({arguments})", "renamed = staticmethod({function})"),
    "in another module": ("tools.other = {function}", "tools.other({arguments})", ""),
    "through the module of another": ("tools.inner = {module}", "tools.inner.{rest}({arguments})", ""),
    "in a module that is handed on": (
        "def other(module): return module.{rest}({arguments})", "other({module})", "",
    ),
    "decorating": ("def named(function):\n    return {function}({arguments})", "next(map(named, [1]))", ""),
    "on an object": (
        "class Holder: pass\nholder = Holder()\nholder.call = {function}", "holder.call({arguments})", "",
    ),
    "in a comprehension": ("", "[{function}({arguments}) for each in (1,)][0]", ""),
}  # fmt: skip
"""Ways of reaching a function: a line of the module, the payoff, and a line of the class."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("step", every(5))
def test_no_function_that_is_not_known_has_a_key(way: str, step: int, tmp_path: Path) -> None:
    """Ordinary runs try some of the functions in each way, and every function in two or three ways."""
    head, payoff, method = WAYS[way]
    for number, (function, arguments) in list(enumerate(FUNCTIONS.items()))[[*WAYS].index(way) % step :: step]:
        module, _, rest = function.partition(".")
        asked = {"function": function, "arguments": arguments, "module": module, "rest": rest}
        rules = RULES.format(
            imports="os, os.path" if module == "os" else "numpy, numpy.random" if module == "numpy" else module,
            head=head.format(**asked),
            payoff=payoff.format(**asked),
            method=method.format(**asked),
        )
        found = key(tmp_path / str(number), {"rules.py": rules, "tools.py": "FACTOR = 1"})
        assert found is not None, rules
        assert found.text is None, rules


EXPRESSIONS = (
    *("helper.__code__.co_firstlineno", "helper.__module__", "type(self).__module__", "__file__", "len(__name__)"),
    *("sys.modules['tools'].FACTOR", "len(sys.argv)", "len(os.environ)", "sys.flags.optimize", "len(sys.path)"),
    *("(each for each in ()).gi_frame.f_lineno", "fails().__traceback__.tb_lineno", "tools.__file__"),
    *("getattr(helper, '__mod' 'ule__')", "len('{0.__module__}'.format(helper))", "vars(tools)['__file__']"),
    *("operator.attrgetter('__module__')(self)", "getattr(helper, NAMES[0])", "globals()['__file__']"),
    *("helper.__sizeof__()", "'text'.__hash__()", "math.__loader__", "helper.__builtins__"),
    *("self.chance.random()", "self.when.year", "self.place.exists()"),
)


@pytest.mark.parametrize("payoff", EXPRESSIONS)
def test_no_attribute_that_is_not_known_has_a_key(payoff: str, tmp_path: Path) -> None:
    head = """
import datetime, math, os, pathlib, random, sys
NAMES = ["__module__"]
def helper(): return 1
def fails():
    try:
        raise ValueError
    except ValueError as error:
        return error
"""
    method = """
    def setup(self):
        self.chance, self.when, self.place = random.Random(1), datetime.date(2000, 1, 1), pathlib.Path("x")
"""
    found = key(
        tmp_path,
        {"rules.py": RULES.format(imports="io", head=head, payoff=payoff, method=method), "tools.py": "FACTOR = 1"},
    )
    assert found is not None
    assert found.text is None


HARMLESS = (
    *("math.isqrt(5)", "sum(itertools.accumulate([1, 2]))", "functools.reduce(operator.add, [1, 2])", "int('7')"),
    *(
        "Fraction(1, 2).numerator",
        "len(collections.Counter('ab'))",
        "bisect.bisect([1, 3], 2)",
        "heapq.nlargest(1, [2])[0]",
    ),
    *("copy.copy([1])[0]", "len(helper.__qualname__)", "len(type(self).__name__)", "len(helper.__doc__ or '')"),
    *("len(re.sub('a', 'b', 'aa'))", "max((1, 2), key=lambda each: -each)", "sorted({3, 1})[0]", "len(f'{1}{2!r}')"),
    *("sys.maxsize % 2", "len(string.digits)", "len(os.path.join('a', 'b'))", "getattr(self, 'ins' + 'ide')"),
    *("hasattr(self, 'inside')", "helper.__defaults__ is None", "super().canonical(state).left", "once(1)", "CHANCE"),
    *(
        "Kind.ONE.value",
        "replace(Item(1), number=2).number",
        "Item(3).number + hash_free()",
        "int(np.sum(np.arange(3)))",
    ),
    *(
        "isinstance(state, tuple) + 0",
        "json.loads('1')",
        "len(hashlib.sha256(b'').digest())",
        "len(list(zip([1], [2])))",
    ),
    *("self.named(1)", "self.twice(2)", "es.CHANCE", "local()", "len({Item(1), Item(2)})", "self.box.count(1)"),
)
HARMLESS_HEAD = """
import bisect, collections, copy, hashlib, heapq, itertools, json, math, os, re, string, sys
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
import numpy as np
import endsight as es
from endsight import CHANCE
def helper(): return 1
@functools.lru_cache
def once(number): return number
class Kind(Enum):
    ONE = 1
@dataclass(frozen=True)
class Item:
    number: int
def hash_free(): return 1
def local():
    class Inner:
        value = 3
    return Inner().value
"""
HARMLESS_METHODS = """
    def setup(self):
        self.box = collections.deque([1])
    def id(self): return 1
    @functools.lru_cache
    def named(self, thing): return 1
    @property
    def open(self): return 2
    twice = functools.partialmethod(lambda self, a, b: a + b, 2)
"""


@pytest.mark.parametrize("payoff", [*HARMLESS, "self.id() + self.open"])
def test_what_depends_on_its_arguments_alone_has_a_key(payoff: str, tmp_path: Path) -> None:
    rules = RULES.format(imports="io", head=HARMLESS_HEAD, payoff=payoff, method=HARMLESS_METHODS)
    found = key(tmp_path, {"rules.py": rules, "tools.py": "FACTOR = 1"})
    assert found is not None
    assert found.text is not None, found.reason


def test_names_as_data_are_seen(tmp_path: Path) -> None:
    keys = set()
    for name in ("one", "another"):
        head = f"def {name}(): return 1\nhelper = {name}"
        rules = RULES.format(imports="io", head=head, payoff="len(helper.__name__)", method="")
        found = key(tmp_path / name, {"rules.py": rules, "tools.py": "FACTOR = 1"})
        assert found is not None
        keys.add(found.text)
    assert len(keys) == 2
    assert None not in keys


@pytest.mark.parametrize(
    ("payoff", "is_known"),
    [("math.isqrt(state.left)", True), ("colorsys.rgb_to_hsv(1, 1, 1)[2]", False), ("state.__something_new__", False)],
)
def test_what_nobody_has_looked_at_is_not_known(payoff: str, is_known: bool, tmp_path: Path) -> None:
    rules = RULES.format(imports="colorsys, math", head="", payoff=payoff, method="")
    found = key(tmp_path, {"rules.py": rules, "tools.py": "FACTOR = 1"})
    assert found is not None
    assert (found.text is not None) == is_known
