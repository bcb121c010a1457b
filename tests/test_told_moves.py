"""Moves as one player tells them: what was seen stands for what chance did, and nothing else fits."""

from __future__ import annotations

import pytest

import endsight as es
from command_line import run
from endsight import CHANCE
from endsight.algorithms.histories import Histories, History
from endsight.answers.seen import told_plays
from endsight.game.limits import Budget
from small_instances import HIDDEN

NAMES = [name for name in HIDDEN if not name.startswith(("leduc:", "liarsdice:dice"))]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_player_sees_and_does_fits_the_plays_with_that_view_and_no_others(name: str) -> None:
    """Every true play up to a turn, told in brackets and own moves, fits just those that look alike."""
    game = es.load(name)
    histories, found = Histories(game), {}
    todo = [histories.start()]
    for history in todo[:400]:
        place = history.position
        if not place.is_over:
            todo += [histories.after(history, move) for move in histories.legal(place)][: 400 - len(todo)]
        for player in place.movers if not place.is_over else ():
            found.setdefault((player, history.eyes[player].view), []).append(history)
    for (player, view), alike in list(found.items())[:40]:
        for history in alike[:2]:
            told = told_plays(histories, player, _told(histories, player, history), Budget())
            mine = [each for each in told if player in each.position.movers and not each.position.is_over]
            assert {each.eyes[player].view for each in mine} == {view}
            assert {each.key for each in alike} <= {each.key for each in mine}


def _told(histories: Histories, player: int, history: History) -> list[str]:
    """That play as the player tells it: `?` for moves of others, and in brackets what was seen."""
    here, texts = histories.start(), []
    for text in history.position.history:
        place = here.position
        after = histories.after(here, place.game.parse_move(place.state, text))
        if place.mover != CHANCE:
            texts.append(text if place.movers == (player,) else "?")
        if after.eyes[player].seen != here.eyes[player].seen and player not in place.movers:
            shown = place.game.show_seen(after.eyes[player].seen, player)
            texts.append(f"[{'_'.join(shown.split())}]")
        here = after
    return texts


def test_the_command_takes_what_is_seen() -> None:
    seen, told = (
        run("analyze", "kuhn", "--as", "first", "--json", "--at", at) for at in ("[card=3] pass ?", "3 ? pass ?")
    )
    assert seen.code == told.code == 0
    assert seen.out.replace("[card=3] pass ?", "3 ? pass ?").split('"method"')[0] == told.out.split('"method"')[0]


def test_what_cannot_be_seen_is_refused_with_what_can() -> None:
    result = run("analyze", "kuhn", "--as", "first", "--at", "[card=9]")
    assert result.code == 3
    assert "'[card=9]', fits no play at the start" in result.err
    assert "allowed: [card=1] [card=2] [card=3] []" in result.err


def test_a_policy_is_told_what_its_player_may_do_at_once(tmp_path: object) -> None:
    path = f"{tmp_path}/mine.py"
    with open(path, "w") as file:
        file.write("def stubborn(game, seen, moves):\n    return 'rock'\n")
    result = run("exploit", "rps", f"{path}:stubborn")
    assert result.code == 3
    assert "allowed: 1 (rock), 2 (paper), 3 (scissors)" in result.err
    assert "try:     return 1" in result.err
