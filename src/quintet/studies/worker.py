"""A process that does experiments, one after the other, on one core.

It reads a line of JSON for each on its standard input, and answers with one.  The
line ``stop`` asks the experiment under way to break off.  When the input ends, the one
who gave the work is gone, and so the process goes at once: what is finished is on disk.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import json
import os
import pathlib
import queue
import select
import signal
import sys
import threading
import time
import traceback
from typing import Any

STOP = "stop"
_SECONDS_BETWEEN = 5.0  # notes of the time that was spent: a kill forgets no more


def main(core: int | None) -> None:
    """Work until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which says `stop`
    if core is not None:
        # before NumPy and Numba look how many cores there are
        os.sched_setaffinity(0, {core})
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # what experiments print goes to the log
        work = _Inbox()
        while True:
            answers.write(json.dumps(_done(work.next(), work)) + "\n")
            answers.flush()


class _Inbox:
    """What the parent says, read by a thread of its own."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.clock: _Clock | None = None
        self._orders: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def next(self) -> dict[str, Any]:
        return self._orders.get()

    def _listen(self) -> None:
        text = b""
        while True:
            if not select.select([0], [], [], _SECONDS_BETWEEN)[0]:
                clock = self.clock
                if clock is not None:
                    clock.note()
                continue
            part = os.read(0, 1 << 16)
            if not part:
                os._exit(0)
            *lines, text = (text + part).split(b"\n")
            for line in lines:
                if line.decode() == STOP:
                    self.stop.set()
                else:
                    self._orders.put(json.loads(line))


class _Clock:
    """Seconds, processor time and memory of an experiment, over all its sessions."""

    def __init__(self, file: pathlib.Path) -> None:
        self._file = file
        self._is_needed = True
        self._lock = threading.Lock()  # two threads take notes
        self._before, self._processor, self._most = 0.0, 0.0, 0
        with contextlib.suppress(OSError, ValueError, KeyError):
            spent = json.loads(file.read_bytes())
            self._before, self._processor = float(spent["seconds"]), float(spent["processor"])
            self._most = int(spent["megabytes"])
        gc.collect()
        with contextlib.suppress(OSError):  # from here on, the peak is counted anew (Linux)
            pathlib.Path("/proc/self/clear_refs").write_text("5")
        self._begun = time.perf_counter()
        self._processor -= time.process_time()

    def seconds(self) -> float:
        return self._before + time.perf_counter() - self._begun

    def processor(self) -> float:
        return self._processor + time.process_time()

    def megabytes(self) -> int:
        return max(self._most, _peak_memory())

    def forget(self) -> None:
        """The result has it now."""
        with self._lock:
            self._is_needed = False  # the other thread may come late
            self._file.unlink(missing_ok=True)

    def note(self) -> None:
        """For the case that the process is killed."""
        from quintet.runs.files import write_whole

        spent = {
            "seconds": round(self.seconds(), 3),
            "processor": round(self.processor(), 3),
            "megabytes": self.megabytes(),
        }
        with self._lock, contextlib.suppress(OSError):
            if self._is_needed:
                write_whole(self._file, json.dumps(spent).encode())


def _peak_memory() -> int:
    """The most memory of this process since the clock began, in megabytes."""
    from quintet.runs.run import peak_memory

    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) >> 10
    return peak_memory()


def _done(order: dict[str, Any], inbox: _Inbox) -> dict[str, Any]:
    """What became of an experiment."""
    from quintet.studies.study import Interrupted

    try:
        return {"state": "finished", "seconds": _carried_out(order, inbox)}
    except Interrupted:
        return {"state": "stopped"}
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        sys.stderr.flush()
        return {"state": "failed", "error": f"{type(error).__name__}: {error}"}
    finally:
        inbox.clock = None


def _carried_out(order: dict[str, Any], inbox: _Inbox) -> float:
    """Do an experiment and keep its result; how many seconds it took."""
    from quintet.runs.settings import versions
    from quintet.studies import load
    from quintet.studies.results import Result, Results, checked_figures
    from quintet.studies.study import Interrupted, Scale, Task

    study = load(order["study"])
    results = Results(study, Scale(order["scale"]), pathlib.Path(order["root"]))
    name, seed = order["experiment"], order["seed"]
    experiment = next(each for each in study.experiments if each.name == name)
    sizes, folder = results.sizes(name), results.work(name, seed)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder.with_name(folder.name + ".lock"), "ab") as lock:
        # a worker of a run that was killed a moment ago may not be gone yet
        fcntl.flock(lock, fcntl.LOCK_EX)
        clock = inbox.clock = _Clock(folder.with_name(folder.name + ".json"))
        found = {needed: results.figures(needed, seed) for needed in experiment.needs}
        folders = {needed: results.work(needed, seed) for needed in experiment.needs}
        task = Task(seed, results.scale, sizes, folder, found, inbox.stop.is_set, folders)
        try:
            figures = checked_figures(experiment, experiment.run(task))
        except Interrupted:
            clock.note()
            raise
        seconds = clock.seconds()
        costs = seconds, clock.processor(), clock.megabytes()
        results.write(Result(name, seed, figures, sizes, *costs, versions()))
        clock.forget()
        return seconds
