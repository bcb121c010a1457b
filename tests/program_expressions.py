"""Numbers, truths and what is looped over, for the programs of `program_texts.py`."""

from __future__ import annotations

from program_members import a_caller
from program_writer import EXPRESSIONS, LOOPED, TESTS, Scope, Writer, drawn

__all__: list[str] = []

# -------------------------------------------------------------------- numbers


@drawn(EXPRESSIONS, "arithmetic", 6)
def _arithmetic(w: Writer, s: Scope, d: int) -> str:
    return f"{w.number(s, d)} {w.one('+', '-', '*', '+', '-')} {w.number(s, d)}"


@drawn(EXPRESSIONS, "bits", 2)
def _bits(w: Writer, s: Scope, d: int) -> str:
    return f"{w.number(s, d)} {w.one('&', '|', '^')} {w.number(s, d)}"


@drawn(EXPRESSIONS, "divide", 3)
def _divide(w: Writer, s: Scope, d: int) -> str:
    divisor = w.one(w.small(), f"-{w.small()}", f"(abs({w.number(s, 0)}) % 5 + 1)", f"(-1 - {w.atom(s)} % 3)")
    return f"{w.number(s, d)} {w.one('//', '%')} {divisor}"


@drawn(EXPRESSIONS, "divide by anything", 0.6, "edges")
def _divide_by_anything(w: Writer, s: Scope, d: int) -> str:
    return f"{w.number(s, d)} {w.one('//', '%')} {w.number(s, 0)}"


@drawn(EXPRESSIONS, "shift", 1.5)
def _shift(w: Writer, s: Scope, d: int) -> str:
    return f"{w.number(s, d)} {w.one('<<', '>>')} ({w.atom(s)} % 5)"


@drawn(EXPRESSIONS, "wide shift", 1.0, "edges")
def _wide_shift(w: Writer, s: Scope, d: int) -> str:
    count = w.one("31", "32", "61", "62", "63", "64", "70", f"({w.atom(s)} % 67 - 1)")
    return f"{w.number(s, 0)} {w.one('<<', '>>')} {count}"


@drawn(EXPRESSIONS, "power", 0.7)
def _power(w: Writer, s: Scope, d: int) -> str:
    return w.one(f"({w.atom(s)} % 5) ** {w.one('0', '1', '2', '3')}", f"pow({w.atom(s)} % 7, {w.atom(s)} % 3)")


@drawn(EXPRESSIONS, "large power", 0.5, "edges")
def _large_power(w: Writer, s: Scope, d: int) -> str:
    return w.one(
        f"2 ** ({w.atom(s)} % 70)", f"(-2) ** ({w.atom(s)} % 66)", f"{w.atom(s)} ** 2", f"3 ** ({w.atom(s)} % 45)"
    )


@drawn(EXPRESSIONS, "sign", 1.5)
def _sign(w: Writer, s: Scope, d: int) -> str:
    return f"{w.one('-', '~', '+', '-')}{w.number(s, d)}"


@drawn(EXPRESSIONS, "abs", 1)
def _absolute(w: Writer, s: Scope, d: int) -> str:
    return f"abs({w.number(s, d)})"


@drawn(EXPRESSIONS, "min of some", 2)
def _extreme(w: Writer, s: Scope, d: int) -> str:
    return f"{w.one('min', 'max')}({', '.join(w.number(s, d) for _ in range(w.random.choice((2, 2, 3))))})"


@drawn(EXPRESSIONS, "if else", 2)
def _conditional(w: Writer, s: Scope, d: int) -> str:
    return f"{w.number(s, d)} if {w.test(s, d)} else {w.number(s, d)}"


@drawn(EXPRESSIONS, "truth as number", 1.5)
def _truth(w: Writer, s: Scope, d: int) -> str:
    test = w.test(s, d)
    return w.one(f"int({test})", f"{test} + {w.atom(s)}", f"{test} * {w.small()}", f"bool({w.number(s, d)}) + 1")


@drawn(EXPRESSIONS, "or as number", 1)
def _either(w: Writer, s: Scope, d: int) -> str:
    return f"{w.number(s, d)} {w.one('or', 'and')} {w.number(s, d)}"


@drawn(EXPRESSIONS, "guarded", 0.7)
def _guarded(w: Writer, s: Scope, d: int) -> str:
    n = w.atom(s)
    return w.one(f"{n} != 0 and {w.number(s, d)} // {n}", f"{w.number(s, d)} % {n} if {n} else {w.atom(s)}")


@drawn(EXPRESSIONS, "divmod", 0.7)
def _divmod(w: Writer, s: Scope, d: int) -> str:
    return f"divmod({w.number(s, d)}, {w.small()})[{w.one('0', '1', '-1')}]"


@drawn(EXPRESSIONS, "bit counts", 1)
def _bit_count(w: Writer, s: Scope, d: int) -> str:
    return f"({w.number(s, d)}).{w.one('bit_count', 'bit_length')}()"


@drawn(EXPRESSIONS, "fold", 4)
def _fold(w: Writer, s: Scope, d: int) -> str:
    inside = w.comprehension(s, d)
    return w.one(
        f"sum({inside})",
        f"sum([{inside}])",
        f"sum(({inside}), {w.atom(s)})",
        f"min(({inside}), default={w.atom(s)})",
        f"max(({inside}), default={w.atom(s)})",
        f"sum(1 for {inside.partition(' for ')[2]})" if inside.count(" for ") == 1 else f"sum({inside})",
    )


@drawn(EXPRESSIONS, "fold of what may be empty", 0.4, "traps")
def _fold_of_nothing(w: Writer, s: Scope, d: int) -> str:
    return f"{w.one('min', 'max')}({w.comprehension(s, d)})"


@drawn(EXPRESSIONS, "fold of a table", 1)
def _fold_of_table(w: Writer, s: Scope, d: int) -> str:
    return f"{w.one('sum', 'min', 'max', 'len')}({w.table(s)[0]})"


@drawn(EXPRESSIONS, "same name inside", 1.5, "traps")
def _same_name(w: Writer, s: Scope, d: int) -> str:
    """The first iterable is evaluated outside, where the name means something else."""
    n = w.random.choice(s.names) if s.names else "state" if s.rules else "k"
    number = f"{n}.{w.one('a', 'b', 'step')}" if n == "state" else n
    fold = w.one("sum", "sum", "max", "any", "all")
    default = ", default=3" if fold == "max" else ""
    inside = w.one(
        f"{n} * 2 + 1 for {n} in range({number} % 5)",
        f"{n} for {n} in range({number} % 4) if {n} != {w.small()}",
        f"{n} + other for other in range(3) for {n} in range({number} % 4)"
        if not s.rules or n == "state"
        else f"{n} for {n} in range({number} % 3) for {n} in range({n} + 2)",
        f"sum({n} for {n} in range({n} + 1)) for {n} in range({number} % 4)",
        f"other * sum({n} for {n} in range(other)) + {number} for other in range(4)",
    )
    return f"{fold}(({inside}){default}) + {number}"


@drawn(EXPRESSIONS, "subscript", 2.5)
def _subscript(w: Writer, s: Scope, d: int) -> str:
    text, length = w.table(s)
    index = w.number(s, d)
    return w.one(
        f"{text}[{index} % {length}]", f"{text}[-({index} % {length}) - 1]", f"{text}[{w.random.randrange(length)}]"
    )


@drawn(EXPRESSIONS, "subscript out of range", 0.1)
def _out_of_range(w: Writer, s: Scope, d: int) -> str:
    text, length = w.table(s)
    index = f"{w.number(s, d)} % {length + 2}"
    return w.one(f"{text}[{index}]", f"{text}[-({index}) - 1]")


@drawn(EXPRESSIONS, "call", 5)
def _call(w: Writer, s: Scope, d: int) -> str:
    return w.call(s, d)


@drawn(EXPRESSIONS, "range as value", 0.6, "wide")
def _range_value(w: Writer, s: Scope, d: int) -> str:
    over = f"range({w.atom(s)} % 5, {w.atom(s)} % 9, {w.one('1', '2', '3')})"
    return f"len({over})"


@drawn(EXPRESSIONS, "pair compared", 0.4, "wide")
def _pairs(w: Writer, s: Scope, d: int) -> str:
    pair = lambda: f"({w.number(s, 0)}, {w.number(s, 0)})"  # noqa: E731
    return f"int({pair()} {w.one('<', '==', '!=', '>=')} {pair()})"


@drawn(EXPRESSIONS, "list made by a loop", 1, "wide")
def _list_made(w: Writer, s: Scope, d: int) -> str:
    inside = f"{w.number(s, min(d, 1))} + {w.atom(s)} * each for each in range(4)"
    return w.one(
        f"[{inside}][{w.atom(s)} % 4]",
        f"sorted([{inside}])[{w.one('0', '1', '-1')}]",
        f"sorted([{inside}], reverse=True)[{w.atom(s)} % 4]",
        f"list({inside})[1:3][0]",
        f"len([{inside}])",
        f"tuple({inside})[-1]",
        f"max([{inside}], key=lambda each: each % 3)",
    )


@drawn(EXPRESSIONS, "lambda", 0.7, "wide")
def _lambda(w: Writer, s: Scope, d: int) -> str:
    inner = s.inner()
    inner.names.append("q")
    return w.one(
        f"(lambda q: {w.number(inner, min(d, 1))})({w.number(s, d)})",
        f"sum(map(lambda q: {w.number(inner, 0)}, range({w.atom(s)} % 4)))",
        f"(lambda q=state.b: {w.number(inner, 0)})()" if s.rules else f"(lambda q: q)({w.atom(s)})",
    )


@drawn(EXPRESSIONS, "function handed over", 0.6, "traps")
def _handed_over(w: Writer, s: Scope, d: int) -> str:
    """What it reads stands for names of the function that made it, whatever they mean where it is called."""
    if s.first != "self":
        return w.atom(s)
    if not w.callers:
        a_caller(w)
    n = w.random.choice(s.names or ["k"])
    inner = s.inner()
    inner.names.append("q")
    inside = w.one(w.number(inner, 1), f"q + {n if n in s.names else w.atom(s)}", "q % 3", f"q * {w.atom(inner)}")
    return f"{w.random.choice(w.callers)}(lambda q: {inside}, {w.number(s, 0)})"


@drawn(EXPRESSIONS, "default of an inner lambda", 0.5, "traps")
def _inner_default(w: Writer, s: Scope, d: int) -> str:
    n = w.random.choice([*s.names, "k"])
    star = w.one("", "*, ")
    return w.one(
        f"(lambda {n}: (lambda {star}x={n}: x * 2)())({w.number(s, d)})",
        f"sum((lambda {star}x={n}: x)() for {n} in range({w.atom(s)} % 4))",
        f"(lambda q, g=(lambda a, {star}x={w.number(s, d)}: a * 3 + x): g(q) - g(2))({w.number(s, d)})",
    )


@drawn(EXPRESSIONS, "set written out", 0.5, "traps")
def _written_set(w: Writer, s: Scope, d: int) -> str:
    items = w.random.sample(("7", "15", "8", "0", "3", "11"), 3)
    made = w.one(f"{{{', '.join(items)}}}", f"{{{items[0]}, {items[1]}}} | {{{items[2]}}}")
    return w.one(
        f"{w.one('list', 'tuple')}({made})[{w.atom(s)} % 3]", f"sorted({made})[1]", f"int({w.number(s, d)} in {made})"
    )


@drawn(EXPRESSIONS, "walrus", 0.7, "wide")
def _walrus(w: Writer, s: Scope, d: int) -> str:
    n = w.one("seen", *s.names)
    return w.one(f"({n} := {w.number(s, d)}) + {n} * 2", f"{w.number(s, d)} * 3 + ({n} := {w.number(s, d)})")


@drawn(EXPRESSIONS, "dictionary", 0.5, "wide")
def _dictionary(w: Writer, s: Scope, d: int) -> str:
    table = f"{{1: {w.small()}, 2: {w.atom(s)}, -1: 7}}"
    return w.one(f"{table}.get({w.number(s, d)}, {w.small()})", f"{table}[{w.atom(s)} % 2 + 1]")


@drawn(EXPRESSIONS, "library", 0.8, "wide")
def _library(w: Writer, s: Scope, d: int) -> str:
    w.imports.append("import math\nimport itertools")
    return w.one(
        f"math.isqrt(abs({w.number(s, d)}))",
        f"math.comb({w.atom(s)} % 6, 2)",
        f"sum(a * b for a, b in itertools.product(range({w.atom(s)} % 3), repeat=2))",
        f"sum(a - b for a, b in itertools.combinations(({w.number(s, 0)}, {w.number(s, 0)}, 3), 2))",
        f"sum(each for each in itertools.chain((1, {w.atom(s)}), range(3)))",
    )


# -------------------------------------------------------------------- truth


@drawn(TESTS, "comparison", 5)
def _comparison(w: Writer, s: Scope, d: int) -> str:
    return f"{w.number(s, d)} {w.one('<', '>', '<=', '>=', '==', '!=')} {w.number(s, d)}"


@drawn(TESTS, "chain", 1.5)
def _chain(w: Writer, s: Scope, d: int) -> str:
    signs = [w.one("<", "<=", "!=", "==", ">") for _ in range(w.random.choice((2, 2, 3)))]
    return w.number(s, d) + "".join(f" {sign} {w.number(s, d)}" for sign in signs)


@drawn(TESTS, "truth of a number", 1.5)
def _bare(w: Writer, s: Scope, d: int) -> str:
    return w.one(f"{w.number(s, d)}", f"not {w.number(s, d)}", f"{w.number(s, d)} % 2")


@drawn(TESTS, "and or not", 2.5)
def _joined(w: Writer, s: Scope, d: int) -> str:
    return f"{w.one('', 'not ')}{w.test(s, d)} {w.one('and', 'or')} {w.one('', 'not ')}{w.test(s, d)}"


@drawn(TESTS, "in", 1.5)
def _within(w: Writer, s: Scope, d: int) -> str:
    return f"{w.number(s, d)} % 5 {w.one('in', 'not in')} {w.table(s)[0]}"


@drawn(TESTS, "in a range", 0.5, "traps")
def _within_range(w: Writer, s: Scope, d: int) -> str:
    over = w.one(f"range({w.atom(s)})", "range(2, 9, 3)", f"range({w.atom(s)} % 9, -4, -2)")
    return f"{w.number(s, d)} {w.one('in', 'not in')} {over}"


@drawn(TESTS, "any all", 2)
def _any_all(w: Writer, s: Scope, d: int) -> str:
    return f"{w.one('any', 'all')}({w.comprehension(s, d)})"


@drawn(TESTS, "any of lists", 0.7, "traps")
def _any_lists(w: Writer, s: Scope, d: int) -> str:
    """An item that is a list is no number, but has a truth."""
    n = w.name(s)
    return f"{w.one('any', 'all')}([[{n}]{w.one('', f' * {n}')} for {n} in range({w.atom(s)} % 4)])"


@drawn(TESTS, "truth of a table", 0.4)
def _truth_of_table(w: Writer, s: Scope, d: int) -> str:
    return f"{w.one('any', 'all', 'len')}({w.table(s)[0]})"


# -------------------------------------------------------------------- what is looped over


@drawn(LOOPED, "range", 5)
def _range(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    some = w.number(s, min(d, 1))
    return (
        w.one(
            f"range({w.small()})",
            f"range({some} % 4)",
            f"range({w.atom(s)} % 3, {w.atom(s)} % 6)",
            f"range({some} % 6, -2, -1)",
            f"range({w.small()}, -3, -2)",
            f"range({w.small()}, {w.small()})",
            f"range(-2, {some} % 5, {w.atom(s)} % 2 + 1)",
        ),
        w.name(s),
    )


@drawn(LOOPED, "range of any step", 0.6, "edges")
def _any_range(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    begin = w.one("9223372036854775804", "-9223372036854775807", "2**31 - 1", "2**62", w.atom(s))
    return (
        w.one(
            f"range({begin}, {begin} + 3)",
            f"range({begin}, {begin} + 5, {w.atom(s)} - 1)",
            f"range({begin}, {begin} - 4, -2)",
            f"range(0, 7, {w.atom(s)})",
        ),
        w.name(s),
    )


@drawn(LOOPED, "loop over a table", 2)
def _over_table(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    return w.table(s)[0], w.name(s)


@drawn(LOOPED, "reversed", 0.8)
def _reversed(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    return f"reversed({w.one(w.table(s)[0], f'range({w.atom(s)} % 4)')})", w.name(s)


@drawn(LOOPED, "enumerate", 1)
def _enumerate(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    start = w.one("", "", f", {w.small()}", f", start={w.atom(s)}")
    return f"enumerate({w.table(s)[0]}{start})", f"{w.name(s)}, also"


@drawn(LOOPED, "zip", 1)
def _zip(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    return f"zip({w.table(s)[0]}, {w.one(w.table(s)[0], f'range({w.atom(s)} % 5)')})", f"{w.name(s)}, also"


@drawn(LOOPED, "zip strict", 0.8, "traps")
def _zip_strict(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    other = w.one(w.table(s)[0], f"range({w.atom(s)} % 3 + 1)")
    return f"zip({w.table(s)[0]}, {other}, strict={w.one('True', 'True', 'False')})", f"{w.name(s)}, also"


@drawn(LOOPED, "enumerate of zip", 0.4)
def _enumerate_zip(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    return f"enumerate(zip({w.table(s)[0]}, range(3)))", f"at, ({w.name(s)}, also)"


@drawn(LOOPED, "generator looped over", 1.5, "traps")
def _over_generator(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    """The comprehension's own name stands for something outside as well."""
    n = w.random.choice([*s.names, "k", "each"])
    bound = n if n in s.names else w.atom(s)
    inside = w.one(
        f"{n} * 2 for {n} in range({bound} % 4)",
        f"2 * {n} for {n} in (3, 1, {bound}) if {n} != 1",
        f"{n} + other for {n} in range(2) for other in range({n} + 1)",
    )
    return w.one(f"({inside})", f"[{inside}]", f"({inside})"), w.name(s)


@drawn(LOOPED, "own generator", 1)
def _own_generator(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    if not w.generators or s.first != "self":
        return f"range({w.atom(s)} % 3)", w.name(s)
    return w.random.choice(w.generators).format(w.number(s, 0)), w.name(s)


@drawn(LOOPED, "tuple of a loop", 0.6, "wide")
def _tuple_of(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    inside = f"each * {w.small()} for each in range({w.atom(s)} % 4)"
    return w.one(f"tuple({inside})", f"sorted({inside})", f"{{{inside}}}", f"list({inside})[1:]"), w.name(s)


@drawn(EXPRESSIONS, "digits as a text", 0.7)
def _digits_as_text(w: Writer, s: Scope, d: int) -> str:
    """Texts made of digits and letters, which are compared, counted, or keys."""
    a, b = w.number(s, d), w.number(s, d)
    if '"' in a + b:  # Python 3.11 has no such quotes inside of an f-string
        return a
    text = w.one(f'f"{{{a} % 10}}{{{b} % 2}}"', f"(str({a} % 3) + str({b} % 10))", f'f"a{{{a} % 4}}b"')
    return w.one(
        f'int({text} == "21")',
        f'{{"00": 1, "11": 5, "a1b": 7}}.get({text}, {w.small()})',
        f'{text}.count("1")',
        f"int({text}[0] in ('1', 'a'))",
        f'"0123".find({text}[1])',
    )


@drawn(EXPRESSIONS, "nested keys", 0.7)
def _nested_keys(w: Writer, s: Scope, d: int) -> str:
    """Constants by tuples in tuples, texts among them: as keys, and as what something is looked for in."""
    a, b = f"{w.number(s, d)} % {w.one('2', '3')}", f"{w.number(s, d)} % 2"
    key = w.one(f"(({a}, {b}), 1)", f"(({a}, 1), {b})", f"(({a}, {b}), 'ab'[{b}])", f"({a}, {b} == 1)")
    known = w.one(
        "{((0, 1), 1): 3, ((2, 0), 1): 4, ((1, 1), 'a'): 5, ((0, 0), 'b'): 6}", "{(0, 1): 3, ((1, 1), 0): 2, 4: 1}"
    )
    return w.one(f"{known}.get({key}, {w.small()})", f"int({key} in {known})", f"int({key} in tuple({known}))")


@drawn(EXPRESSIONS, "set of starred", 0.5)
def _set_of_starred(w: Writer, s: Scope, d: int) -> str:
    """Sets with all items of others, and methods with several of them."""
    a, b = w.number(s, d), w.number(s, d)
    whole = w.one(f"{{*({a}, {b}), 4}}", f"{{{a}}}.union(({b}, 3), {{2}})", f"{{1, {a}}}.difference({{2}}, [{b}])")
    return w.one(
        f"len({whole})", f"sum({whole})", f"int({w.small()} in {whole})", f"sorted(frozenset([*{whole}, 1]))[0]"
    )
