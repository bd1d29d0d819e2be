"""A program that we talk to: it may be silent, noisy, dead or stubborn, and never outlives us."""

from __future__ import annotations

import gc
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from quintet.bridges.engines.program import EngineError, Program, running


def python(code: str, timeout: float = 20.0, **options: object) -> Program:
    command = [sys.executable, "-S", "-c", code]
    return Program("engine:x", command, timeout, **options)  # type: ignore[arg-type]


def shell(code: str, timeout: float = 20.0) -> Program:
    return Program("engine:x", ["/bin/sh", "-c", code], timeout)


def is_alive(pid: int) -> bool:
    """Does a process run?  One that nobody has buried yet does not."""
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def dies(pid: int) -> bool:
    end = time.monotonic() + 10
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not is_alive(pid)


def test_lines_and_patterns() -> None:
    program = shell("read a; printf 'one\\r\\ntwo\\nask: '; read b; echo $a$b")
    program.send("x\n")
    assert [program.line(), program.line()] == ["one", "two"]
    assert program.until(re.compile(rb"(\w+): ")) == ["ask: ", "ask"]
    program.send("y\n")
    assert program.line() == "xy"
    program.close()
    program.close()


def test_its_home_is_private_and_goes_with_it() -> None:
    program = shell("pwd; echo $HOME; touch here; read a")
    home = program.line()
    assert program.line() == home
    assert pathlib.Path(home).resolve() == program.home.resolve()
    assert program.home.stat().st_mode & 0o077 == 0
    program.close()
    assert not program.home.exists()


def test_files_lie_in_its_home() -> None:
    program = Program("engine:x", ["cat", "note"], 5.0, files={"note": "hello\n"})
    assert program.line() == "hello"
    program.close()


def test_silence_ends_after_the_timeout() -> None:
    program = shell("echo hm >&2; sleep 100", timeout=0.3)
    program.send("genmove b\n")
    begun = time.monotonic()
    with pytest.raises(EngineError, match=r"did not answer to 'genmove b' in 0\.3 s.*; it said"):
        program.line()
    assert time.monotonic() - begun < 5
    program.close()


@pytest.mark.parametrize("pause", ["sleep 0.05", ":"])
def test_drops_are_no_answer(pause: str) -> None:
    """Each read in time, but never an end: the clock is that of the whole answer."""
    program = shell(f"while :; do printf x; {pause}; done", timeout=0.5)
    with pytest.raises(EngineError, match="did not answer"):
        program.line()
    program.close()


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("echo 'out of cheese' >&2; exit 3", "ended with exit code 3; it said: 'out of cheese'"),
        ("kill -9 $$", r"was killed \(SIGKILL\)"),
        ("exec >&-; sleep 100", "closed its output"),
        ("exit 0", "ended with exit code 0"),
    ],
)
def test_death_is_told_with_the_last_words(code: str, problem: str) -> None:
    program = shell(code)
    with pytest.raises(EngineError, match=problem):
        program.line()
    program.close()


def test_what_is_told_to_the_dead_is_no_crash() -> None:
    program = shell("exit 7")
    time.sleep(0.1)
    program.send("x" * 1_000_000)
    with pytest.raises(EngineError, match="exit code 7"):
        program.line()
    program.close()


@pytest.mark.parametrize("code", ["print('x' * 65536, end='')", "print('a line')"])
def test_endless_output_is_cut(code: str) -> None:
    program = python(f"while True: {code}")
    with pytest.raises(EngineError, match="said more than 1048576 bytes"):
        all(program.line() is not None for _ in range(1_000_000))
    program.close()


def test_complaints_do_not_block_it() -> None:
    program = python("import sys; sys.stderr.write('e' * 3_000_000); print('done')")
    assert program.line() == "done"
    program.close()


def test_one_that_does_not_listen_blocks_nobody() -> None:
    program = python("import time; print('x' * 500_000); time.sleep(100)", timeout=1.0)
    program.send("y" * 2_000_000 + "\n")
    assert len(program.line()) == 500_000
    with pytest.raises(EngineError, match="did not answer"):
        program.line()
    program.close()


def test_its_children_go_with_it() -> None:
    program = shell("sleep 1000 & echo $!; wait")
    child = int(program.line())
    assert is_alive(child)
    program.close()
    assert dies(child)


def test_children_of_one_that_died_go_too() -> None:
    program = shell("sleep 1000 & echo $!; exec >&- 2>&-; exit 1")
    child = int(program.line())
    with pytest.raises(EngineError, match=r"closed its output|exit code 1"):
        program.line()
    assert dies(child)
    program.close()


def test_one_that_is_forgotten_ends() -> None:
    program = shell("echo $$; sleep 1000")
    pid, before = int(program.line()), running()
    del program
    gc.collect()
    assert dies(pid)
    assert running() < before


def test_another_thread_can_stop_it() -> None:
    program = shell("echo $$; sleep 1000")
    program.line()
    threading.Timer(0.1, program.stop).start()
    with pytest.raises(EngineError, match="was stopped"):
        program.line()
    assert not program.is_usable
    program.close()


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_us_whatever_kills_us(sign: signal.Signals) -> None:
    # this one also ignores the end of its input
    code = (
        "from quintet.bridges.engines.program import Program\n"
        "p = Program('x', ['/bin/sh', '-c', 'trap \"\" HUP TERM; echo $$; sleep 1000'], 99)\n"
        "print(p.line(), flush=True)\n"
        "p.line()\n"
    )
    us = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.DEVNULL)  # fmt: skip
    assert us.stdout is not None
    pid = int(us.stdout.readline())
    assert is_alive(pid)
    os.kill(us.pid, sign)
    us.wait()
    us.stdout.close()
    assert dies(pid)


def test_a_terminal_of_its_own() -> None:
    code = (
        "import os, sys; print(sys.stdout.isatty(), *os.get_terminal_size());"
        "print(input()); sys.exit(4)"
    )
    program = python(code, terminal=True)
    assert program.line() == "True 80 24"
    program.send("hello\n")
    assert program.until(re.compile(rb"hello\r\nhello"))
    with pytest.raises(EngineError, match="exit code 4"):
        program.until(re.compile(rb"never"))
    program.close()


def test_what_cannot_be_started() -> None:
    with pytest.raises(EngineError, match="there is no program 'no-such-engine' here"):
        Program("engine:x", ["no-such-engine"], 1.0)
    before = set(pathlib.Path("/tmp").glob("quintet-engine-*"))
    with pytest.raises(EngineError, match=r"no program|cannot be run"):
        Program("engine:x", [__file__], 1.0)
    assert set(pathlib.Path("/tmp").glob("quintet-engine-*")) <= before


def test_waiting_for_a_file() -> None:
    program = shell("echo noise; sleep 0.1; echo text > file; sleep 100", timeout=5.0)
    file = program.home / "file"
    program.wait_for(file.exists)
    assert program.home.exists()
    program.close()
    program = shell("while :; do echo noise; done", timeout=5.0)
    with pytest.raises(EngineError, match=r"said more than|did not answer"):
        program.wait_for(lambda: False)
    program.close()
