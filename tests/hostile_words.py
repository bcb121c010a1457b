"""Rules that use Python against its translator in the newer words of compiled rules, for `test_hostile_language`."""

from __future__ import annotations

__all__ = ["FAILING", "REFUSED", "STOPPED", "TAKEN", "WORDS"]

TAKEN, FAILING, REFUSED, STOPPED = "taken", "failing", "refused", "stopped"

OPTIONAL = (
    "class In(NamedTuple):\n    x: int | None\n    y: int\nclass Out(NamedTuple):\n    one: In\n    two: int | None"
)
MADE = "o = Out(In(n if n > 3 else None, m), m if m > 2 else None)\n"

WORDS: dict[str, list[tuple[str, str, str, str]]] = {
    "classes with methods of their own": [
        (TAKEN, "return P.f() + n", "class T(tuple):\n    def f(self): return self[0] + 5\nP = T((1, 2))", ""),
        (TAKEN, "x = P\nreturn x[n % 2] + len(x)", "class T(tuple): pass\nP = T((1, 2))", ""),
        (
            TAKEN,
            "return P.index(1) + n",
            "class Q(NamedTuple):\n    a: int\n    b: int\n    def index(self, x): return 7\nP = Q(0, 1)",
            "",
        ),
        (
            TAKEN,
            "return Q(n, m).index(m)",
            "class Q(NamedTuple):\n    a: int\n    b: int\n    def index(self, x): return 7",
            "",
        ),
        (
            TAKEN,
            "return sum(q.count(1) for q in T) + n",
            "class Q(NamedTuple):\n    a: int\n    b: int\n    def count(self, x): return 5\nT = (Q(0,1), Q(1,1))",
            "",
        ),
        (
            TAKEN,
            "q = T[n % 2]\nreturn q.count(1) + n",
            "class Q(NamedTuple):\n    a: int\n    b: int\n    def count(self, x): return 5\nT = (Q(0,1), Q(1,1))",
            "",
        ),
        (
            REFUSED,
            "return tuple.index(P, 1) + n",
            "class Q(NamedTuple):\n    a: int\n    b: int\n    def index(self, x): return 7\nP = Q(0, 1)",
            "",
        ),
        (
            TAKEN,
            "return P.index(1) + n",
            "class Q(NamedTuple):\n    a: int\n    b: int\nclass R(Q):\n    def index(self, x): return 7\nP = R(0, 1)",
            "",
        ),
        (
            REFUSED,
            "return D[n]",
            "class D0(dict):\n    def __missing__(s, k): return 9\nD = D0({1: 2})",
            "",
        ),
        (
            REFUSED,
            "return D[1] + n",
            "class D0(dict):\n    def __getitem__(s, k): return 9\nD = D0({1: 2})",
            "",
        ),
        (
            REFUSED,
            "return D.get(n, 4)",
            "class D0(dict):\n    def get(s, k, d=0): return 9\nD = D0({1: 2})",
            "",
        ),
        (
            REFUSED,
            "return int(n in D)",
            "class D0(dict):\n    def __contains__(s, k): return True\nD = D0({1: 2})",
            "",
        ),
        (
            REFUSED,
            "return D[n]",
            "import collections\nD = collections.defaultdict(lambda: 4, {1: 2})",
            "",
        ),
        (
            REFUSED,
            "return int(n in D)",
            "class D0(frozenset):\n    def __contains__(s, k): return True\nD = D0({1: 2})",
            "",
        ),
        (
            REFUSED,
            "return int(n in D)",
            "class D0(list):\n    def __contains__(s, k): return True\nD = D0([1, 2])",
            "",
        ),
        (
            REFUSED,
            "return int(n in D)",
            "class D0(tuple):\n    def __contains__(s, k): return True\nD = D0([1, 2])",
            "",
        ),
        (
            TAKEN,
            "return Q(n, m).s + T[n % 2].s",
            "class Q(NamedTuple):\n"
            "    a: int\n"
            "    b: int\n"
            "    @property\n"
            "    def s(self): return self.a - self.b\n"
            "T = (Q(1, 5), Q(2, 2))",
            "",
        ),
        (
            REFUSED,
            "return Q(n, m).a",
            "class Q(NamedTuple):\n    a: int\n    b: int\n    def __getattribute__(self, k): return 3",
            "",
        ),
        (
            REFUSED,
            "return Q(n, m).zz",
            "class Q(NamedTuple):\n    a: int\n    b: int\n    def __getattr__(self, k): return 3",
            "",
        ),
        (
            REFUSED,
            "return K(n % 2).f()",
            "class K(enum.Enum):\n    A = 0\n    B = 1\n    def f(self): return self.value + 3\nK.A.f = lambda: 77",
            "",
        ),
        (
            TAKEN,
            "return K(n % 2).p",
            "class K(enum.Enum):\n    A = 0\n    B = 1\n    @property\n    def p(self): return self.value + 3",
            "",
        ),
        (
            TAKEN,
            "return D.f(n)",
            "@dataclasses.dataclass\nclass E0:\n    x: int\n    def f(self, y): return self.x + y\nD = E0(4)",
            "",
        ),
        (
            REFUSED,
            "return D.f(n)",
            "@dataclasses.dataclass\n"
            "class E0:\n"
            "    x: int\n"
            "    def f(self, y): return self.x + y\n"
            "D = E0(4)\n"
            "D.f = lambda y: y * 50",
            "",
        ),
        (
            REFUSED,
            "D.x = D.x + 1\nreturn D.f(n)",
            "@dataclasses.dataclass\nclass E0:\n    x: int\n    def f(self, y): return self.x * 0 + y\nD = E0(4)",
            "",
        ),
        (
            TAKEN,
            "return Q.g(n) + Q(n, m).g(2)",
            "class Q(NamedTuple):\n    a: int\n    b: int\n    @staticmethod\n    def g(x): return x + 1",
            "",
        ),
        (
            TAKEN,
            "return Q.mk(n).a + Q(n, m).mk(2).b",
            "class Q(NamedTuple):\n    a: int\n    b: int\n    @classmethod\n    def mk(cls, x): return cls(x, x + 1)",
            "",
        ),
        (
            REFUSED,
            "return R(n, m).mk(2).t()",
            "class Q(NamedTuple):\n"
            "    a: int\n"
            "    b: int\n"
            "    @classmethod\n"
            "    def mk(cls, x): return cls(x, x + 1)\n"
            "    def t(self): return 1\n"
            "class R(Q):\n"
            "    def t(self): return 2",
            "",
        ),
        (
            REFUSED,
            "return Q(n, m).h()",
            "class Q(NamedTuple):\n    a: int\n    b: int\n    def h(self, k=COUNT): return next(k)",
            "",
        ),
    ],
    "digits as text": [
        (
            REFUSED,
            "return len(f'{D.k[n % 2]}')",
            "class K(enum.IntEnum):\n"
            "    A = 0\n"
            "    B = 1\n"
            "    def __str__(self): return 'ab'\n"
            "@dataclasses.dataclass(frozen=True, slots=True)\n"
            "class Kept:\n"
            "    k: tuple\n"
            "D = Kept((K.A, K.B))\n"
            "del K",
            "",
        ),
        (
            REFUSED,
            "return len(f'{D.many[n % 2]}')",
            "class K(enum.IntEnum):\n"
            "    A = 0\n"
            "    B = 1\n"
            "    def __str__(self): return 'ab'\n"
            "class Kept:\n"
            "    many = (K.A, K.B)\n"
            "D = Kept()\n"
            "del K",
            "",
        ),
        (
            REFUSED,
            "return len(f'{K(n % 2)}') ",
            "class K(enum.IntEnum):\n    A = 0\n    B = 1\n    def __str__(self): return 'ab'",
            "",
        ),
        (
            REFUSED,
            "return int(f'{K(n % 2)}' == '1')",
            "class K(enum.IntEnum):\n    A = 0\n    B = 1\n    def __format__(self, s): return 'x'",
            "",
        ),
        (
            TAKEN,
            "return int(str(K(n % 2)) == '1')",
            "class K(enum.IntEnum):\n    A = 0\n    B = 1",
            "",
        ),
        (REFUSED, "return int(f'{n > 3}' == 'True')", "", ""),
        (
            REFUSED,
            "x = n > 3\nreturn len(f'{x}')",
            "",
            "",
        ),
        (REFUSED, "return len(str(n * 0 == 0)) + n", "", ""),
        (TAKEN, "return int(f'{n}{m}' == '31')", "", ""),
        (REFUSED, "return int(f'{n - 9}' == '0')", "", ""),
        (REFUSED, "return len(f'{n!r}')", "", ""),
        (TAKEN, "return len(str('ab'[n % 2]))", "", ""),
        (TAKEN, "return len(str(b'a')) + n", "", ""),
        (TAKEN, "return bin(n - 7).count('1')", "", ""),
        (REFUSED, "return bin(n).count('11')", "", ""),
        (TAKEN, "return bin(n).count('1')", "def bin(x): return '11111'", ""),
        (TAKEN, "return len(str(n))", "def str(x): return 'abc'", ""),
    ],
    "patterns": [
        (
            TAKEN,
            "a = 50\nmatch (n, m):\n    case (a, b) if b > 5: return 1\nreturn a",
            "",
            "",
        ),
        (
            TAKEN,
            "a = 50\nmatch (n, m):\n    case (a, 77): return 1\nreturn a",
            "",
            "",
        ),
        (
            REFUSED,
            "match [n, m]:\n    case [a, b]: return a - b\nreturn 9",
            "",
            "",
        ),
        (
            TAKEN,
            "match (n, m):\n    case [a, b]: return a - b\nreturn 9",
            "",
            "",
        ),
        (
            REFUSED,
            "match 'ab':\n    case [a, b]: return 1\nreturn 9 + n",
            "",
            "",
        ),
        (
            REFUSED,
            "x = 'ab' if n > 3 else 'cd'\nmatch x:\n    case [a, b]: return 1\nreturn 9 + n",
            "",
            "",
        ),
        (
            REFUSED,
            "match n > 3:\n    case True: return 1\n    case False: return 2\nreturn 3",
            "",
            "",
        ),
        (
            TAKEN,
            "match n == 3:\n    case 1: return 1\nreturn 3",
            "",
            "",
        ),
        (
            REFUSED,
            "c = []\n"
            "def g():\n"
            "    c.append(1)\n"
            "    return n\n"
            "match g():\n"
            "    case 1: return 5\n"
            "    case 3: return len(c)\n"
            "return len(c) + 10",
            "",
            "",
        ),
        (
            REFUSED,
            "x = R(n, m)\nmatch x:\n    case Q(a, b): return a * 10 + b\nreturn 3",
            "class Q(NamedTuple):\n    a: int\n    b: int\nclass R(Q): pass",
            "",
        ),
        (
            TAKEN,
            "x = Q(n, m)\nmatch x:\n    case Q(a, b): return a * 10 + b\nreturn 3",
            "class Q(NamedTuple):\n    a: int\n    b: int\nQ.__match_args__ = ('b', 'a')",
            "",
        ),
        (
            REFUSED,
            "match n:\n    case int(x): return x\nreturn 3",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else n\n"
            "match x:\n"
            "    case None: return 5\n"
            "    case 1 | 3: return 6\n"
            "    case y: return y",
            "",
            "",
        ),
        (
            TAKEN,
            "match n:\n    case 1: z = 2\n    case z: pass\nreturn z",
            "",
            "",
        ),
    ],
    "keys and members of any shape": [
        (TAKEN, "return len({*xs, n, *(m, 3)})", "", ""),
        (TAKEN, "return len(set(xs).union([n], {m, 9}, (4,)))", "", ""),
        (TAKEN, "return sum(set(xs).intersection(xs, {3, m}))", "", ""),
        (TAKEN, "return int(n in {1, (2, 3)}) + 2 * int((n, m) in {1, (3, 1)})", "", ""),
        (TAKEN, "return {1: 5, (1,): 6, 3: 7}[n] if n in (1, 3) else 2", "", ""),
        (TAKEN, "return {True: 5, 3: 7}.get(n, 2)", "", ""),
        (TAKEN, "return {1: 5, True: 6}.get(m, 2)", "", ""),
        (REFUSED, "return {F(3): 5}.get(n, 2)", "from fractions import Fraction as F", ""),
        (TAKEN, "return {'a': 5, 'ab': 6}['a' if n > 3 else 'ab']", "", ""),
        (TAKEN, "return {('a', 1): 5, ('b', 2): 6}.get(('a' if n > 3 else 'b', m), 1)", "", ""),
        (REFUSED, "return {1.0: 5}.get(m, 2)", "", ""),
        (TAKEN, "return {((1, 2), 3): 5, ((3, 1), 3): 6}.get(((n, m), 3), 1)", "", ""),
        (
            REFUSED,
            "return {Q(3, 1): 5}.get((n, m), 1)",
            "class Q(NamedTuple):\n    a: int\n    b: int",
            "",
        ),
        (
            REFUSED,
            "return {Q(3, 1): 5}.get((n, m), 1)",
            "class Q(NamedTuple):\n"
            "    a: int\n"
            "    b: int\n"
            "    def __eq__(s, o): return False\n"
            "    def __hash__(s): return hash((3, 1))",
            "",
        ),
        (
            TAKEN,
            "return int([K.A, K(n % 2)] == [K.A, K.B])",
            "class K(enum.Enum):\n    A = 0\n    B = 1",
            "",
        ),
        (TAKEN, "return int(('a', 'bc'[n % 2]) == ('a', 'b'))", "", ""),
        (
            TAKEN,
            "return int((K.A, K.B)[n % 2] == 'x')",
            "class K(str, enum.Enum):\n    A = 'x'\n    B = 'y'",
            "",
        ),
        (
            TAKEN,
            "return int(K(('x', 'y')[n % 2]) in {'x', 'z'})",
            "class K(str, enum.Enum):\n    A = 'x'\n    B = 'y'",
            "",
        ),
        (
            TAKEN,
            "return {'x': 3, 'y': 4}[(K.A, K.B)[n % 2]]",
            "class K(str, enum.Enum):\n    A = 'x'\n    B = 'y'",
            "",
        ),
        (
            TAKEN,
            "return len((K.A, K.B)[n % 2].value)",
            "class K(enum.Enum):\n    A = (1, 2)\n    B = (3,)",
            "",
        ),
    ],
    "None or a value": [
        (TAKEN, "return 5 if f(n) is None else 6", "def f(k): pass", ""),
        (TAKEN, "y = self.f(n)\nreturn n + int(y is not None)", "", "def f(self, x):\n    if x > 4: return None"),
        (TAKEN, "return (lambda: None)() or n", "", ""),
        (TAKEN, "return sum(f(k) is None for k in xs)", "def f(k): assert k < 90", ""),
        (
            TAKEN,
            "x = None if n > 4 else n\nif x is not None:\n    x = None if m > 3 else m\nreturn 5 if x is None else x",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None\n"
            "for k in (1, 2, 3):\n"
            "    if x is not None:\n"
            "        x = x + k\n"
            "    if k == n % 3:\n"
            "        x = k\n"
            "return -1 if x is None else x",
            "",
            "",
        ),
        (
            TAKEN,
            "x = n\nwhile x is not None:\n    x = x - 1\n    if x < 0:\n        x = None\nreturn 3 if x is None else 4",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else 0\nreturn (x or 7) + (1 if x is None else 0)",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = x and x + 1\nreturn 5 if y is None else y",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\n"
            "return int(x == None) + 2 * int(x == m) + 4 * int(x != 1) + 8 * (x in (1, None))",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 100 else m\nreturn int(x < 3)",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 8 else m\nreturn x + 1",
            "",
            "",
        ),
        (
            TAKEN,
            "t = None if n > 4 else (n, m)\nreturn 0 if t is None else t[0] * 10 + t[1]",
            "",
            "",
        ),
        (
            TAKEN,
            "t = None if n > 4 else (n, m)\nif t: return t[0]\nreturn -2",
            "",
            "",
        ),
        (
            REFUSED,
            "x = None if n > 4 else m\nreturn int(isinstance(x, int))",
            "",
            "",
        ),
        (
            REFUSED,
            "return self.f(n) is None",
            "",
            "def f(self, x):\n    if x > 4: return x",
        ),
        (
            TAKEN,
            "v = self.f(n)\nreturn 9 if v is None else v + 1",
            "",
            "def f(self, x):\n    if x > 4: return x",
        ),
        (
            TAKEN,
            "return 1 if self.f(n) else 2",
            "",
            "def f(self, x):\n    if x > 4: return x - 5",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = x and x + 1\nreturn 5 if y is None else y",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = x and 7\nreturn 5 if y is None else y",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn 1 if x and 7 else 2",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn 1 if x and m < 20 else 2",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = x and m\nreturn 5 if y is None else y",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = m and x\nreturn 5 if y is None else y",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = x or n\nreturn y",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = n and None or m\nreturn y",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = m or x\nreturn 5 if y is None else y",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn int(not x)",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nif x: return 1\nreturn 2",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn 1 if x else 2",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn x if x else 2",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nk = 0\nwhile x:\n    x -= 1\n    k += 2\nreturn k",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn int(bool(x))",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn int(any((x, n > 5)))",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn sum(y for y in (n, 2) if x)",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nassert x is None or x < 50\nreturn 4",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn int(x is not None and 0 < x < 5)",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn int(x is None or x > 2)",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn max(0 if x is None else x, 2)",
            "",
            "",
        ),
        (
            TAKEN,
            "return 1 if self.f(n) and self.f(m) else 2",
            "",
            "def f(self, x):\n    if x > 2: return x - 3",
        ),
        (
            TAKEN,
            "return self.f(n) or self.f(m) or 9",
            "",
            "def f(self, x):\n    if x > 2: return x - 3",
        ),
        (
            TAKEN,
            "v = self.f(n) and self.f(m)\nreturn 9 if v is None else v",
            "",
            "def f(self, x):\n    if x > 2: return x - 3",
        ),
        (
            TAKEN,
            "if (v := self.f(n)) is not None and v > 1: return v\nreturn 8",
            "",
            "def f(self, x):\n    if x > 2: return x - 3",
        ),
        (
            TAKEN,
            "if (v := self.f(n)): return v\nreturn 8",
            "",
            "def f(self, x):\n    if x > 2: return x - 3",
        ),
        (
            TAKEN,
            "if not (v := self.f(n)): return 8\nreturn v",
            "",
            "def f(self, x):\n    if x > 2: return x - 3",
        ),
        (
            REFUSED,
            "v = min((x for x in xs if x > 5), default=None)\nreturn 9 if v is None else v",
            "",
            "",
        ),
        (
            TAKEN,
            "v = next((x for x in xs if x > 5), None)\nreturn 9 if v is None else v",
            "",
            "",
        ),
        (
            REFUSED,
            "v = {1: 4, 3: 0}.get(m)\nreturn 9 if v is None else v",
            "",
            "",
        ),
        (
            REFUSED,
            "v = {1: 4, 3: 0}.get(m)\nreturn 9 if not v else v",
            "",
            "",
        ),
        (
            REFUSED,
            "v = {1: 4, 3: 0}.get(m)\ny = v and n\nreturn 9 if y is None else y",
            "",
            "",
        ),
        (
            TAKEN,
            "d = {n: 0, m: 4}\nv = d.get(3)\ny = v and n\nreturn 9 if y is None else y",
            "",
            "",
        ),
        (
            TAKEN,
            "t = None\nif n > 4: t = (n, m)\nreturn 0 if t is None else t[0] * 10 + t[1]",
            "",
            "",
        ),
        (
            TAKEN,
            "t = None\nif n > 4: t = (n, m)\nif t: return t[0]\nreturn -2",
            "",
            "",
        ),
        (
            TAKEN,
            "t = None\nif n > 4: t = (n, m)\nreturn 1 if t and t[0] > 5 else 2",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = None if m > 4 else n\nreturn int(x == y) + 2 * int(x != y)",
            "",
            "",
        ),
        (
            REFUSED,
            "x = None if n > 4 else m\nt = (x, n)\nreturn int(t[0] is None) + 2 * int(t == (None, n))",
            "",
            "",
        ),
        (
            REFUSED,
            "ys = [None, None]\nif n > 4: ys[0] = m\nreturn int(ys[0] is None)",
            "",
            "",
        ),
        (
            TAKEN,
            "ys = [None if x > 3 else x for x in xs]\nreturn ys.count(None) * 10 + sum(y for y in ys if y is not None)",
            "",
            "",
        ),
        (
            REFUSED,
            "ys = [None if x > 3 else x for x in xs]\nreturn sum(ys)",
            "",
            "",
        ),
        (
            REFUSED,
            "ys = [None if x > 8 else x for x in xs]\nreturn sorted(ys)[0]",
            "",
            "",
        ),
        (
            STOPPED,
            "x = None if n > 4 else 1\nreturn xs[x]",
            "",
            "",
        ),
        (
            STOPPED,
            "x = None if n > 4 else 2\nreturn len(range(x))",
            "",
            "",
        ),
        (
            REFUSED,
            "x = None if n > 4 else 2\nreturn len(xs[:x])",
            "",
            "",
        ),
        (
            STOPPED,
            "x = None if n > 4 else 2\nreturn int(x > 1)",
            "",
            "",
        ),
        (
            REFUSED,
            "x = None if n > 4 else 2\nreturn abs(x)",
            "",
            "",
        ),
        (
            REFUSED,
            "x = None if n > 4 else 2\nreturn -x",
            "",
            "",
        ),
        (
            REFUSED,
            "x = None if n > 4 else 2\nreturn int(x)",
            "",
            "",
        ),
        (
            REFUSED,
            "x = None if n > 4 else 2\nreturn min(x, 3)",
            "",
            "",
        ),
        (
            STOPPED,
            "x = None if n > 4 else 2\nx += 1\nreturn x",
            "",
            "",
        ),
        (
            REFUSED,
            "x = None if n > 40 else 2\nreturn x",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 40 else 2\nreturn self.State(x, 1, 1).a",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nreturn (lambda y: 3 if y is None else y)(x)",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = None if n < 3 else n\nz = x or y\nreturn 77 if z is None else z",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\ny = None if n < 3 else n\nz = x and y\nreturn 77 if z is None else z",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m\nz = (x and x - 1) or 6\nreturn z",
            "",
            "",
        ),
        (
            REFUSED,
            "from_ = None if n > 4 else F(m, 2)\nreturn 9 if from_ is None else int(from_ * 2)",
            "from fractions import Fraction as F",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m > 2\nreturn 9 if x is None else int(x)",
            "",
            "",
        ),
        (
            TAKEN,
            "x = None if n > 4 else m > 2\ny = x and n\nreturn 9 if y is None else int(y)",
            "",
            "",
        ),
    ],
    "sequences in other words": [
        (
            TAKEN,
            "if n > 2 and (k := m) > 1: return k\nreturn 100",
            "",
            "",
        ),
        (
            TAKEN,
            "if (k := n) > 5 or (j := m) > 3: return k\nreturn j",
            "",
            "",
        ),
        (
            REFUSED,
            "if n > 50 and (k := m) > 1: pass\nreturn k",
            "",
            "",
        ),
        (
            TAKEN,
            "if not (n > 3 and (k := m) >= 0): return 1\nreturn k",
            "",
            "",
        ),
        (TAKEN, "return sorted([(n, 1), (m, 2), (n, 3)], key=lambda t: t[0])[1][1]", "", ""),
        (TAKEN, "return sorted([(n, 1), (m, 2), (n, 3)], key=lambda t: t[0], reverse=True)[0][1]", "", ""),
        (
            TAKEN,
            "ys = [n, m, 3, 7]\nys.sort(key=lambda x: -x)\nreturn ys[0] * 10 + ys[-1]",
            "",
            "",
        ),
        (
            TAKEN,
            "ys = [n, m, 3]\nys.sort(key=lambda x: len(ys))\nreturn ys[0]",
            "",
            "",
        ),
        (TAKEN, "return min(xs, key=lambda x: (x - 4) ** 2)", "", ""),
        (STOPPED, "return int(n in (m, 3, n // (m - m * (n < 100))))", "", ""),
        (TAKEN, "return sum(itertools.filterfalse(lambda x: x > 3, xs))", "", ""),
        (TAKEN, "return sum(itertools.compress(xs, (1, 0, 1)))", "", ""),
        (
            TAKEN,
            "a, b = (x + 1 for x in (n, m))\nreturn a * 10 + b",
            "",
            "",
        ),
        (
            REFUSED,
            "a, b = (x + 1 for x in (n, m, 3))\nreturn a * 10 + b",
            "",
            "",
        ),
        (
            TAKEN,
            "return sum(v for v in (self.f(x) for x in xs) if v is not None)",
            "",
            "def f(self, x):\n    if x > 2: return x",
        ),
        (TAKEN, "return sum(xs[::-2]) * 10 + sum(xs[2:0:-1]) + len(xs[5:1:2])", "", ""),
        (TAKEN, "return sum(xs[m:n]) + 10 * len(xs[n:m])", "", ""),
        (TAKEN, "return sum(xs[-m:]) + 10 * sum(xs[:-m]) + 100 * sum(xs[n - 5:])", "", ""),
    ],
    "dictionaries whose first keys are known": [
        (TAKEN, "d = {1: n, True: m}\nreturn d[1] * 10 + len(d)", "", ""),
        (TAKEN, "d = {0: n}\nd[False] = m\nreturn d[0] * 10 + len(d)", "", ""),
        (TAKEN, "d = {k: k for k in range(3)}\ndel d[1]\nd[1] = n\nreturn list(d)[2] * 10 + d[n % 3]", "", ""),
        (
            TAKEN,
            "d = {k: k for k in range(3)}\nd[n] = 9\nd[m] = 8\nreturn sum(k * 100 + v for k, v in d.items())",
            "",
            "",
        ),
        (TAKEN, "d = dict(zip((2, 0), xs))\nd[n > m] = 5\nreturn d.get(1, 7) * 10 + d[0]", "", ""),
        (TAKEN, "d = {k: n for k in range(4) if k != m}\nreturn d.get(m, 50) + d.get(m + 1, 60)", "", ""),
        (TAKEN, "d = {}\nfor k in (1, 2, 1):\n    d[k] = d.get(k, 0) + n\nreturn d[1] * 10 + d[2]", "", ""),
        (TAKEN, "d = {1: n}\nfor k in range(m):\n    d = {2: k, **d}\nreturn list(d)[0] * 100 + d.get(2, 7)", "", ""),
        (TAKEN, "d = {(0, 1): n}\nd |= {(m, n): 3}\nreturn d.get((0, n), 9) * 10 + len(d)", "", ""),
        (TAKEN, "d = {1: n}\ne = dict(d)\ne[m] = 5\nreturn d.get(m, 8) * 10 + e.get(1, 6)", "", ""),
        (TAKEN, "d = {1: n}\nreturn 7 if d.get(m) is None else d[m]", "", ""),
        (TAKEN, "d = {1: 0}\nreturn 7 if d.get(m) == 0 else 3", "", ""),
        (REFUSED, "d = {1: None}\nif n > m:\n    d[1] = m\nreturn 3 if d.get(1) is None else d[1]", "", ""),
        (
            TAKEN,
            "d = {k: x for k, x in enumerate(xs) if x != n}\nd[0] = 7\nreturn list(d)[-1] * 100 + d.get(m % 3, 9)",
            "",
            "",
        ),
        (
            TAKEN,
            "d = {k: k for k in range(4) if k != m}\ne = dict(d)\ne[m] = 8\nreturn e.get(3, 9) * 10 + d.get(m, 5)",
            "",
            "",
        ),
        (
            TAKEN,
            "d = self.f(n, m)\nd[5] = 1\nreturn d.get(m, 9) * 100 + d.get(2, 8) * 10 + list(d)[-1]",
            "",
            "def f(self, n, m):\n    return {k: n for k in range(3) if k != m}",
        ),
        (
            TAKEN,
            "d = {k: k + 1 for k in range(4) if k != n}\nreturn self.f(d, m) * 10 + self.f({0: 1}, n)",
            "",
            "def f(self, d, k):\n    return d.get(k, 7)",
        ),
        (
            TAKEN,
            "d = self.f(n, m)\nreturn d.get(n, 9) * 10 + d.get(1, 8)",
            "",
            "def f(self, n, m):\n    if n > m:\n        return {1: 2, n: 3}\n    return {2: 1, 1: m}",
        ),
        (
            TAKEN,
            "d = {}\nif n > m:\n    d[1] = n\nelse:\n    d[2] = m\nd[1] = 5\nreturn list(d)[0] * 100 + d.get(2, 7)",
            "",
            "",
        ),
        (STOPPED, "d = {k: k for k in range(3)}\nreturn d[n + m]", "", ""),
        (STOPPED, "d = {k: k for k in range(3)}\nd.clear()\nreturn d[1] + n", "", ""),
    ],
    "lists and sets inside of tuples": [
        (REFUSED, "p = (xs, n)\nxs.append(5)\nreturn len(p[0])", "", ""),
        (REFUSED, "q = Q(xs, 3)\nxs[0] = 7\nreturn q.xs[0]", "class Q(NamedTuple):\n    xs: list\n    n: int", ""),
        (REFUSED, "p = (xs, n)\na, b = p\na.append(5)\nreturn len(xs)", "", ""),
        (REFUSED, "p = (xs, n)\np[0][1] = 5\nreturn sum(xs)", "", ""),
        (REFUSED, "p = (xs, n)\np[0][1] += 5\nreturn sum(xs)", "", ""),
        (REFUSED, "p = ([n], m)\nq = p\nys = q[0]\nys.append(3)\nreturn len(p[0])", "", ""),
        (REFUSED, "def f(ys): ys[0] = 9\np = (xs, 1)\nf(p[0])\nreturn sum(xs)", "", ""),
        (TAKEN, "def f(ys): ys[0] = 9\np = ([n, 2], 1)\nf(p[0])\nreturn sum(p[0])", "", ""),
        (REFUSED, "def f(ys): ys[0] = 9\ndef g(p): f(p[0])\np = ([n, 2], 1)\ng(p)\nreturn sum(p[0])", "", ""),
        (REFUSED, "def f(p): return p[0]\nys = f((xs, n))\nys.append(1)\nreturn len(xs)", "", ""),
        (REFUSED, "f = lambda: (xs, n)\na, b = f()\nxs[0] = 9\nreturn a[0]", "", ""),
        (TAKEN, "f = lambda: (tuple(xs), n)\na, b = f()\nxs[0] = 9\nreturn a[0]", "", ""),
        (TAKEN, "p = (xs, n)\nxs = [9]\nreturn sum(p[0])", "", ""),
        (TAKEN, "ys, k = self.h(n)\nys[0] = 4\nreturn sum(ys) + k", "", "def h(self, n):\n    return [n, 2], n"),
        (
            TAKEN,
            "a, b = tuple(xs), tuple(xs[:m % 3])\nfor k in range(n):\n    a, b = (b, a) if k % 3 else (a, b)\n"
            "return sum(a) * 10 + len(b)",
            "",
            "",
        ),
        (
            TAKEN,
            "a, b, c = tuple(xs), tuple(xs[1:]), tuple(xs[:n % 2])\nfor k in range(n + m):\n"
            "    p = (a, b, c) if k % 2 else (b, c, a)\n    a, b, c = p\n"
            "return sum(a) * 100 + sum(b) * 10 + sum(c)",
            "",
            "",
        ),
        (
            TAKEN,
            "q = p = (tuple(xs), tuple(xs[:m % 3]))\nfor k in range(n):\n    q = p\n    p = (q[1] + (k,), q[0])\n"
            "return sum(p[0]) * 10 + sum(p[1]) + len(q[0])",
            "",
            "",
        ),
        (
            TAKEN,
            "p = self.h(n, m)\nfor k in range(3):\n    q = self.g(p)\n    p = q\nreturn sum(p[0]) * 10 + len(q[1])",
            "",
            "def h(self, n, m): return tuple(range(n)), tuple(range(m))\n"
            "def g(self, p):\n    a, b = p\n    return b, a",
        ),
        (
            TAKEN,
            "ys = []\nfor k in range(3):\n    a, b = ([k], [m]) if n > m else ([m], [k])\n    a.append(k)\n"
            "    ys.append(sum(a))\nreturn sum(ys)",
            "",
            "",
        ),
        (TAKEN, "p = (tuple(xs), tuple(xs[:m % 3]))\na = p[n % 2 - 2]\nreturn sum(a) * 10 + len(a)", "", ""),
        (STOPPED, "p = (tuple(xs), tuple(xs[:m % 3]))\na = p[n]\nreturn sum(a) * 10 + len(a)", "", ""),
        (
            TAKEN,
            "s, t = frozenset(xs), frozenset({n % 3})\na, b = (s, t) if n > m else (t, frozenset())\n"
            "return len(a) * 10 + len(b - a)",
            "",
            "",
        ),
        (REFUSED, "s, t = {n}, {m}\na, b = (s, t) if n > m else (t, s)\na.add(9)\nreturn len(s)", "", ""),
    ],
    "sequences that change places": [
        (
            TAKEN,
            "a, b = tuple(xs), tuple(xs[:m % 3])\nfor k in range(n):\n    a, b = b + (k,), a\n"
            "return sum(a) * 100 + sum(b) * 10 + len(a)",
            "",
            "",
        ),
        (
            TAKEN,
            "a, b = (tuple(xs), 1), (tuple(xs[:m % 3]), 2)\nfor k in range(n):\n    a, b = (b[0], k), (a[0], k)\n"
            "return sum(a[0]) * 100 + sum(b[0]) * 10 + a[1] + len(b[0])",
            "",
            "",
        ),
        (
            TAKEN,
            "q = p = (tuple(xs), tuple(xs[:m % 3]))\nfor k in range(n):\n    p = q = p[::-1]\n"
            "return sum(p[0]) * 100 + sum(q[0]) * 10 + len(q[1])",
            "",
            "",
        ),
        (REFUSED, "a, b = [n], [m]\na, b = b, a\na.append(3)\nreturn len(b)", "", ""),
        (TAKEN, "a, b = (tuple(xs), (m,))[:: -1 if n > m else 1]\nreturn sum(a) * 10 + len(b)", "", ""),
        (TAKEN, "y = xs[1 :: -1 if n > m else 1]\nreturn y[0] * 10 + len(y)", "", ""),
    ],
    "tuples, lists and constants that meet": [
        (TAKEN, "a = T if n > m else [n]\nreturn sum(a) * 10 + a[-1] + int(3 in a) + len(a)", "T = [1, 2, 3]", ""),
        (REFUSED, "a = T if n > m else [n]\na.append(3)\nreturn sum(T)", "T = [1, 2, 3]", ""),
        (REFUSED, "a = T if n > m else [n]\na[0] = 3\nreturn sum(T)", "T = [1, 2, 3]", ""),
        (REFUSED, "a = T if n > m else [n]\na += [3]\nreturn sum(T)", "T = [1, 2, 3]", ""),
        (REFUSED, "def f(a): a[0] = 7\nf(T if n > m else [n])\nreturn sum(T)", "T = [1, 2, 3]", ""),
        (REFUSED, "def f(): return T if n else [n]\na = f()\na.append(1)\nreturn sum(T)", "T = [1, 2, 3]", ""),
        (TAKEN, "def f():\n    if n > m: return T\n    return [n]\na = f()\nreturn sum(a)", "T = [1, 2, 3]", ""),
        (REFUSED, "a = xs if n > m else (n,)\nxs.append(7)\nreturn sum(a)", "", ""),
        (TAKEN, "y = 0\nfor x in (xs if n > m else (n,)):\n    xs[2] = 50\n    y += x\nreturn y", "", ""),
        (REFUSED, "a = xs if n > m else (n,)\nreturn int(a == xs)", "", ""),
        (REFUSED, "a = xs if n > m else (n,)\nreturn int(isinstance(a, list))", "", ""),
        (REFUSED, "a = range(3) if n > m else [n]\nreturn len(a + a)", "", ""),
        (TAKEN, "a = range(3) if n > m else [n]\nb = list(a)\nb.append(3)\nreturn sum(b) + len(a)", "", ""),
        (TAKEN, "a = ()\nwhile len(a) < n:\n    a += (m,)\nreturn len(a) + sum(a)", "", ""),
        (
            TAKEN,
            "a = (n, m)\nfor k in range(n):\n    a = a[:k % 2] + (k,) + a[k % 2 + 1:]\nreturn len(a) + sum(a)",
            "",
            "",
        ),
        (STOPPED, "a = (n, m) if n > m else (n, m, 3)\nx, y = a\nreturn x + y", "", ""),
        (REFUSED, "a = tuple(xs)[:n]\nreturn len(a.copy())", "", ""),
    ],
    "fields that are not None": [
        (TAKEN, MADE + "if o.two is not None: return sum([o.two])\nreturn 1", OPTIONAL, ""),
        (
            TAKEN,
            MADE + "if o.one.x is None or o[1] is None: return 5\nys = [o.one.x, o.two]\nreturn sum(ys)",
            OPTIONAL,
            "",
        ),
        (
            TAKEN,
            MADE
            + "if o.two is not None:\n    o = o._replace(two=None)\n    return 7 if o.two is None else 8\nreturn 3",
            OPTIONAL,
            "",
        ),
        (
            TAKEN,
            MADE + "if o.two is not None:\n    if n > 4: o = o._replace(two=None)\n"
            "    return 7 if o.two is None else o.two\nreturn 3",
            OPTIONAL,
            "",
        ),
        (
            TAKEN,
            MADE + "y = 0\nfor k in range(3):\n    if o.two is not None:\n        y += sum([o.two])\n"
            "        if k: o = o._replace(two=None)\nreturn y",
            OPTIONAL,
            "",
        ),
        (
            TAKEN,
            MADE + "y = 0\nif o.two is not None:\n    for k in range(3):\n"
            "        y += 1 if o.two is None else o.two\n        if k: o = o._replace(two=None)\n"
            "return y",
            OPTIONAL,
            "",
        ),
        (
            TAKEN,
            MADE + "f = lambda o: 9 if o.two is None else 4\nif o.two is not None:\n"
            "    o = o._replace(two=None)\n    return f(o)\nreturn 3",
            OPTIONAL,
            "",
        ),
        (
            TAKEN,
            MADE + "if o.two is not None:\n    p = o\n    o = o._replace(two=None)\n"
            "    return sum([p.two]) + (o.two is None)\nreturn 3",
            OPTIONAL,
            "",
        ),
        (
            TAKEN,
            MADE + "if o.two is not None or n > m:\n    return 5 if o.two is None else sum([o.two])\nreturn 3",
            OPTIONAL,
            "",
        ),
        (TAKEN, MADE + "match o.two:\n    case None: return 4\n    case k: return sum([k])", OPTIONAL, ""),
        (
            TAKEN,
            MADE
            + "k = 1\nif o[k] is not None:\n    k = 0\n    return sum([o[1]]) + (5 if o[k].x is None else 6)\nreturn 3",
            OPTIONAL,
            "",
        ),
        (
            TAKEN,
            MADE
            + "while o.two is not None:\n    ys = [o.two]\n    o = o._replace(two=None)\n    return sum(ys)\nreturn 3",
            OPTIONAL,
            "",
        ),
        (REFUSED, MADE + "y = o.two is not None\nreturn sum([o.two]) if y else 3", OPTIONAL, ""),
        (REFUSED, MADE + "if o.two is not None or n > m: return sum([o.two])\nreturn 3", OPTIONAL, ""),
    ],
    "zip, takewhile and cycle": [
        (
            TAKEN,
            "y = 0\nfor a, k in zip(range(n), self.way(m)): y = y * 3 + a * k\nreturn y % 1000",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (
            TAKEN,
            "y = 0\nfor k, a, b in zip(self.way(m), range(n), xs): y = y * 3 + a * k + b\nreturn y % 1000",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (
            TAKEN,
            "y = 0\nfor a, k in zip((1, 2), self.bad(m)): y += k\nreturn y",
            "",
            "def bad(self, k):\n    yield 1\n    yield 2\n    yield 6 // (k - k)\n",
        ),
        (
            STOPPED,
            "y = 0\nfor k, a in zip(self.bad(m), (1, 2)): y += k\nreturn y",
            "",
            "def bad(self, k):\n    yield 1\n    yield 2\n    yield 6 // (k - k)\n",
        ),
        (
            TAKEN,
            "y = 0\nfor a, k in zip((1,), self.hang(m)): y += k\nreturn y",
            "",
            "def hang(self, k):\n    yield 1\n    while k == k: pass\n",
        ),
        (
            REFUSED,
            "y = 0\nfor a, k in zip((1, 2, 3, 4), self.way(m)):\n    if k == 2: continue\n    y += k\nreturn y",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (
            TAKEN,
            "y = 0\nfor k, a in zip(self.way(m), (1, 2, 3, 4)):\n    if k == 2: continue\n    y += k\nreturn y",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (
            TAKEN,
            "y = 0\nfor a, k in zip((1, 2, 3, 4), self.way(m)):\n    if k == 2: break\n    y += k\nreturn y",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (
            REFUSED,
            "y = 0\nfor a, k in zip((1, 2, 3, 4), self.way(m)):\n    y += k\nelse: y += 100\nreturn y",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (
            TAKEN,
            "return int(any(a > k for a, k in zip(range(n), self.way(m))))",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (
            TAKEN,
            "return next((a for a, k in zip(range(n), self.way(m)) if k == 3), 9)",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (TAKEN, "return int(any(a == k for a, k in zip(xs, (x + y for x in range(n) for y in range(m)))))", "", ""),
        (
            TAKEN,
            "y = 0\nfor a, k in zip(xs, self.way(m)):\n    xs[0] = 5\n    xs[2] = 7\n    y = y * 5 + a + k\n"
            "return y % 999",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (
            REFUSED,
            "y = 0\nfor a, k in zip(xs, self.way(m)):\n    xs.append(1)\n    if k == 3: break\nreturn y",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (TAKEN, "return sum(itertools.takewhile(lambda x: x > m, (x * 2 for x in xs)))", "", ""),
        (
            TAKEN,
            "y = 0\nfor x in itertools.takewhile(lambda x: x < n, (1, 2, 3, 4)):\n    n -= 1\n    y += x\nreturn y",
            "",
            "",
        ),
        (TAKEN, "return sum(itertools.dropwhile(lambda x: x > m, [n, m, n]))", "", ""),
        (
            REFUSED,
            "y = 0\nfor x in itertools.takewhile(lambda x: x != 3, xs):\n    xs[1] = 3\n    y += 1\nreturn y",
            "",
            "",
        ),
        (TAKEN, "y = 0\nfor k, x in zip(range(n), itertools.cycle(xs[3:])): y = y * 2 + x * k\nreturn y", "", ""),
        (
            REFUSED,
            "y = 0\nfor x in itertools.cycle(xs):\n    xs[1] = 3\n    y += x\n    if y > 20: break\nreturn y",
            "",
            "",
        ),
        (TAKEN, "return sum(itertools.islice(itertools.cycle(xs), n, n + m))", "", ""),
        (
            TAKEN,
            "return sum(itertools.islice(self.way(n), 5, m))",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (
            STOPPED,
            "return sum(itertools.islice(self.way(n), m - 30))",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
        (
            TAKEN,
            "y = 0\nfor x in itertools.islice(self.way(n), m):\n    m = 0\n    y += x\nreturn y",
            "",
            "def way(self, k):\n    while True:\n        k = (k + 1) % 5\n        yield k\n",
        ),
    ],
    "pop inside of an expression": [
        (TAKEN, "xs.append(xs.pop(0))\nreturn xs[0] * 100 + xs[1] * 10 + xs[2]", "", ""),
        (TAKEN, "y = xs.pop() * 10 + xs.pop()\nreturn y * 10 + len(xs)", "", ""),
        (REFUSED, "y = xs[0] + xs.pop(0)\nreturn y", "", ""),
        (TAKEN, "y = xs.pop(0) + xs[0]\nreturn y", "", ""),
        (REFUSED, "y = n > m and xs.pop()\nreturn len(xs)", "", ""),
        (REFUSED, "y = 1 < n < xs.pop()\nreturn len(xs)", "", ""),
        (REFUSED, "xs[0] += xs.pop()\nreturn sum(xs)", "", ""),
        (REFUSED, "ys = [1, 2]\nys[xs.pop() % 2] = xs.pop()\nreturn sum(xs) + sum(ys)", "", ""),
        (TAKEN, "if n > 100: return 1\nelif xs.pop() > 2: return len(xs)\nreturn 10 + len(xs)", "", ""),
        (TAKEN, "for k in range(xs.pop()): xs.append(k)\nreturn sum(xs)", "", ""),
        (REFUSED, "f = lambda: xs[0]\ny = f() + xs.pop(0)\nreturn y", "", ""),
        (TAKEN, "f = lambda: xs[0]\ny = xs.pop(0) + f()\nreturn y", "", ""),
        (REFUSED, "y = (xs.pop(), len(xs), xs.pop())\nreturn y[0] * 10 + y[1]", "", ""),
        (REFUSED, "y = [xs.pop() for k in range(2)]\nreturn sum(y)", "", ""),
        (REFUSED, "while xs.pop() > 3: pass\nreturn len(xs)", "", ""),
        (REFUSED, "xs.append(xs[0] + xs.pop(0))\nreturn sum(xs)", "", ""),
        (TAKEN, "d = {n: 4, 9: 5}\ny = d.pop(m, 2) + d.pop(9, 3)\nreturn y + len(d)", "", ""),
        (STOPPED, "y = xs.pop() + xs.pop() + xs.pop() + xs.pop()\nreturn y", "", ""),
        (TAKEN, "y = 1 + H.pop(n) + H.pop(m)\nreturn y", "class Hp:\n    def pop(self, k): return k * 2\nH = Hp()", ""),
    ],
    "lists of objects that depend on the state": [
        (
            TAKEN,
            "y = PS[n % 2].front(m)\ny.append(4)\nreturn sum(y) * 10 + len(y)",
            "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass P:\n    ahead: int\n"
            "    def front(self, k): return [k + d for d in (1, 2) if k + self.ahead + d < 8]\n"
            "    def given(self, xs): return xs if self.ahead > 1 else [1]\nPS = (P(1), P(2))\n",
            "",
        ),
        (
            REFUSED,
            "y = PS[n % 2].given(xs)\ny.append(3)\nreturn len(xs)",
            "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass P:\n    ahead: int\n"
            "    def front(self, k): return [k + d for d in (1, 2) if k + self.ahead + d < 8]\n"
            "    def given(self, xs): return xs if self.ahead > 1 else [1]\nPS = (P(1), P(2))\n",
            "",
        ),
        (
            TAKEN,
            "z = 0\nfor k in range(3):\n    p = PS[(n + k) % 2]\n    for x in p.front(k): z += x\nreturn z",
            "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass P:\n    ahead: int\n"
            "    def front(self, k): return [k + d for d in (1, 2) if k + self.ahead + d < 8]\n"
            "    def given(self, xs): return xs if self.ahead > 1 else [1]\nPS = (P(1), P(2))\n",
            "",
        ),
        (
            TAKEN,
            "return sum(QS[n % 3].t)",
            "class Q:\n    def __init__(self, t): self.t = t\nQS = (Q([1, 2]), Q([3]), Q((4,)))",
            "",
        ),
        (
            REFUSED,
            "y = QS[n % 2].t\ny.append(2)\nreturn sum(y)",
            "class Q:\n    def __init__(self, t): self.t = t\nQS = (Q([1, 2]), Q([3]), Q((4,)))",
            "",
        ),
    ],
    "values of which only the truth is used": [
        (TAKEN, "f = lambda k: not k == 3 and xs[k:]\nreturn sum(k for k in range(5) if f(k))", "", ""),
        (REFUSED, "f = lambda k: k != 3 and xs[k:]\ny = f(n)\nreturn 1 if y else 2", "", ""),
        (
            TAKEN,
            "def f(k):\n    if k == 1: return False\n    return not k == 3 and xs[k:]\n"
            "return sum(k for k in range(5) if f(k))",
            "",
            "",
        ),
        (TAKEN, "f = lambda k: xs[k:] and k and (xs[1:] or k == 7)\nreturn sum(k for k in range(9) if f(k))", "", ""),
        (REFUSED, "f = lambda k: not k == 3 and xs[k:]\nreturn int(f(n) == False)", "", ""),
        (REFUSED, "f = lambda k: not k == 3 and xs[k:]\nreturn int(f(n) is False)", "", ""),
        (REFUSED, "f = lambda k: k > 2 and (None if k > 4 else xs)\nreturn int(f(n) is None)", "", ""),
        (REFUSED, "f = lambda k: not k == 3 and xs[k:]\nreturn len(f(2))", "", ""),
        (REFUSED, "f = lambda k: not k == 3 and xs[k:]\ng = lambda z: 1 if z else 2\nreturn g(f(n))", "", ""),
        (REFUSED, "f = lambda k: not k == 3 and xs[k:]\nreturn (f(n), 1)[1]", "", ""),
        (REFUSED, "f = lambda k: not k == 3 and xs[k:]\nreturn len([f(n), f(m)])", "", ""),
        (REFUSED, "f = lambda k: not k == 3 and xs[k:]\nreturn int(isinstance(f(n), list))", "", ""),
        (REFUSED, "y = n > m and xs\nxs.append(1)\nreturn 1 if y else 2", "", ""),
        (STOPPED, "f = lambda k: k > 1 and 6 // (k - 3) and xs\nreturn 1 if f(n) else 2", "", ""),
        (TAKEN, "f = lambda k: k > 3 and k % 2 and xs[6 // k] and xs\nreturn 1 if f(n) else 2", "", ""),
        (TAKEN, "f = lambda k: not (k > 1 and xs)\nreturn f(n) + 0", "", ""),
        (REFUSED, "return n > m and xs", "", ""),
    ],
    "items that are not there": [
        (TAKEN, "return (n, m)[2] if n > 999 else 5", "", ""),
        (TAKEN, "for k in (0, 1, 4):\n    if k < 2 and (n, m)[k] > 1:\n        return k\nreturn 7", "", ""),
        (STOPPED, "return (n, m)[2]", "", ""),
        (STOPPED, "return (n, m)[-3] + 1", "", ""),
        (TAKEN, "return sum((n, m)[k] for k in (0, 5) if k < 2)", "", ""),
    ],
}
