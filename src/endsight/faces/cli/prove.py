"""`endsight prove`: a certificate for an answer, which anybody can check."""

from __future__ import annotations

import shlex
from pathlib import Path

from endsight.faces.cli.columns import DIM
from endsight.faces.cli.command import asking, command, keep_option, option, stored_option, takes
from endsight.faces.cli.request import Asked, Request
from endsight.faces.cli.streams import say_file
from endsight.faces.cli.surroundings import in_first_folder
from endsight.game.numbers import count_text
from endsight.naming.class_names import file_in_front
from endsight.proof.claim_text import describe
from endsight.proof.prover import prove as proven
from endsight.proof.prover import weaker, write_certificate
from endsight.rules_check.sight import sight_of
from endsight.verifier import Certificate


@command(
    "endsight prove tictactoe -o draw.cert",
    'endsight prove connectfour:width=4,height=4 --at "2 3" -o position.cert',
    "endsight prove repeatbust --fix player=myopic -o myopic.cert",
    "endsight prove pigturn --dist player -o turn.cert",
)
@takes(
    option("-o path", "FILE", "Write the certificate to FILE; - is stdout.", required=True),
    option("--dist", "PLAYER", "Also claim the chance of each payoff of that player."),
    asking,
    keep_option,
    stored_option,
)
def prove(request: Request, path: str, dist: str | None) -> int:
    """Write a certificate that proves the value of a position.

    The certificate holds the claim and the evidence for it: a strategy for each side, and
    whatever else a proof needs besides the rules. `endsight verify FILE` checks it with code
    that shares nothing with the solver.
    """

    def answer(asked: Asked) -> tuple[Certificate, dict[str, str], str | None]:
        made = proven(asked.solution, distribution=dist, spec=request.game)
        return made, weaker(asked.solution, made), sight_of(asked.solution.position)

    output = request.output
    certificate, less, sight = request.answer(answer)
    claims = "; ".join(f"{name} {text}" for name, text in less.items())
    if less:
        output.note(f"the claim differs from the solution: {claims}")
    if path == "-":
        say_file([certificate.to_text()])
        return 0
    size = write_certificate(certificate, in_first_folder(Path(path)))
    claim = describe(certificate)
    document = {
        "schema": "endsight.proof/1",
        "file": path,
        "bytes": size,
        "claim": claim,
        "weaker": less,
        "sight": sight,
    }

    def draw() -> None:
        if sight is not None:
            output.screen.line(sight)
        output.screen.line(claim, hanging=2)
        output.say(f"proven in {path}, {count_text(size, 'byte')}")
        rules, kind = file_in_front(request.game), type(request.loaded.game)
        named = request.game if kind.is_named_whole else f"{rules}:{kind.__name__}"
        if (rules is not None or kind.is_named_whole) and not request.fix:
            output.screen.line(f"now: {shlex.join(['endsight', 'verify', path, named])}", DIM)

    output.answer(document, draw, lambda document: [document | {"weaker": claims}])
    return 0
