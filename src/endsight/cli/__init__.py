"""The command line: parse, call the Python face, show. No game knowledge, nothing heavy at start-up."""

# Nothing is imported up here that is not loaded anyway: from the first line of `main` on Ctrl-C is heard.
import sys

__all__ = ["main"]


def main() -> None:
    """What the command `endsight` runs; ends the process with the exit code."""
    try:
        _begin()
        from endsight.cli.group import endsight

        _hear_again()
        endsight.main(prog_name="endsight", obj="the process is this command's alone")
    except KeyboardInterrupt:  # before there is anything to stop, or when it is stopped already
        sys.stderr.write("stopped by Ctrl-C\n")
        sys.exit(130)
    finally:
        _end()


def _begin() -> None:
    """While the program is loaded, Ctrl-C ends it on the spot: libraries lose exceptions in the middle of loading."""
    import gc
    import signal

    # Loading makes a million objects that stay: looking through them for garbage takes a tenth of a short answer.
    gc.set_threshold(100_000, 10, 10)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    _fill_gaps()


def _fill_gaps() -> None:
    """Where a standard stream is closed, no file that is opened later may take its place.

    Writing to an output that is closed fails, as it should; messages that nobody can see are lost.
    """
    import os

    for number, way in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, way)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115


def _leave(_number: int, _frame: object) -> None:
    """End here and now."""
    import os

    os.write(2, b"stopped by Ctrl-C\n")
    os._exit(130)


def _hear_again() -> None:
    """From now on Ctrl-C is an exception, so that what is proven can be told."""
    import signal

    from endsight.waiting import hear_interrupts

    if signal.getsignal(signal.SIGINT) is _leave:
        hear_interrupts()


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
