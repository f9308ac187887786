/*
 * The two ways into LAMMPS: impinge_register_fix for a program that has no plugins, as Debian's,
 * called by load_impinge.py; and lammpsplugin_init for `plugin load`.
 */
#include <lammps/lammps.h>
#include <lammps/modify.h>

#include "fix_impinge.h"

using namespace LAMMPS_NS;

namespace {

Fix *make_fix(LAMMPS *lmp, int count, char **argument) {
    return new FixImpinge(lmp, count, argument);
}

/* The declarations of LAMMPS' lammpsplugin.h, which Debian does not ship; unchanged since 29 Sep
 * 2021. */
struct Plugin {
    const char *version;
    const char *style;
    const char *name;
    const char *info;
    const char *author;
    union {
        void *v1;
        void *v2;
    } creator;
    void *handle;
};
using Register = void (*)(Plugin *, void *);

} // namespace

extern "C" int impinge_register_fix(void *lammps) {
    (*static_cast<LAMMPS *>(lammps)->modify->fix_map)["impinge"] = &make_fix;
    return 1;
}

/* LAMMPS compares the version with its own and warns if they differ. */
extern "C" void lammpsplugin_init(void *lammps, void *handle, void *register_plugin) {
    static Plugin plugin;
    plugin.version = static_cast<LAMMPS *>(lammps)->version;
    plugin.style = "fix";
    plugin.name = "impinge";
    plugin.info = "Hard contacts of spheres by Impinge";
    plugin.author = "The Impinge project";
    plugin.creator.v2 = reinterpret_cast<void *>(&make_fix);
    plugin.handle = handle;
    reinterpret_cast<Register>(register_plugin)(&plugin, lammps);
}
