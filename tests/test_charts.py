"""Charts say what the solution says, and are safe and readable as files."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import each
from command_line import ask, run
from endsight import Interval, charts, games
from endsight.charts.canvas import Canvas, text_width
from endsight.charts.figures import Bar, Bars, Cell, HeatMaps, HeatPanel, Timeline, TimelinePoint
from endsight.charts.layout import AxisScale, spread
from endsight.games import BUILT_IN
from pictures import FOLDER, GALLERY, PICTURES

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "rect", "line", "polyline", "polygon", "circle", "path", "text"}


def drawn(chart: charts.Chart, **options: Any) -> ElementTree.Element:
    """The picture, after what holds of every picture was checked."""
    text = chart.svg(**options)
    assert text == chart.svg(**options)
    root = ElementTree.fromstring(text)
    assert {node.tag.removeprefix(SVG) for node in root.iter()} <= ALLOWED
    assert root.get("role") == "img"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert (title.text, description.text) == (chart.title, chart.description)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"\s(style|href|on\w+|class)=|url\(|<!", text)
    assert not {"nan", "inf"} & set(re.findall(r"[a-z]+", " ".join(_numbers(root))))
    return root


def _numbers(root: ElementTree.Element) -> list[str]:
    keys = ("x", "y", "x1", "x2", "y1", "y2", "width", "height", "points", "d", "cx", "cy", "r")
    return [node.get(key, "") for node in root.iter() for key in keys]


def texts(root: ElementTree.Element) -> list[str]:
    return [node.text for node in root.iter(f"{SVG}text")]


def stays_inside(root: ElementTree.Element) -> None:
    """No text begins or ends outside the picture, as wide as text may be in the usual fonts."""
    width, height = float(root.get("width")), float(root.get("height"))
    for node in root.iter(f"{SVG}text"):
        x, y, size = (float(node.get(key)) for key in ("x", "y", "font-size"))
        if node.get("transform"):
            continue
        room = text_width(node.text, size) * 0.92
        left = x - {"start": 0, "middle": room / 2, "end": room}[node.get("text-anchor", "start")]
        assert left >= -2, node.text
        assert left + room <= width + 2, node.text
        assert 0 <= y <= height, node.text


@cache
def pots() -> es.Solution:
    return es.solve(games.Pots([4, 9, 2, 7]))


CHARTS: dict[str, Callable[[], charts.Chart]] = PICTURES | {
    "chance": lambda: charts.values(es.solve(games.RepeatBust())),
    "results": lambda: charts.values(es.solve(games.TicTacToe()), games.TicTacToe().position("a1 b1")),
    "rival": lambda: charts.values(pots(), player="second"),
    "gestures": lambda: charts.policy(es.solve(games.RpsBag([[1, 0, 2], [0, 3, 0], [1, 1, 1]]))),
    "openings": lambda: charts.policy(es.solve(games.Dominoes(n=4))),
    "cards": lambda: charts.policy(es.solve(games.HighCard([1, 3, 5, 7], [8, None, 4, None]))),
    "rows": lambda: charts.policy(es.solve(games.Nim(heaps=(1, 2)))),
    "groups": lambda: charts.distribution(es.solve(games.RepeatBust())),
    "certain": lambda: charts.distribution(pots()),
    "loops": lambda: charts.graph(es.solve(games.Pig(target=2))),
    "chances": lambda: charts.graph(es.solve(games.HiddenPots(count=2, max=2))),
    "nothing played": lambda: charts.history(es.review(pots(), "")),
    "bounds": lambda: charts.values(es.solve(games.Pig(target=8), interval=True)),
}


@cache
def chart_of(name: str) -> charts.Chart:
    return CHARTS[name]()


@pytest.mark.parametrize("width", each([320, 390, 720, 1280], lambda width: width in (320, 1280)))
@pytest.mark.parametrize("name", CHARTS)
def test_pictures_are_safe_and_whole(name: str, width: int) -> None:
    root = drawn(chart_of(name), width=width)
    stays_inside(root)
    assert float(root.get("width")) >= width
    clear = drawn(chart_of(name), width=width, paper=False)
    assert "currentColor" in ElementTree.tostring(clear, encoding="unicode")


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_of_the_docs_are_those_of_the_code(name: str) -> None:
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == chart_of(name).svg()


def test_the_docs_show_every_picture_and_no_other() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in FOLDER.parent.rglob("*.md"))
    shown = set(re.findall(r"pictures/([\w-]+)\.svg", pages))
    assert shown == set(PICTURES) == {path.stem for path in FOLDER.glob("*.svg")}


def test_the_gallery_has_every_picture_under_the_name_of_its_game() -> None:
    page = (FOLDER.parent / "gallery.md").read_text(encoding="utf-8")
    for name, draw in GALLERY.items():
        assert name in BUILT_IN
        assert draw().title.startswith(name)
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert f"pictures/{name}.svg" in section
        assert f"$ endsight plot {name}" in section


# ---------------------------------------------------------------------- what they say


def test_values_are_the_moves() -> None:
    solution = es.solve(games.Pots([4, 9, 2, 7]))
    chart = charts.values(solution)
    assert [(bar.label, bar.value, bar.tone) for bar in chart.bars] == [("▲ R", 16, "best"), ("▼ L", 11, "worse")]
    assert "gives away 5" in chart.bars[1].text
    root = drawn(chart)
    bars = [float(node.get("width")) for node in root.iter(f"{SVG}rect") if node.get("fill") != "#ffffff"]
    assert bars[0] / bars[1] == pytest.approx(16 / 11, rel=0.01)
    second = charts.values(solution, player="second")
    assert [bar.value for bar in second.bars] == [6, 11]


def test_ties_are_marked_as_ties() -> None:
    chart = charts.values(es.solve(games.TicTacToe()))
    assert {bar.label[0] for bar in chart.bars} == {"●"}


def test_many_moves_end_in_a_note() -> None:
    chart = charts.values(es.solve(games.Dominoes(n=7)))
    assert len(chart.bars) == 40
    assert chart.note == "… and 9 more moves, none of them better"
    assert chart.note in texts(drawn(chart))


class Lots(es.Game):
    """One of fifty lots, worth its number."""

    players = 1

    class State(NamedTuple):
        lot: int

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        return es.CHANCE

    def moves(self, state: State) -> range:
        return range(0) if state.lot else range(1, 51)

    def play(self, state: State, move: int) -> State:
        return self.State(move)

    def payoff(self, state: State) -> int:
        return state.lot


def test_outcomes_left_out_may_be_better() -> None:
    assert charts.values(es.solve(Lots())).note == "… and 10 more outcomes"


def test_distributions_are_exact_in_groups_as_well() -> None:
    solution = es.solve(games.RepeatBust())
    found = solution.distribution()
    chart = charts.distribution(solution)
    assert sum(chart.chances) == 1 == chart.at_least[0] == chart.at_most[-1]
    for start, chance, least, most in zip(chart.payoffs, chart.chances, chart.at_least, chart.at_most, strict=True):
        end = start + chart.width
        assert chance == sum(share for payoff, share in found.items() if start <= payoff < end)
        assert least == sum(share for payoff, share in found.items() if payoff >= start)
        assert most == sum(share for payoff, share in found.items() if payoff < end)


def test_single_payoffs_keep_their_chances() -> None:
    found = es.solve(games.PigTurn()).distribution()
    chart = chart_of("pigturn")
    assert dict(zip(chart.payoffs, chart.chances, strict=True)) == dict(found.outcomes)
    assert chart.at_least == tuple(found.at_least().values())
    assert chart.mean == found.mean()


def test_history_is_the_review() -> None:
    solution = es.solve(games.TicTacToe())
    review = es.review(solution, "a1 b1 b2 c3 c2 a2 c1")
    chart = charts.history(review, player="second")
    assert [turn.value for turn in chart.turns] == [0, 0, -1, -1, -1, 0, 0, 0]
    assert [turn.kind for turn in chart.turns if turn.kind == "mistake"] == ["mistake", "mistake"]
    assert chart.level == 0
    assert charts.history(es.review(es.solve(games.Pots([4, 9, 2, 7])), "L")).level == 11
    hidden = charts.history(es.review(es.solve("kuhn"), "1 2 bet pass")).description
    assert hidden.endswith("to 1: luck ≈ -0.944444, mistakes 0, by the others 0, by what was hidden 2.")


def test_thresholds_are_the_table() -> None:
    chart = chart_of("repeatbust")
    assert dict(chart.series[0].points)[7] == 46
    assert {"46", "250"} <= set(texts(drawn(chart)))


def test_the_map_of_pig_has_every_pair_of_scores() -> None:
    cells = chart_of("pig").panels[0].cells
    # From 0 points on, 1 is out of reach: holding after a roll brings at least 2.
    assert len(cells) == 14 * 14
    assert {cell.text for cell in cells if cell.column == 14} == {"1"}


def test_pig_has_one_map_only_where_both_players_hold_alike() -> None:
    solution = es.solve("pig:target=3", objective="cooperative")
    for row in ask("table", "pig:target=3", "--objective", "cooperative")["rows"]:
        assert row["best"] == solution.best_moves(solution.game.position_from(row["position"]))


def test_large_maps_hold_every_cell_and_stay_small() -> None:
    cells = tuple(Cell(x, y, str((x + y) % 50), Fraction((x + y) % 50, 50)) for x in range(100) for y in range(100))
    text = HeatMaps("t", "d", "x", "y", (HeatPanel("", cells),), "key").svg()
    widths = [float(width) for width in re.findall(r"M[\d.]+ [\d.]+h([\d.]+)v", text)]
    assert sum(widths) == pytest.approx(10_000 * 6.4, rel=0.02)
    assert len(text) < 500_000


def test_graphs_have_every_position_once() -> None:
    game = games.Nim(heaps=(1, 2))
    chart = charts.graph(es.solve(game))
    positions, moves, queue = set(), 0, [game.position()]
    while queue:
        place = queue.pop()
        if (place.state, place.mover) not in positions:
            positions.add((place.state, place.mover))
            queue += [place.play(move) for move in place.moves()]
            moves += len(list(place.moves()))
    assert (len(chart.places), len(chart.links)) == (len(positions), moves)
    assert all(chart.places[link.source].layer < chart.places[link.target].layer for link in chart.links)


def test_only_links_that_close_a_circle_lead_upwards() -> None:
    chart = chart_of("loops")
    up = [link for link in chart.links if chart.places[link.source].layer >= chart.places[link.target].layer]
    # In a race to 2 points only a bust of the second player leads back, to the start.
    assert [(link.target, link.kind) for link in up] == [(0, "chance")]


def test_games_too_large_to_draw_are_refused() -> None:
    solution = es.solve(games.TicTacToe())
    with pytest.raises(es.QuestionError, match="too large"):
        charts.graph(solution)
    with pytest.raises(es.QuestionError, match="no shape"):
        charts.policy(es.solve(games.Nim(heaps=(3, 4, 5))))
    with pytest.raises(es.QuestionError, match="over"):
        charts.values(solution, games.TicTacToe().position("a1 b1 a2 b2 a3"))
    with pytest.raises(es.QuestionError, match="no chart"):
        charts.chart(solution, "pie")
    with pytest.raises(es.QuestionError, match="no player"):
        charts.chart(solution, "values", player="third")


# ---------------------------------------------------------------------- drawing


HOSTILE = ["<script>alert(1)</script>", "\"'&<>", "\x00\x1b[31m\ud800", "]]>", "a" * 500, "\u202e" + "界" * 60]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    bars = Bars(text, text, axis=text, bars=(Bar(text, 1, text, "best"), Bar(text, -2, "", "worse")), note=text)
    line = Timeline(text, text, text, (TimelinePoint(text, 0, text, "start"), TimelinePoint(text, 1, text, "mistake")))
    for chart in (bars, line):
        root = ElementTree.fromstring(chart.svg())
        assert {node.tag.removeprefix(SVG) for node in root.iter()} <= ALLOWED
        assert chart.svg().encode()


def test_enclosed_values_show_both_ends() -> None:
    bars = Bars("t", "d", "value", (Bar("m", Interval(Fraction(1), Fraction(2)), "[1, 2]", "plain"),))
    outlines = [node for node in drawn(bars).iter(f"{SVG}rect") if node.get("stroke-dasharray")]
    assert len(outlines) == 1


@pytest.mark.parametrize("values", [[0], [5, 5], [-3, 8], [Fraction(1, 10**30), 0], [10**40, -(10**40)], [7, 8]])
def test_scales_hold_their_values_on_round_numbers(values: list) -> None:
    low, high = spread(values)
    assert low <= min(values) <= max(values) <= high
    scale = AxisScale(low, high, 0, 100)
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 7
    assert len({b - a for a, b in pairwise(ticks)}) <= 1
    assert scale(low) == 0
    assert scale(high) == 100


def test_a_canvas_gives_names_of_its_own() -> None:
    one, other = (Canvas(10, 10, title, "d").svg() for title in ("a", "b"))
    assert re.search(r'id="(\w+)"', one)[1] != re.search(r'id="(\w+)"', other)[1]


# ---------------------------------------------------------------------- matplotlib and files


@pytest.mark.parametrize("name", CHARTS)
def test_matplotlib_draws_all_of_them(name: str) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    assert chart_of(name).axes(ax) is ax
    assert ax.get_title() == chart_of(name).title
    assert ax.get_children()


class Trap(es.Game):
    """Each step costs 1, and one way leads into a room without a door."""

    players = 1

    class State(NamedTuple):
        at: int

    def start(self) -> State:
        return self.State(0)

    def limits(self) -> State:
        return self.State(2)

    def to_move(self, state: State) -> int:
        return 0

    def moves(self, state: State) -> tuple[int, ...]:
        return ((1, 2), (), (2,))[state.at]

    def reward(self, state: State, move: int) -> int:
        return -1

    def play(self, state: State, move: int) -> State:
        return self.State(move)

    def payoff(self, state: State) -> int:
        return 10


def test_matplotlib_draws_amounts_without_limit_beyond_all_others() -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    ax = charts.values(es.solve(Trap())).axes(Figure().subplots())
    assert [bar.get_width() for bar in ax.patches] == [9.0, pytest.approx(-0.9)]
    assert ["∞" in label.get_text() for label in ax.get_yticklabels()] == [False, True]


def test_matplotlib_refuses_numbers_that_it_cannot_hold() -> None:
    pytest.importorskip("matplotlib")
    chart = charts.values(es.solve(f"pots:{10**400}-1"))
    assert drawn(chart) is not None
    with pytest.raises(es.errors.QuestionError, match="matplotlib cannot draw numbers as large"):
        chart.axes()


@pytest.mark.parametrize("spec", ["rps", "nim:heaps=0"])
def test_a_policy_of_nobody_who_chooses_a_move_is_not_drawn(spec: str) -> None:
    with pytest.raises(es.errors.QuestionError, match="has no rows to draw"):
        charts.policy(es.solve(spec))


def test_files(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    chart = chart_of("pots")
    for ending, magic in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        path = tmp_path / f"chart{ending}"
        chart.save(path)
        first = path.read_bytes()
        chart.save(path)
        assert first.startswith(magic)
        assert path.read_bytes() == first
    with pytest.raises(es.UsageError, match=r"\.gif"):
        chart.save(tmp_path / "chart.gif")
    with pytest.raises(es.FileError, match="cannot be written"):
        chart.save(tmp_path / "nowhere" / "chart.svg")


def test_the_legend_names_the_mean_and_both_sums() -> None:
    pytest.importorskip("matplotlib")
    figure = chart_of("pigturn").axes().figure
    (legend,) = (legend for axes in figure.axes if (legend := axes.get_legend()) is not None)
    assert [text.get_text() for text in legend.get_texts()] == [
        "mean ≈ 8.1418",
        "at least this much",
        "at most this much",
    ]


def test_without_matplotlib_there_is_a_hint(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(es.UsageError, match="matplotlib"):
        chart_of("pots").save(tmp_path / "chart.png")


# ---------------------------------------------------------------------- the command


@pytest.mark.parametrize("kind", charts.KINDS)
def test_plot_prints_the_same_picture(kind: str) -> None:
    game = games.Nim(heaps=(1, 2))
    ending = run("plot", "nim:heaps=1-2", kind, "-o", "-", "--at", "1:1")
    solution = es.solve(game) if kind == "history" else es.solve(game, game.position("1:1"))
    assert ending.code == 0
    assert ending.out == charts.chart(solution, kind, game.position("1:1")).svg()


def test_plot_writes_files_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "moves.svg"
    ending = run("plot", "pots:4-9-2-7", "values", "-o", str(path), "--width", "390", "--player", "second")
    assert ending.out == f"pots:4-9-2-7: what each move is worth to second: {path}\n"
    root = ElementTree.parse(path).getroot()
    assert root.get("width") == "390"


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        (("tictactoe", "graph", "-o", "-"), 2, "export"),
        (("tictactoe", "values", "-o", "x.gif"), 2, ".svg, .png, .pdf"),
        (("tictactoe", "pie", "-o", "-"), 2, "values"),
        (("tictactoe", "values"), 2, "--output"),
        (("tictactoe", "values", "-o", "nowhere/x.svg"), 3, "cannot be written"),
        (("nim:heaps=1-2", "history", "-o", "-", "--position", "1-1"), 2, "--at"),
    ],
)
def test_what_cannot_be_plotted(command: tuple[str, ...], code: int, message: str) -> None:
    ending = run("plot", *command)
    assert (ending.code, ending.out) == (code, "")
    assert message in ending.err


def test_the_line_of_a_distribution_is_seen_across_its_bars() -> None:
    to_rgba = pytest.importorskip("matplotlib.colors").to_rgba
    axes = es.charts.distribution(es.solve(es.games.PigTurn())).axes()
    sums = next(other for other in axes.figure.axes if other is not axes)
    colours = {to_rgba(line.get_color()) for line in sums.lines}
    assert colours.isdisjoint(bar.get_facecolor() for bar in axes.patches)


def test_plot_draws_the_board_with_the_values_of_its_moves(tmp_path: Path) -> None:
    done = run("plot", "tictactoe", "board", "-o", "-", "--at", "a1 b1")
    picture = ElementTree.fromstring(done.out)
    texts = "".join(picture.itertext())
    moves = es.solve("tictactoe").options("a1 b1")
    assert texts.count("win") >= sum(option.regret == 0 for option in moves)
    assert texts.count("draw") >= sum(option.regret == 1 for option in moves)
    assert run("plot", "tictactoe", "board", "-o", str(tmp_path / "board.svg")).out == (
        f"Tic-tac-toe: {tmp_path / 'board.svg'}\n"
    )
    refused = run("plot", "tictactoe", "board", "-o", str(tmp_path / "board.png"))
    assert (refused.code, "a board can be drawn only as SVG" in refused.err) == (2, True)
    assert run("plot", "kuhn", "board", "-o", "-").code == 2
    assert run("plot", "rps", "board", "-o", "-").code == 0
