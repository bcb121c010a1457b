"""Sets, dictionaries, texts, what `itertools` gives and recursion, for the programs of `program_texts.py`."""

from __future__ import annotations

from program_writer import EXPRESSIONS, MEMBERS, STATEMENTS, Scope, Writer, bind, defined, drawn, indented

__all__: list[str] = []

_PAIRS = "{(0, 0): 1, (0, 1): 3, (1, 0): 4, (1, 1): 9}"
_RAGGED = "((1, (2, 3)), (4, (5, 6)))"


def _numbers(w: Writer, s: Scope, count: int) -> str:
    return ", ".join(f"{w.number(s, 0)} % {w.one('3', '4', '9')}" for _ in range(count))


@drawn(EXPRESSIONS, "sets", 0.8)
def _sets(w: Writer, s: Scope, d: int) -> str:
    one, other = f"{{{_numbers(w, s, 3)}}}", f"{{item % 4 for item in {w.table(s)[0]}}}"
    whole = f"{one} {w.one('&', '|', '-', '^')} {other}"
    return w.one(
        f"len({whole})", f"sum({whole})", f"sorted({whole} | {{1}})[0]", f"int({one} {w.one('<=', '==', '<')} {other})"
    )


@drawn(EXPRESSIONS, "dictionaries", 0.6)
def _dictionaries(w: Writer, s: Scope, d: int) -> str:
    table = f"{{item % 3: item for item in {w.table(s)[0]}}}"
    return w.one(f"{table}.get({w.atom(s)} % 3, 7)", f"len({table})", f"sum(k * v for k, v in {table}.items())")


@drawn(EXPRESSIONS, "constants of any shape", 0.8)
def _shapes(w: Writer, s: Scope, d: int) -> str:
    a, b = w.atom(s), w.atom(s)
    return w.one(
        f"int('abca'[{a} % 4] {w.one('==', '!=', 'in', '<')} 'b')",
        f"'xabc'.index('abc'[{a} % 3])",
        f"{_RAGGED}[{a} % 2][1][{b} % 2]",
        f"{_PAIRS}[{a} % 2, {b} % 2]",
        f"{_PAIRS}.get(({a} % 3, {b} % 2), -2)",
        f"sum({{0: (1, 2), 1: (3,), 2: ()}}[{a} % 3])",
    )


@drawn(EXPRESSIONS, "chosen items", 0.5)
def _chosen(w: Writer, s: Scope, d: int) -> str:
    w.imports.append("import itertools")
    kind = w.one("combinations", "permutations", "combinations_with_replacement")
    return f"sum(p * 3 - q for p, q in itertools.{kind}({w.table(s)[0]}, 2))"


@drawn(EXPRESSIONS, "orders", 0.6)
def _orders(w: Writer, s: Scope, d: int) -> str:
    table = w.table(s)[0]
    return w.one(
        f"sorted([(item % 3, -item) for item in {table}])[0][1]",
        f"max({table}, key=lambda item: (item % 3, -item))",
        f"sum(p * q for p, q in enumerate(sorted({table}, key=lambda item: item % 3, reverse=True)))",
        f"sum([*{table}, {w.atom(s)}][::{w.one('2', '-1', '-2')}])",
        f"next((item for item in {table} if item > {w.small()}), {w.small()})",
    )


@drawn(STATEMENTS, "set filled", 0.6)
def _filled(w: Writer, s: Scope) -> list[str]:
    n = w.name(s)
    lines = ["seen = set()", f"for near in {w.table(s)[0]}:", "    if near % 4 in seen:"]
    lines += [f"        {w.one('break', 'seen.discard(near % 3)', 'continue')}", "    seen.add(near % 4)"]
    lines += [f"{n} = len(seen) + 7 * sum(seen)"]
    bind(s, n)
    return lines


@drawn(STATEMENTS, "dictionary filled", 0.6)
def _counted(w: Writer, s: Scope) -> list[str]:
    n = w.name(s)
    change = w.one("counts[near % 3] = counts.get(near % 3, 0) + near", "counts[near % 3] = near")
    lines = [f"counts = {{1: {w.number(s, 0)}}}", f"for near in {w.table(s)[0]}:", f"    {change}"]
    lines += [w.one("del counts[1]", "counts[1] += 2", "counts.setdefault(5, 3)")]
    lines += [f"{n} = sum(key * place for place, key in enumerate(counts)) + sum(counts.values())"]
    bind(s, n)
    return lines


@drawn(STATEMENTS, "dictionary of known keys", 0.8)
def _known_keys(w: Writer, s: Scope) -> list[str]:
    """A dictionary whose keys are known at first, changed under keys that are known, or not, or new."""
    total, (a, b) = w.name(s), (w.atom(s), w.atom(s))
    lines = [
        w.one(
            f"spots = {{place: {a} % (place + 2) for place in range(4)}}",
            f"spots = dict(zip((2, 0, True, 5), ({a}, {b}, 3, {a} % 2)))",
            f"spots = {{0: {a}, 1: {b}, 2: 7}}",
            f"spots = {{0: 4, **{{3: {a}, 0: {b}}}, 1: 2}}",
            f"spots = {{place: 1 for place in range(3) if place != {a} % 3}}",
            f"spots = {{(place, 1): at for place, at in enumerate(({a}, 0, {b} % 2, 4)) if at}}",
        )
    ]
    if "(place, 1)" in lines[0]:
        lines += [f"spots[{a} % 5, 1] = {b}"] * w.random.randint(0, 1)
        lines += [f"held = {w.one('spots', 'dict(spots)', '{**spots, (0, 1): 3}')}"]
        lines += [f"{total} = held.get(({b} % 6, {w.one('1', f'{a} % 2')}), 9) + sum(p for p, _ in held)"]
        bind(s, total)
        return lines
    for _ in range(w.random.randint(1, 4)):
        lines += _key_changes(w, s, a, b)
    lines += [f"{total} = sum(key * 7 + place * value for place, (key, value) in enumerate(spots.items()))"]
    lines += [
        f"{total} += {w.one(f'spots.get({b} % 6, 9)', f'int({b} % 5 in spots)', 'spots.get(1, 0)', 'len(spots)')}"
    ]
    bind(s, total)
    return lines


def _key_changes(w: Writer, s: Scope, a: str, b: str) -> list[str]:
    """One change of such a dictionary."""
    key = w.one(f"{a} % 4", f"{b} % 7", "1", "6", f"{a} > {b}")
    value = w.one(w.number(s, 0), "None if False else 3", f"{b} % 3")
    put = f"spots[{key}] = {value}"
    return w.one(
        [put],
        [f"if {w.test(s)}:", f"    {put}"],
        [f"if {w.test(s)}:", f"    {put}", "else:", f"    spots[{w.one('3', '1', '8')}] = {value}"],
        [f"for near in {w.table(s)[0]}:", f"    spots[near % {w.one('3', '9')}] = spots.get({key}, near)"],
        [f"for near in range({a} % 4):", "    spots = {**spots, near: near + 1}"],
        ["spots = dict(spots)", put],
        ["others = spots.copy()", f"others[{key}] = {value}", f"spots = {w.one('dict(others)', 'spots | others')}"],
        [f"spots.update({{{key}: {value}, 2: {a}}})"],
        [f"spots |= {{{key}: {value}}}"],
        [f"if {key} in spots:", f"    del spots[{key}]", put],
        ["spots.clear()", put],
        [f"spots.setdefault({key}, {value})"],
        ["for key in sorted(spots):", f"    spots[key] += {w.one('key', '1')}"],
        [f"spots = {{key: value for key, value in spots.items() if value != {w.small()}}}"],
    )


@drawn(STATEMENTS, "key that may be missing", 0.15)
def _missing(w: Writer, s: Scope) -> list[str]:
    n = w.name(s)
    lines = ["counts = {}", f"if {w.test(s)}:", f"    counts[{w.atom(s)} % 2] = {w.number(s, 0)}"]
    lines += [f"{n} = {w.one('counts[1]', 'counts.get(1, 4)', 'sum(counts.values())')}"]
    bind(s, n)
    return lines


@drawn(STATEMENTS, "list changed", 0.6)
def _changed(w: Writer, s: Scope) -> list[str]:
    n = w.name(s)
    lines = [f"held = [{w.number(s, 0)}, {w.number(s, 0)}, {w.number(s, 0)}]"]
    for _ in range(w.random.randint(1, 2)):
        lines.append(w.one(f"held.insert({w.atom(s)} % 3 - 1, 5)", "held.sort()", "held.reverse()", "del held[0]"))
    lines += [w.one("near = held.pop(0)", "near, *_ = held", "near = held.pop()")]
    lines += [f"{n} = near * 5 + sum(place * item for place, item in enumerate(held))"]
    bind(s, n)
    return lines


@drawn(STATEMENTS, "texts chosen", 0.5)
def _texts(w: Writer, s: Scope) -> list[str]:
    n = w.name(s)
    lines = ["letter = 'a'", f"if {w.test(s)}:", f"    letter = 'abc'[{w.atom(s)} % 3]"]
    lines += [f"{n} = {{'a': 3, 'b': 5, 'c': 8}}[letter] + int(letter != 'b')"]
    bind(s, n)
    return lines


@drawn(MEMBERS, "recursion", 0.8)
def _recursion(w: Writer) -> None:
    name = f"helper{len(w.members)}"
    step = w.one(f"self.{name}(depth % 7 - 1)", f"max(self.{name}(depth % 7 - each) for each in (1, 2))")
    lines = [
        f"if depth % 7 < {w.one('1', '2')}:",
        f"    return {w.small()}",
        f"return {step} {w.one('+', '*')} 2 + depth",
    ]
    w.members.append(defined(name, "self, depth", lines))
    w.calls.append((f"self.{name}({{}})", 1, True))


@drawn(STATEMENTS, "parts of tuples", 0.8)
def _parts(w: Writer, s: Scope) -> list[str]:
    """Slices under local names, joined around an item, while branches and loops move the place they were cut at."""
    total = w.name(s)
    lines = [
        f"cells = ({w.atom(s)}, {w.atom(s)}, 3, {w.atom(s)})",
        f"place = abs({w.number(s, 1)}) % 4",
        "head, tail = cells[:place], cells[place + 1:]",
        f"{total} = {w.small()}",
    ]
    bind(s, total)
    return [*lines, *_cuts(w, s, total, 2), _joined(w, s, total)]


def _cuts(w: Writer, s: Scope, total: str, depth: int) -> list[str]:
    lines: list[str] = []
    for _ in range(w.random.randint(2, 3)):
        what = w.random.randint(0, 9 if depth else 6)
        if what < 5:
            step = ("head = cells[:place]", "tail = cells[place + 1:]", "place = (place + 1) % 4", _joined(w, s, total))
            lines.append(w.one(*step, step[-1]))
        elif what < 7:
            lines.append(w.one(f"place = {w.atom(s)} % 4", f"cells = (2, {w.atom(s)}, 5, {w.atom(s)})"))
        else:
            first = (
                f"if {w.test(s, 1)}:",
                f"for place in range({w.one('2', '3')}):",
                f"for turn_{depth} in range({w.atom(s)} % 4):",
            )
            lines += [w.one(*first), *indented(_cuts(w, s, total, depth - 1))]
    return lines


def _joined(w: Writer, s: Scope, total: str) -> str:
    made = f"{w.one('head', 'head', 'cells[:place]')} + ({w.atom(s)},) + {w.one('tail', 'cells[place + 1:]')}"
    return f"{total} = ({total} * 3 + sum(each * (at + 2) for at, each in enumerate({made}))) % 9973"
