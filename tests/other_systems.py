"""A command as on Windows or macOS, as far as Linux can play them: `python tests/other_systems.py win32 value nim`.

What those systems lack is taken away before anything of `endsight` is loaded: `fcntl` and `resource`, timer signals,
`fork`. Libraries that look at the system themselves are loaded before.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
import types
from importlib import import_module

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
OF_SIGNAL = (
    "getitimer", "setitimer", "ITIMER_REAL", "pthread_sigmask", "sigtimedwait",
    "SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGUSR1", "SIGUSR2",
)  # fmt: skip
OF_OS = (
    "fchmod", "fork", "geteuid", "getuid", "killpg", "mkfifo", "pread", "sched_getaffinity", "setsid", "uname",
    "waitpid", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK",
)  # fmt: skip


def disguise(kind: str) -> None:
    """Make this process look like one of `darwin` or `win32`."""
    assert subprocess, tempfile
    sysconfig.get_config_vars()
    for library in ("ctypes", "click", "numpy", "llvmlite.binding", "pyarrow.parquet"):
        import_module(library)
    sys.platform = kind
    if kind == "darwin":
        return
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for place, names in ((signal, OF_SIGNAL), (os, OF_OS)):
        for name in names:
            if hasattr(place, name):
                delattr(place, name)
    locks = types.ModuleType("msvcrt")
    vars(locks).update(LK_LOCK=1, LK_NBLCK=2, LK_UNLCK=0, locking=lambda *_: None)
    sys.modules["msvcrt"] = locks


if __name__ == "__main__":
    disguise(sys.argv.pop(1))
    from endsight.faces.cli import main

    main()
