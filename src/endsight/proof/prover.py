"""From a solution to a certificate that the verifier accepts without the solver.

The walks are the verifier's own, so choices come in the order in which it will ask for them; the moves are looked up
in the solution. Every proof is checked here as the verifier will check it, so no certificate is returned that it
would refuse.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import endsight
from endsight.algorithms.outcome_distribution import visits
from endsight.answers.solution import Solution
from endsight.answers.solver import solve_whole
from endsight.base.outputs import write_output
from endsight.errors import QuestionError, Wrong
from endsight.game import CHANCE, TOGETHER
from endsight.game.arguments import as_kind, as_path
from endsight.game.limits import Budget
from endsight.game.numbers import Interval, Number, are_exact, as_interval, is_enclosed
from endsight.game.position import Position, as_text
from endsight.game.question import require_no_discount
from endsight.games import is_built_in
from endsight.graph.belief_texts import PlayedPosition, require_known_gains
from endsight.proof.agreeing import PLANS, Judgement, all_agreed, judged, planned, tie_outcomes
from endsight.proof.choosing import Chooser, apart, chooser_of
from endsight.proof.claim_text import ends_text
from endsight.proof.known import position_at
from endsight.proof.scales import factors, returning
from endsight.proof.writing import certificate_text
from endsight.verifier.at_once import are_at_odds
from endsight.verifier.beliefs import Beliefs
from endsight.verifier.certificate import (
    SCHEMA,
    About,
    Bounds,
    Certificate,
    Claim,
    Ends,
    Evidence,
    Induction,
    Play,
    Witness,
)
from endsight.verifier.checking import Secured, by_play, enclosed, induced, secured, unshown
from endsight.verifier.rules import policy_entry, rules_hash
from endsight.verifier.theorems import CHECKERS, by_theorem
from endsight.verifier.walk import EVERYBODY, LESS, MORE, NOBODY, PlyWalk, Terms, Walk

if TYPE_CHECKING:
    from endsight.graph.beliefs import BeliefGame


def prove(solution: Solution, *, distribution: str | None = None, spec: str | None = None) -> Certificate:
    """A certificate for the value at the solution's position.

    With `distribution` (a player's name) it also covers the distribution of that player's payoffs along one play that
    attains the value. `spec` is the game as its user named it. Raises `QuestionError` for answers that have no
    certificate and where the rules have changed, and `LimitReached` at a limit.
    """
    as_kind(solution, Solution, "prove", "prove(endsight.solve(game))")
    solution.require_same()
    require_no_discount(solution.game, "a certificate")
    is_open = solution.game.means_of is None and solution.source.checker != PLANS
    if distribution is not None and (solution.source.moves_at_once or not is_open):
        reason = "mixed moves" if is_open else "games that hide something"
        raise QuestionError(f"the outcomes of {reason} have no certificate, only values", advice="leave out --dist")
    if is_open and solution.question.fixed and (solution.game.gives("sees") or solution.source.by_history):
        raise QuestionError(
            "policies in games in which players see different things or move at once have no certificate, only values",
            advice="the question without --fix",
        )
    return _Proof(_checkable(solution), spec).certificate(distribution)


def write_certificate(certificate: Certificate, path: str | Path) -> int:
    """Write the certificate atomically and return its size in bytes; raises `FileError`."""
    as_kind(certificate, Certificate, "write_certificate", "write_certificate(endsight.prove(solution), PATH)")
    data = certificate.to_text().encode()
    write_output(as_path(path, "write_certificate"), data)
    return len(data)


def weaker(solution: Solution, certificate: Certificate) -> dict[str, str]:
    """For each player whose claim differs from the solved value, by name: what is claimed, and what was solved.

    The claim is weaker where bounds do not prove all. In a subgame that the plans for the whole game never reach, the
    claim is the value of the subgame alone, while the solved number is what these plans pay from there on.
    """
    found = {}
    for (name, ends), value in zip(certificate.claim.value.items(), solution.values(), strict=True):
        solved = _ends(value)
        if ends != solved:
            found[name] = f"{ends_text(ends)}, solved {ends_text(solved)}"
    return found


def _ends(value: Number | Interval) -> tuple[Fraction, Fraction]:
    return Fraction(as_interval(value).lower), Fraction(as_interval(value).upper)


def _checkable(solution: Solution) -> Solution:
    """The solution itself; the graph for a theorem without a checker, unless it values all later positions."""
    theorem = solution.source.checker
    if theorem in (None, PLANS) or solution.source.plays_on or (solution.game.title(), theorem) in CHECKERS:
        return solution
    return _solved_exactly(solution)


def _solved_exactly(solution: Solution) -> Solution:
    """The same question, answered by the solved graph with exact values."""
    source = solve_whole(
        solution.game, solution.position, solution.question, method="graph", kind="exact", budget=solution.budget
    )
    return replace(solution, source=source, _others={})


MOST_LOST_STATES = 5_000
"""States up to which the loser of a won game gets a play too, though it proves nothing that matters."""


@dataclass
class _Proof:
    """A certificate while it is made."""

    solution: Solution
    spec: str | None

    def __post_init__(self) -> None:
        made = self.solution.game
        self.is_hidden = made.means_of is not None
        self.game = cast("BeliefGame", made).rules if self.is_hidden else made
        self.position = self.solution.position
        self.budget = self.solution.budget.within(states=None)  # a play may visit more states than the solution
        left = self.budget.seconds_left
        self.deadline = None if left is None else time.monotonic() + left
        self.follow: dict[Any, int] = {}
        self.functions = {
            self.game.player_names[player]: rule
            for player, rule in self.solution.question.fixed.items()
            if callable(rule)
        }

    def certificate(self, distribution: str | None) -> Certificate:
        distributed = None if distribution is None else self._distributed(distribution)
        claim, evidence, shown = self._value()
        play = None
        if distributed is not None:
            player, outcomes, walk, play = distributed
            if (node := unshown(walk, shown)) is not None:
                raise QuestionError(
                    "this distribution has no certificate: not every move of best play can be shown to be best",
                    found=as_text(self.game, "show", walk.nodes[node][0]),
                    advice="--exact" if any(low != high for low, high in claim.value.values()) else None,
                )
            claim = replace(claim, player=player, outcomes=outcomes)
            try:
                by_play(Terms(self.game, claim, self.functions, self.deadline, whole=True), play, shown)
            except Wrong as error:
                message = f"this distribution has no certificate: {error.message}"
                raise QuestionError(message, found=error.found, advice="--exact") from None
        about: About = {
            "text": self.spec or self.game.title(),
            "class": type(self.game).__name__,
            "own": not is_built_in(self.game),
            "parameters": self.game.values(),
            "rules": self._rules(),
        }
        made = Certificate(SCHEMA, endsight.__version__, about, claim, evidence, play)
        return Certificate.from_text(certificate_text(made))

    def _rules(self) -> str:
        found = rules_hash(type(self.game))
        if found is None:
            raise QuestionError(
                f"the rules of {self.game.title()} have no text, so a certificate cannot say which rules it is about",
                advice="write the class into a file",
            )
        return found

    # ---------------------------------------------------------------- the claim

    def _head(self) -> Claim:
        question = self.solution.question
        return Claim(
            position=self._moves(),
            set_up=_set_up(self.position),
            objective=question.objective,
            utility=question.utility,
            fixed={
                self.game.player_names[player]: rule if isinstance(rule, str) else policy_entry(rule)
                for player, rule in question.fixed.items()
            },
            value={},
            category="value",
            notion=None,
        )

    def _moves(self) -> str:
        """The moves to the position; where all see the same, true moves that look like the given ones."""
        if not (self.is_hidden and self.position.history):
            return self.position.text
        made = cast("BeliefGame", self.solution.game)
        return PlayedPosition(made, self.game.position(self.position.history)).plays[0].position.text

    def _value(self) -> tuple[Claim, Evidence, list[Walk]]:
        """The claim, its evidence, and the walks that show which moves are best."""
        source = self.solution.source
        if source.checker == PLANS:
            return *planned(self._view(), source.witness(self.position) or {}, self.solution.values()), []
        if self.is_hidden:
            return self._by_beliefs()
        # A theorem says nothing of the moves that a distribution must show to be best.
        found = None if self.follow else self._by_theorem()
        if found is not None:
            return found
        bounded = judged(partial(self._by_bounds, 0))
        return bounded.proven or self._otherwise(bounded)

    def _otherwise(self, refused: Judgement[Any]) -> tuple[Claim, Evidence, list[Walk]]:
        """The proof where bounds of the first player's amount are `refused`."""
        if self.solution.source.moves_at_once:
            message = f"this answer has no certificate, as players move at once: {refused.reason}"
            raise QuestionError(message, found=refused.found)
        walk = self._whole(self._view())
        if walk.order() is not None:
            return self._by_induction(walk)
        bounded = judged(partial(self._by_bounds, _target(walk)))
        if bounded.proven is not None:
            return bounded.proven
        if not are_exact(self.solution.values()) and self.solution.source.swings is None:
            # Bounds of states need not follow from one another; exact values do.
            self.solution = _solved_exactly(self.solution)
            return self._value()
        raise QuestionError(
            "this answer has no certificate: play can come back to a state, and no rule of certificates"
            f" proves the bounds that are found: {bounded.reason}",
            found=bounded.found,
        )

    def _by_theorem(self) -> tuple[Claim, Witness, list[Walk]] | None:
        """The theorem's name and witness, where its checker finds the same values."""
        source = self.solution.source
        theorem = source.checker
        if theorem is None:
            return None
        head = self._head()
        values = map(Fraction, self.solution.exact_values())
        ends: dict[str, Ends] = {n: (v, v) for n, v in zip(self.game.player_names, values, strict=True)}
        for witness in (Witness(theorem, given) for given in ({}, source.witness(self.position) or {})):
            proven = judged(partial(by_theorem, self._view(), witness)).proven
            if proven is not None and proven.value == ends:
                return replace(head, value=ends, category=self.solution.category()), witness, []
        return None

    def _view(self, *, whole: bool = False) -> Terms:
        """The game as the claim sees it."""
        kind = Beliefs if self.is_hidden else Terms
        return kind(self.game, self._head(), self.functions, self.deadline, whole)

    def _by_bounds(self, subject: int) -> tuple[Claim, Bounds, list[Walk]]:
        """One play for each side, about that player; `Wrong` where bounds do not give the value that was solved."""
        view = self._view()
        view.subject = subject
        least, most = self._plays(view)
        proven, notion = enclosed(view, least and least[1], most and most[1])
        if (None, None) in proven.values() and self._whole(self._view()).order() is not None:
            raise Wrong("bounds say nothing about some of the players")
        claim = self._claimed(view, proven, notion)
        walks = [found[1].walk for found in (least, most) if found is not None]
        _require_news(proven[view.names[subject]], walks)
        # Plays show that their moves are best only where the bounds meet.
        low, high = proven[view.names[subject]]
        return claim, Bounds(least and least[0], most and most[0]), walks if low == high else []

    def _plays(self, view: Terms) -> tuple[tuple[Play, Secured] | None, tuple[Play, Secured] | None]:
        """A play for each side; where the game is won, the loser's play only if it is small."""
        category = self.solution.category()
        if category not in ("win", "loss") or self.follow:
            return self._secured(view, MORE), self._secured(view, LESS)
        winner = self.position.mover if category == "win" else 1 - self.position.mover
        side = MORE if self.solution.question.objective == "cooperative" or winner == view.subject else LESS
        won = self._secured(view, side)
        small = self.budget.within(states=max(MOST_LOST_STATES, 4 * len(won[0].choices)))
        lost = small.attempt(partial(self._secured, view, -side, small))
        return (won, lost) if side == MORE else (lost, won)

    def _whole(self, view: Terms) -> Walk:
        """All states of the game."""
        return Walk(view, NOBODY, _no_pick)

    def _claimed(self, view: Terms, proven: Mapping[str, Ends], notion: str | None) -> Claim:
        """The claim of what is proven, checked against the solution."""
        value = all_agreed(view, proven, self.solution.values())
        category = view.category(value)
        # The plays may have reached only wins and losses in a game that pays other amounts elsewhere.
        category = category if category == self.solution.category() else "value"
        return replace(self._head(), value=value, category=category, notion=view.meant(notion))

    # ---------------------------------------------------------------- plays

    def _secured(self, view: Terms, side: int, budget: Budget | None = None) -> tuple[Play, Secured]:
        chooser: Chooser | None = chooser_of(self.solution, view, side, self.follow, budget or self.budget)
        while chooser is not None:
            walk, last_chooser = self._chosen(view, side, chooser), chooser
            play = Play(tuple(walk.picked))
            if view.tracks and (sure := _sure_of_loops(walk, play, chooser)) is not None:
                chooser, play = None, sure
            else:
                chooser = chooser.surer(walk)
        view.ends_seen |= walk.view.ends_seen
        view.opposed |= walk.view.opposed
        view.chance_seen |= walk.view.chance_seen
        if not walk.dice and not walk.gains:
            return play, secured(walk, play)
        *bolder, last = last_chooser.with_bounds(walk, play)
        for play in bolder:
            # Where bounds leave open which of two moves is best, the play may have taken the wrong one.
            if (shown := judged(partial(secured, walk, play)).proven) is not None:
                return play, shown
        return last, secured(walk, last)

    def _chosen(self, view: Terms, side: int, chooser: Chooser) -> Walk:
        """The walk along a chooser's moves, and those of the play that must be shown best."""

        def pick(walk: Walk, node: Any, moves: list[Any]) -> int:
            if node[1] == TOGETHER and are_at_odds(view):
                return chooser.weight(walk, node, moves)
            given = self.follow.get(node)
            return chooser.pick(walk, node, moves) if given is None else given

        if self.solution.source.searcher is not None and not self.follow:
            walk = PlyWalk(apart(view), side, pick)
            if walk.is_whole:
                return walk
        return Walk(apart(view), side, pick)

    def _by_beliefs(self) -> tuple[Claim, Evidence, list[Walk]]:
        """Backward induction over everything that players may know, where they all see the same."""
        if self.solution.source.moves_at_once:
            raise QuestionError(
                "this answer has no certificate, as something is hidden and players move at once: certificates about"
                " what players know are for one mover at a time"
            )
        try:
            return self._by_induction(self._whole(self._view()))
        except Wrong as error:
            message = f"this answer has no certificate, as something is hidden: {error.message}"
            raise QuestionError(message, found=error.found) from None

    def _by_induction(self, walk: Walk) -> tuple[Claim, Induction, list[Walk]]:
        """Backward induction, over all states of a game without loops."""
        proven, notion = induced(walk)
        try:
            return self._claimed(walk.view, proven, notion), Induction(), [walk]
        except Wrong as error:
            self._require_same_now()
            raise _not_induced(self.solution, walk, error) from None

    def _require_same_now(self) -> None:
        """Refuse positions whose value, where something is hidden, counts what a proof made now does not count."""
        if not self.is_hidden:
            return
        # The value counts unseen gains as expected when they were made, a proof as expected now.
        require_known_gains(cast("BeliefGame", self.solution.game), self.position)
        if self.position.history and (self.position.is_over or self.position.mover == CHANCE):
            message = "this answer has no certificate: play may be over, and certificates do not look at ends"
            raise QuestionError(message, found=f"after {self.position.text!r}")

    # ---------------------------------------------------------------- distributions

    def _distributed(self, player: str) -> tuple[str, tuple[tuple[Fraction, Fraction], ...], Walk, Play]:
        """A player's name, outcomes, and the best play whose moves the evidence must follow."""
        view, plain = self._view(whole=True), self._view()

        def pick(walk: Walk, node: Any, moves: list[Any]) -> int:
            return moves.index(self.solution.chosen(position_at(walk.view, node)))

        found = self.solution.distribution(player)
        outcomes: list[tuple[Fraction, Fraction]] = []
        for amount, chance in found.outcomes.items():
            if is_enclosed(chance):
                advice = "a certificate without a distribution" if found.rest else "--exact"
                raise QuestionError("only exact chances have a certificate", advice=advice)
            outcomes += [(Fraction(amount), Fraction(chance))] if chance else []
        walk = Walk(view, EVERYBODY, pick)
        play = Play(tuple(choice for (choice,) in walk.best.values()))
        self.follow = {plain.node(*walk.nodes[node]): choice for node, (choice,) in walk.best.items()}
        if walk.order() is None:
            play = self._with_visits(walk, play)
        return found.player, tuple(outcomes), walk, play

    def _with_visits(self, walk: Walk, play: Play) -> Play:
        """The play with the mean number of visits to the states that it returns to."""
        view, graph = self.solution.chain(self.position)
        counts = visits(graph, self.solution.budget)
        if counts is None:
            raise QuestionError("this play may never end, so its distribution has no certificate")
        nodes = returning(walk)
        values = [counts[graph.index[view.key_of(*walk.nodes[node])]] for node in nodes]
        unit = lcm(*(value.denominator for value in values))
        return replace(play, scale=factors(unit), nodes=tuple(nodes), values=tuple(int(v * unit) for v in values))


def _sure_of_loops(walk: Walk, play: Play, chooser: Chooser) -> Play | None:
    """The play with its bound on loops on which totals go up and down, where that is a proof; else None."""
    rounds = walk.rounds()
    if walk.dice or walk.gains or walk.order() is not None or len({*walk.endless(rounds)}) == 1:
        return None
    bounded = chooser.with_bound(walk, play)
    shown = judged(partial(secured, walk, bounded)).proven
    return bounded if shown is not None and shown.amount >= chooser.bound else None


def _target(whole: Walk) -> int:
    """The player whose amount all deciding players pursue; the first player where there is no such player."""
    targets = {
        whole.view.interests[node[1]][0]
        for number, node in enumerate(whole.nodes)
        if number not in whole.dice and len(whole.after(number)) > 1
    }
    return targets.pop() if len(targets) == 1 else 0


def _not_induced(solution: Solution, walk: Walk, error: Wrong) -> QuestionError:
    """Why backward induction does not give the solved values: ties, where they may matter, else a wrong value."""
    solved = [as_interval(value) for value in solution.values()]
    outcomes = tie_outcomes(walk)
    if outcomes is None or any(all(map(Interval.__contains__, solved, values)) for values in outcomes):
        reason = "the values depend on how ties are broken"
    else:
        reason = "the rules do not give the values that were solved, however ties are broken"
    merges = solution.source.merges and solution.game.gives("canonical")
    advice = "--symmetry off" if merges else "endsight check, and --engine plain"
    return QuestionError(f"this answer has no certificate: {reason}", found=error.found, advice=advice)


def _require_news(ends: Ends, walks: Sequence[Walk]) -> None:
    """Raise `Wrong` for a range that covers every end that the plays reached: it says nothing about how to play."""
    low, high = ends
    if low is None or high is None or low == high or any(walk.gains for walk in walks):
        return
    amounts = {amounts[walk.view.subject] for walk in walks for amounts in walk.amounts.values()}
    if low <= min(amounts, default=low) and max(amounts, default=high) <= high:
        raise Wrong("only a range that holds for every way of playing can be proven", found=ends_text(ends))


def _no_pick(*_: Any) -> int:
    raise AssertionError("nobody chooses")


def _set_up(position: Position) -> str | None:
    """The text that sets up where the moves began, with whose turn it was where the state does not say."""
    game = position.game
    if position.set_up is None or game.gives("to_move") or game.gives("seat"):
        return position.set_up
    mover = (position.mover - len(position.history)) % game.player_count
    return f"{game.player_names[mover]}: {position.set_up}"
