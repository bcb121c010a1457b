"""Helpers, constants and what stands around the rules, for the programs of `program_texts.py`."""

from __future__ import annotations

from program_writer import HOSTILE_NAMES, MEMBERS, PLAIN_NAMES, Scope, Writer, defined, drawn

__all__ = ["a_caller"]


def _helper_lines(w: Writer, parameters: list[str], *, gives: str = "number", first: str = "self") -> list[str]:
    scope = Scope([*parameters], rules=False, move=False, gives=gives, first=first)
    return [*w.block(scope, w.random.randint(0, 2)), f"return ({w.mixed(scope)}) % {w.one('7', '101', '1009')}"]


def _parameter(w: Writer) -> str:
    hostile = w.kinds["traps"] and "names" not in w.shape.without and w.chance(0.3)
    return w.random.choice(HOSTILE_NAMES if hostile else PLAIN_NAMES)


@drawn(MEMBERS, "method", 4)
def _method(w: Writer) -> None:
    n, p = f"helper{len(w.members)}", _parameter(w)
    w.members.append(defined(n, f"self, {p}", _helper_lines(w, [p])))
    w.calls.append((f"self.{n}({{}})", 1, True))


@drawn(MEMBERS, "defaults", 1.5)
def _defaults(w: Writer) -> None:
    n, p = f"helper{len(w.members)}", _parameter(w)
    w.members.append(defined(n, f"self, {p}, second={w.small()}", _helper_lines(w, [p, "second"])))
    w.calls += [(f"self.{n}({{}})", 1, True), (f"self.{n}({{}}, second={{}})", 2, True)]
    w.calls += [(f"self.{n}({{}}, {{}})", 2, True), (f"self.{n}(second={{}}, {p}={{}})", 2, True)]


@drawn(MEMBERS, "default taken early", 0.8, "traps")
def _early_default(w: Writer) -> None:
    w.before.append("LATER = 5")
    w.after.append("LATER = 8")
    n = f"helper{len(w.members)}"
    w.members.append(defined(n, "self, k, *, m=LATER", ["return k * 3 + m + LATER"]))
    w.calls += [(f"self.{n}({{}})", 1, True), (f"self.{n}({{}}, m={{}})", 2, True)]


@drawn(MEMBERS, "function of the module", 2)
def _function(w: Writer) -> None:
    n, p = f"outside{len(w.before)}", _parameter(w)
    w.before.append(defined(n, f"{p}, other=2", _helper_lines(w, [p, "other"], first="")))
    w.calls += [(f"{n}({{}})", 1, False), (f"{n}({{}}, {{}})", 2, False)]


@drawn(MEMBERS, "static method", 1)
def _static(w: Writer) -> None:
    n, p = f"helper{len(w.members)}", _parameter(w)
    w.members.append("@staticmethod\n" + defined(n, p, _helper_lines(w, [p], first="")))
    w.calls += [(f"self.{n}({{}})", 1, True)]


@drawn(MEMBERS, "class method", 2, "traps")
def _class_method(w: Writer) -> None:
    n = f"helper{len(w.members)}"
    w.attributes.append("cap = 3")
    if w.chance(0.7):
        w.setup.append("self.cap = 11")
    w.members.append("@classmethod\n" + defined(n, "cls, k", [f"return {w.one('cls.cap', 'cls.cap + 1')} * 5 + k"]))
    w.calls += [(f"self.{n}({{}})", 1, True), (f"Rules.{n}({{}})", 1, False)]
    w.numbers += ["self.cap", "Rules.cap"]


@drawn(MEMBERS, "decorator", 2, "traps")
def _decorator(w: Writer) -> None:
    w.imports.append("import functools")
    before = len(w.before)
    w.before.append(
        f"def twice{before}(function):\n    {w.one('@functools.wraps(function)', 'pass')}\n"
        f"    def wrapper(self, {w.one('k', '*rest')}):\n        return function(self, "
        f"{w.one('k', '*rest')}) {w.one('+ 40', '* 2')}\n    return wrapper"
    )
    text = w.before[-1]
    for name in ("k", "*rest"):  # the parameter and what is handed on are one
        if f"wrapper(self, {name})" in text:
            w.before[-1] = text.replace("function(self, k)", f"function(self, {name})").replace(
                "function(self, *rest)", f"function(self, {name})"
            )
    n = f"helper{len(w.members)}"
    w.members.append(f"@twice{before}\n" + defined(n, "self, k", _helper_lines(w, ["k"])))
    w.calls.append((f"self.{n}({{}})", 1, True))


@drawn(MEMBERS, "cached", 0.7)
def _cached(w: Writer) -> None:
    w.imports.append("import functools")
    n = f"helper{len(w.members)}"
    w.members.append("@functools.lru_cache(maxsize=None)\n" + defined(n, "self, k", _helper_lines(w, ["k"])))
    w.calls.append((f"self.{n}({{}})", 1, True))


@drawn(MEMBERS, "property", 0.7, "traps")
def _property(w: Writer) -> None:
    n = f"helper{len(w.members)}"
    w.members.append("@property\n" + defined(n, "self", [f"return {w.small()} * 9"]))
    w.numbers.append(f"self.{n}")


@drawn(MEMBERS, "method chosen in setup", 1.5, "traps")
def _chosen(w: Writer) -> None:
    n = len(w.members)
    one, two = (defined(f"{name}{n}", "self, k", _helper_lines(w, ["k"])) for name in ("counted", "fewest"))
    w.members += [one, two]
    w.setup.append(
        w.one(
            f"self.counted{n} = self.fewest{n}",
            f"self.counted{n} = lambda k: k + 17",
            f"self.given{n} = self.fewest{n}",
        )
    )
    if f"self.given{n}" in w.setup[-1]:
        w.calls.append((f"self.given{n}({{}})", 1, True))
    w.calls.append((f"self.counted{n}({{}})", 1, True))


@drawn(MEMBERS, "rule chosen in setup", 0.6, "traps")
def _chosen_rule(w: Writer) -> None:
    w.members.append("def another(self, state):\n    return 1 + state.a % 3")
    w.setup.append(w.one("self.payoff = self.another", "if self.variant:\n    self.payoff = self.another"))
    w.attributes.append("variant: int = 1")


@drawn(MEMBERS, "method of another class", 1)
def _inherited(w: Writer) -> None:
    n, p = f"shared{len(w.mixin)}", _parameter(w)
    w.mixin.append(defined(n, f"self, {p}", _helper_lines(w, [p])))
    if w.chance(0.4):
        w.members.append(defined(n, f"self, {p}", _helper_lines(w, [p])))
    w.calls.append((f"self.{n}({{}})", 1, True))


@drawn(MEMBERS, "super", 0.6, "wide")
def _super(w: Writer) -> None:
    n = f"shared{len(w.mixin)}"
    w.mixin.append(defined(n, "self, k", _helper_lines(w, ["k"])))
    w.members.append(defined(n, "self, k", [f"return super().{n}(k + 1) + {w.small()}"]))
    w.calls.append((f"self.{n}({{}})", 1, True))


@drawn(MEMBERS, "alias in the class", 0.8, "traps")
def _alias(w: Writer) -> None:
    n = f"helper{len(w.members)}"
    second = f"{n}b = {n}"
    w.members.append(defined(n, "self, k", _helper_lines(w, ["k"])) + f"\n{second}")
    w.members.append(defined(n, "self, k", _helper_lines(w, ["k"])))
    w.calls += [(f"self.{n}b({{}})", 1, True), (f"self.{n}({{}})", 1, True)]


@drawn(MEMBERS, "private name", 0.6, "traps")
def _private(w: Writer) -> None:
    w.attributes.append(f"__secret = {w.small()}")
    w.before.append(f"__secret = 2{w.small()}")
    w.numbers += ["self.__secret", "Rules.__secret"]


@drawn(MEMBERS, "class and instance attribute", 1.2)
def _attributes(w: Writer) -> None:
    w.attributes.append(f"bonus = {w.small()}")
    w.numbers += ["self.bonus", "Rules.bonus"]
    if w.chance(0.6):
        w.setup.append(f"self.bonus = {w.random.randint(10, 20)}")


@drawn(MEMBERS, "parameter", 1.2)
def _game_parameter(w: Writer) -> None:
    w.attributes.append(f"size: int = {w.small()}")
    w.numbers.append("self.size")
    w.setup.append(w.one("self.half = self.size // 2", "self.half = self.size * 3"))
    w.numbers.append("self.half")


@drawn(MEMBERS, "table", 3)
def _table(w: Writer) -> None:
    length = w.random.randint(2, 5)
    numbers = [w.random.randint(-3, 9) for _ in range(length)]
    where = w.random.randrange(4)
    if where == 0:
        name = f"TABLE{len(w.before)}"
        w.before.append(f"{name} = {w.one(repr(tuple(numbers)), repr(numbers))}")
        w.tables.append((name, length))
    elif where == 1:
        name = f"row{len(w.setup)}"
        w.setup.append(f"self.{name} = tuple(k * k - 2 for k in range({length}))")
        w.tables.append((f"self.{name}", length))
    elif where == 2:
        name = f"marks{len(w.attributes)}"
        w.attributes.append(f"{name} = {tuple(numbers)}")
        w.tables += [(f"self.{name}", length), (f"Rules.{name}", length)]
    else:
        name = f"grid{len(w.setup)}"
        w.setup.append(f"self.{name} = ((1, 2, 3), (4, 5), (6,))")
        w.tables += [(f"self.{name}[0]", 3), (f"self.{name}[1]", 2)]


@drawn(MEMBERS, "odd table", 0.6, "traps")
def _odd_table(w: Writer) -> None:
    name = f"TABLE{len(w.before)}"
    large = "(9223372036854775807, -9223372036854775807 - 1, 1)"
    w.before.append(f"{name} = {w.one('(True, 3, False)', 'b' + repr('abc'), large, 'range(3, 9, 2)')}")
    w.tables.append((name, 3))


@drawn(MEMBERS, "caller of a function", 0.8, "traps")
def a_caller(w: Writer) -> None:
    """A method that calls a function with one number, and takes one more."""
    n = f"caller{len(w.members)}"
    own = w.random.choice(PLAIN_NAMES)
    # Names of whoever made the function stand for something else here.
    names = " = ".join(name for name in PLAIN_NAMES if name != own)
    w.members.append(defined(n, f"self, call, {own}", [f"{names} = {own} + 30", f"return call({own} % 9) + {own}"]))
    w.callers.append(f"self.{n}")


@drawn(MEMBERS, "attribute that is worked out", 1.5, "traps")
def _worked_out(w: Writer) -> None:
    n = len(w.before)
    w.imports.append("import itertools, types")
    count = f"COUNT{n} = itertools.count()\n"
    text, number = w.random.choice(
        (
            (f"class Meta{n}(type):\n    cap = property(lambda cls: next(COUNT{n}) % 5)", f"Held{n}.cap"),
            (
                f"class Meta{n}(type):\n    def __getattr__(cls, name):\n        return next(COUNT{n}) % 5",
                f"Held{n}.cap",
            ),
            (f"class Meta{n}(type):\n    pass", f"Held{n}.size"),
            (
                f"part{n} = types.ModuleType('part')\npart{n}.__getattr__ = lambda name: next(COUNT{n}) % 5",
                f"part{n}.cap",
            ),
            (f"part{n} = types.ModuleType('part')\npart{n}.cap = 6", f"part{n}.cap"),
        )
    )
    if number.startswith("Held"):
        text += f"\n\nclass Held{n}(metaclass=Meta{n}):\n    size = 8"
    w.before.append(count + text)
    w.numbers.append(number)


@drawn(MEMBERS, "named tuple", 0.8, "traps")
def _named_tuple(w: Writer) -> None:
    n = len(w.before)
    change = w.one(
        "",
        "",
        f"Pair{n}.__new__.__defaults__ = (9,)",
        f"Pair{n}.one, Pair{n}.two = Pair{n}.two, Pair{n}.one",
        f"Pair{n}._replace = lambda self, **given: Pair{n}(1, 1)",
    )
    w.before.append(f"class Pair{n}(NamedTuple):\n    one: int\n    two: int = 4\n\n{change}")
    w.calls += [(f"Pair{n}({{}}).{field}", 1, False) for field in ("one", "two")]
    w.calls.append((f"Pair{n}({{}}, {{}})._replace(two={{}}).one", 3, False))


@drawn(MEMBERS, "enumeration", 0.8, "traps")
def _enumeration(w: Writer) -> None:
    n = len(w.before)
    w.imports.append("import enum, itertools")
    kind = w.one("Enum", "IntEnum", "IntFlag", "Enum")
    own = w.one("", f"\n    def __bool__(self):\n        return next(COUNT{n}) % 2 == 0")
    w.calls += [(f"({{}} + (3 if Kind{n}.B else 8))", 1, False)] * 3
    w.before.append(f"COUNT{n} = itertools.count()\n\nclass Kind{n}(enum.{kind}):\n    A = 4\n    B = 2{own}")
    w.numbers += [f"Kind{n}.A.value", f"(3 if Kind{n}.B else 8)", f"(3 if Kind{n}.A == Kind{n}.B else 8)"]
    if kind != "Enum":
        w.numbers += [f"Kind{n}.A", f"(Kind{n}.A | Kind{n}.B)"]


@drawn(MEMBERS, "list given back", 0.7, "traps")
def _given_back(w: Writer) -> None:
    n = f"helper{len(w.members)}"
    lines = w.one("other = items", "other = list(items)", "other = items if items[0] > 3 else [1, 2]", "other = [1, 2]")
    w.members.append(defined(n, "self, items", [lines, "return other"]))
    use = f"use{len(w.members)}"
    lines = ["items = [k, 2]", f"other = self.{n}(items)", f"{w.one('other', 'items')}[0] = 40"]
    w.members.append(defined(use, "self, k", [*lines, "return items[0] * 100 + other[0]"]))
    w.calls.append((f"self.{use}({{}})", 1, True))


@drawn(MEMBERS, "one function for two rules", 0.5, "traps")
def _two_rules(w: Writer) -> None:
    own = defined("reward", "self, state, move", ["return 2 + move % 3"])
    w.last += w.random.choice(([own, "weight = reward"], ["weight = reward"]))


@drawn(MEMBERS, "state that was changed", 0.3, "traps")
def _changed_state(w: Writer) -> None:
    w.setup.append(
        w.one(
            "Rules.State.a, Rules.State.b = Rules.State.b, Rules.State.a",
            "Rules.State.__new__.__defaults__ = (1, 1, 1)",
            "Rules.State.extra = 4",
            "Rules.State.b = property(lambda self: 1)",
        )
    )


@drawn(MEMBERS, "generator method", 1.5)
def _generator(w: Writer) -> None:
    n = f"those{len(w.members)}"
    scope = Scope(["k"], rules=False, move=False, gives="yield")
    lines = [*w.block(scope, w.random.randint(0, 1)), f"for own in range(k % 3):\n    yield own * {w.number(scope, 1)}"]
    w.members.append(defined(n, "self, k", [*lines, f"yield {w.number(scope)}"]))
    w.generators.append(f"self.{n}({{}})")


@drawn(MEMBERS, "another name in the module", 2, "traps")
def _renamed(w: Writer) -> None:
    text, call, count = w.random.choice(
        (
            ("from math import gcd as lcm", "lcm({}, {})", 2),
            ("from math import lcm as gcd", "gcd({}, {})", 2),
            ("from math import gcd", "gcd({}, {})", 2),
            ("from math import pow", "int(pow({} % 5, 2))", 1),
            ("from math import pow", "pow({} % 5, 2) + 1", 1),
            ("from builtins import min as max", "max({}, {})", 2),
            ("from builtins import max as largest", "largest({}, {})", 2),
            ("from operator import sub as min", "min({}, {})", 2),
            ("from operator import add", "add({}, {})", 2),
            ("import math as m", "m.gcd({}, 12)", 1),
            ("from math import dist as abs", "abs(({},), ({},))", 2),
            ("from operator import neg as abs", "abs({})", 1),
        )
    )
    w.imports.append(text)
    w.calls += [(call, count, False)] * 2


@drawn(MEMBERS, "built-in name of one's own", 0.8, "traps")
def _own_built_in(w: Writer) -> None:
    text, call, count = w.random.choice(
        (
            ("def max(a, b=3):\n    return a - b", "max({}, {})", 2),
            ("def len(items):\n    return 4", "len(({}, {}))", 2),
            ("def sum(items):\n    return 5", "sum(({}, {}))", 2),
            ("abs = lambda k: k + 1", "abs({})", 1),
            ("def range(k):\n    return (7, 7)", "sum(each for each in range({}))", 1),
            ("def divmod(a, b):\n    return (b, a)", "divmod({}, {})[0]", 2),
        )
    )
    w.before.append(text)
    w.calls += [(call, count, False)] * 2


@drawn(MEMBERS, "closure", 0.8, "traps")
def _closure(w: Writer) -> None:
    n = len(w.before)
    w.before.append(
        f"inner = 900\n\ndef made{n}(inner):\n    def count(k, more=2):\n        return k * inner + more\n"
        f"    inner = inner + {w.one('0', '5')}\n    return count\n\nfirst{n} = made{n}(3)\nsecond{n} = made{n}(10)"
    )
    w.calls += [(f"first{n}({{}})", 1, False), (f"second{n}({{}}, {{}})", 2, False)]
    if w.chance(0.5):
        w.attributes.append(f"held = staticmethod(first{n})")
        w.calls.append(("self.held({})", 1, True))


@drawn(MEMBERS, "number of the module", 1.5)
def _constant(w: Writer) -> None:
    name = f"LIMIT{len(w.before)}"
    w.before.append(f"{name} = {w.small()}{w.one('', '0')}")
    w.numbers.append(name)
    if w.kinds["traps"] and w.chance(0.3):
        w.after.append(f"{name} = {name} + 6")


@drawn(MEMBERS, "pair given back", 1)
def _pair(w: Writer) -> None:
    n = f"pair{len(w.members)}"
    scope = Scope(["k"], rules=False, move=False)
    lines = [*w.block(scope, w.random.randint(0, 1)), f"return {w.number(scope)}, {w.number(scope)}"]
    w.members.append(defined(n, "self, k", lines))
    w.calls += [(f"self.{n}({{}})[0]", 1, True), (f"sum(self.{n}({{}}))", 1, True)]


@drawn(MEMBERS, "no return on some path", 0.6, "traps")
def _no_return(w: Writer) -> None:
    n = f"helper{len(w.members)}"
    w.members.append(defined(n, "self, k", ["if k % 4 != 3:", "    return k + 1"]))
    w.calls.append((f"self.{n}({{}})", 1, True))


@drawn(MEMBERS, "helper that changes a list", 0.6, "traps")
def _changer(w: Writer) -> None:
    n = f"helper{len(w.members)}"
    w.members.append(defined(n, "self, items, k", ["items[0] = k", "return items[1] + 1"]))
    use = f"use{len(w.members)}"
    lines = ["items = [k, 2, 3]", f"first = items[0] + self.{n}(items, 9) * items[0]", "return first + items[0]"]
    w.members.append(defined(use, "self, k", lines))
    w.calls.append((f"self.{use}({{}})", 1, True))


@drawn(MEMBERS, "helper that calls itself", 0.5, "wide")
def _recursive(w: Writer) -> None:
    n = f"helper{len(w.members)}"
    w.members.append(defined(n, "self, k", ["if k <= 0:", "    return 1", f"return self.{n}(k % 5 - 1) + k"]))
    w.calls.append((f"self.{n}({{}})", 1, True))
