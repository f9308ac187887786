"""Impulses of very large batches of contact collisions with friction, on numpy arrays.

    import impinge
    contacts = impinge.Contacts(k=K, u=u, restitution=0.5, friction=0.1)   # K (6, n), u (3, n)
    results = impinge.resolve_contacts(contacts, law='smith')
    results.p, results.u_after, results.outcome & impinge.Outcome.STUCK

Arrays have an element for each contact; arrays of all components have a row for each. All float32:
single precision; else double. Arrays whose type and stride fit are used as they are, and not
copied. What is wrong with a contact is in its outcome; what is wrong with a call is an exception.
docs/python.md tells more; docs of every struct and call are those of the C headers.
"""
from impinge import _calls, _structs
from impinge._calls import Error
from impinge._core import ffi, lib

__all__ = ['Error', 'ffi', 'lib']


def _publish():
    names = {}
    names.update(_structs.CONSTANTS)
    names.update({kind.__name__: kind for kind in _structs.ENUMS.values()})
    names.update({kind.__name__: kind for kind in _structs.TYPES.values()})
    names.update({kind.__name__: kind for kind in _calls.ERRORS.values()})
    names.update({call.__name__: call for call in _calls.CALLS.values()})
    globals().update(names)
    __all__.extend(sorted(names))


_publish()
__version__ = _calls.version()
