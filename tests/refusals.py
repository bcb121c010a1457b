"""Rules that are not compiled, one for each place of the compiler that says why, and how to write them instead.

A case is what stands in the payoff, or a class of its own; the line that is to blame is marked with `# no`, or is the
first one. What `instead` says compiles, and is what the message advises where it advises anything.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BODIES", "CLASSES", "FRAME", "HEAD", "NATURAL", "NATURAL_FRAME", "Case"]


class Case(NamedTuple):
    """Lines, what is said of them, lines that compile, and the text of the line to blame where it is none of these."""

    lines: str
    said: str
    instead: str = ""
    blamed: str = ""


HEAD = """
import collections, copy, functools, itertools, math, operator
HALF = Fraction(1, 2)
LARGE = [1 << 70]
REALS = [1.5, 2.5]
MIXED = [1, [2]]
DEEP = [[[[[1]]]]]
SEVERAL = ([1], (2,))
LISTS = [[1], [2]]
class Kind(Enum):
    A = 1
    B = 2
    @property
    def ways(self): return [self.value, 3]
    @property
    def way(self): return self.value + 3
class Odd(NamedTuple):
    a: int
    def __add__(self, other): return 7
class Plain(NamedTuple):
    a: int
class Other:
    def ask(self, x): return x
OTHER = Other().ask
class Thing: pass
THING = Thing()
class Told(IntEnum):
    A = 1
    def __str__(self): return "one"
class Special(set): pass
SPECIAL = Special([1, 2])
"""
FRAME = """
class Rules(Steps):
    table = ((1, 2), (3, 4))
    def helper(self, x, by=1): return x * by
    def walk(self, x):
        yield x
        if x: yield from self.walk(x - 1)
    def asked(self, f): return f()  # asked
    def parts(self, ys): yield from ys
    def counts(self, p): yield len(p)
    def put(self, ys):
        ys[0] = 3
        return 1
    @functools.cache
    def cached(self, k): return [k, k]
    @functools.cache
    def once(self, k): yield k
    def forever(self, k): return self.forever(k + 1)
    def wider(self, k): return self.wider((k, 1))
    def deep(self, k):
        xs = [0] * 9
        {lists}
        return self.deep(k - 1) + xs[0] if k else 0
    def payoff(self, state):
        n, m = state.steps, state.last
        xs = [n, m, 3]
        t = (n, m)
{lines}
        return 0
""".replace("{lists}", "; ".join(f"x{k} = [k] * k; xs += x{k}; ys{k} = sorted(xs)" for k in range(40)))
_WORDS = "work with whole numbers, and make a Fraction of the result"
_LOCAL = "the rules must not change anything but local names"
_SORTED = "the order of a set cannot be compiled: go through sorted(...)"
_DENOMINATOR = (
    "the denominator may be any number: let it be at most 22, as in min(n, 12), or take the fraction from a table"
)
BODIES = [
    # ---- classes of values
    Case(
        "y = isinstance(n, collections.abc.Sized)",
        "isinstance is compiled for plain classes alone: decide by a number",
        "y = isinstance(n, int)",
    ),
    Case(
        "y = isinstance(n * HALF, int)",
        "isinstance of a fraction cannot be compiled: decide by a number",
        "y = isinstance(n, int)",
    ),
    # ---- fractions
    Case("y = Fraction(1 << 62) * 4 + n * HALF", "the fraction 18446744073709551616 does not fit a machine word"),
    Case(
        "y = Fraction(n, 10**6 + 3) + Fraction(m, 10**6 + 7)",
        "the fractions of these rules have no common denominator below 2^30",
        "y = Fraction(n, 1003) + Fraction(m, 1007)",
    ),
    Case("y = [n * HALF, t]", "a number is needed here, not a tuple of 2", "y = [n * HALF, m]"),
    Case("y = Fraction(t, 2)", "a number is needed here, not a tuple of 2", "y = Fraction(t[0], 2)"),
    Case("y = Fraction(numerator=n)", "this form of Fraction cannot be compiled", "y = Fraction(n)"),
    Case(
        "y = Fraction(('1/2', '1/3')[n % 2])",
        "a Fraction of a text or object cannot be compiled",
        "y = (HALF, Fraction(1, 3))[n % 2]",
    ),
    Case(
        "y = Fraction(n, m * HALF)",
        f"a Fraction of such values cannot be compiled: {_WORDS}",
        "y = Fraction(2 * n, 1 + m % 12)",
    ),
    Case("y = Fraction(n, m * m)", _DENOMINATOR, "y = Fraction(n, 1 + min(m, 12))\ny = (HALF, Fraction(1, 3))[n % 2]"),
    Case("y = t * HALF", "a number is needed here, not a tuple of 2", "y = t[0] * HALF"),
    Case(
        "y = n * HALF / 3",
        "division of a fraction cannot be compiled: write * Fraction(1, n)",
        "y = n * HALF * Fraction(1, 3)",
    ),
    Case("y = n * HALF // 3", f"this operator cannot be compiled for fractions: {_WORDS}", "y = Fraction(n // 6)"),
    Case(
        "y = (n * HALF) * (m * HALF)",
        f"a product of two fractions cannot be compiled: {_WORDS}",
        "y = Fraction(n * m, 4)",
    ),
    Case(
        "y = [n * HALF, n > m]",
        "a truth value stands where others are fractions: write int(...) around it",
        "y = [n * HALF, int(n > m)]",
    ),
    # ---- calls
    Case("f = lambda **k: 1 # no\ny = f(a=n)", "a function takes **arguments", "f = lambda a: 1\ny = f(a=n)"),
    Case("y = self.helper(n, 1, 2)", "the function does not take these arguments", "y = self.helper(n, 1)"),
    Case("y = self.helper()", "the function needs x", "y = self.helper(n)"),
    Case(
        "f = lambda *p: 1 # no\ny = f(xs)",
        "a function takes *arguments that are no numbers",
        "f = lambda *p: 1\ny = f(n, m)",
    ),
    Case("y = xs[0](n)", "the call of xs[0] cannot be compiled"),
    Case(
        "y = zip(xs, t)",
        "zip can be gone through here by a loop only, for a number of items that is known: write list(...)",
        "y = list(zip(xs, t))",
    ),
    Case("y = float(n)", "the call of float cannot be compiled: use whole numbers", "y = n"),
    Case("y = chr(n)", "the call of chr cannot be compiled: write what it does", "y = 'abc'[n % 3]"),
    Case("y = OTHER(n)", "the call of OTHER cannot be compiled", "y = self.helper(n)"),
    Case(
        "f = lambda a, b, c: a\ny = f(*xs) # no",
        "starred arguments of unknown number cannot be compiled: write them out",
        "f = lambda a, b, c: a\ny = f(xs[0], xs[1], xs[2])",
    ),
    Case("y = self.helper(**{'x': n})", "starred arguments cannot be compiled", "y = self.helper(x=n)"),
    Case("y = Kind.A.way()", "what the property way gives is called", "y = Kind.A.way"),
    Case("y = state.last(n)", "the field last is called", "y = state.last"),
    Case(
        "y = xs[0] + xs.pop()",
        "the call of xs.pop cannot be compiled: give its value to a name, in a statement of its own",
        "y = xs.pop()\ny += 1",
    ),
    Case("y = xs.hex()", "the call of xs.hex cannot be compiled: write what it does"),
    Case("y = self.State(*(n, m, 1))", "3 items for 2 fields", "y = self.State(*(n, m))"),
    Case("y = self.State(n, m, 1)", "too many fields", "y = self.State(n, m)"),
    Case("y = self.State(n, other=1)", "there is no field 'other' to be set here", "y = self.State(n, last=1)"),
    Case("y = self.State(last=1)", "the state lacks steps", "y = self.State(n)"),
    Case("y = Odd(n)", "Odd is not a plain NamedTuple", "y = Plain(n)"),
    Case("y = state._replace(**{'last': n})", "_replace needs names of fields", "y = state._replace(last=n)"),
    # ---- what is built in
    Case("y = len(xs, n)", "this form of len cannot be compiled", "y = len(xs)"),
    Case("y = int(xs)", "a whole number is needed here, not a list", "y = int(xs[0])"),
    Case("y = len(n)", "a whole number has no length", "y = len(t)"),
    Case("y = abs(t)", "a whole number is needed here, not a tuple of 2", "y = abs(t[0])"),
    Case("y = dict(a=n)", "this form of dict cannot be compiled", "y = {0: n}"),
    Case(
        "y = next(iter(xs))",
        "`next` of anything but a generator written there cannot be compiled",
        "y = next(x for x in xs)",
    ),
    Case(
        "y = functools.reduce(lambda a, x: a + x, xs, initial=0)",
        "this form of reduce cannot be compiled",
        "y = functools.reduce(lambda a, x: a + x, xs, 0)",
    ),
    Case("y = sorted(xs, cmp=n)", "this form of sorted cannot be compiled", "y = sorted(xs, key=lambda x: x)"),
    Case(
        "y = sorted(xs, reverse=n > m)",
        "sorted with a reverse= that depends on the state cannot be compiled: write two calls",
        "y = sorted(xs, reverse=True) if n > m else sorted(xs)",
    ),
    Case(
        "y = sorted(['ab'[n % 2], 'c'])",
        "the order of texts and objects cannot be compiled (here a text or other object)",
        "y = sorted([n % 2, 2])",
    ),
    Case("y = sum(xs, 0, 1)", "this form of sum cannot be compiled", "y = sum(xs, 0)"),
    Case("y = sum(xs, t)", "a loop over a whole number cannot be compiled", "y = sum([t], t)"),
    Case(
        "y = sum(([k] for k in xs), t)", "the sum of a list and a tuple is an error", "y = sum(((k,) for k in xs), t)"
    ),
    Case("y = sum([t])", "a sum of a tuple of 2 cannot be compiled", "y = sum([n, m])"),
    Case(
        "y = sum((n * HALF, n))",
        "a sum of fractions and whole numbers cannot be compiled: let all be Fraction(...)",
        "y = sum((n * HALF, Fraction(n)))",
    ),
    Case("y = any(xs, n)", "this form of any cannot be compiled", "y = any(xs)"),
    Case("y = max(xs, start=1)", "this form of max cannot be compiled", "y = max(xs)"),
    Case("y = max(x for x in [])", "nothing to choose from", "y = max((x for x in []), default=0)"),
    Case(
        "y = max(([k] for k in xs), key=len)",
        "the best of several lists cannot be compiled",
        "y = max(((k,) for k in xs), key=len)",
    ),
    # ---- constants
    Case("y = len(REALS[:n])", "1.5 is not a whole number", "y = len((1, 2)[:n])"),
    Case("y = len(LARGE[:n])", "1180591620717411303424 does not fit a machine word", "y = len((1, 2)[:n])"),
    Case("y = len(MIXED[:n])", "a list holds both numbers and lists, or lists of different depths"),
    Case("y = len(DEEP[:n])", "a list is more than four lists deep", "y = len((1, 2)[:n])"),
    Case("y = n & (1 << 70)", "the number 1180591620717411303424 does not fit a machine word", "y = n & (1 << 60)"),
    Case(
        "y = n\nif n:\n    y = t\nz = [y] # no",
        "cannot unify a tuple of 2 and a whole number, which y may be by the way that led here",
        "y = (m, n)\nif n:\n    y = t\nz = [y]",
    ),
    Case("y = n * 0.5", "n * 0.5 does not stand for whole numbers", "y = n // 2"),
    Case(
        "k = {n: m}.items()\ny = k",
        "a view of a dictionary under a name cannot be compiled: write list(...)",
        "k = list({n: m}.items())\ny = k",
    ),
    Case(
        "y = {1: 1, 2: 3}[HALF * n]",
        "a dictionary by such keys cannot be compiled here",
        "y = {1: 1, 2: 3}[n]",
    ),
    Case(
        "y = self.helper(itertools.cycle(xs))",
        "itertools.cycle can be gone through here by a loop only: it never ends",
        "for k, y in zip(range(n), itertools.cycle(xs)): pass",
    ),
    Case(
        "f = lambda k: k > 2 and xs\ny = f(n) # no",
        "cannot unify a truth value and a list: give one kind of value on every way",
        "f = lambda k: k > 2 and xs\ny = bool(f(n))",
    ),
    Case(
        "y = 1\nfor k in itertools.accumulate(q * y for q in t):\n    y += k",
        "items that read what their loop changes cannot be compiled here: make a list first",
        "y = 1\nqs = [q * y for q in t]\nfor k in itertools.accumulate(qs):\n    y += k",
        "for k in itertools.accumulate(q * y for q in t):",
    ),
    Case(
        "for k, a in zip(xs, self.parts(xs)):\n    if k: continue\n    y = a",
        "`continue` in a loop over zip of a generator cannot be compiled: let it come first",
        "for a, k in zip(self.parts(xs), xs):\n    if k: continue\n    y = a",
    ),
    Case(
        "for k, a in zip(xs, self.parts(xs)): y = a\nelse: y = 3",
        "`else` of a loop that ends before its items do cannot be compiled: use `while`",
        "for k, a in zip(xs, self.parts(xs)): y = a\ny = 3",
    ),
    # ---- functions
    Case(
        "ys = xs # no\nys.append(n)",
        "a list that goes under two names cannot be compiled",
        "ys = list(xs)\nys.append(n)",
    ),
    Case("f = lambda x, ys=[n]: ys[x]", "a list as a default value cannot be compiled", "f = lambda x, ys=(n,): ys[x]"),
    Case(
        "@functools.cache\ndef f(x): return x # no",
        "a function inside a function with a decorator cannot be compiled",
        "def f(x): return x",
    ),
    Case(
        "y = self.parts(xs)",
        "self.parts yields, and is called outside of a loop: go through it in one, as a method of the class",
    ),
    Case("y = super().last()", "super().last is not a plain method", "y = super().payoff(state)"),
    Case("y = self.cached(n)", "a cache that hands out one list again and again cannot be compiled", "y = [n, n]"),
    Case(
        "y = self.put(xs) + 1",
        "a call that changes a list must stand alone in a statement, as in `more = self.put(...)`",
        "more = self.put(xs)\ny = more + 1",
    ),
    Case("y = sum(self.walk(n))", "a generator calls itself", "y = sum(range(n))", "def walk"),
    Case("y = self.wider(n)", "a function calls itself with arguments of ever other types", "", "def wider"),
    Case("y = self.deep(n)", "a function that calls itself holds too many lists: hand over numbers", "", "def deep"),
    Case(
        "y = sum(self.once(n))",
        "once yields its values once, then a cache gives it used up",
        "y = sum(self.parts(xs))",
        "@functools.cache\n    def once",
    ),
    Case(
        "y = self.asked(lambda: n)",
        "a function that reads names of the function around it is called in another one",
        "f = lambda: n\ny = f()",
        "# asked",
    ),
    # ---- sets and dictionaries
    Case(
        "y = {'a', 'b'} | {n}",
        "a set of anything but whole numbers cannot be changed or combined by compiled rules",
        "y = {1, 2} | {n}",
    ),
    Case("y = {**xs, n: m}", "`**` of anything but a dictionary cannot be compiled", "y = {**{1: 2}, n: m}"),
    Case("y = dict([n, m])", "a dictionary is made of pairs", "y = dict([(n, m)])"),
    Case(
        "y = {k: set() for k in range(3)}",
        "a dictionary of sets or dictionaries cannot be compiled: keep tuples in it",
        "y = {k: 0 for k in range(3)}",
    ),
    Case(
        "y = {(t, n): n}",
        "a dictionary by a tuple of 2 cannot be compiled: only by whole numbers, tuples of them, texts and members of"
        " an Enum",
        "y = {(n, m): n}",
    ),
    Case(
        "y = dict([(('a', 1), n)])",
        "a dictionary by a tuple of other things cannot be compiled: only by whole numbers, tuples of them, texts and"
        " members of an Enum",
        "y = dict([((0, 1), n)])",
    ),
    Case(
        "y = copy.deepcopy({n})",
        "deepcopy of anything but a list cannot be compiled: leave it out for tuples and numbers",
        "y = copy.deepcopy(xs)",
    ),
    Case(
        "del xs[1:]",
        "`del` of anything but one item of a list or dictionary cannot be compiled: make a new one",
        "xs = xs[:1]",
    ),
    # ---- loops
    Case(
        "for x in (a * k for a in xs for k in range(n)):\n    xs[0] = 3\n    break",
        "`break` in a loop over a generator that reads what the loop changes cannot be compiled",
        "for x in (a * k for a in list(xs) for k in range(n)):\n    y = x",
    ),
    Case(
        "for x in xs: xs.append(x)",
        "what changes in a loop over it cannot be compiled: go through a copy, list(...)",
        "for x in list(xs): xs.append(x)",
    ),
    Case(
        "for xs in self.parts(xs): pass",
        "a list that changes in a loop over it cannot be compiled",
        "for x in self.parts(sorted(xs)): pass",
    ),
    Case("y = sum(x async for x in xs)", "`async` cannot be compiled", "y = sum(x for x in xs)"),
    Case("y = list(enumerate(xs, 1, 2))", "this form of enumerate cannot be compiled", "y = list(enumerate(xs, 1))"),
    Case("for x in {n, m}: y = x", _SORTED, "for x in sorted({n, m}): y = x"),
    Case("y = list(zip({1, 2}, xs))", _SORTED, "y = list(zip(sorted({1, 2}), xs))"),
    Case(
        "y = list(reversed((n, t)))",
        "a loop over a tuple of 2 of such items cannot be compiled",
        "y = list(reversed((n, m)))",
    ),
    Case(
        "k = (frozenset({1}), frozenset({2}))[n % 2]\ny = [x for x in k] # no",
        "the order of a set or dictionary cannot be compiled here: go through sorted(...)",
        "k = ((1,), (2,))[n % 2]\ny = [x for x in k]",
    ),
    Case("for x in n: y = x", "a loop over a whole number cannot be compiled", "for x in range(n): y = x"),
    Case(
        "y = list(zip(range(0, n, m), xs))",
        "a range whose step is not known cannot be compiled here",
        "y = list(zip(range(0, n, 2), xs))",
    ),
    Case("y = list(range(stop=n))", "this form of range cannot be compiled", "y = list(range(n))"),
    Case(
        "y = list(zip(xs, xs, strict=n > 1))",
        "this form of zip cannot be compiled",
        "y = list(zip(xs, xs, strict=True))",
    ),
    Case("y = list(reversed(zip(xs, xs)))", "this form of reversed cannot be compiled", "y = list(zip(xs, xs))[::-1]"),
    Case(
        "for x in xs:\n    while n > 9: # no\n        n -= 1\n    else:\n        break",
        "break and continue in the `else` of a loop cannot be compiled",
    ),
    # ---- expressions
    Case("y = f'{n:>2}'", "a text that depends on the state cannot be compiled: keep to numbers", "y = f'{n}'"),
    Case(
        "y = f'{Told.A}{n}'",
        "numbers of these rules have texts of their own: keep to numbers",
        "y = f'{n}'",
    ),
    Case("y = n in SPECIAL", "`in` such a set cannot be compiled", "y = n in {1, 2}"),
    Case("y = f'{t}'", "a text that depends on the state cannot be compiled: keep to numbers", "y = f'{t[0]}{t[1]}'"),
    Case("g = (x for x in xs)", "a generator here cannot be compiled: make it a list, [...]", "g = [x for x in xs]"),
    Case(
        "y = max(*xs)", "a starred item here cannot be compiled: write the items, or hand over the list", "y = max(xs)"
    ),
    Case(
        "def f():\n    y = yield n # no\nfor x in f(): pass",
        "`yield` here cannot be compiled: let it stand alone",
        "y = 0",
    ),
    Case(
        "def f():\n    y = yield from xs # no\nfor x in f(): pass",
        "`yield from` here cannot be compiled: let it stand alone",
        "y = 0",
    ),
    Case(
        "try: y = xs.index(n)\nexcept ValueError: y = -1",
        "`try` cannot be compiled: ask before, as in `if k in table`",
        "y = xs.index(n) if n in xs else -1",
    ),
    Case("with n: y = 1", "`with` cannot be compiled: leave it out", "y = 1"),
    Case(
        "global COUNT\nCOUNT = 1", "`global` cannot be compiled: give it as an argument, and give it back", "COUNT = 1"
    ),
    Case(
        "def f():\n    nonlocal n # no\n    n += 1\nf()",
        "`nonlocal` cannot be compiled: give it as an argument, and give it back",
        "def f(n): return n + 1\nn = f(n)",
    ),
    Case(
        "import math",
        "`import` inside a function cannot be compiled: import at the top of the file",
        "y = math.gcd(n, m)",
    ),
    Case(
        "from math import gcd",
        "`import` inside a function cannot be compiled: import at the top of the file",
        "y = math.gcd(n, m)",
    ),
    Case(
        "class Point: pass",
        "a class inside a function cannot be compiled: put it at the top of the file",
        "y = Plain(n)",
    ),
    Case("async def f(): pass", "AsyncFunctionDef cannot be compiled: write it another way", "def f(): pass"),
    Case("for x in range(t): pass", "a whole number is needed here, not a tuple of 2", "for x in range(n): pass"),
    Case("y = 1 if THING else 0", "the truth of an object of this class cannot be compiled", "y = 1"),
    Case("if n: z = 1\ny = z # no", "z may have no value here: give it one first", "z = 0\nif n: z = 1\ny = z"),
    Case(
        "y = (ys := [n])", "a list that `:=` names ys cannot be compiled: name it in a statement", "ys = [n]\ny = ys[0]"
    ),
    Case("y = n.real", "n.real does not stand for whole numbers", "y = n"),
    Case("y = self.nothing", "self.nothing does not stand for whole numbers", "y = self.table"),
    Case(
        "y = max(z := n, 3)",
        "`:=` in this place cannot be compiled: give the name its value in a statement before",
        "z = n\ny = max(z, 3)",
    ),
    Case("y = n / 2", "true division gives no whole numbers: write //", "y = n // 2"),
    Case("y = n @ m", "`@` cannot be compiled: write what it does", "y = n * m"),
    Case("y = xs - n", "a whole number is needed here, not a list", "y = xs[0] - n"),
    Case("y = -t", "a whole number is needed here, not a tuple of 2", "y = -t[0]"),
    Case(
        "y = n if m else t",
        "cannot unify a whole number and a tuple of 2: give one kind of value on every way",
        "y = n if m else t[0]",
    ),
    Case(
        "y = len([n] if m else [t])",
        "cannot unify a list (a whole number) and a list (a tuple of 2 (a whole number, a whole number)): give one "
        "kind of value on every way",
        "y = len([(n, n)] if m else [t])",
    ),
    Case(
        "y = n or t",
        "cannot unify a whole number and a tuple of 2: give one kind of value on every way",
        "y = n or t[0]",
    ),
    Case(
        "y = {n: 1}.keys() == {m: 2}.keys()",
        "dictionaries cannot be compared by compiled rules",
        "y = set({n: 1}.keys()) == {m}",
    ),
    Case(
        "y = SEVERAL[n % 2] == t", "lists and tuples in one constant cannot be compared", "y = self.table[n % 2] == t"
    ),
    Case("y = [1] < xs", "a list cannot be compared with a list", "y = (1,) < (xs[0],)"),
    Case("y = n is m", "`is` cannot be compiled: write ==", "y = n == m"),
    Case(
        "y = ({n: m}.items(), n)",
        "a view of a dictionary inside of a tuple cannot be compiled: write list(...)",
        "y = (list({n: m}.items()), n)",
    ),
    Case(
        "def f(p): g(p[0]) # no\ndef g(ys): ys[0] = 9\nf(([n], m))",
        "a list in a tuple that was handed over cannot be changed here: return a new one",
        "def f(p): return [9] + p[0][1:]\ny = f(([n], m))",
    ),
    Case(
        "y = sum(self.counts((xs, n)))",
        "a generator that is handed a tuple with a list in it cannot be compiled: hand over both",
        "y = sum(self.parts(xs))",
    ),
    Case("ys = [xs, xs]", "a list that goes under two names cannot be compiled", "ys = [list(xs), list(xs)]"),
    Case(
        "ys = [{n}, {m}]",
        "a list of such items (a set) cannot be compiled: only numbers and tuples of numbers",
        "ys = [t, t]",
    ),
    Case(
        "ys = [tuple(x for x in xs if x > k) for k in (n, m)]",
        "a list of such items (a tuple of any length) cannot be compiled: make a tuple at once, "
        "tuple(tuple(...) for ...)",
        "ys = tuple(tuple(x for x in xs if x > k) for k in (n, m))\ny = len(ys[0])",
    ),
    Case(
        "ys = [list(xs), xs[:n]]",
        "lists in a list are compiled if all have one length, which is known",
        "ys = [list(xs), [n, m, 3]]",
    ),
    Case(
        "ys = [list(xs)]\nys[0] = xs # no",
        "a list in a list that is replaced by anything but a new list cannot be compiled",
        "ys = [list(xs)]\nys[0] = list(xs)",
    ),
    Case(
        "ys = [list(xs)]\nzs = ys[0]\nys[0] = [n, n, n] # no",
        "a list in a list that is replaced and has a name cannot be compiled: set its items",
        "ys = [list(xs)]\nzs = ys[0]\nzs[0] = n",
    ),
    Case(
        "def f(ys): ys[0] = [n, n] # no\nf([list(t)])",
        "a list in a list that was handed over cannot be replaced here: set its items",
        "def f(ys): ys[0][0] = n\nf([list(t)])",
    ),
    Case(
        "def f(k):  # no\n    if k: return [list(t)]\n    return list(t)\ny = f(n)[0]",
        "lists of lists of different lengths are given back: give back tuples of tuples",
        "def f(k):\n    if k: return [list(t)]\n    return [[n, n]]\ny = f(n)[0][0]",
    ),
    Case(
        "def f(k):\n    if k: return [list(t)]\n    return [list(xs)]\ny = f(n)[0] # no",
        "lists in a list are compiled if all have one length, which is known",
        "def f(k):\n    if k: return [list(t)]\n    return [[n, n]]\ny = f(n)[0][0]",
    ),
    Case(
        "ys = [list(xs)]\ny = ys[t] # no",
        "an index is a whole number, not a tuple of 2",
        "ys = [xs[:]]\ny = ys[0][n % 3]",
    ),
    Case(
        "ys = [list(xs), [n] * 3]\ny = ys[0] if n else ys[1] # no",
        "a list that goes under two names cannot be compiled",
        "ys = [list(xs), [n] * 3]\ny = ys[0 if n else 1]",
    ),
    Case(
        "ys = [list(xs)]\ny = (ys[0], n) # no",
        "a list of lists, or a list in one, inside of a tuple cannot be compiled: give each a name",
        "y = (list(xs), n)",
    ),
    Case(
        "ys = [list(xs)]\ny = len((ys[0], n)) # no",
        "a list of lists, or a list in one, inside of a tuple cannot be compiled: give each a name",
        "y = 2",
    ),
    Case(
        "ys = [list(xs)]\ny = ys == ys # no",
        "a list of lists cannot be compiled here: write a loop over it, or tuple(map(tuple, ...))",
        "ys = [list(xs)]\ny = ys[0] == xs",
    ),
    Case(
        "y = [a for a, in zip(*[(k,) for k in range(n)])]",
        "a starred item here cannot be compiled: write the items, or hand over the list",
        "y = [a for a in range(n)]",
    ),
    Case(f"y = [{'n, ' * 257}]", "a list of more than 256 items cannot be compiled", f"y = [{'n, ' * 256}]"),
    Case("y = {MIXED}", "this has no hash", "y = {1, 2}"),
    Case(
        "s = {n}\ny = s[0] # no", "an item of a set by number cannot be compiled: Python has none", "y = sorted({n})[0]"
    ),
    Case("y = xs[n * HALF]", "an index is a whole number, not a fraction", "y = xs[n % 2]"),
    Case("y = (n, t)[m % 2]", "which item of a tuple is not known when compiling", "y = (n, m)[m % 2]"),
    Case("y = n[0]", "a whole number has no items that can be compiled", "y = t[0]"),
    # ---- sequences
    Case("y = xs + t", "the sum of a list and a tuple is an error", "y = xs + list(t)"),
    Case("y = SEVERAL[n % 2] + t", "parts of a constant list or tuple cannot be compiled", "y = self.table[n % 2] + t"),
    Case("y = xs * t", "a list is repeated a whole number of times", "y = xs * 2"),
    Case("y = xs[::n]", "a slice whose step depends on the state cannot be compiled", "y = xs[::2]"),
    Case("y = xs[t:]", "the bounds of a slice are whole numbers", "y = xs[n:]"),
    Case("y = n in range(0, m, m)", "`in` such a range cannot be compiled", "y = n in range(0, m, 2)"),
    Case("y = n in b'abc'", "`in` a bytes object or a text cannot be compiled", "y = n in (97, 98, 99)"),
    Case("y = n in m", "`in` a whole number cannot be compiled", "y = n in t"),
    Case(
        "y = n in (b'ab', b'cd')[m % 2]",
        "`in` a bytes object or a text cannot be compiled",
        "y = n in ((1, 2), (3, 4))[m % 2]",
    ),
    # ---- statements
    Case("xs.hex()", "xs.hex of a list cannot be compiled"),
    Case(
        "def f(ys): ys.append(n) # no\nf(xs)",
        "a list, set or dictionary that was handed over cannot grow or shrink here: return a new one",
        "def f(ys): return ys + [n]\nxs = f(xs)",
    ),
    Case(
        "def f(ys): ys.add(n) # no\nf(set())",
        "a list, set or dictionary that was handed over cannot grow or shrink here: return a new one",
        "def f(ys): return ys | {n}\nys = f(set())",
    ),
    Case(
        "ys = []\nys.append(xs) # no",
        "a list that goes under two names cannot be compiled",
        "ys = []\nys.append(list(xs))",
    ),
    Case(
        "ys = [[n], [m]]\nzs = ys\nys.append([3]) # no",
        "a list of lists that grows and has another name cannot be compiled",
        "ys = [[n], [m]]\nys.append([3])\nzs = ys",
    ),
    Case("a = b = xs", "a list that goes under two names cannot be compiled", "a = list(xs)\nb = list(xs)"),
    Case(
        "a, b = *t, n", "a starred item cannot be compiled: write the sum of two tuples or lists", "a, b, c = t + (n,)"
    ),
    Case("a, b = xs, n", "a list that goes under two names cannot be compiled", "a, b = list(xs), n"),
    Case(
        "xs[0:2] = [n] * 2",
        "a slice of a list cannot be assigned: assign the items one by one, in a loop",
        "for k in range(2): xs[k] = n",
    ),
    Case("self.last = n", f"{_LOCAL}: keep it in the state", "y = state._replace(last=n)"),
    Case(
        "s = {1}\nu = s # no\nu.add(n)",
        "a set or dictionary that goes under two names cannot be compiled",
        "s = {1}\nu = set(s)\nu.add(n)",
    ),
    Case("a, b, *c = (n,)", "the items do not fit the names", "a, b, *c = (n, m)"),
    Case("a, b = (n, m) + (1,)", "3 items for 2 names", "a, b, c = (n, m) + (1,)"),
    Case("a, b = n", "a whole number has no items by number", "a, b = t"),
    Case(
        "a, b = ((1, 'x'), (2, 3, 'y'))[n % 2]", "the items do not fit the names", "a, b = ((1, 'x'), (2, 'y'))[n % 2]"
    ),
    Case("self.table[0] = n", f"{_LOCAL} and what they made: keep it in the state", "table = [n]\ntable[0] = m"),
    Case("self.last += n", f"{_LOCAL}: keep it in the state", "y = state._replace(last=n)"),
    Case("LISTS[0] += [n]", f"{_LOCAL}: keep it in the state", "y = LISTS[0] + [n]"),
    Case("xs *= 2", "this operator on a list cannot be compiled", "xs = xs * 2"),
    Case("xs += [x for x in xs]", "a list that changes in a loop over it cannot be compiled", "xs = xs + xs"),
    Case(
        "def f(ys): return ys # no\nf(xs)",
        "a list that was handed over is given back: return a copy, list(...)",
        "def f(ys): return list(ys)\nf(xs)",
    ),
    Case(
        "def f(ys):\n    ys = ys | {n}\n    return ys # no\nf({m, n})",
        "a set under the name of one that was handed over is given back: return a copy, set(...)",
        "def f(ys):\n    ys = ys | {n}\n    return set(ys)\nf({m, n})",
    ),
    Case(
        "match t:\n    case [a, *b]: y = a # no",
        "such a pattern cannot be compiled: write if and elif",
        "match t:\n    case [a, b]: y = a",
    ),
    Case(
        "match t:\n    case [a, 1] | [1, a]: y = a # no",
        "a name in one of several patterns cannot be compiled: write if and elif",
        "match t:\n    case [a, 1]: y = a\n    case [1, a]: y = a",
    ),
    Case(
        "match Plain(n):\n    case Plain(1, 2): y = n # no",
        "the pattern does not fit its class",
        "match Plain(n):\n    case Plain(1): y = n",
    ),
    Case(
        "match n:\n    case [a, b]: y = a # no",
        "a pattern of items cannot be compiled for a whole number: write if and elif",
        "match n:\n    case 1 | 2: y = 1\n    case _: y = 2",
    ),
]
_OF_SEVERAL = (
    "class Rules(Steps):\n    def moves(self, state):\n        yield state.last\n        yield 'a'\n"
    "    def play(self, state, move): return self.State(1, 2)\n"
)
CLASSES = [
    Case(
        "class Rules(Steps):\n    def moves(self, state):\n        yield state.last\n        yield 'a'\n"
        "    def play(self, state, move):\n        if state.last: return self.State(state.steps + 1, move) # no\n"
        "        return self.State(state.steps + 1, abs(move))",
        "the field last is a whole number, not a text or other object; and on another way, a whole number is needed "
        "here, not a text or other object",
        "class Rules(Steps):\n    def moves(self, state):\n        yield state.last\n        yield 'a'\n"
        "    def play(self, state, move):\n"
        "        return self.State(state.steps + 1, 3 if move == 'a' else abs(move))",
    ),
    Case(
        f"{_OF_SEVERAL}    def reward(self, state, move): return (1, 2) if move == 'a' else 3 # no",
        "reward gives a whole number and a tuple of 2, for moves of several types",
        f"{_OF_SEVERAL}    def reward(self, state, move): return (1, 2) if move == 'a' else (3, 4)",
    ),
    Case(
        "class Rules(Steps):\n    class State(NamedTuple): # x\n        steps: int\n        last: int = 0\n"
        "        def __add__(self, other): return self",
        "State is not a plain NamedTuple: its own operators, or a base, could mean anything",
    ),
    Case(
        "class Rules(Steps):\n    def __getattr__(self, name): raise AttributeError(name)",
        "the class has a look-up of its own, which could give anything",
    ),
    Case(
        "class Rules(Steps):\n    def play(self, state, move): return 1, 2 # no",
        "play does not give a State",
        "class Rules(Steps):\n    def play(self, state, move): return self.State(1, 2)",
    ),
    Case(
        "class Rules(Steps):\n    def payoff(self, state): return [state.last] # no",
        "payoff gives a list, and whole numbers are needed",
        "class Rules(Steps):\n    def payoff(self, state): return (state.last,)",
    ),
    Case(
        "class Rules(Steps):\n    def payoff(self, state): return state.last > 1 # no",
        "a payoff may be True or False here: wrap it in int()",
        "class Rules(Steps):\n    def payoff(self, state): return int(state.last > 1)",
    ),
    Case(
        "class Rules(Steps):\n    def moves(self, state): # no\n        yield Fraction(state.last, 2)",
        "moves gives a fraction, and whole numbers are needed",
        "class Rules(Steps):\n    def moves(self, state):\n        yield state.last // 2",
    ),
    Case(
        "class Rules(Steps):\n    def moves(self, state): yield state.last > 1 if state.last else 2 # no",
        "a move is True or a number here: wrap it in int()",
        "class Rules(Steps):\n    def moves(self, state): yield int(state.last > 1) if state.last else 2",
    ),
    Case(
        "class Rules(Steps):\n    class Plain(NamedTuple):\n        b: int\n    def weight(self, state, move):\n"
        "        return Plain(move).a + self.Plain(move).b # no",
        "there are two classes called Plain: give one of them another name",
        "class Rules(Steps):\n    class Simple(NamedTuple):\n        b: int\n    def weight(self, state, move):\n"
        "        return Plain(move).a + self.Simple(move).b",
    ),
    Case(
        "class Rules(Steps):\n    def moves(self, state): yield frozenset({state.last > 1}) # no",
        "a move is a frozenset of a truth value, and whole numbers are needed",
        "class Rules(Steps):\n    def moves(self, state): yield int(state.last > 1)",
    ),
    Case(
        "class Rules(Steps):\n    def sees(self, state, player): return state.last > 1 if state.last else 2 # no",
        "sees gives True or a number: wrap it in int()",
        "class Rules(Steps):\n    def sees(self, state, player): return int(state.last > 1) if state.last else 2",
    ),
    Case(
        "class Rules(Steps):\n    def sees(self, state, player): # no\n        return [state.last]",
        "sees gives a list, and whole numbers or tuples of them are needed",
        "class Rules(Steps):\n    def sees(self, state, player):\n        return (state.last,)",
    ),
    Case(
        "class Rules(Steps):\n    def moves(self, state):\n        if state.last: return # no\n        return [0, 1]",
        "moves gives nothing here: return a list, or yield",
        "class Rules(Steps):\n    def moves(self, state):\n        if state.last: return []\n        return [0, 1]",
    ),
    Case(
        "class Rules(Steps):\n    def moves(self, state): # no\n        if state.last: return [0, 1]",
        "moves may give nothing at all: return a list everywhere",
        "class Rules(Steps):\n    def moves(self, state):\n        if state.last: return [0, 1]\n        return []",
    ),
    Case(
        "class Rules(Steps):\n    def moves(self, state):\n        yield 0\n        return [state.last] # no",
        "moves yields, so Python throws away what it returns",
        "class Rules(Steps):\n    def moves(self, state):\n        yield 0\n        yield state.last",
    ),
    Case("class Rules(Steps):\n    def moves(self, state): yield # no", "yield without a move"),
    Case(
        "class Rules(Steps):\n    def moves(self, state): yield [state.last] # no",
        "a list is given as a move",
        "class Rules(Steps):\n    def moves(self, state): yield state.last",
    ),
    Case(
        "class Rules(Steps):\n    ways = ((0, 1), (0, 1, 2))\n"
        "    def moves(self, state): yield self.ways[state.steps % 2] # no\n"
        "    def play(self, state, move): return self.State(state.steps + 1, len(move))",
        "a tuple of a constant is a move only if all tuples beside it have as many items, plain whole numbers: "
        "yield its number, and look it up in play",
        "class Rules(Steps):\n    ways = ((0, 1), (0, 1, 2))\n"
        "    def moves(self, state): yield state.steps % 2\n"
        "    def play(self, state, move): return self.State(state.steps + 1, len(self.ways[move]))",
    ),
    Case(
        "class Rules(Steps):\n    payoff = Other.ask.__get__(3)",
        "payoff is not a plain method of the class: Python calls something else",
        "class Rules(Steps):\n    def payoff(self, state): return 3",
    ),
    Case(
        "class Rules(Steps):\n    def payoff(self, state): # no\n        __x = 1\n        return __x",
        "the local name __x has two underscores in front",
        "class Rules(Steps):\n    def payoff(self, state):\n        x = 1\n        return x",
    ),
    Case("exec('class Rules(Steps):\\n    def payoff(self, state): return 1')", "the source of payoff cannot be found"),
    Case(
        "def wrapped(f): f.__code__ = f.__code__.replace(co_firstlineno=3); return f\nclass Rules(Steps):\n"
        "    @wrapped\n    def payoff(self, state): return 1",
        "the source of payoff is not what was loaded: the file has changed since",
    ),
    Case(
        "class M(str, Enum):\n    A = 'a'\n    B = 'b'\n"
        "class Rules(Steps):\n    class State(NamedTuple):\n        steps: M\n"
        "    def limits(self): return self.State(None)\n    def start(self): return self.State(M.A)",
        "the field steps is one of (<M.A: 'a'>, <M.B: 'b'>), which cannot be compiled",
    ),
    Case(
        "class Rules(Steps):\n    class State(NamedTuple):\n        own: frozenset[int]\n"
        "    def limits(self): return self.State(99)\n    def start(self): return self.State(frozenset())",
        "the field own has members above 62",
    ),
]
NATURAL_FRAME = """
class Mark(Enum):
    EMPTY = "."
    CROSS = "X"
class Pair(NamedTuple):
    a: int
    b: int
class Rules(Game):
    class State(NamedTuple):
        text: str
        mark: Mark
        open: int | None
        hand: tuple[int, ...]
        pair: Pair
        own: frozenset[int]
        grid: tuple[tuple[int, ...], ...]
    players = 1
    def limits(self): return self.State(".X", None, 3, (3, 3, 3), Pair(2, 2), 9, 2)
    def start(self): return self.State(".X", Mark.EMPTY, None, (), Pair(0, 0), frozenset(), ((0, 1), (2, 0)))
    def moves(self, state): return []
    def play(self, state, move): return state
    def payoff(self, state):
        text, mark, open, hand, pair, own, grid = state
        n = len(hand)
{lines}
        return 0
"""
NATURAL = [
    Case(
        "y = state._replace(mark=n)",
        "the field mark is a text or other object, not a whole number",
        "y = state._replace(mark=Mark.CROSS)",
    ),
    Case(
        "y = state._replace(hand=n)",
        "the field hand is a sequence of up to so many, not a whole number",
        "y = state._replace(hand=(n,))",
    ),
    Case(
        "y = state._replace(grid=((n, 0),))",
        "the field grid has 2 items, not a tuple of 1",
        "y = state._replace(grid=((n, 0), (0, n)))",
    ),
    Case(
        "y = state._replace(pair=hand)",
        "the field pair is a Pair, not a tuple of any length",
        "y = state._replace(pair=Pair(n, 1))",
    ),
    Case(
        "y = state._replace(own=hand)",
        "the field own is a frozenset, not a tuple of any length",
        "y = state._replace(own=frozenset(hand))",
    ),
    Case(
        "y = state._replace(own=frozenset((a, a) for a in hand))",
        "the members of own are whole numbers, not a tuple of 2",
        "y = state._replace(own=frozenset(a for a in hand))",
    ),
    Case("y = text < 'XO'", "the order of texts cannot be compiled", "y = text == 'XO'"),
    Case(
        "y = text.count('XO')",
        "count of a text is compiled for single letters alone",
        "y = text.count('X')",
    ),
    Case(
        "y = '-'.join(text)",
        'a join is compiled as "".join of single letters alone',
        "y = ''.join(reversed(text))",
    ),
    Case("y = 'X.' in text", "`in` a text is compiled for single letters alone", "y = 'X' in text"),
]
