"""The only module that knows how Python becomes machine code.

``jit`` compiles a function.  ``generic`` declares a function that each game
(or player, or evaluator) implements for its own class.  ``machine`` gives a
plain Python function a twin of one machine instruction.  All three also work,
slowly and debuggably, under ``NUMBA_DISABLE_JIT=1``.  ``ask_python`` is the way
back: compiled code calls a function of the interpreter.

Compiled code is kept on disk, in a file whose name is a digest of the function,
its argument types and *every source it may have been compiled from* (`sources.py`):
after an edit the old file is simply not found.  (Numba's own cache looks only at
the file of the outermost function, numba#1833.)
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import hashlib
import inspect
import itertools
import os
import pathlib
import pickle
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numba
import platformdirs
from llvmlite import binding, ir
from numba.core import bytecode, caching, compiler, imputils, serialize, types
from numba.core.typing import signature
from numba.extending import intrinsic, models, overload, register_model, typeof_impl

from quintet import sources

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT

_KEEP_UNUSED_DAYS = 30
_DAY = 24 * 3600


def jit(function: F) -> F:
    """Compile `function` to machine code on first call, and keep it on disk."""
    return _compiled(function, counting=True)


def borrowing(function: F) -> F:
    """Compile a function that neither makes arrays nor returns any, and so need not count them.

    Counting who holds an array costs more than a step of a tree search does.  So does
    passing a tree of arrays: it becomes a part of whoever calls it.
    """
    return _compiled(function, counting=False, inlined=True)


def _compiled(function: F, *, counting: bool, inlined: bool = False) -> F:
    compiled = numba.njit(
        nogil=True, error_model="numpy", _nrt=counting, no_cfunc_wrapper=True, forceinline=inlined
    )(function)
    if COMPILED:
        compiled._cache = _Cache(function)
    return cast(F, compiled)


class generic(Generic[P, R]):
    """A function with one implementation per class of its first argument."""

    def __init__(self, declaration: Callable[P, R]) -> None:
        """Declare it; what `declaration` does never runs."""
        functools.update_wrapper(self, declaration)
        self._implementations: dict[type, Callable[..., R]] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the implementation for the first argument."""
        return self.implementation_for(type(args[0]))(*args, **kwargs)

    def implement(self, cls: type) -> Callable[[F], F]:
        """Compile the decorated function, unless it is, as the implementation for `cls`."""
        _tell_apart(cls)

        def register(function: F) -> F:
            self._refuse_stranger(cls, function)
            compiled = function if hasattr(function, "py_func") else jit(function)
            self._implementations[cls] = compiled
            return compiled

        return register

    def _refuse_stranger(self, cls: type, function: Callable[..., Any]) -> None:
        """An implementation whose edits nobody would notice on disk: see `sources.py`."""
        watched = {cls.__module__, self.__module__}
        theirs = cls is not object and not sources.is_ours(cls.__module__)  # with its neighbours
        if not theirs and function.__module__ not in watched:
            raise TypeError(
                f"{function.__module__} implements {self.__name__}() for {cls.__qualname__}; "
                f"expected that in {' or '.join(sorted(watched))}"
            )

    def default(self, function: F) -> F:
        """Compile the decorated function for every class that has no other."""
        return self.implement(object)(function)

    def implementation_for(self, cls: type) -> Callable[..., R]:
        """What `cls`, or the nearest of its base classes, registered."""
        for base in cls.__mro__:
            if base in self._implementations:
                return self._implementations[base]
        raise NotImplementedError(f"{cls.__qualname__} implements no {self.__name__}()")

    __name__: str


def _tell_apart(cls: type) -> None:
    """Give a class of a user the name of its module too.

    Numba's dispatcher tells NamedTuples apart by their class's name and fields
    alone: `MyGame` of one file would be played by the rules of another's.
    """
    if cls is not object and not cls.__module__.startswith("quintet."):
        cls.__name__ = f"{cls.__module__}.{cls.__qualname__}"


class _GenericType(types.Callable, types.Opaque):
    """What a `generic` is inside compiled code: chosen once, at compile time."""

    def __init__(self, function: generic[Any, Any]) -> None:
        self.function = function
        super().__init__(f"generic({function.__module__}.{function.__name__})")

    def _chosen(self, args: Any) -> Any:
        chosen = self.function.implementation_for(args[0].instance_class)
        return types.Dispatcher(chosen)

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self._chosen(args).get_call_type(context, args, kws)

    def get_call_signatures(self) -> Any:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        return self._chosen(sig.args).get_impl_key(sig)


register_model(_GenericType)(models.OpaqueModel)


@typeof_impl.register(generic)  # type: ignore[untyped-decorator]
def _type_of_generic(function: generic[Any, Any], _: Any) -> _GenericType:
    return _GenericType(function)


@imputils.lower_constant(_GenericType)  # type: ignore[untyped-decorator]
def _generic_constant(context: Any, *_: Any) -> Any:
    return context.get_dummy_value()


def machine(instruction: str, requires: str = "") -> Callable[[F], F]:
    """Give a Python function on 64-bit words an LLVM instruction as its twin.

    Where the processor lacks the feature `requires`, the function itself is
    compiled instead.
    """

    def attach(function: F) -> F:
        if requires and not binding.get_host_cpu_features().get(requires, False):
            return jit(function)
        emit = _intrinsic_for(instruction, len(inspect.signature(function).parameters))
        overload(function)(emit)
        return function

    return attach


def _intrinsic_for(instruction: str, arity: int) -> Callable[..., Any]:
    word = ir.IntType(64)

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        if instruction in ("add", "mul"):  # wrap around silently, as uint64 does
            return getattr(builder, instruction)(*args)
        # counting zeros takes a flag: is the answer for zero undefined?
        flags = [ir.Constant(ir.IntType(1), 0)] if instruction.startswith("llvm.cttz") else []
        kinds = [word] * arity + [flag.type for flag in flags]
        module = builder.module
        function = module.declare_intrinsic(instruction, (), ir.FunctionType(word, kinds))
        return builder.call(function, [*args, *flags])

    if arity == 1:

        @intrinsic  # type: ignore[untyped-decorator]
        def one(_typing: Any, a: Any) -> Any:
            return signature(types.uint64, types.uint64), generate

        return lambda a: lambda a: one(a)  # noqa: PLW0108 - overload wants a function

    @intrinsic  # type: ignore[untyped-decorator]
    def two(_typing: Any, a: Any, b: Any) -> Any:
        return signature(types.uint64, types.uint64, types.uint64), generate

    return lambda a, b: lambda a, b: two(a, b)  # noqa: PLW0108


# --- back into the interpreter ------------------------------------------------

_Callback = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_callbacks: dict[int, tuple[Any, Callable[[int, int, int], None]]] = {}


def python_address(function: Callable[[int, int, int], None]) -> int:
    """Where `ask_python` finds a Python function, in this process.

    A number and not the function itself, so that the code which calls it does not
    depend on the process and can be kept on disk.  It waits for the interpreter's lock.
    """
    callback = _Callback(function)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert address is not None
    _callbacks[address] = callback, function
    return address


def ask_python(address: int, record: Any, first: int, second: int) -> None:
    """Call the Python function at an address, with the address of a record and two numbers."""
    _callbacks[address][1](int(record.__array_interface__["data"][0]), first, second)


@intrinsic  # type: ignore[untyped-decorator]
def _call(_typing: Any, address: Any, record: Any, first: Any, second: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [word] * 3)
        function = builder.inttoptr(args[0], kind.as_pointer())
        builder.call(function, [builder.ptrtoint(args[1], word), args[2], args[3]])
        return context.get_dummy_value()

    return types.void(types.int64, record, types.int64, types.int64), generate


_ask = lambda address, record, first, second: _call(address, record, first, second)  # noqa: E731, PLW0108
overload(ask_python)(lambda address, record, first, second: _ask)  # it wants no annotations


# --- the cache ----------------------------------------------------------------


# Numba numbers the functions of a process, and tells their machine code apart by
# that number and a short name of the argument types, in which all records of a
# process are numbered too.  Code from two processes could have the same name, and
# one would run in place of the other.  So no two processes count alike.
bytecode.FunctionIdentity._unique_ids = itertools.count(secrets.randbits(56))


class _Cache(caching._Cache):  # type: ignore[misc]
    """Compiled code of one function on disk: one file per signature and sources."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._name = f"{function.__module__}.{function.__qualname__}"
        sources.note(function.__module__)

    @property
    def cache_path(self) -> str:
        return str(_cache_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        if not sources.are_files(self._modules(sig)):
            return None
        try:
            seal, data = _split(_read_used(self._path(sig, target_context)))
        except OSError:
            _tell_compiling()
            return None
        if seal != _seal(data):  # cut short or damaged: compile anew
            return None
        return compiler.CompileResult._rebuild(target_context, *pickle.loads(data))

    def save_overload(self, sig: Any, data: Any) -> None:
        if data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            return
        modules = self._modules(sig)
        if not sources.are_files(modules) or sources.changed(modules):
            return  # what we run is in no file, or no longer what the files say
        if _calls_itself_otherwise(data.library):
            raise TypeError(
                f"{self._name}, or what it calls, is recursive with arguments of other types than "
                "those it is first called with, such as a variable in place of a literal number"
            )
        path = self._path(sig, data.target_context)
        compiled = serialize.dumps(data._reduce())
        with contextlib.suppress(OSError):  # a full or read-only disk: no cache
            _write_atomically(path, _seal(compiled) + compiled)
            _remove_unused(path.parent)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def _path(self, sig: Any, target_context: Any) -> pathlib.Path:
        magic = target_context.codegen().magic_tuple()
        line = self._function.__code__.co_firstlineno
        what: tuple[Any, ...] = (
            self._name,
            line,
            str(sig),
            magic,
            numba.__version__,
            sys.version,
            sources.digests(self._modules(sig)),
        )
        if self._function.__closure__:  # one source, but a function for each content
            values = [cell.cell_contents for cell in self._function.__closure__]
            what = (*what, hashlib.sha256(serialize.dumps(values)).hexdigest())
        name = hashlib.sha256(repr(what).encode()).hexdigest()[:40]
        return _cache_folder() / f"{self._function.__name__}-{name}"

    def _modules(self, sig: Any) -> set[str]:
        return {self._function.__module__} | _modules_of(sig)


_tellers: list[Callable[[], None]] = []


def tell_when_compiling(tell: Callable[[], None]) -> None:
    """Call `tell` when something is not found on disk, once: compiling takes seconds."""
    _tellers[:] = [tell]


def _tell_compiling() -> None:
    while _tellers:
        _tellers.pop()()


def _calls_itself_otherwise(library: Any) -> bool:
    """Does compiled code jump to an address that only this process will know?

    Numba resolves a recursion that changes its types only while it compiles all of
    it; with one half read from disk, the other would jump to nowhere.
    """
    return any(
        variable.name.startswith(".numba.unresolved$")
        for variable in library._final_module.global_variables
    )


def _modules_of(sig: Any) -> set[str]:
    """The modules of the classes in a signature: games, players, evaluators."""
    found, parts = set(), list(sig.args if hasattr(sig, "args") else sig)
    while parts:
        part = parts.pop()
        if hasattr(part, "instance_class"):
            found |= {cls.__module__ for cls in part.instance_class.__mro__}
        parts += list(getattr(part, "types", ()))
        if hasattr(part, "dtype") and part.dtype is not part:
            parts.append(part.dtype)
    return found


@functools.cache
def _cache_folder() -> pathlib.Path:
    """Where compiled code lives."""
    chosen = os.environ.get("QUINTET_CACHE")
    root = pathlib.Path(chosen) if chosen else platformdirs.user_cache_path("quintet")
    folder = root / "compiled"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return _folder_for_now()
    return folder


def _folder_for_now() -> pathlib.Path:
    """A folder of our own for this process, where the chosen one cannot be written.

    Not one with a name that others can foresee: what is read from it is run.
    """
    folder = tempfile.mkdtemp(prefix="quintet-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return pathlib.Path(folder)


def _read_used(path: pathlib.Path) -> bytes:
    """What a file of the cache holds; it is noted, now and then, that somebody wanted it."""
    data = path.read_bytes()
    with contextlib.suppress(OSError):
        if path.stat().st_mtime < time.time() - _DAY:
            path.touch()
    return data


@functools.cache
def _remove_unused(folder: pathlib.Path) -> None:
    """Remove what nobody wanted for long, once in a process that compiles."""
    oldest = time.time() - _KEEP_UNUSED_DAYS * _DAY
    for file in folder.iterdir():
        with contextlib.suppress(OSError):
            if file.stat().st_mtime < oldest:
                file.unlink()


def _seal(data: bytes) -> bytes:
    """What stands before compiled code in its file, to notice damage."""
    return hashlib.sha256(data).digest()


def _split(content: bytes) -> tuple[bytes, bytes]:
    length = hashlib.sha256().digest_size
    return content[:length], content[length:]


def _write_atomically(path: pathlib.Path, data: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(data)
    os.replace(file.name, path)
