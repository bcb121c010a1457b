"""The command line: parse, call the Python face, show. No game knowledge, nothing heavy at start-up."""

# Nothing is imported up here that is not loaded anyway: from the first line of `main` on Ctrl-C is heard.
import sys

__all__ = ["main"]


def main() -> None:
    """What the command `endsight` runs; ends the process with the exit code."""
    try:
        is_usual = _begin()
        from endsight.base.waiting import hear_interrupts
        from endsight.faces.cli.group import endsight

        if is_usual:
            hear_interrupts()  # from now on Ctrl-C is an exception, so that what is proven can be told
        endsight.main(prog_name="endsight", obj="the process is this command's alone")
    except KeyboardInterrupt:  # before there is anything to stop, or when it is stopped already
        sys.stderr.write("stopped by Ctrl-C\n")
        sys.exit(130)
    finally:
        _end()


def _begin() -> bool:
    """Prepare for loading the program; whether Ctrl-C does what it usually does in Python.

    Until the program is loaded Ctrl-C ends it on the spot: libraries lose exceptions in the middle of loading.
    Where a standard stream is closed, no file that is opened later may take its place.
    """
    import gc
    import signal

    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_usual:
        signal.signal(signal.SIGINT, _leave)
    # Loading makes a million objects that stay: looking through them for garbage takes a tenth of a short answer.
    gc.set_threshold(100_000, 10, 10)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            _fill_gap(number, name)
    return is_usual


def _fill_gap(number: int, name: str) -> None:
    """Writing to an output that is closed fails, as it should; messages that nobody can see are lost."""
    import os

    os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
    if name != "stdin":
        setattr(sys, name, open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False))  # noqa: SIM115


def _leave(_number: int, _frame: object) -> None:
    """End here and now."""
    import os

    os.write(2, b"stopped by Ctrl-C\n")
    os._exit(130)


def _end() -> None:
    """The answer is out: Ctrl-C while Python clears up changes nothing any more, and clearing up is short.

    A last look for garbage through all that a compiler has left would take a third of a second.
    """
    import gc
    import signal

    gc.disable()
    gc.freeze()
    if signal.getsignal(signal.SIGINT) is not signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
