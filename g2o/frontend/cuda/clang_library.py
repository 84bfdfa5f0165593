# pyright: basic
"""What the frontend calls of libclang beyond its binding: prototypes, and places in files.

Offsets are "file locations": an argument of a macro is where it is spelled, the body of a macro is
where the macro is used.
"""

import ctypes
import os
from typing import Any

from clang import cindex

os.environ.setdefault("LIBCLANG_NOTHREADS", "1")  # parse on the caller's stack, however large
LIB: Any = cindex.conf.lib
LIB.clang_getCursorBinaryOperatorKind.argtypes = [cindex.Cursor]
LIB.clang_getCursorBinaryOperatorKind.restype = ctypes.c_int
LIB.clang_getCursorUnaryOperatorKind.argtypes = [cindex.Cursor]
LIB.clang_getCursorUnaryOperatorKind.restype = ctypes.c_int
_LOCATION_ARGUMENTS = [cindex.SourceLocation, *[ctypes.c_void_p] * 4]
_FILE_LOCATION = ctypes.CFUNCTYPE(None, *_LOCATION_ARGUMENTS)(("clang_getFileLocation", LIB))
_SPELLING_LOCATION = ctypes.CFUNCTYPE(None, *_LOCATION_ARGUMENTS)(
    ("clang_getSpellingLocation", LIB)
)
LIB.clang_getNumOverloadedDecls.argtypes = [cindex.Cursor]
LIB.clang_getNumOverloadedDecls.restype = ctypes.c_uint
LIB.clang_getOverloadedDecl.argtypes = [cindex.Cursor, ctypes.c_uint]
LIB.clang_getOverloadedDecl.restype = cindex.Cursor
LIB.clang_getSpecializedCursorTemplate.argtypes = [cindex.Cursor]
LIB.clang_getSpecializedCursorTemplate.restype = cindex.Cursor
NO_FILE = ctypes.c_void_p
LIB.clang_Cursor_Evaluate.argtypes = [cindex.Cursor]
LIB.clang_Cursor_Evaluate.restype = ctypes.c_void_p
_EVAL = {
    "clang_EvalResult_getKind": ctypes.c_int,
    "clang_EvalResult_getAsLongLong": ctypes.c_longlong,
    "clang_EvalResult_getAsDouble": ctypes.c_double,
}
for _name, _result in _EVAL.items():
    getattr(LIB, _name).argtypes = [ctypes.c_void_p]
    getattr(LIB, _name).restype = _result
LIB.clang_EvalResult_dispose.argtypes = [ctypes.c_void_p]


class SourceRanges(ctypes.Structure):
    """CXSourceRangeList."""

    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]


LIB.clang_getClangVersion.argtypes = []
LIB.clang_getClangVersion.restype = cindex._CXString
LIB.clang_getSkippedRanges.argtypes = [cindex.TranslationUnit, cindex.File]
LIB.clang_getSkippedRanges.restype = ctypes.POINTER(SourceRanges)
LIB.clang_disposeSourceRangeList.argtypes = [ctypes.POINTER(SourceRanges)]
LIB.clang_disposeSourceRangeList.restype = None


_STRING: Any = cindex._CXString
_FILE: Any = cindex.File
_FILE_NAME = ctypes.CFUNCTYPE(_STRING, _FILE)(("clang_getFileName", LIB))
_BYTES = ctypes.CFUNCTYPE(ctypes.c_char_p, _STRING)(("clang_getCString", LIB))


def file_name(file: Any) -> str:
    """The name of a file as Python knows it: the binding reads names as UTF-8 in any locale."""
    return os.fsdecode(_BYTES(_FILE_NAME(file)) or b"") if file else ""


def clang_version() -> str:
    return str(cindex._CXString.from_result(LIB.clang_getClangVersion(), None, ()))


def file_offset(location: Any) -> int:
    offset = ctypes.c_uint()
    _FILE_LOCATION(location, None, None, None, ctypes.byref(offset))
    return offset.value


def spelling_offset(location: Any) -> int:
    offset = ctypes.c_uint()
    _SPELLING_LOCATION(location, None, None, None, ctypes.byref(offset))
    return offset.value
