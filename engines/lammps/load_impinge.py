"""Gives fix impinge to an lmp that has no plugins but Python, as Debian's:

    python load_impinge input 1 SELF format p file load_impinge.py
    python load_impinge invoke

The fix is in the shared library that the variable IMPINGE_LAMMPS of the environment names, or in
fix_impinge.so in the working directory.
"""

import ctypes
import os


def load_impinge(lammps):
    """lammps: the capsule that holds LAMMPS' pointer to itself."""
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    path = os.environ.get("IMPINGE_LAMMPS", os.path.abspath("fix_impinge.so"))
    library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    library.impinge_register_fix.argtypes = [ctypes.c_void_p]
    library.impinge_register_fix(api.PyCapsule_GetPointer(lammps, api.PyCapsule_GetName(lammps)))
