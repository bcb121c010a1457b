"""Statements, for the programs of `program_texts.py`."""

from __future__ import annotations

from program_writer import STATEMENTS, Scope, Writer, bind, drawn, indented

__all__: list[str] = []


@drawn(STATEMENTS, "assign", 6)
def _assign(w: Writer, s: Scope) -> list[str]:
    n = w.name(s)
    line = f"{n} = {w.number(s, 3)}"
    bind(s, n)
    return [line]


@drawn(STATEMENTS, "assign two", 1.5)
def _assign_two(w: Writer, s: Scope) -> list[str]:
    a, b = w.name(s), w.name(s)
    if a == b:
        b = "other"
    line = w.one(
        f"{a}, {b} = {w.number(s)}, {w.number(s)}",
        f"{a} = {b} = {w.number(s)}",
        f"({a}, {b}) = divmod({w.number(s)}, {w.small()})",
        f"[{a}, {b}] = {w.number(s)}, {w.number(s)}",
    )
    bind(s, a, b)
    return [line]


@drawn(STATEMENTS, "sequences in a tuple", 0.6)
def _sequences_in_a_tuple(w: Writer, s: Scope) -> list[str]:
    n, p, q = w.name(s), w.one("pair_of", "duo_of"), w.one("(mine, theirs)", "both_of")
    kind = w.one("tuple", "list", "set", "frozenset")
    one, two = (w.one(f"{kind}(({w.number(s)}, {w.small()}))", f"{kind}(range({w.small()}))") for _ in "12")
    lines = [f"{p} = {one}, {two}", f"{q} = {p} if {w.test(s)} else {p}[::-1]"]
    if w.chance(0.3):
        lines = [
            lines[0],
            f"for turn_of in range({w.small()}):",
            f"    {p} = {p}[::-1] if {w.test(s)} else {p}",
            lines[1],
        ]
    made = "mine, theirs" if q != "both_of" else "both_of[0], both_of[1]"
    own, rest = made.split(", ")
    lines.append(f"{n} = sum({own}) * 3 - len({rest}) + len({p}[{w.number(s)} % 2])")
    bind(s, n)
    return lines


@drawn(STATEMENTS, "sequences that meet", 0.6)
def _sequences_that_meet(w: Writer, s: Scope) -> list[str]:
    n, z = w.name(s), w.one("some_of", "few_of")

    def made() -> str:
        return w.one(f"({w.number(s)},)", f"[{w.number(s)}, {w.small()}]", "()", f"range({w.small()})", "(3, 1)")

    lines = w.one(
        [f"{z} = {made()} if {w.test(s)} else {made()}"],
        [f"{z} = {made()}", f"if {w.test(s)}:", f"    {z} = {made()}"],
        [f"{z} = ({w.number(s)},)", f"for turn_of in range({w.small()}):", f"    {z} += (turn_of, {w.number(s)})"],
    )
    lines.append(f"{n} = {w.one(f'sum({z})', f'len({z})', f'int({w.number(s)} in {z})', f'len(list({z}))')}")
    bind(s, n)
    return lines


@drawn(STATEMENTS, "queue", 0.8)
def _queue(w: Writer, s: Scope) -> list[str]:
    n, q = w.name(s), w.one("queue_of", "line_of")
    lines = [f"{q} = [{w.number(s)}, {w.small()}, {w.number(s)}, {w.small()}]"]
    for _ in range(w.random.randint(1, 3)):
        pop = w.one(f"{q}.pop()", f"{q}.pop(0)")
        lines.append(
            w.one(
                f"{q}.append({pop})",
                f"{q}.append({w.number(s)} + {pop} - {w.small()})",
                f"{q}.insert(0, {pop})",
                f"{q}[0], {q}[-1] = {pop}, {w.small()}",
                f"{q}.append({pop} + {q}[0])",
            )
        )
    lines.append(f"{n} = {w.one(f'{q}.pop() * 2 - {q}.pop(0)', f'{q}.pop() + len({q})', f'sum({q})')}")
    bind(s, n)
    return lines


@drawn(STATEMENTS, "items as long as", 0.8)
def _items_as_long_as(w: Writer, s: Scope) -> list[str]:
    n = w.name(s)
    w.imports.append("import itertools")
    items = w.one(
        f"({w.number(s)}, {w.small()}, {w.number(s)})", f"[{w.small()}, {w.number(s)}]", f"range({w.small()})"
    )
    late = w.one(
        f"(q_of * 2 for q_of in {items} if q_of > {w.small()})",
        f"itertools.takewhile(lambda q_of: q_of < {w.number(s)}, {items})",
        f"itertools.dropwhile(lambda q_of: q_of < {w.number(s)}, {items})",
        f"itertools.islice(itertools.cycle({items}), {w.small()})",
    )
    whole = w.one(late, f"(p_of * q_of for p_of, q_of in zip(range({w.small()}), {late}))")
    if w.chance(0.4):
        lines = [f"{n} = 0", f"for p_of, q_of in zip({late}, {items}):", f"    {n} = ({n} * 2 + p_of - q_of) % 99"]
        lines += [f"    if q_of > {w.small()}: {w.one('break', 'continue')}"] if w.chance(0.5) else []
    else:
        lines = [f"{n} = {w.one(f'sum({whole})', f'len(list({whole}))', f'max({whole}, default={w.small()})')}"]
    bind(s, n)
    return lines


@drawn(STATEMENTS, "swap", 1)
def _swap(w: Writer, s: Scope) -> list[str]:
    if len(s.names) < 2:
        return _assign(w, s)
    a, b = w.random.sample(s.names, 2)
    return [w.one(f"{a}, {b} = {b}, {a} + 1", f"{a}, {b} = {b} - {a}, {a}")]


@drawn(STATEMENTS, "augmented", 2)
def _augmented(w: Writer, s: Scope) -> list[str]:
    if not s.names:
        return _assign(w, s)
    n = w.random.choice(s.names)
    return [f"{n} {w.one('+=', '-=', '*=', '^=', '|=', '&=')} {w.number(s)}"]


@drawn(STATEMENTS, "annotated", 0.7)
def _annotated(w: Writer, s: Scope) -> list[str]:
    n = w.name(s)
    line = f"{n}: int = {w.number(s)}"
    bind(s, n)
    return [line]


@drawn(STATEMENTS, "annotated alone", 0.5, "traps")
def _annotated_alone(w: Writer, s: Scope) -> list[str]:
    n = w.name(s, fresh=True)
    if n in s.names:
        return _assign(w, s)
    s.loose.append(n)
    return [f"{n}: int"]


@drawn(STATEMENTS, "if", 4)
def _if(w: Writer, s: Scope) -> list[str]:
    lines = [f"if {w.test(s)}:", *w.body(s)]
    if w.chance(0.25):
        lines += [f"elif {w.test(s)}:", *w.body(s)]
    if w.chance(0.5):
        lines += ["else:", *w.body(s)]
    return lines


@drawn(STATEMENTS, "bound in both branches", 1.5)
def _both_branches(w: Writer, s: Scope) -> list[str]:
    n = w.name(s)
    lines = [f"if {w.test(s)}:", f"    {n} = {w.number(s)}", "else:", f"    {n} = {w.number(s)}"]
    bind(s, n)
    return lines


@drawn(STATEMENTS, "bound in one branch", 1, "traps")
def _one_branch(w: Writer, s: Scope) -> list[str]:
    n = w.name(s, fresh=True)
    lines = [f"if {w.test(s)}:", f"    {n} = {w.number(s)}"]
    if n not in s.names:
        s.loose.append(n)
    return lines


@drawn(STATEMENTS, "for", 4)
def _for(w: Writer, s: Scope) -> list[str]:
    if s.loops > 1:
        return _assign(w, s)
    text, target, names = w.looped(s, 2)
    counter = w.name(s)
    lines = [] if counter in s.names else [f"{counter} = {w.atom(s)}"]
    bind(s, counter)
    with w.loop(s, names) as inner:
        lines += [f"for {target} in {text}:"]
        lines += indented(w.block(inner, w.random.randint(0, 1)))
        if w.chance(0.35):
            lines += [f"    if {w.test(inner)}:", f"        {w.one('break', 'continue', 'break')}"]
        lines += [f"    {counter} {w.one('+=', '-=', '^=')} {w.number(inner)}"]
    if w.chance(0.3):
        lines += ["else:", f"    {counter} += {w.number(s, 1)}"]
    return lines


@drawn(STATEMENTS, "generator in a header", 1.5, "traps")
def _header(w: Writer, s: Scope) -> list[str]:
    """The names of a comprehension are its own, also in the header of a loop."""
    if not s.names or s.loops:
        return _assign(w, s)
    n, counter = w.random.choice(s.names), w.name(s)
    inside = w.one(f"{n} + {w.small()} for {n} in range({w.small()})", f"2 * {n} for {n} in (4, {n}, 1) if {n} < 9")
    lines = [] if counter in s.names else [f"{counter} = 1"]
    bind(s, counter)
    lines += [f"for also in {w.one(f'({inside})', f'[{inside}]')}:", f"    {counter} += also"]
    return [*lines, f"{counter} += {n}"]


@drawn(STATEMENTS, "loop name afterwards", 1)
def _loop_name(w: Writer, s: Scope) -> list[str]:
    n, counter = w.name(s), w.name(s)
    lines = [f"{counter} = {w.atom(s)}"]
    bind(s, counter)
    over = w.one(f"range({w.small()})", f"({w.atom(s)}, {w.atom(s)})", f"range({w.small()}, -1, -1)")
    lines += [f"for {n} in {over}:", f"    {counter} = {counter} * 2 + {n}"]
    if w.chance(0.4):
        lines += [f"    {n} = {n} + {w.small()}"]
    bind(s, n)
    return lines


@drawn(STATEMENTS, "while", 2)
def _while(w: Writer, s: Scope) -> list[str]:
    if s.loops > 1:
        return _assign(w, s)
    rest, counter = "rest" if s.loops == 0 else "rest_", w.name(s)
    lines = [] if counter in s.names else [f"{counter} = {w.atom(s)}"]
    bind(s, counter)
    lines += [f"{rest} = abs({w.number(s)}) % 5", f"while {rest} > {w.one('0', '1')}:", f"    {rest} -= 1"]
    with w.loop(s, []) as inner:
        inner.kept.append(rest)
        lines += indented(w.block(inner, w.random.randint(0, 1)))
        if w.chance(0.35):
            lines += [f"    if {w.test(inner)}:", f"        {w.one('break', 'continue')}"]
        lines += [f"    {counter} += {w.number(inner)}"]
    if w.chance(0.35):
        lines += ["else:", f"    {counter} -= {w.number(s, 1)}"]
    return lines


@drawn(STATEMENTS, "match", 1)
def _match(w: Writer, s: Scope) -> list[str]:
    lines = [f"match {w.number(s)} % 4:", f"    case {w.one('0', '1 | 3', '-1 | 2')}:", *indented(w.body(s))]
    guard = f" if {w.test(s, 1)}" if w.chance(0.4) else ""
    lines += [f"    case {w.one('1', '2')}{guard}:", *indented(w.body(s))]
    if w.chance(0.5):
        lines += ["    case _:", *indented(w.body(s))]
    return lines


@drawn(STATEMENTS, "list of numbers", 1.5)
def _list(w: Writer, s: Scope) -> list[str]:
    n = w.one("items", "cells", "row")
    if n in s.lists or s.loops:
        return _assign(w, s)
    length = w.random.randint(2, 5)
    made = w.one(f"[{w.number(s, 1)}] * {length}", f"[{', '.join(w.number(s, 1) for _ in range(length))}]")
    s.lists[n] = length
    lines = [f"{n} = {made}"]
    lines.append(f"{n}[{w.number(s, 1)} % {length}] {w.one('=', '=', '+=')} {w.number(s)}")
    if w.chance(0.5):
        lines += [f"for at in range({length}):", f"    {n}[at] {w.one('=', '+=')} {n}[at - 1] + {w.number(s, 1)}"]
    return lines


@drawn(STATEMENTS, "list under two names", 1.5, "traps")
def _aliases(w: Writer, s: Scope) -> list[str]:
    lines = [] if s.lists else _list(w, s)
    if not s.lists:
        return lines
    n, length = w.random.choice(list(s.lists.items()))
    other = w.random.choice([name for name, count in s.lists.items() if count == length])
    s.lists["twin"] = length
    made = w.one(
        n,
        n,
        f"{n} if {w.test(s)} else {other}",
        f"{n}[:]",
        f"list({n})",
        f"[each for each in {n}]",
        f"{{0: {n}, 1: {n}}}[{w.atom(s)} % 2]",
    )
    changed = w.one("twin", n)
    lines += [f"twin = {made}", f"{changed}[{w.atom(s)} % {length}] = {w.number(s)}"]
    total = w.name(s)
    bind(s, total)
    return [*lines, f"{total} = 3 * twin[0] + 5 * {n}[0]"]


@drawn(STATEMENTS, "list chosen of two", 0.4, "traps")
def _chosen_list(w: Writer, s: Scope) -> list[str]:
    """Which of two lists changes, if any, shows in the one that was chosen."""
    total, changed = w.name(s), w.one("first", "second", "chosen", "fresh")
    lines = [f"first, second, fresh = [{w.atom(s)}, 1], [{w.small()}, {w.atom(s)}], [7, 8]"]
    lines += [f"chosen = first if {w.test(s)} else second", f"{changed}[0] = {w.number(s)}"]
    bind(s, total)
    return [*lines, f"{total} = chosen[0] * 3 + first[0] * 5 + second[0]"]


@drawn(STATEMENTS, "append", 0.8, "wide")
def _append(w: Writer, s: Scope) -> list[str]:
    if s.loops:
        return _assign(w, s)
    s.lists["out"] = 3
    lines = [w.one("out = []", f"out = list(range({w.atom(s)} % 3))"), "for turn in range(3):"]
    return [*lines, f"    out.append(turn * {w.number(s, 1)})"]


@drawn(STATEMENTS, "break after any of lists", 1, "traps")
def _break_after(w: Writer, s: Scope) -> list[str]:
    """The test is tried in two ways; what the name stands for at the `break` counts all the same."""
    if s.loops:
        return _assign(w, s)
    n = w.name(s)
    lines = [
        "for turn in range(3):",
        f"    {n} = {w.small()}",
        f"    if any([[turn] for own in range({w.atom(s)} % 4)]):",
    ]
    bind(s, n)
    return [*lines, f"        {n} = 1{w.small()}", f"        {w.one('break', 'break', 'continue')}"]


@drawn(STATEMENTS, "early return", 1)
def _early(w: Writer, s: Scope) -> list[str]:
    if s.gives == "yield":
        return [f"if {w.test(s)}:", f"    yield {w.number(s, 1)} % 5 + 10", f"    {w.one('return', 'pass')}"]
    if s.gives is None:
        return _assign(w, s)
    if s.gives == "share":
        return _if(w, s)
    return [f"if {w.test(s)}:", f"    return {w.number(s)}"]


@drawn(STATEMENTS, "assert", 1, "traps")
def _assert(w: Writer, s: Scope) -> list[str]:
    return [f"assert {w.test(s)}{w.one('', ', ' + repr('told'))}"]


@drawn(STATEMENTS, "raise", 0.6, "traps")
def _raise(w: Writer, s: Scope) -> list[str]:
    return [f"if {w.test(s)} and state.step == 2:" if s.rules else f"if {w.test(s)}:", "    raise ValueError('no')"]


@drawn(STATEMENTS, "try", 0.4, "wide")
def _try(w: Writer, s: Scope) -> list[str]:
    n = w.name(s)
    lines = ["try:", f"    {n} = {w.small()} // ({w.number(s)} % 2)", "except ZeroDivisionError:", f"    {n} = 3"]
    bind(s, n)
    return lines


@drawn(STATEMENTS, "another state", 0.7, "traps")
def _another_state(w: Writer, s: Scope) -> list[str]:
    if not s.rules or s.loops:
        return _assign(w, s)
    names = ", ".join(w.order)
    return [
        w.one(
            f"state = state._replace(a=({w.number(s)}) % 3)",
            f"state = self.State({', '.join(f'state.{name}' for name in w.order)})._replace(a=({w.number(s)}) % 3)"
            if w.fields
            else f"state = self.State(({w.number(s)}) % 3, state.b, state.step)",
            "state = self.State(*state)",
            f"{names} = state\nstate = self.State({names.replace('b', f'({w.number(s)}) % 3', 1)})"
            if not w.fields
            else f"{names} = state\nstate = self.State({names})",
        )
    ]


@drawn(STATEMENTS, "global name made local", 0.6, "traps")
def _shadowed(w: Writer, s: Scope) -> list[str]:
    w.before.append("SHARED = 40")
    line = f"SHARED = {w.number(s)}"
    bind(s, "SHARED")
    return [line]


@drawn(STATEMENTS, "function inside", 0.8, "wide")
def _inside(w: Writer, s: Scope) -> list[str]:
    if s.loops:
        return _assign(w, s)
    n = w.name(s)
    inner = s.inner()
    inner.names.append("given")
    lines = [f"factor = {w.atom(s)}", "def nearby(given):", f"    return factor * {w.number(inner)}"]
    lines += [w.one("factor = 9", "pass"), f"{n} = nearby({w.number(s, 1)})"]
    bind(s, n, "factor")
    return lines


@drawn(STATEMENTS, "walrus", 0.4, "wide")
def _walrus_in_a_sum(w: Writer, s: Scope) -> list[str]:
    """The name is read before it gets its new value."""
    n, m = w.name(s), w.name(s)
    lines = [f"{n} = {w.atom(s)}", f"{m} = {n} * 3 + ({n} := {w.number(s, 1)})"]
    bind(s, n, m)
    return lines


@drawn(STATEMENTS, "starred names", 0.4, "wide")
def _starred(w: Writer, s: Scope) -> list[str]:
    text = w.table(s)[0]
    n = w.name(s)
    bind(s, n)
    return [f"{n}, *tail = {text}", f"{n} += len(tail)"]


@drawn(STATEMENTS, "walrus in a test", 1)
def _walrus_in_a_test(w: Writer, s: Scope) -> list[str]:
    """A name that a part of `and` or `or` gives a value, read where all parts were evaluated."""
    n, counter = w.name(s, fresh=True), w.name(s)
    if n == counter or n in s.names:
        return _assign(w, s)
    lines = [] if counter in s.names else [f"{counter} = {w.atom(s)}"]
    bind(s, counter)
    test = f"{w.test(s)} and ({n} := {w.number(s, 1)}) {w.one('>', '!=', '<=')} {w.small()}"
    if w.chance(0.3):  # a value from before stays where that part is not evaluated
        return [*lines, f"{n} = {w.small()}", f"if {test}:", f"    {counter} += 1", f"{counter} += {n}"]
    if w.chance(0.3):
        return [*lines, f"if not ({test}):", f"    {counter} += 1", "else:", f"    {counter} += {n}"]
    if w.chance(0.3):
        return [*lines, f"{counter} = {n} if {test} else {w.number(s, 1)}"]
    if w.chance(0.3):
        test = f"{test} and {n} {w.one('>', '==')} {w.number(s, 1)}"
    return [*lines, f"if {test}:", f"    {counter} += {n} * 2"]


@drawn(STATEMENTS, "perhaps None", 1.5)
def _perhaps_none(w: Writer, s: Scope) -> list[str]:
    """A name that is None or a number, on some ways for certain."""
    n, counter = w.name(s, fresh=True), w.name(s)
    if n == counter or n in s.names:
        return _assign(w, s)
    lines = [] if counter in s.names else [f"{counter} = {w.atom(s)}"]
    bind(s, counter)
    number = w.number(s, 1)
    given: list[list[str]] = [
        [f"{n} = None if {w.test(s)} else {number}"],
        [f"{n} = {number} if {w.test(s)} else None"],
        [f"{n} = None", f"if {w.test(s)}:", f"    {n} = {number}"],
        [f"{n} = None", f"for k in range({w.small()}):", f"    if {n} is None or k > {n}:", f"        {n} = k"],
    ]
    lines += w.random.choice(given)
    if w.chance(0.3):
        lines += [f"if {n} is not None and {w.test(s)}:", f"    {n} = {w.one('None', f'{n} + 1', w.number(s, 1))}"]
    read: list[list[str]] = [
        [f"{counter} += 3 if {n} is None else {n}"],
        [f"if {n} is not None:", f"    {counter} += {n}"],
        [f"if {n}:", f"    {counter} += {n} * 2"],
        [f"{counter} += {n} or 5"],
        [f"{counter} += int({n} == {w.number(s, 1)})"],
        [f"if not {n} is None and {n} > {w.small()}:", f"    {counter} -= {n}"],
        [f"if {n} is None:", f"    {n} = {w.small()}", f"{counter} += {n}"],
        [f"if {n} and {w.test(s)}:", f"    {counter} += {n}"],
        [f"if {w.test(s)} or {n}:", f"    {counter} += 2"],
        [f"{n} = {n} and {w.number(s, 1)}", f"{counter} += 7 if {n} is None else {n}"],
        [f"{n} = {w.number(s, 1)} and {n}", f"{counter} += 7 if {n} is None else {n}"],
        [f"{n} = {n} or ({w.number(s, 1)} if {w.test(s)} else None)", f"{counter} += 7 if {n} is None else {n}"],
        [f"{counter} += ({n} and {n} - 1) or 6"],
        [f"{counter} += sum(each for each in ({n}, {w.number(s, 1)}) if each)"],
    ]
    return lines + w.random.choice(read)


@drawn(STATEMENTS, "match on parts", 1)
def _match_on_parts(w: Writer, s: Scope) -> list[str]:
    """Patterns of tuples, with names in them and guards."""
    counter, one, other = w.name(s), w.name(s, fresh=True), w.name(s, fresh=True)
    if len({counter, one, other}) < 3 or {one, other} & set(s.names):
        return _assign(w, s)
    lines = [] if counter in s.names else [f"{counter} = {w.atom(s)}"]
    bind(s, counter)
    subject = f"({w.number(s, 1)} % 3, {w.one(w.number(s, 1), f'None if {w.test(s)} else {w.number(s, 1)}')})"
    lines += [f"match {subject}:", f"    case (0, {one}) if {w.test(s)}:", f"        {counter} += 1"]
    if w.chance(0.5):
        lines += ["    case (1 | 2, None):", f"        {counter} -= 2"]
    if w.chance(0.5):
        lines += [f"    case (1, 0 | 1) | (2, {w.small()}):", f"        {counter} -= 3"]
    if w.chance(0.5):
        lines += [f"    case ({one}, {other}) if {one} > 0 and {other}:", f"        {counter} += {one} * {other}"]
    if w.chance(0.5):
        lines += [f"    case {one}:", f"        {counter} += {one}[0]"]
    return lines
