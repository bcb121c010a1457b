"""Idioms of Python, each a few lines of a payoff: the core and machine code give what Python gives.

`n` and `m` are numbers that depend on the state, `xs` is the list `[n, m, 3]`, `t` the tuple `(n, m)`, `b` a tuple of
five numbers.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from amounts import each

pytest.importorskip("llvmlite.binding")

from both_engines import by_core, by_machine, by_python
from test_compiled_meaning import require_same, rules_of

FRAME = """
import collections, itertools, operator
from dataclasses import dataclass
from itertools import accumulate, chain, combinations, pairwise, permutations, product
VALUES = {0: 5, 1: 7, 8: 9, 2: 1, 3: 4, 4: 4, 5: 6, 6: 1, 7: 2}
PAIRS = {(0, 0): 1, (0, 1): 3, (1, 0): 4, (1, 1): 9}
NAMES = {"a": 3, "b": 4}
MEMBERS = frozenset({1, 4, 6})
PAIRSET = {(0, 1), (1, 1)}
WORD = "abcab"
BOARD = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
LISTS = {0: (1, 2), 1: (3,), 2: ()}
NESTED = {0: {0: 1, 1: 2}, 1: {0: 3, 1: 5}}
class Suit(Enum):
    CLUBS = 0
    HEARTS = 5
class Num(IntEnum):
    ONE = 1
    TWO = 2
@dataclass(frozen=True)
class Card:
    rank: int
    points: tuple = (1, 2, 3)
CARDS = (Card(3), Card(5, (4, 5, 6)))
class Piece(NamedTuple):
    worth: int
    steps: tuple
PIECES = [Piece(4, (1, -1)), Piece(7, (2, 3))]
class Sq(NamedTuple):
    row: int
    col: int = 0
    SIZE = 3
    def step(self, dr, dc=0): return Sq(self.row + dr, self.col + dc)
    @property
    def inside(self): return 0 <= self.row < 3 and 0 <= self.col < self.SIZE
    @property
    def number(self): return self.row * 3 + self.col
    @staticmethod
    def of(n): return Sq(n // 3, n % 3)
    @classmethod
    def at(cls, n): return cls(n // 3, n % 3)
    def near(self):
        for d in (-1, 1):
            s = self.step(d)
            if s.inside: yield s
SQS = [Sq(r, c) for r in range(3) for c in range(3)]
SQT = {Sq(r, c): r + c for r in range(3) for c in range(3)}
class Player(Enum):
    X = "x"
    O = "o"
    @property
    def foe(self): return Player.O if self is Player.X else Player.X
    def sign(self, k): return k if self is Player.X else -k
    @classmethod
    def first(cls): return cls.X
@dataclass(frozen=True)
class Board:
    w: int
    h: int
    def cell(self, r, c): return r * self.w + c
    @property
    def size(self): return self.w * self.h
    def cells(self):
        return range(self.w * self.h)
BRD = Board(3, 4)
GROUPS = {0: [(0, 1), (2, 3)], 1: [(1, 2)], 2: [], 3: [(0, 1), (1, 2), (3, 0)], 4: [(3, 3)]}
TRI = {((0, 0), (0, 1)): 3, ((1, 0), (1, 1)): 5}
DIRS = ((0, 1), (1, 0), (1, 1), (1, -1))
def gen(k):
    for j in range(k): yield j * 2
def two(xs): return [x + 1 for x in xs], len(xs)
def maybe(x): return x if x > 3 else None
def maybe2(x):
    if x > 3:
        return x
    return None
def find(xs, v):
    for k, x in enumerate(xs):
        if x == v:
            return k
def helper(xs): return [x + 1 for x in xs]
class Rules(Steps):
    def note(self, number):
        if number in {}: raise ValueError
    def setup(self):
        self.table = {k: k * k for k in range(12)}
        self.lines = [(a, b) for a in range(3) for b in range(2)]
        self.by = [[1, 2], [3, 4]]
        self.mem = {1, 5}
"""
IDIOM = """
    def idiom_{number}(self, state):
        n, m = state.steps, state.last
        xs = [n, m, 3]
        t = (n, m)
        b = (n % 3, m, 1, 0, 2)
"""

BODIES = {
    "append": """
ys = []
for x in xs: ys.append(x * 2)
return sum(ys)
""",
    "a-method-that-does-nothing": """
self.note(n)
return m
""",
    "append-pairs": """
ys = []
for x in xs: ys.append((x, m))
return sum(a - b for a, b in ys)
""",
    "insert": """
xs.insert(1, 5)
return xs[1] + xs[2]
""",
    "remove": """
xs.remove(3)
return sum(xs)
""",
    "clear": """
xs.clear()
return len(xs)
""",
    "sort-method": """
xs.sort()
return xs[0] + 10 * xs[1]
""",
    "sort-key": """
xs.sort(key=lambda x: -x)
return xs[0] + 10 * xs[1]
""",
    "reverse-method": """
xs.reverse()
return xs[0] + 10 * xs[1]
""",
    "pop-index": """
y = xs.pop(0)
return y + xs[0]
""",
    "del-item": """
del xs[0]
return xs[0]
""",
    "list-fn": """
ys = list(t)
ys[0] = 4
return sum(ys) + t[0]
""",
    "tuple-fn": """
ys = tuple(xs)
return ys[0]
""",
    "list-of-range": """
ys = list(range(n))
return len(ys)
""",
    "list-of-map": """
ys = list(map(abs, xs))
return sum(ys)
""",
    "map-lambda": "return sum(map(lambda x: x * 2, xs))",
    "map-two": "return sum(map(lambda x, y: x * y, xs, t))",
    "map-int": "return sum(map(int, (x > 2 for x in xs)))",
    "map-builtin-abs": "return sum(map(abs, t))",
    "filter": "return len(list(filter(lambda x: x > 2, xs)))",
    "filter-none": "return len(list(filter(None, xs)))",
    "slice": "return sum(xs[1:]) + sum(b[:n % 4])",
    "slice-step2": "return sum(xs[::2]) + sum(b[1::2])",
    "slice-neg": "return sum(xs[::-1][:2])",
    "slice-tuple-list-concat": """
c = b[:n % 5] + (9,) + b[n % 5 + 1:]
return c[0] + sum(c)
""",
    "concat": "return sum(list(t) + xs + [1])",
    "star-call-tuple": """
f = lambda a, b: a * b
return f(*t)
""",
    "print-varargs": """
def f(*a): return sum(a)
return f(n, m, 2)
""",
    "iadd-list": """
xs += [n]
return sum(xs)
""",
    "sorted": "return sorted(xs)[0]",
    "sorted-key": "return sorted(xs, key=lambda x: -x)[0]",
    "sorted-tuples": "return sorted([(x % 2, x) for x in xs])[0][1]",
    "sorted-key-tuple": "return sorted(xs, key=lambda x: (x % 2, x))[0]",
    "sorted-tuple-rev": "return sorted(t, reverse=True)[0]",
    "sorted-set": "return sorted({n % 3, m})[0]",
    "sorted-key-builtin": "return sorted([-2, n, m], key=abs)[0]",
    "min-key-tuple": "return min(xs, key=lambda x: (x % 2, -x))",
    "max-tuples": "return max((x % 2, x) for x in xs)[1]",
    "max-key-get": "return max(range(5), key=VALUES.get)",
    "max-key-table": "return max(xs, key=lambda x: self.table[x])",
    "max-default": "return max((x for x in xs if x > 4), default=-1)",
    "max-gen": "return max(x * m for x in xs)",
    "reversed": "return sum(k * x for k, x in enumerate(reversed(xs)))",
    "reversed-range": "return sum(k * n for k in reversed(range(4)))",
    "reversed-enumerate-list": "return sum(k * x for k, x in reversed(list(enumerate(xs))))",
    "enumerate": "return sum(k * x for k, x in enumerate(b))",
    "zip": "return sum(x * y for x, y in zip(b, xs))",
    "dict-zip": """
d = dict(zip(range(3), xs))
return d[0] + d[2]
""",
    "listcomp": "return sum([x for x in xs if x])",
    "nested-comp": "return sum(sum(y for y in range(x)) for x in xs)",
    "setcomp": """
s = {x % 3 for x in xs}
return len(s)
""",
    "setcomp-in": """
s = {x % 3 for x in xs}
return int(n in s) + 2 * int(m in s)
""",
    "set-call": """
s = set(xs)
return len(s)
""",
    "set-len": "return len(set(b))",
    "set-of-gen": "return len({abs(a - m) for a in b})",
    "set-add": """
s = set()
s.add(n)
s.add(m)
s.add(n)
return len(s)
""",
    "set-add-loop": """
s = set()
for x in b:
    if x in s: return x
    s.add(x)
return -1
""",
    "set-flood": """
seen = {n % 3}
stack = [n % 3]
while stack:
    at = stack.pop()
    for y in (at + 1, at + 2):
        if y < 6 and y not in seen:
            seen.add(y)
            stack.append(y)
return len(seen)
""",
    "set-discard": """
s = {n, m}
s.discard(m)
return len(s)
""",
    "set-remove": """
s = {n, m, 77}
s.remove(77)
return len(s)
""",
    "set-ops": """
s = {n, m}
u = {m, 3}
return len(s | u) + 10 * len(s & u) + 100 * len(s - u)
""",
    "set-issub": """
s = {n % 3, m}
return int(s <= {0, 1, 2})
""",
    "set-eq": "return int(set(t) == {0, 1})",
    "set-sum": "return sum({n, m, 3})",
    "set-min": "return min({n, m, 3})",
    "set-update": """
s = {n}
s.update(xs)
return len(s)
""",
    "set-ior": """
s = {n}
s |= {m, 4}
return len(s)
""",
    "set-truth": """
s = set(x for x in xs if x > 4)
return 1 if s else 0
""",
    "set-pairs": """
s = set()
s.add((n, m))
s.add((m, m))
return int((m, m) in s) + len(s)
""",
    "set-const-minus": "return len(MEMBERS - {n}) + int(m in MEMBERS - {n})",
    "set-const-and": "return len(MEMBERS & set(xs))",
    "set-range-minus": "return min(set(range(9)) - set(xs))",
    "frozenset-local": """
s = frozenset(xs)
return len(s)
""",
    "dict-local": """
d = {n: 1, m: 2}
return d[n]
""",
    "dict-grow": """
d = {}
for x in xs: d[x] = d.get(x, 0) + 1
return d[3]
""",
    "dict-in": """
d = {}
for x in xs: d[x] = x
return int(5 in d)
""",
    "dict-items": """
d = {n: 3, 9: 4}
return sum(k * v for k, v in d.items())
""",
    "dict-keys-iter": """
d = {n: 3, 9: 4}
return sum(k for k in d)
""",
    "dict-values": """
d = {n: 3, 9: m}
return sum(d.values()) + max(d.values())
""",
    "dict-comp": """
d = {x: x * 2 for x in b}
return d[m]
""",
    "dict-len": """
d = {x % 2: 0 for x in b}
return len(d)
""",
    "dict-iadd": """
d = {0: 0, 1: 0}
for x in b: d[x % 2] += x
return d[0] - d[1]
""",
    "dict-setdefault": """
d = {}
d.setdefault(n, 4)
return d[n]
""",
    "dict-del": """
d = {n: 4, 99: 1}
del d[99]
return len(d)
""",
    "dict-max-get": """
d = {}
for x in b: d[x] = d.get(x, 0) + 1
return max(d, key=d.get)
""",
    "const-dict": "return VALUES[m] + VALUES.get(n, 2)",
    "const-dict-in": "return int(n in VALUES)",
    "const-dict-pairs": "return PAIRS[m, n % 2]",
    "const-dict-pairs-get": "return PAIRS.get((m, n), -1)",
    "const-dict-pairs-in": "return int((m, n) in PAIRS)",
    "const-dict-items": "return sum(v for k, v in VALUES.items() if k > n)",
    "const-dict-iter": "return sum(k for k in VALUES if k > n)",
    "const-dict-lists": "return sum(LISTS[m])",
    "const-dict-lists-loop": """
r = 0
for x in LISTS[n % 3]: r += x
return r
""",
    "const-dict-lists-get": """
r = 0
for x in LISTS.get(n, ()): r += x
return r
""",
    "const-dict-nested": "return NESTED[m][n % 2]",
    "const-dict-str": "return NAMES['a' if m else 'b'] + n",
    "const-dict-str2": """
k = 'a' if m else 'b'
return NAMES[k] + n
""",
    "const-dict-str3": "return NAMES[WORD[n % 2]]",
    "const-dict-setup": "return self.table[n]",
    "const-dict-bool": "return {True: 4, False: 5}[n > 3]",
    "const-dict-enum": """
s = Suit.HEARTS if m else Suit.CLUBS
return {Suit.HEARTS: 1, Suit.CLUBS: 2}[s]
""",
    "const-dict-big": """
big = self.table
return sum(big[k] for k in range(n))
""",
    "const-set": "return int(n in MEMBERS)",
    "const-set-pairs": "return int((m, n % 2) in PAIRSET)",
    "const-set-iter": "return sum(x for x in MEMBERS if x > n)",
    "const-set-setup": "return int(n in self.mem)",
    "const-str": "return int(WORD[n % 5] == 'a')",
    "const-str-in": "return int(WORD[n % 5] in 'ac')",
    "const-str-index": "return WORD.index('b') + n",
    "const-str-var": """
c = WORD[n % 5]
return 3 if c == 'a' else 4 if c == 'b' else 5
""",
    "const-str-index-of": "return 'xabc'.index(WORD[n % 5])",
    "const-str-ord": "return ord(WORD[n % 5])",
    "const-str-enum": "return sum(k for k, c in enumerate(WORD) if c == 'b' and k < n)",
    "const-str-loop": """
r = 0
for c in WORD[:3]:
    if c == 'a': r += n
return r
""",
    "const-str-rows": """
rows = ('ab', 'ba')
return int(rows[m][n % 2] == 'a')
""",
    "const-nested": "return BOARD[n % 3][m]",
    "const-nested-loop": "return sum(sum(r) for r in BOARD) * n",
    "const-nested-any": "return int(any(all(c != n for c in r) for r in BOARD))",
    "const-lines": "return sum(a * n + c for a, c in self.lines)",
    "const-list-ragged": "return sum(sum(r) for r in ((1,), (2, 3), ())) + n",
    "const-mixed-depth": """
T = ((1, (2, 3)), (4, (5, 6)))
a, (c, d) = T[m]
return a + c * d + n
""",
    "const-mixed-depth-loop": """
r = 0
for a, (c, d) in ((1, (2, 3)), (4, (5, 6))): r += a * n + c
return r
""",
    "const-mixed-index": """
T = ((1, (2, 3)), (4, (5, 6)))
return T[m][1][0] + T[m][0]
""",
    "const-enum": """
s = Suit.HEARTS if m else Suit.CLUBS
return s.value
""",
    "const-enum-cmp": """
s = Suit.HEARTS if m else Suit.CLUBS
return 1 if s is Suit.HEARTS else 0
""",
    "const-enum-eq": """
s = Suit.HEARTS if m else Suit.CLUBS
return 1 if s == Suit.HEARTS else 0
""",
    "const-enum-call": "return Num(m + 1) + 0",
    "const-intenum": "return Num.TWO * n",
    "const-enum-iter": "return sum(s.value for s in Suit) + n",
    "const-dataclass": "return CARDS[1].rank + n",
    "const-dataclass-dyn": "return CARDS[m].rank + CARDS[m].points[n % 3]",
    "const-dataclass-loop": "return sum(c.rank * n for c in CARDS)",
    "const-dataclass-var": """
c = CARDS[m]
return c.rank
""",
    "const-nt-dyn": "return PIECES[m].worth + PIECES[m].steps[n % 2]",
    "const-nt-loop": """
r = 0
for p in PIECES: r += p.worth * n
return r
""",
    "const-nt-unpack": """
w, s = PIECES[m]
return w + s[0]
""",
    "const-dict-of-nt": """
D = {0: PIECES[0], 1: PIECES[1]}
return D[m].worth
""",
    "lambda": """
f = lambda x: x + n
return f(m)
""",
    "lambda-inline": "return (lambda x: x + n)(m)",
    "lambda-default": """
f = lambda x, y=n: x + y
return f(m)
""",
    "nested-fn": """
def f(x):
    if x > 3: return n
    return x
return f(m) + f(n)
""",
    "walrus": """
y = (z := n + 1) * z
return y + z
""",
    "walrus-if": """
if (z := n * 2) > 6: return z
return -z
""",
    "walrus-while": """
while (n := n - 1) > 2: m += n
return m
""",
    "walrus-comp": "return sum(y for x in xs if (y := x * 2) > 2)",
    "walrus-rebound": """
z = 1
if (z := z + n) > 4: z += 1
return z
""",
    "walrus-elif": """
if (z := n % 3) == 0: r = 1
elif (z := n % 4) == 1: r = z
else: r = z * 7
return r
""",
    "walrus-boolop": """
r = (z := n - 3) > 0 and z < 3
return int(r) + z
""",
    "star-first": """
first, *rest = t
return first + sum(rest)
""",
    "star-list": """
first, *rest = xs
return first + sum(rest)
""",
    "star-mid": """
a, *c, d = b
return a + d + sum(c)
""",
    "star-for": """
r = 0
for a, *c in ((1, 2, 3), (4, 5, 6)): r += a * n + c[0]
return r
""",
    "super": "return n",
    "isqrt": "return math.isqrt(n) + math.gcd(n, 6) + math.comb(n, 2)",
    "math-more": "return math.lcm(n + 1, 6) + math.factorial(n % 5) + math.perm(n, 2) + math.prod(xs)",
    "math-pow": "return pow(n + 1, 3, 7)",
    "math-ceil-div": "return -(-n // 2)",
    "divmod": """
q, r = divmod(n, 3)
return q * r
""",
    "product": "return sum(x * y for x, y in product(xs, t))",
    "product-repeat": "return sum(x * y for x, y in product(t, repeat=2))",
    "product-repeat-known": "return sum(x * y * n for x, y in product(range(3), repeat=2))",
    "product-repeat-3": "return sum(x * y + z for x, y, z in product(range(n % 3 + 1), repeat=3))",
    "product-break": """
for x, y in product(range(3), range(n)):
    if x * y > 3: break
else: return -1
return x + 10 * y
""",
    "product-continue": """
r = 0
for x, y in product(range(3), xs):
    if x == 1: continue
    r += x * y
return r
""",
    "product-list": "return len(list(product(range(2), xs)))",
    "combinations": "return sum(x * y for x, y in combinations(xs, 2))",
    "combinations-3": "return sum(x * y - z for x, y, z in combinations(b, 3))",
    "combinations-known": "return sum(x * y * n for x, y in combinations(range(4), 2))",
    "combinations-any": "return int(any(x + y == n for x, y in combinations(xs, 2)))",
    "combinations-seq": """
ys = [x for x in b if x]
return sum(x * y for x, y in combinations(ys, 2))
""",
    "combinations-range": "return sum(x * y for x, y in combinations(range(n), 2))",
    "combinations-unpack": "return sum(c[0] * c[1] for c in combinations(xs, 2))",
    "combinations-sum": "return max(sum(c) for c in combinations(xs, 2))",
    "combinations-list": "return len(list(combinations(xs, 2)))",
    "cwr": "return sum(x * y for x, y in itertools.combinations_with_replacement(xs, 2))",
    "permutations": "return sum(x * y - y for x, y in permutations(xs, 2))",
    "permutations-known": "return sum(x * n - y for x, y in permutations(range(3), 2))",
    "chain": "return sum(x for x in chain(xs, t))",
    "chain-from-known": "return sum(x * n for x in chain.from_iterable(BOARD))",
    "chain-break": """
for x in chain(xs, t):
    if x == 3: break
else: return 9
return x
""",
    "chain-list": """
ys = list(chain(xs, t))
return ys[4]
""",
    "pairwise": "return sum(x * y for x, y in pairwise(b))",
    "accumulate": "return max(accumulate(b))",
    "accumulate-list": "return list(accumulate(xs))[m]",
    "islice": "return sum(itertools.islice(xs, 2))",
    "repeat": "return sum(itertools.repeat(n, 3))",
    "starmap": "return sum(itertools.starmap(lambda x, y: x * y, zip(xs, t)))",
    "reduce": "return functools.reduce(lambda a, c: a * 2 + c, xs, 0)",
    "operators-of-two": "return operator.sub(n, m) * 9 + operator.mod(n, 2) * 3 + operator.floordiv(n, 2)",
    "reduce-op": "return functools.reduce(operator.xor, xs)",
    "reduce-noinit": "return functools.reduce(lambda a, c: a * 2 + c, xs)",
    "operator": "return operator.mul(n, m) + operator.add(n, 1)",
    "next-gen": "return next(x for x in xs if x > 1)",
    "next-default": "return next((x for x in xs if x > 4), -1)",
    "str-board": """
s = 'xo.'[n % 3] + '.'
return int(s == 'x.')
""",
    "inf-best": """
best = -10**9
for x in xs: best = max(best, x)
return best
""",
    "match": """
match n:
    case 1 | 2: return 3
    case _: return 4
""",
    "multi-assign": """
a = c = n
return a + c
""",
    "bool-sum": "return sum(x > 2 for x in xs)",
    "bool-arith": "return (n > 3) - (m > 0)",
    "chained-cmp": "return int(0 < m <= n < 9)",
    "list-eq": "return int(xs == [n, m, 3])",
    "tuple-lt": "return int(t < (3, 0))",
    "tuple-in": "return int((n, m) in [(1, 0), (3, 1)])",
    "all-same": "return int(len(set(xs)) == 1)",
    "ternary-lists": """
ys = xs if m else [1]
return sum(ys)
""",
    "list-of-helper": "return sum(helper(xs))",
    "list-of-helper-index": "return helper(xs)[0] + helper(t)[1]",
    "two-level-helper": "return sum(helper(helper(xs)))",
    "any-slice": "return int(any(b[k:k + 2] == (1, 0) for k in range(4)))",
    "unpack-nested": """
(a, c), d = t, n
return a + c * d
""",
    "range-len": "return sum(xs[k] * k for k in range(len(xs)))",
    "range-neg": "return sum(k for k in range(n, 0, -2))",
    "state-fields": "return state[0] + state[1]",
    "state-iter": "return sum(state)",
    "state-replace": "return state._replace(last=4).last",
    "state-unpack": """
a, c = state
return a * c
""",
    "state-in": "return int(3 in state)",
    "bit-tricks": "return (n & -n).bit_length() - 1",
    "nt-method": """

s = Sq(n % 3, m)
return s.step(1, 2).col * 10 + s.step(dr=2).row

""",
    "nt-property": """
s = Sq(n % 4, m)
return s.number + 100 * s.inside
""",
    "nt-static": "return Sq.of(n).row * 10 + Sq.at(n + 1).col",
    "nt-generator": "return sum(s.number for s in Sq(n % 3, m).near())",
    "nt-const": "return Sq(1, 2).step(n).row + Sq.SIZE",
    "nt-table": "return sum(s.number for s in SQS if s.row == n % 3)",
    "nt-table-index": """
s = SQS[n % 9]
return s.row + 10 * s.col + 100 * s.number
""",
    "nt-choice": """
a, b = Sq(n % 3, m), Sq(2, 2)
s, u = (a, b) if m else (b, a)
return s.row + 5 * u.step(1, 1).col
""",
    "nt-dict": "return SQT.get(Sq(n % 4, m), 9)",
    "nt-dict2": "return SQT.get(Sq(n % 4, m).step(1), 9)",
    "nt-list": """
ss = [Sq(k, n % 3) for k in range(3)]
return sum(s.number for s in ss)
""",
    "nt-in": "return int(Sq(n % 3, m) in SQS) + int(Sq(n % 3, m) in {Sq(1, 1), Sq(2, 0)})",
    "enum-method": """
p = Player.X if m else Player.O
return p.sign(n) + int(p.foe is Player.X) * 50
""",
    "enum-call": """
p = Player("xo"[m])
return int(p is Player.first())
""",
    "dc-method": "return BRD.cell(n, m) + BRD.size",
    "dc-range": "return sum(k for k in BRD.cells() if k % 2 == m)",
    "walrus-and": """
y = 0
if n > 2 and (z := n * 2 + m) > 7:
    y = z
return y
""",
    "walrus-and3": """
y = 0
for k in range(5):
    if k in range(1, 4) and (z := k + n) % 2 and z not in t:
        y += z
return y
""",
    "walrus-or": """
if n < 2 or (z := n * 2) > 9:
    return 1
return z
""",
    "none-or-number": """
z = None if n > 3 else n
return 5 if z is None else z
""",
    "none-fn": """
z = maybe(n)
return z if z is not None else -1
""",
    "none-fn2": """
z = maybe2(n)
return -1 if z is None else z
""",
    "none-find": """
z = find(xs, 3)
return z if z is not None else -1
""",
    "none-implicit": """
z = find(b, 1)
if z is None:
    return -1
return z * 2
""",
    "none-var": """
best = None
for x in xs:
    if best is None or x > best:
        best = x
return best
""",
    "none-or": "return maybe(n) or 7",
    "none-walrus": """
if (z := maybe2(n)) is not None:
    return z + 1
return 0
""",
    "const-groups": "return len([g for g in GROUPS[n % 5] if m in g])",
    "const-groups2": """
gs = [g for g in GROUPS[n % 5] if m in g]
return sum(g[0] for g in gs)
""",
    "const-groups3": "return sum(1 for g in GROUPS[n % 5] if set(g) <= {n, m, 1})",
    "nested-key": "return TRI.get(((n % 2, 0), (n % 2, 1)), 0)",
    "nested-key2": """
mv = ((n % 2, 0), (n % 2, 1))
return TRI[mv]
""",
    "sorted-gen": "return sorted(gen(n), reverse=True)[0] if n else 0",
    "compress": "return sum(itertools.compress(b, [x % 2 for x in b]))",
    "filterfalse": "return sum(itertools.filterfalse(lambda x: x % 2, b))",
    "text-index": """
return "abc".index("abc"[n % 3])
""",
    "row-index": """
w = ("ab", "ba")[m]
return w.index("a")
""",
    "fstring": """
k = f"{n % 3}{m}"
return int(k == "11") + 2 * int(k[0] == "2")
""",
    "fstring-key": """
return {"00": 1, "11": 5}.get(f"{n % 2}{m}", 3)
""",
    "match-tuple": """
match (n % 2, m):
    case (0, 0):
        return 1
    case (1, k):
        return k + 5
    case _:
        return 9
""",
    "match-capture": """
match n % 4:
    case 0 | 1:
        return 7
    case k if k > 2:
        return k * 3
    case other:
        return other
""",
    "match-enum": """
p = Player.X if m else Player.O
match p:
    case Player.X:
        return 4
    case Player.O:
        return 6
""",
    "match-none": """
match maybe2(n):
    case None:
        return 4
    case k:
        return k
""",
    "match-class": """
match Sq(n % 3, m):
    case Sq(row=0, col=c):
        return c
    case Sq(r, 0):
        return r * 3
    case _:
        return 77
""",
    "set-multi": "return len({n, 1}.union({2}, {m})) + len({n, 1, 2}.difference({1}, {2}))",
    "set-pop": """
s = {1, 2, n}
s.discard(1)
return len(s)
""",
    "bin-count": """
return bin(n).count("1")
""",
    "itemgetter-set": "return len({*xs, 4})",
    "groups-in-set2": """
own = {k for k, x in enumerate(b) if x == 1}
return sum(own.issuperset(g) for g in ((0, 1), (1, 2)))
""",
    "narrow-merge": """
z = maybe(n)
if z is None:
    return 5
if m:
    z = 3
return z + 1
""",
    "narrow-merge2": """
z = maybe(n)
if z is None:
    return 5
if m:
    z = maybe(n - 2)
return -1 if z is None else z
""",
    "narrow-loop": """
z = maybe(n)
if z is None:
    return 5
for k in range(3):
    if k == m:
        z += k
return z + 1
""",
    "narrow-loop2": """
z = None
for k in range(4):
    if z is None:
        z = k + n
    elif z > 4:
        z = None
    else:
        z += 1
return 50 if z is None else z
""",
    "narrow-and": """
z = maybe(n)
if z is not None and z > 4:
    return z
return 0
""",
    "narrow-or": """
z = maybe(n)
if z is None or z == 5:
    return 1
return z * 2
""",
    "narrow-not": """
z = maybe(n)
if not (z is None):
    return z
return 0
""",
    "narrow-while": """
z = maybe(n)
k = 0
while z is not None and z > 4:
    z = maybe(z - 1)
    k += 1
return k
""",
    "narrow-tuple": """
def at(v):
    for r in range(2):
        for c in range(2):
            if r * 2 + c == v:
                return r, c
z = at(n)
if z is None:
    return 99
r, c = z
return r * 10 + c
""",
    "narrow-eq": """
z = maybe(n)
return int(z == 5) + 2 * int(z != None) + 4 * int(z == m)
""",
    "narrow-param": """
def f(x=None):
    if x is None:
        x = 4
    return x + 1
return f() + f(n)
""",
    "none-in-tuple": """
z = (None, n) if m else (n, None)
return (0 if z[0] is None else z[0]) + 3 * (1 if z[1] is None else z[1])
""",
    "none-list": """
ys = [None, n, m]
return sum(y for y in ys if y is not None)
""",
    "none-truth": """
z = maybe(n)
if z:
    return z
return 1
""",
    "none-min": """
best = None
for x in b:
    if best is None or x < best:
        best = x
return best
""",
    "none-pair": """
best = None
for k, x in enumerate(b):
    if best is None or x > best[0]:
        best = (x, k)
return best[1]
""",
    "enum-none": """
def who():
    if n > 4:
        return Player.X
    if n > 2:
        return Player.O
w = who()
return 0 if w is None else w.sign(3)
""",
    "str-none": """
def who():
    if n > 4:
        return 'x'
w = who()
return int(w == 'x') + 2 * int(w is None)
""",
    "elif-no-else": """
if n >= 3:
    return 2
elif n < 3:
    return 1
""",
    "flood-stack": """
seen = set()
stack = [n % 9]
while stack:
    k = stack.pop()
    if k in seen:
        continue
    seen.add(k)
    for d in (1, 3):
        if k + d < 9 and (k + d) % 2 == m:
            stack.append(k + d)
return len(seen)
""",
    "flood-set": """
seen = {n % 9}
front = {n % 9}
while front:
    front = {k + d for k in front for d in (1, 3) if k + d < 9} - seen
    seen |= front
return len(seen)
""",
}
AT_ONCE = 20
"""Idioms that are compiled together."""


def rules_text(names: list[str]) -> str:
    """A class whose payoff is a sum of these idioms."""
    text = FRAME
    for number, name in enumerate(names):
        lines = BODIES[name].strip().splitlines()
        text += IDIOM.format(number=number) + "".join(f"        {line}\n" for line in lines)
    parts = " + ".join(f"{number + 1} * self.idiom_{number}(state)" for number in range(len(names)))
    return f"{text}\n    def payoff(self, state): return {parts}\n"


def test_the_core_means_what_python_means(tmp_path: Path) -> None:
    for name in BODIES:
        game = rules_of(f"idiom-{name}", rules_text([name]), tmp_path)()
        require_same(by_python(game), by_core(game), name)


# Each takes some seconds to compile.
@pytest.mark.parametrize(
    "first",
    each(range(0, len(BODIES), AT_ONCE), lambda first: first == 0),
)
def test_machine_code_means_what_python_means(first: int, tmp_path: Path) -> None:
    names = list(BODIES)[first : first + AT_ONCE]
    game = rules_of(f"idioms-{first}", rules_text(names), tmp_path)()
    require_same(by_python(game), by_machine(game), f"{names[0]} and the next")
