"""Memory of this machine and of this process, in bytes, and its working folder.

Linux provides it in files; elsewhere psutil does, which takes longer to load than many an answer.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_OF_PROCESS = "/proc/self/statm"
_OF_MACHINE = "/proc/meminfo"
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0


def cores() -> int:
    """The number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_in_use() -> int:
    """The (resident) memory of this process."""
    with suppress(OSError, ValueError, IndexError), open(_OF_PROCESS, "rb") as file:
        return int(file.read().split()[1]) * _PAGE
    import psutil

    return int(psutil.Process().memory_info().rss)


def memory_of(process: int) -> tuple[int, int]:
    """Resident memory of a process and the private data it has allocated; Linux only, else `OSError`."""
    with open(f"/proc/{process}/statm", "rb") as file:
        fields = file.read().split()
    return int(fields[1]) * _PAGE, int(fields[5]) * _PAGE


def memory_to_ask_for() -> int | None:
    """The private memory that this process may still allocate; None without a limit."""
    if sys.platform != "linux":
        return None
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return None if most == resource.RLIM_INFINITY else max(0, most - memory_of(os.getpid())[1])


def allow_memory(more: int, process: int = 0, *, for_good: bool = False) -> None:
    """Let a process (default: this one) allocate so much more, `for_good` or until it raises that; needs Linux."""
    import resource

    limit = memory_of(process or os.getpid())[1] + more
    most = resource.prlimit(process, resource.RLIMIT_DATA)[1]
    limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
    resource.prlimit(process, resource.RLIMIT_DATA, (limit, limit if for_good else most))


def free_memory() -> int:
    """Memory available without swapping other processes out."""
    return _of_machine("MemAvailable", "available")


def all_memory() -> int:
    """The total memory of the machine."""
    return _of_machine("MemTotal", "total")


def _of_machine(line: str, field: str) -> int:
    """A value from the kernel's account, such as `MemTotal:  16374520 kB`; elsewhere a field of psutil's."""
    with suppress(OSError, ValueError, IndexError, StopIteration), open(_OF_MACHINE, "rb") as file:
        return next(int(row.split()[1]) * 1024 for row in file if row.startswith(line.encode()))
    import psutil

    return int(getattr(psutil.virtual_memory(), field))


def working_folder() -> str | None:
    """The working folder of the process; None if it has been deleted."""
    with suppress(OSError):
        return os.getcwd()
    return None
