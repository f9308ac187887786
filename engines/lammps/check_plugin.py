"""Calls lammpsplugin_init as `plugin load` does, and looks at what it registers.

Debian's LAMMPS has no plugins: this is as far as they can be tested with it. Called by the deck
in.plugin.
"""

import ctypes
import os


class Plugin(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("version", "style", "name", "info", "author")]
    _fields_ += [("creator", ctypes.c_void_p), ("handle", ctypes.c_void_p)]


def check_plugin(lammps):
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    pointer = api.PyCapsule_GetPointer(lammps, api.PyCapsule_GetName(lammps))
    library = ctypes.CDLL(os.environ["IMPINGE_LAMMPS"], mode=ctypes.RTLD_GLOBAL)
    seen = []

    @ctypes.CFUNCTYPE(None, ctypes.POINTER(Plugin), ctypes.c_void_p)
    def register(plugin, to):
        p = plugin.contents
        seen.append((p.version, p.style, p.name, p.handle, bool(p.creator), to == pointer))

    library.lammpsplugin_init.argtypes = [ctypes.c_void_p] * 3
    handle = 12345
    library.lammpsplugin_init(pointer, handle, ctypes.cast(register, ctypes.c_void_p).value)
    for version, style, name, got, has_creator, same in seen:
        right = (style, name, got, has_creator, same) == (b"fix", b"impinge", handle, True, True)
        print("plugin", version.decode(), "right" if right else "wrong", flush=True)
