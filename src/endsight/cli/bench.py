"""`endsight bench`: a fixed workload with a signature."""

from __future__ import annotations

from endsight.cli.command import command
from endsight.cli.options import output_options, takes
from endsight.cli.output import Output
from endsight.cli.progress import progress_line

__all__ = ["bench"]


@command("endsight bench", "endsight bench --json")
@takes(output_options)
def bench(output: Output) -> int:
    """A fixed workload: times of this machine, and a signature.

    The signature is a hash over states, nodes and values. It is the same on every machine;
    another one means that something else was found, not that something was slower.
    """
    from endsight.bench import bench as run
    from endsight.cost_documents import bench_document

    with progress_line() as progress:
        tasks = list(run(progress))
    document = bench_document(tasks)
    if output.form == "json":
        output.document(document)
        return 0
    if output.form == "plain":
        output.rows(document["tasks"])
        return 0
    from endsight.cli.amounts import seconds_text
    from endsight.cli.screen import STRONG, Column

    rows = [
        (task.game, task.method, f"{task.states:,}", f"{task.nodes or task.states:,}", seconds_text(task.seconds))
        for task in tasks
    ]
    columns = [Column("game", fit="cut"), Column("method"), *(Column(name, "right") for name in ("states", "nodes"))]
    output.screen.table([*columns, Column("time", "right")], rows)
    output.screen.line()
    output.screen.line(f"signature {document['signature']}", STRONG)
    output.screen.line(f"computing time {seconds_text(document['seconds'])}")
    return 0
