"""The rows of names and texts in which the terminal and the page both show an answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from endsight.faces.wording import Write, interval_text, listed_shares, percent, rough_count, seconds_text
from endsight.game.limits import size_text
from endsight.game.numbers import Amount, Interval, Number, count_text
from endsight.game.position import as_text

if TYPE_CHECKING:
    from endsight.answers.explanation import Fairness
    from endsight.answers.policy_pricing import PolicyLoss
    from endsight.answers.simulation import Simulation
    from endsight.cost.estimate import Estimate

Rows = list[tuple[str, str]]


def fairness_rows(fairness: Fairness, first: str, share: Write, count: Write) -> list[tuple[str, Amount, str]]:
    """Return a title, the number and its text for each measure of fairness that exists; `first` names the player."""
    rows: list[tuple[str, Amount | None, Write]] = [
        (f"{first} wins", fairness.win, share),
        ("draw", fairness.draw, share),
        (f"{first} loses", fairness.lose, share),
        ("length in moves of players", fairness.length, count),
        ("forced moves (one legal choice)", fairness.forced, share),
        ("moves where every choice is equally good", fairness.costless, share),
    ]
    return [(title, number, text(number)) for title, number, text in rows if number is not None]


def loss_rows(loss: PolicyLoss, names: Sequence[str], number: Write) -> Rows:
    """Return a policy's value, its total loss, and where it gives away most at once."""
    worst = loss.worst
    yields = listed_shares(names, loss.value, number) if len(names) > 1 else number(loss.value[0])
    rows = [("yields", yields), ("gives away in total", number(loss.loss))]
    if worst is None:
        return [*rows, ("worst decision", "none gives anything away")]
    state = as_text(worst.position.game, "show", worst.position.state)
    return [
        *rows,
        ("worst decision", f"{worst.move or 'a random move'}, where {' or '.join(worst.best)} is best"),
        ("gives away there", number(worst.regret)),
        ("position there", state),
        ("after", worst.position.text or "no moves"),
    ]


# ---------------------------------------------------------------------- games played at random


def simulation_titles(simulation: Simulation) -> list[str]:
    """Return the titles of `simulation_rows`."""
    return [f"{simulation.player} gets", "games", "share", f"{percent(simulation.confidence)} sure, each"]


def simulation_rows(simulation: Simulation, number: Write, most: int) -> list[list[str]]:
    """Return each payoff, how often it came, and an interval for its chance; up to `most` rows."""
    return [
        [number(amount), f"{count:,}", percent(Fraction(count, simulation.games)), _percents(simulation, amount)]
        for amount, count in islice(simulation.counts.items(), most)
    ]


def _percents(simulation: Simulation, amount: Number) -> str:
    chance = simulation.chances[amount]
    return interval_text(Interval(100 * chance.lower, 100 * chance.upper), 2).replace("]", "]%")


# ---------------------------------------------------------------------- the size of a game


def estimate_rows(result: Estimate) -> Rows:
    """Return the number of states, the cost of solving them, and what the estimate rests on."""
    rows = [("states", rough_count(result.states, exact=result.exact))]
    if not result.exact:
        rows.append(("between", f"{rough_count(result.lower)} and {rough_count(result.upper)}"))
    engine = "compiled, layer by layer" if result.engine == "compiled" else "plain, the whole graph kept"
    rows += [("engine", engine)] * (result.seconds is not None)
    rows.append(("moves", rough_count(result.edges, exact=result.exact)))
    rows.append(("depth", count_text(result.depth, "ply") + ("" if result.exact else " or more")))
    if result.seconds is None or result.memory is None:
        rows += _plan_rows(result)
    else:
        pace = f"{1 / (result.seconds_per_state or 1):,.0f} states a second"
        rows.append(("memory", f"{size_text(result.memory, 2)}, {result.bytes_per_state:.0f} bytes a state"))
        rows.append(("time", f"{seconds_text(result.seconds)}, {pace}"))
    return [*rows, ("sampled", f"{count_text(result.sampled, 'state')} in {seconds_text(result.elapsed)}")]


def _plan_rows(result: Estimate) -> Rows:
    """Return the known facts about a game in which players do not see everything."""
    unknown = "unknown: players do not see everything, so the cost does not follow from the number of states"
    if result.plans is None:
        uncounted = "not counted: there are more than 100,000 histories, or all players see the same"
        return [("information sets", uncounted), ("memory and time", unknown)]
    counted = (("information sets", result.plans.sets), ("sequences", result.plans.sequences))
    texts = [(title, ", ".join(f"{count:,} of {name}" for name, count in counts.items())) for title, counts in counted]
    return [("histories", f"{result.plans.histories:,}"), *texts, ("memory and time", unknown)]
