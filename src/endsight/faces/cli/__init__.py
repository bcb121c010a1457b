"""The command line: parse, call the Python functions, show. No knowledge of games, and nothing heavy at start-up."""

# Import nothing here that is not loaded anyway: Ctrl-C works from the first line of `main` on.
import gc
import os
import sys

__all__ = ["main"]


def main() -> None:
    """Run the command `endsight`, and end the process with its exit code."""
    try:
        is_usual = _begin()
        from endsight.faces.cli.group import run  # under the Ctrl-C that `_begin` arranges

        run(may_hear=is_usual)
    except KeyboardInterrupt:  # before there is anything to stop, or after it has been stopped
        sys.stderr.write("stopped by Ctrl-C\n")
        sys.exit(130)
    finally:
        _end()


def _begin() -> bool:
    """Prepare to load the program; return whether Ctrl-C has Python's default behaviour.

    Until the program is loaded, Ctrl-C ends it immediately: libraries lose exceptions raised during loading.
    Where a standard stream is closed, no file opened later may take its number.
    """
    import signal

    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_usual:
        signal.signal(signal.SIGINT, _leave)
    # Loading creates a million lasting objects: collecting garbage among them costs a tenth of a short answer's time.
    gc.set_threshold(100_000, 10, 10)
    # OpenBLAS, which is hardly used, starts threads when numpy is loaded: a tenth of a short answer's time. Where
    # memory is limited, it would interrupt the process.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            _fill_gap(number, name)
    return is_usual


def _fill_gap(number: int, name: str) -> None:
    """Make writes to a closed output fail, as they should, and drop messages that nobody can see."""
    os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
    if name != "stdin":
        setattr(sys, name, open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False))  # noqa: SIM115


def _leave(_number: int, _frame: object) -> None:
    """End the process immediately."""
    os.write(2, b"stopped by Ctrl-C\n")
    os._exit(130)


def _end() -> None:
    """Make Python's shutdown ignore Ctrl-C and finish quickly, as the answer is already out.

    A last garbage collection of everything that a compiler leaves would take a third of a second.
    """
    import signal

    gc.disable()
    gc.freeze()
    if signal.getsignal(signal.SIGINT) is not signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
