"""Dots and boxes, told by people of other habits: whoever draws the fourth side of a box owns it and draws again."""

# People write it so.
# ruff: noqa: B905, RUF005, RUF012

from __future__ import annotations

import itertools
from enum import Enum
from typing import Literal, NamedTuple

from endsight import Game

R, C = 2, 2
HORIZONTAL = (R + 1) * C
LINES = HORIZONTAL + R * (C + 1)


def h(r, c):
    return r * C + c


def v(r, c):
    return HORIZONTAL + r * (C + 1) + c


BOXES = [(h(r, c), h(r + 1, c), v(r, c), v(r, c + 1)) for r in range(R) for c in range(C)]
MASKS = tuple(sum(1 << e for e in box) for box in BOXES)
TOUCH = {e: [box for box in BOXES if e in box] for e in range(LINES)}
ALL = (1 << LINES) - 1


class BoxesBits(Game):
    """hand-made bits; lead is from 0 to 8, 4 is even, of the player to move"""

    class State(NamedTuple):
        drawn: int
        lead: int  # first player's boxes minus the second's + 4
        turn: int

    def limits(self):
        return self.State(ALL, 2 * R * C, 1)

    def start(self):
        return self.State(0, R * C, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        left = ALL & ~state.drawn
        while left:
            bit = left & -left
            yield bit.bit_length() - 1
            left ^= bit

    def play(self, state, move):
        drawn = state.drawn | 1 << move
        made = 0
        for mask in MASKS:
            if drawn & mask == mask and state.drawn & mask != mask:
                made += 1
        if made == 0:
            return self.State(drawn, state.lead, 1 - state.turn)
        return self.State(drawn, state.lead - made if state.turn else state.lead + made, state.turn)

    def payoff(self, state):
        lead = state.lead - R * C
        return (lead, -lead)


class BoxesTuple(Game):
    """tuple of bools, scores of both"""

    class State(NamedTuple):
        lines: tuple[bool, ...]
        scores: tuple[int, int]
        turn: int

    def limits(self):
        return self.State(True, R * C, 1)

    def start(self):
        return self.State((False,) * LINES, (0, 0), 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return [k for k, drawn in enumerate(state.lines) if not drawn]

    def play(self, state, move):
        lines = list(state.lines)
        lines[move] = True
        made = sum(all(lines[e] for e in box) for box in TOUCH[move])
        scores = list(state.scores)
        scores[state.turn] += made
        return self.State(tuple(lines), tuple(scores), state.turn if made else 1 - state.turn)

    def payoff(self, state):
        a, b = state.scores
        return (a - b, b - a)


class BoxesSets(Game):
    """frozenset of lines drawn, issubset"""

    class State(NamedTuple):
        drawn: frozenset[int]
        first: int
        second: int
        turn: int

    def limits(self):
        return self.State(LINES - 1, R * C, R * C, 1)

    def start(self):
        return self.State(frozenset(), 0, 0, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return sorted(set(range(LINES)) - state.drawn)

    def play(self, state, move):
        drawn = state.drawn | {move}
        made = len([box for box in TOUCH[move] if set(box) <= drawn])
        if not made:
            return self.State(drawn, state.first, state.second, 1 - state.turn)
        if state.turn == 0:
            return self.State(drawn, state.first + made, state.second, 0)
        return self.State(drawn, state.first, state.second + made, 1)

    def payoff(self, state):
        return (state.first - state.second, state.second - state.first)


class BoxesGrids(Game):
    """horizontal and vertical lines as nested tuples; moves ('h', r, c)"""

    class State(NamedTuple):
        hs: tuple[tuple[int, ...], ...]
        vs: tuple[tuple[int, ...], ...]
        diff: int
        turn: int

    def limits(self):
        return self.State(1, 1, 2 * R * C, 1)

    def start(self):
        return self.State(((0,) * C,) * (R + 1), ((0,) * (C + 1),) * R, R * C, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for r, row in enumerate(state.hs):
            for c, line in enumerate(row):
                if not line:
                    yield ("h", r, c)
        for r, row in enumerate(state.vs):
            for c, line in enumerate(row):
                if not line:
                    yield ("v", r, c)

    def boxes(self, hs, vs):
        return sum(hs[r][c] and hs[r + 1][c] and vs[r][c] and vs[r][c + 1] for r in range(R) for c in range(C))

    def play(self, state, move):
        kind, r, c = move
        hs, vs = [list(row) for row in state.hs], [list(row) for row in state.vs]
        if kind == "h":
            hs[r][c] = 1
        else:
            vs[r][c] = 1
        gain = self.boxes(hs, vs) - self.boxes(state.hs, state.vs)
        turn = state.turn if gain else 1 - state.turn
        diff = state.diff + (gain if state.turn == 0 else -gain)
        return self.State(tuple(map(tuple, hs)), tuple(map(tuple, vs)), diff, turn)

    def payoff(self, state):
        return (state.diff - R * C, R * C - state.diff)


class BoxesText(Game):
    """a text of lines"""

    class State(NamedTuple):
        lines: str
        boxes: str  # owners
        turn: Literal["A", "B"]

    def limits(self):
        return self.State(".-", ".AB", "A")

    def start(self):
        return self.State("." * LINES, "." * (R * C), "A")

    def to_move(self, state):
        return "AB".index(state.turn)

    def moves(self, state):
        for k in range(len(state.lines)):
            if state.lines[k] == ".":
                yield k

    def play(self, state, move):
        lines = state.lines[:move] + "-" + state.lines[move + 1 :]
        boxes = "".join(
            state.turn if owner == "." and all(lines[e] == "-" for e in box) else owner
            for owner, box in zip(state.boxes, BOXES)
        )
        again = boxes != state.boxes
        return self.State(lines, boxes, state.turn if again else "A" if state.turn == "B" else "B")

    def payoff(self, state):
        lead = state.boxes.count("A") - state.boxes.count("B")
        return (lead, -lead)


class BoxesCounts(Game):
    """box counts as state: how many lines each box has"""

    class State(NamedTuple):
        lines: tuple[int, ...]
        counts: tuple[int, ...]
        lead: int
        turn: bool

    def limits(self):
        return self.State(1, 4, 2 * R * C, True)

    def start(self):
        return self.State((0,) * LINES, (0,) * (R * C), R * C, False)

    def to_move(self, state):
        return 1 if state.turn else 0

    def moves(self, state):
        yield from (k for k in range(LINES) if state.lines[k] == 0)

    def play(self, state, move):
        lines = tuple(1 if k == move else line for k, line in enumerate(state.lines))
        counts = [n + (move in box) for n, box in zip(state.counts, BOXES)]
        made = sum(1 for old, new in zip(state.counts, counts) if new == 4 != old)
        lead = state.lead + (-made if state.turn else made)
        return self.State(lines, tuple(counts), lead, state.turn if made > 0 else not state.turn)

    def payoff(self, state):
        lead = state.lead - R * C
        return lead, -lead


class Owner(Enum):
    NOBODY = 0
    FIRST = 1
    SECOND = 2

    def other(self):
        return Owner.SECOND if self == Owner.FIRST else Owner.FIRST


class BoxesEnums(Game):
    """Enum owners of boxes"""

    class State(NamedTuple):
        lines: tuple[bool, ...]
        owners: tuple[Owner, ...]
        turn: Owner

    def limits(self):
        return self.State(True, Owner.SECOND, Owner.SECOND)

    def start(self):
        return self.State((False,) * LINES, (Owner.NOBODY,) * (R * C), Owner.FIRST)

    def to_move(self, state):
        return state.turn.value - 1

    def moves(self, state):
        return (k for k in range(LINES) if not state.lines[k])

    def play(self, state, move):
        lines = state.lines[:move] + (True,) + state.lines[move + 1 :]
        owners = []
        for owner, box in zip(state.owners, BOXES):
            if owner == Owner.NOBODY and all(lines[e] for e in box):
                owners.append(state.turn)
            else:
                owners.append(owner)
        again = tuple(owners) != state.owners
        return self.State(lines, tuple(owners), state.turn if again else state.turn.other())

    def payoff(self, state):
        a, b = (state.owners.count(who) for who in (Owner.FIRST, Owner.SECOND))
        return (a - b, b - a)


class BoxesDict(Game):
    """dict of lines built in play; any"""

    class State(NamedTuple):
        lines: tuple[int, ...]
        mine: int
        yours: int
        turn: int

    def limits(self):
        return self.State(1, R * C, R * C, 1)

    def start(self):
        return self.State((0,) * LINES, 0, 0, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if any(line == 0 for line in state.lines):
            for k in range(LINES):
                if state.lines[k] == 0:
                    yield k

    def play(self, state, move):
        lines = dict(enumerate(state.lines))
        lines[move] = 1
        made = 0
        for box in BOXES:
            if move in box and min(lines[e] for e in box) == 1:
                made += 1
        after = tuple(lines[k] for k in range(LINES))
        if made:
            return self.State(after, state.mine + made, state.yours, state.turn)
        return self.State(after, state.yours, state.mine, 1 - state.turn)

    def payoff(self, state):
        return (
            (state.mine - state.yours, state.yours - state.mine)
            if state.turn == 0
            else (state.yours - state.mine, state.mine - state.yours)
        )


class Line(NamedTuple):
    kind: Literal["h", "v"]
    row: int
    col: int

    @property
    def index(self):
        return h(self.row, self.col) if self.kind == "h" else v(self.row, self.col)


class BoxesLines(Game):
    """same as B09, comprehension instead of the map of a bound method"""

    class State(NamedTuple):
        drawn: tuple[bool, ...]
        lead: int
        turn: int

    def limits(self):
        return self.State(True, 2 * R * C, 1)

    def start(self):
        return self.State((False,) * LINES, R * C, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return [Line("h", r, c) for r in range(R + 1) for c in range(C) if not state.drawn[h(r, c)]] + [
            Line("v", r, c) for r in range(R) for c in range(C + 1) if not state.drawn[v(r, c)]
        ]

    def play(self, state, move):
        drawn = tuple(d or k == move.index for k, d in enumerate(state.drawn))
        gain = sum(
            1 for a, b, c, d in BOXES if drawn[a] and drawn[b] and drawn[c] and drawn[d] and move.index in (a, b, c, d)
        )
        sign = -1 if state.turn else 1
        return self.State(drawn, state.lead + sign * gain, state.turn if gain else 1 - state.turn)

    def payoff(self, state):
        return (state.lead - R * C, R * C - state.lead)


class BoxesCompressed(Game):
    """itertools.compress-like: filterfalse, starmap, zip(*)"""

    class State(NamedTuple):
        lines: tuple[int, ...]
        lead: int
        turn: int

    def limits(self):
        return self.State(1, 2 * R * C, 1)

    def start(self):
        return self.State(tuple(itertools.repeat(0, LINES)), R * C, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        yield from itertools.compress(range(LINES), [1 - line for line in state.lines])

    def play(self, state, move):
        lines = [*state.lines]
        lines[move] ^= 1
        gain = len([1 for a, b, c, d in TOUCH[move] if lines[a] & lines[b] & lines[c] & lines[d]])
        lead = state.lead + [gain, -gain][state.turn]
        return self.State(tuple(lines), lead, state.turn ^ (gain == 0))

    def payoff(self, state):
        return (state.lead - R * C, R * C - state.lead)


class BoxesPairs(Game):
    """pairs of dots as moves: ((r, c), (r, c)), frozenset of line numbers, dictionary of pairs"""

    PAIRS = {}
    for _r in range(R + 1):
        for _c in range(C):
            PAIRS[((_r, _c), (_r, _c + 1))] = h(_r, _c)
    for _r in range(R):
        for _c in range(C + 1):
            PAIRS[((_r, _c), (_r + 1, _c))] = v(_r, _c)

    class State(NamedTuple):
        lines: frozenset[int]
        lead: int
        turn: int

    def limits(self):
        return self.State(LINES - 1, 2 * R * C, 1)

    def start(self):
        return self.State(frozenset(), R * C, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return [pair for pair, k in self.PAIRS.items() if k not in state.lines]

    def play(self, state, move):
        k = self.PAIRS[move]
        lines = state.lines | {k}
        gain = sum(lines.issuperset(box) for box in BOXES) - sum(state.lines.issuperset(box) for box in BOXES)
        if state.turn == 1:
            return self.State(lines, state.lead - gain, 1 if gain else 0)
        return self.State(lines, state.lead + gain, 0 if gain else 1)

    def payoff(self, state):
        return (state.lead - R * C, R * C - state.lead)


class BoxesJumps(Game):
    """for-else and break; while; running count"""

    class State(NamedTuple):
        lines: tuple[bool, ...]
        lead: int
        turn: int

    def limits(self):
        return self.State(True, 2 * R * C, 1)

    def start(self):
        return self.State((False,) * LINES, R * C, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        moves = []
        k = 0
        while k < LINES:
            if not state.lines[k]:
                moves.append(k)
            k += 1
        return moves

    def play(self, state, move):
        made = 0
        for box in BOXES:
            if move not in box:
                continue
            for e in box:
                if e != move and not state.lines[e]:
                    break
            else:
                made += 1
        lines = tuple(True if k == move else state.lines[k] for k in range(LINES))
        if made == 0:
            return self.State(lines, state.lead, 1 - state.turn)
        return self.State(lines, state.lead + (made if state.turn == 0 else -made), state.turn)

    def payoff(self, state):
        return (state.lead - R * C, R * C - state.lead)


class BoxesOwners(Game):
    """boxes as (row, col) sides 'TBLR' computed with a dataclass constants"""

    class State(NamedTuple):
        lines: int
        owned: tuple[bool | None, ...]
        second: bool

    def limits(self):
        return self.State(ALL, True, True)

    def start(self):
        return self.State(0, (None,) * (R * C), False)

    def to_move(self, state):
        return int(state.second)

    def moves(self, state):
        for k in range(LINES):
            if not state.lines & (1 << k):
                yield k

    def play(self, state, move):
        lines = state.lines | (1 << move)
        owned = tuple(
            state.second if who is None and lines & box == box else who for who, box in zip(state.owned, MASKS)
        )
        return self.State(lines, owned, state.second if owned != state.owned else not state.second)

    def payoff(self, state):
        lead = sum(-1 if who else 1 for who in state.owned if who is not None)
        return lead, -lead


GAMES = [
    BoxesBits,
    BoxesTuple,
    BoxesSets,
    BoxesGrids,
    BoxesText,
    BoxesCounts,
    BoxesEnums,
    BoxesDict,
    BoxesLines,
    BoxesCompressed,
    BoxesPairs,
    BoxesJumps,
    BoxesOwners,
]
"""The one made for speed by hand first."""
