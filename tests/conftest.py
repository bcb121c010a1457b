"""What holds for all tests."""

from __future__ import annotations

import signal

# A shell that starts the tests aside (`pytest &` in a script) has them ignore Ctrl-C, and so
# would all that they start, though that is what some of them try out.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
