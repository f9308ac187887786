#include "fix_impinge.h"

#include <lammps/atom.h>
#include <lammps/comm.h>
#include <lammps/domain.h>
#include <lammps/error.h>
#include <lammps/force.h>
#include <lammps/group.h>
#include <lammps/modify.h>
#include <lammps/neighbor.h>
#include <lammps/region.h>
#include <lammps/update.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sum.h"

using namespace LAMMPS_NS;
using namespace impinge_lammps;

namespace {

/* The numbers of a sphere that ranks exchange. */
constexpr int ALL_TOLD = sizeof(Told) / sizeof(double);
constexpr int VELOCITIES = 6;
constexpr int VELOCITIES_AND_COUNTS = 7;

/* A region's contacts with a sphere have numbers below this. */
constexpr int WALLS_OF_REGION = 64;

constexpr int LOCAL_COLUMNS = 13;

constexpr const char *BAD_RESTART = "the restart file does not hold its memory";

/* A contact at rest approaches at g h before each rest; four times that is not taken for an impact.
 */
constexpr double REST_STEPS = 4;
constexpr double SLOP_OF_RADIUS = 0.01;

/* Later versions of LAMMPS find regions this way, */
template <typename Regions>
auto find_region(Regions *in, const std::string &name, int)
    -> decltype(in->get_region_by_id(name)) {
    return in->get_region_by_id(name);
}

/* those up to 2022 so. */
template <typename Regions> Region *find_region(Regions *in, const std::string &name, long) {
    const int found = in->find_region(name);
    return found < 0 ? nullptr : in->regions[found];
}

} // namespace

/* ---- The command ---- */

FixImpinge::FixImpinge(LAMMPS *program, int count, char **argument)
    : Fix(program, count, argument) {
    step.set = {};
    step.set.classes = 4;
    step.set.factor = 1;
    friction = 0;
    restitution = 1;
    rest_speed = slop = 0;
    auto_rest = auto_slop = guards = true;
    auto_is_due = false;
    rounds_max = 64;
    sweeps_max = 2;
    fixed_bit = 0;
    memory_time_step = 0;
    pairs_are_current = list_is_due = goes_on = false;
    reduced_at = -1;
    std::fill(last, last + OUTPUTS, 0.0);
    for (int i = 3; i < count;)
        i += parse(i, count, argument);
    check_arguments();
    if (!has_friction()) friction = 0;

    vector_flag = 1;
    size_vector = OUTPUTS;
    global_freq = 1;
    extvector = 0;
    local_flag = 1;
    size_local_cols = LOCAL_COLUMNS;
    size_local_rows = 0;
    local_freq = 1;
    restart_global = 1;
    restart_peratom = 1;
    create_attribute = 1;
    maxexchange_dynamic = 1;
    grow_arrays(atom->nmax);
    atom->add_callback(Atom::GROW);
    atom->add_callback(Atom::RESTART);
}

FixImpinge::~FixImpinge() {
    atom->delete_callback(id, Atom::GROW);
    atom->delete_callback(id, Atom::RESTART);
}

void FixImpinge::refuse(const std::string &why) {
    error->all(FLERR, std::string("fix impinge: " + why));
}

void FixImpinge::check(impinge_status status) {
    if (status < 0) error->one(FLERR, std::string("fix impinge: ") + impinge_status_text(status));
}

/* As check, for impacts: one that the library does not resolve would approach for ever. */
void FixImpinge::check_collisions(impinge_status status) {
    check(status);
    if (status == IMPINGE_OK) return;
    char outcome[IMPINGE_OUTCOME_TEXT_SIZE];
    impinge_outcome_text(step.invalid.outcome, outcome, sizeof outcome);
    error->one(FLERR, "fix impinge: the impact of " + std::to_string(step.invalid.id_a) + " on " +
                          std::to_string(step.invalid.id_b) + " is " + outcome);
}

bool FixImpinge::has_friction() const {
    return (impinge_law_properties(step.set.law) & IMPINGE_LAW_READS_FRICTION) != 0;
}

/* One of the library's laws of particles, by its name. */
impinge_law FixImpinge::find_law(const std::string &name) {
    std::string names;
    for (int k = 0; k < IMPINGE_LAW_COUNT; k++) {
        const impinge_law law = static_cast<impinge_law>(k);
        if (!(impinge_law_properties(law) & IMPINGE_LAW_RESOLVES_PARTICLES)) continue;
        if (name == impinge_law_name(law)) return law;
        names += names.empty() ? "" : ", ";
        names += impinge_law_name(law);
    }
    refuse("law is one of " + names);
}

double FixImpinge::number(const char *text) {
    const double value = utils::numeric(FLERR, text, false, lmp);
    if (!std::isfinite(value)) refuse(std::string(text) + " is not finite");
    return value;
}

double FixImpinge::share(const char *what, double value) {
    if (!(value >= 0 && value <= 1)) refuse(std::string(what) + " is 0 to 1");
    return value;
}

/* What depends on several keywords, which may stand in any order. */
void FixImpinge::check_arguments() {
    const impinge_restitution_kind kind = step.set.restitution.kind;
    const bool reads_e =
        kind == IMPINGE_RESTITUTION_CONSTANT || kind == IMPINGE_RESTITUTION_THRESHOLD;
    for (const Wall &wall : walls)
        if (wall.restitution >= 0 && !reads_e)
            refuse("wall/e has no meaning where e is a model that gives it for all contacts");
    check(step.try_collision(restitution, friction));
}

/* One keyword and its values. Returns how many arguments they are. */
int FixImpinge::parse(int i, int count, char **argument) {
    const std::string word = argument[i];
    if (word == "e") return parse_restitution(i, count, argument);
    if (word == "wall") return parse_wall(i, count, argument);
    if (i + 2 > count) refuse("a value is missing after " + word);
    const char *const value = argument[i + 1];
    const std::string text = value;
    if (word == "law") {
        step.set.law = find_law(text);
    } else if (word == "mu") {
        friction = number(value);
    } else if (word == "et") {
        step.set.tangential_restitution = number(value);
        if (std::fabs(step.set.tangential_restitution) > 1) refuse("et is -1 to 1");
    } else if (word == "rest") {
        auto_rest = text == "auto";
        if (!auto_rest) rest_speed = number(value);
    } else if (word == "slop") {
        auto_slop = text == "auto";
        if (!auto_slop) slop = number(value);
    } else if (word == "factor") {
        step.set.factor = share("factor", number(value));
    } else if (word == "rounds") {
        rounds_max = utils::inumeric(FLERR, value, false, lmp);
    } else if (word == "sweeps") {
        sweeps_max = utils::inumeric(FLERR, value, false, lmp);
    } else if (word == "classes") {
        step.set.classes = utils::inumeric(FLERR, value, false, lmp);
    } else if (word == "guard") {
        if (text != "yes" && text != "no") refuse("guard is yes or no");
        guards = text == "yes";
    } else if (word == "fixed") {
        fixed_group = text;
    } else {
        refuse("there is no keyword " + word);
    }
    if (step.set.classes < 1 || step.set.classes > CLASSES_MAX) refuse("classes are 1 to 8");
    if (rounds_max < 1 || sweeps_max < 1) refuse("rounds and sweeps are at least 1");
    if (!(friction >= 0) || !(rest_speed >= 0) || !(slop >= 0))
        refuse("mu, rest and slop are at least 0");
    return 2;
}

/* e X, e threshold X speed, e elastoplastic speed, e viscoelastic A Y nu, e table N v1 e1 ... */
int FixImpinge::parse_restitution(int i, int count, char **argument) {
    if (i + 2 > count) refuse("a value is missing after e");
    const std::string kind = argument[i + 1];
    impinge_restitution_f64 &model = step.set.restitution;
    model = {};
    restitution = 1;
    const auto value = [&](int k) {
        if (i + k >= count) refuse("a value is missing after e " + kind);
        return number(argument[i + k]);
    };
    if (kind == "threshold") {
        model.kind = IMPINGE_RESTITUTION_THRESHOLD;
        restitution = share("e", value(2));
        model.speed = value(3);
        if (model.speed < 0) refuse("the speed of e threshold is at least 0");
        return 4;
    }
    if (kind == "elastoplastic") {
        model.kind = IMPINGE_RESTITUTION_ELASTOPLASTIC;
        model.speed = value(2);
        if (model.speed < 0) refuse("the speed of e elastoplastic is at least 0");
        return 3;
    }
    if (kind == "viscoelastic") {
        model.kind = IMPINGE_RESTITUTION_VISCOELASTIC;
        model.dissipation_time = value(2);
        model.young_modulus = value(3);
        model.poisson_ratio = value(4);
        if (model.dissipation_time < 0 || model.young_modulus <= 0 || model.poisson_ratio <= -1 ||
            model.poisson_ratio > 0.5)
            refuse("e viscoelastic has A at least 0, Y above 0 and NU above -1 and at most 0.5");
        return 5;
    }
    if (kind == "table") {
        const double given = value(2);
        if (!(given >= 1 && given <= IMPINGE_RESTITUTION_TABLE_MAX) || given != std::floor(given))
            refuse("a table has 1 to 64 points");
        const int points = static_cast<int>(given);
        table_speed.clear();
        table_restitution.clear();
        for (int k = 0; k < points; k++) {
            const double speed = value(3 + 2 * k);
            if (speed < 0 || (k > 0 && speed <= table_speed.back()))
                refuse("the speeds of a table are at least 0 and ascend");
            table_speed.push_back(speed);
            table_restitution.push_back(share("e", value(4 + 2 * k)));
        }
        model.kind = IMPINGE_RESTITUTION_TABLE;
        model.table_speed = table_speed.data();
        model.table_restitution = table_restitution.data();
        model.points = static_cast<size_t>(points);
        return 3 + 2 * points;
    }
    restitution = share("e", number(argument[i + 1]));
    return 2;
}

/* wall plane nx ny nz offset, or wall region ID; then e X and mu X if they are not those of pairs.
 */
int FixImpinge::parse_wall(int i, int count, char **argument) {
    if (i + 3 > count) refuse("a value is missing after wall");
    Wall wall = {false, {0, 0, 0}, 0, "", nullptr, -1, -1};
    const std::string kind = argument[i + 1];
    int used = 3;
    if (kind == "plane") {
        used = 6;
        if (i + used > count) refuse("wall plane has a normal and an offset");
        for (int k = 0; k < 3; k++)
            wall.normal[k] = number(argument[i + 2 + k]);
        const double length = std::hypot(wall.normal[0], wall.normal[1], wall.normal[2]);
        if (!(length > 0 && std::isfinite(length)) || !std::isfinite(1 / length))
            refuse("a wall's normal is zero or too long");
        for (double &n : wall.normal)
            n /= length;
        wall.offset = number(argument[i + 5]) / length;
    } else if (kind == "region") {
        wall.is_region = true;
        wall.name = argument[i + 2];
    } else {
        refuse("a wall is a plane or a region");
    }
    for (; i + used + 1 < count; used += 2) {
        const std::string word = argument[i + used];
        if (word == "wall/e")
            wall.restitution = share("wall/e", number(argument[i + used + 1]));
        else if (word == "wall/mu")
            wall.friction = number(argument[i + used + 1]);
        else
            break;
        if (word == "wall/mu" && wall.friction < 0) refuse("wall/mu is at least 0");
    }
    walls.push_back(wall);
    return used;
}

int FixImpinge::setmask() { return FixConst::POST_FORCE | FixConst::PRE_EXCHANGE; }

void FixImpinge::init() {
    if (!atom->radius_flag || !atom->rmass_flag || !atom->omega_flag || !atom->torque_flag)
        refuse("needs atom_style sphere");
    if (domain->triclinic) refuse("triclinic boxes are not supported");
    if (force->ftm2v != 1)
        refuse("needs units in which force is mass times acceleration: si, cgs or lj");
    if (!fixed_group.empty()) {
        const int group_index = group->find(fixed_group);
        if (group_index < 0) refuse("there is no group " + fixed_group);
        if (group->dynamic[group_index]) refuse("the group of fixed spheres may not be dynamic");
        fixed_bit = group->bitmask[group_index];
    }
    for (Wall &wall : walls) {
        if (!wall.is_region) continue;
        wall.region = find_region(domain, wall.name, 0);
        if (!wall.region) refuse("there is no region " + wall.name);
    }
    make_room_to_exchange();
}

/* ---- A run begins ---- */

bool FixImpinge::is_immovable(int i) const { return (atom->mask[i] & fixed_bit) != 0; }

/*
 * The rest speed from the forces, and the slop from the radii, of all ranks. Without spheres there
 * is neither; then it is due when there are some.
 */
void FixImpinge::choose_automatic() {
    double mine[2] = {0, -HUGE_VAL};
    double all[2];
    for (int i = 0; i < atom->nlocal; i++) {
        if (!(atom->mask[i] & groupbit) || is_immovable(i)) continue;
        const double *const f = atom->f[i];
        mine[0] =
            std::max(mine[0], std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) / atom->rmass[i]);
        mine[1] = std::max(mine[1], -atom->radius[i]);
    }
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, world);
    step.set.rest_speed = auto_rest ? REST_STEPS * update->dt * all[0] : rest_speed;
    auto_is_due = !std::isfinite(all[1]);
    step.set.slop = !auto_slop ? slop : auto_is_due ? 0 : -SLOP_OF_RADIUS * all[1];
}

/*
 * The forces that hold spheres stay as they are when the step's length changes (`timestep`, fix
 * dt/reset), so impulses and the rest speed change with it.
 */
void FixImpinge::follow_time_step() {
    const double was = memory_time_step;
    memory_time_step = step.set.time_step = update->dt;
    if (!(was > 0) || was == update->dt) return;
    const double by = update->dt / was;
    for (int i = 0; i < atom->nlocal; i++)
        spheres_memory.scale(static_cast<size_t>(i), by);
    for (Remembered &kept : touch)
        for (double &p : kept.p)
            p *= by;
    if (auto_rest) step.set.rest_speed *= by;
}

/*
 * The forces of the first half kick. The impacts of the step that ended are over, and the memory
 * has the impulses of its rest, which give the forces: so what rests goes on resting. They are not
 * its forces to the bit, because they are turned to where the spheres are now.
 */
void FixImpinge::setup(int) {
    goes_on = false;
    leave_places();
    follow_time_step();
    choose_automatic();
    find_pairs();
    load();
    exchange_told();
    find_contacts();
    before.assign(VELOCITIES * step.owned, 0);
    for (size_t i = 0; i < step.owned; i++)
        std::copy(step.rows[i].v, step.rows[i].v + VELOCITIES,
                  before.begin() + static_cast<long>(VELOCITIES * i));
    step.choose_classes();
    step.add_warm();
    forces_of_rest();
    remember();
}

/* ---- Neighbours ---- */

/* Checks what the list and the nearest images require of this rank's spheres. */
void FixImpinge::check_sizes() {
    double largest = 0;
    for (int i = 0; i < atom->nlocal + atom->nghost; i++) {
        if (!(atom->radius[i] > 0))
            error->one(FLERR, std::string("fix impinge: a sphere has no radius"));
        largest = std::max(largest, atom->radius[i]);
    }
    const double reach = 2 * largest + neighbor->skin;
    for (int k = 0; k < 3; k++) {
        if (comm->cutghost[k] < reach)
            error->one(FLERR, std::string("fix impinge: comm_modify cutoff is below the largest "
                                          "diameter and the skin"));
        if (domain->periodicity[k] && domain->prd[k] < 2 * reach)
            error->one(FLERR, std::string("fix impinge: two images of a sphere are near another"));
    }
}

/*
 * Neighbours from the library's cells, in compressed rows. Pairs of ghosts are left out: to the
 * library they are immovable.
 */
void FixImpinge::search(std::vector<uint32_t> &starts, std::vector<uint32_t> &index) {
    const size_t owned = static_cast<size_t>(atom->nlocal);
    const size_t all = owned + static_cast<size_t>(atom->nghost);
    std::vector<double> columns(7 * all, 0);
    double *column[7];
    for (size_t k = 0; k < 7; k++)
        column[k] = columns.data() + k * all;
    for (size_t i = 0; i < all; i++) {
        column[0][i] = i < owned ? 1 : 0;
        for (size_t k = 0; k < 3; k++)
            column[1 + k][i] = atom->x[i][k];
    }
    impinge_particles_f64 particles = {};
    particles.count = all;
    particles.radius = atom->radius;
    particles.inverse_mass = column[0];
    particles.position_x = column[1];
    particles.position_y = column[2];
    particles.position_z = column[3];
    particles.velocity_x = column[4];
    particles.velocity_y = column[5];
    particles.velocity_z = column[6];
    impinge_neighbour_options options = {};
    options.skin = neighbor->skin;
    std::vector<char> workspace(impinge_find_neighbours_workspace_f64(all));
    starts.resize(all + 1);
    index.resize(8 * all + 64);
    impinge_neighbours list = {starts.data(), index.data(), index.size(), 0};
    impinge_status status = impinge_find_neighbours_f64(&particles, nullptr, &options,
                                                        workspace.data(), nullptr, &list);
    if (status == IMPINGE_ERROR_COUNT) {
        index.resize(list.count);
        list.index = index.data();
        list.capacity = index.size();
        status = impinge_find_neighbours_f64(&particles, nullptr, &options, workspace.data(),
                                             nullptr, &list);
    }
    check(status);
}

void FixImpinge::find_pairs() {
    const size_t all = static_cast<size_t>(atom->nlocal + atom->nghost);
    check_sizes();
    step.radius.assign(atom->radius, atom->radius + all);
    inverse_mass.resize(all);
    for (size_t i = 0; i < all; i++)
        inverse_mass[i] = is_immovable(static_cast<int>(i)) ? 0 : 1 / atom->rmass[i];
    std::vector<uint32_t> starts, index;
    search(starts, index);
    std::vector<std::pair<uint64_t, Pair>> keyed;
    keyed.reserve(starts[all]);
    for (size_t i = 0; i < all; i++) {
        for (uint32_t k = starts[i]; k < starts[i + 1]; k++) {
            uint32_t a = static_cast<uint32_t>(i);
            uint32_t b = index[k];
            if (!(atom->mask[a] & groupbit) || !(atom->mask[b] & groupbit)) continue;
            if (inverse_mass[a] == 0 && inverse_mass[b] == 0) continue;
            if (atom->tag[a] > atom->tag[b]) std::swap(a, b);
            const uint64_t key =
                static_cast<uint64_t>(atom->tag[a]) << 32 | static_cast<uint32_t>(atom->tag[b]);
            keyed.push_back({key, Pair{a, b}});
        }
    }
    /* A pair has two images, each with one sphere of this rank; either may be the first. */
    std::sort(keyed.begin(), keyed.end(), [](const auto &l, const auto &r) {
        return l.first != r.first ? l.first < r.first : l.second.a < r.second.a;
    });
    pairs.resize(keyed.size());
    for (size_t k = 0; k < keyed.size(); k++)
        pairs[k] = keyed[k].second;
    step.owned = static_cast<size_t>(atom->nlocal);
    tags.assign(atom->tag, atom->tag + all);
    recall_pairs();
    list_is_due = false;
    make_room_to_exchange();
}

/* Copies the pairs' memory from the spheres to the list. */
void FixImpinge::recall_pairs() {
    const size_t owned = static_cast<size_t>(atom->nlocal);
    touched.assign(pairs.size(), 0);
    touch.resize(pairs.size());
    for (size_t k = 0; k < pairs.size(); k++) {
        const bool own_a = pairs[k].a < owned;
        const uint32_t mine = own_a ? pairs[k].a : pairs[k].b;
        if (spheres_memory.is_empty(mine)) continue;
        const Remembered *const kept =
            spheres_memory.find(mine, atom->tag[own_a ? pairs[k].b : pairs[k].a]);
        if (!kept) continue;
        touched[k] = 1;
        touch[k] = *kept;
    }
    at_walls.clear();
    for (size_t i = 0; i < owned; i++) {
        spheres_memory.drop(i, false);
        if (!spheres_memory.is_empty(i)) at_walls.push_back(static_cast<uint32_t>(i));
    }
    pairs_are_current = true;
}

/* Copies the pairs' memory from the list to the spheres; the list keeps it. */
void FixImpinge::store_pairs() {
    if (!pairs_are_current) return;
    for (size_t i = 0; i < step.owned; i++)
        spheres_memory.drop(i, false);
    for (size_t k = 0; k < pairs.size(); k++) {
        if (!touched[k]) continue;
        const uint32_t a = pairs[k].a;
        const uint32_t b = pairs[k].b;
        if (a < step.owned) spheres_memory.add(a, tags[b], touch[k]);
        if (b < step.owned) spheres_memory.add(b, tags[a], touch[k]);
    }
}

/*
 * Own spheres are about to move in memory, to other ranks or away. Another fix may do this before
 * pre_exchange has its turn here (balance, evaporate), so every callback that LAMMPS makes for a
 * sphere comes here first; of these, the first finds all spheres where they were.
 */
void FixImpinge::leave_places() {
    if (!pairs_are_current) return;
    store_pairs();
    pairs_are_current = false;
}

/* LAMMPS makes new lists in this step. */
void FixImpinge::pre_exchange() {
    leave_places();
    list_is_due = true;
}

/* `run pre no` makes no list, so the last one has to be right still. */
void FixImpinge::check_places() {
    const size_t all = static_cast<size_t>(atom->nlocal + atom->nghost);
    if (!pairs_are_current || tags.size() != all ||
        !std::equal(tags.begin(), tags.end(), atom->tag))
        error->one(FLERR, std::string("fix impinge: spheres have moved in memory without a new "
                                      "list: leave `pre no` out of `run`"));
}

/* The most contacts that a sphere of this rank can have until the next list, or has kept. */
size_t FixImpinge::count_most_kept() {
    const size_t owned = static_cast<size_t>(atom->nlocal);
    size_t most = 0;
    if (!pairs_are_current) {
        for (size_t i = 0; i < owned; i++)
            most = std::max(most, spheres_memory.count(i));
        return most;
    }
    std::vector<size_t> listed(owned, 0);
    for (const Pair &pair : pairs)
        for (const uint32_t i : {pair.a, pair.b})
            if (i < owned) most = std::max(most, ++listed[i]);
    for (const Wall &wall : walls)
        most += wall.region ? static_cast<size_t>(wall.region->cmax) : 1;
    return most;
}

/* A sphere may come from another rank and go on to a third, so all have the same room. */
void FixImpinge::make_room_to_exchange() {
    const int mine = static_cast<int>(SphereMemory::size_of(count_most_kept()));
    MPI_Allreduce(&mine, &maxexchange, 1, MPI_INT, MPI_MAX, world);
}

/* ---- Rows ---- */

void FixImpinge::load() {
    const size_t owned = step.owned;
    const size_t all = tags.size();
    step.told.resize(all);
    step.rows.resize(all);
    const double half = update->dt / 2;
    for (size_t i = 0; i < all; i++)
        step.rows[i].inverse_mass = inverse_mass[i];
    for (size_t i = 0; i < owned; i++) {
        Told &to = step.told[i];
        const double r = atom->radius[i];
        if (r != step.radius[i])
            error->one(FLERR, std::string("fix impinge: radii may change only where each step has "
                                          "new lists: neigh_modify delay 0 every 1 check no"));
        const double kick = half * inverse_mass[i];
        const double turn = kick * INVERSE_INERTIA / r;
        for (size_t k = 0; k < 3; k++) {
            to.x[k] = atom->x[i][k];
            to.kick[k] = kick * atom->f[i][k];
            to.kick[3 + k] = turn * atom->torque[i][k];
            to.v[k] = atom->v[i][k] + to.kick[k];
            to.v[3 + k] = r * atom->omega[i][k] + to.kick[3 + k];
        }
        to.counts = 0;
    }
    for (size_t k = 0; k < pairs.size(); k++) {
        if (!touched[k] || touch[k].klass < 0) continue;
        for (const uint32_t i : {pairs[k].a, pairs[k].b})
            if (i < owned) add_count(step.told[i].counts, static_cast<int>(touch[k].klass));
    }
}

void FixImpinge::exchange_told() {
    told_rows.resize(step.told.size());
    for (size_t i = 0; i < step.told.size(); i++)
        told_rows[i] = step.told[i].v;
    comm->forward_comm_array(ALL_TOLD, told_rows.data());
    places.resize(step.told.size());
    for (size_t i = 0; i < step.told.size(); i++) {
        const Told &t = step.told[i];
        std::copy(t.v, t.v + VELOCITIES, step.rows[i].v);
        step.rows[i].counts = t.counts;
        places[i] = Place{{t.x[0], t.x[1], t.x[2]}, step.radius[i]};
    }
}

/* Once the rows of walls are there, too. */
void FixImpinge::exchange(int width) { comm->forward_comm_array(width, rows.data()); }

void FixImpinge::exchange_fastest() {
    fastest_rows.resize(step.fastest.size());
    for (size_t i = 0; i < step.fastest.size(); i++)
        fastest_rows[i] = &step.fastest[i].approach;
    comm->forward_comm_array(3, fastest_rows.data());
}

/* ---- Contacts ---- */

/*
 * True for pairs that overlap, and for pairs that would collide within half a step: impacts are as
 * often too early as too late. With overlaps alone all would be late, as if spheres were smaller.
 */
bool FixImpinge::touches(double gap, double approach) const {
    return gap < 0 || (approach > step.set.rest_speed && gap < approach * update->dt / 2);
}

/* No pair that this rank sees comes closer in half a step. */
void FixImpinge::look_ahead() {
    double square = 0;
    for (const Told &t : step.told)
        square = std::max(square, t.v[0] * t.v[0] + t.v[1] * t.v[1] + t.v[2] * t.v[2]);
    ahead = std::sqrt(square) * update->dt;
}

/* Returns whether the pair touches. */
bool FixImpinge::add_pair(size_t slot) {
    const Pair pair = pairs[slot];
    const Place &a = places[pair.a];
    const Place &b = places[pair.b];
    double d[3];
    double square = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = a.x[k] - b.x[k];
        /* The nearest image. */
        if (domain->periodicity[k] && std::fabs(d[k]) > domain->prd_half[k])
            d[k] -= std::copysign(domain->prd[k], d[k]);
        square += d[k] * d[k];
    }
    const double reach = a.radius + b.radius;
    if (!(square < (reach + ahead) * (reach + ahead)) || square == 0) return false;
    const double distance = std::sqrt(square);
    double approach = 0;
    for (int k = 0; k < 3; k++)
        approach -= d[k] * (step.rows[pair.a].v[k] - step.rows[pair.b].v[k]);
    if (!touches(distance - reach, approach / distance)) return false;
    Contact c = {};
    c.a = pair.a;
    c.b = pair.b;
    c.counts = pair.a < step.owned;
    c.klass = -1;
    c.gap = distance - reach;
    for (int k = 0; k < 3; k++)
        c.n[k] = d[k] / distance;
    c.friction = friction;
    c.restitution = restitution;
    c.id_a = atom->tag[pair.a];
    c.id_b = atom->tag[pair.b];
    c.slot = slot;
    if (touched[slot]) Step::warm(c, touch[slot]);
    step.contacts.push_back(c);
    return true;
}

void FixImpinge::add_wall_contact(int i, const Wall &wall, int which, const double n[3],
                                  double distance, const double velocity[3]) {
    const double *const v = step.rows[static_cast<size_t>(i)].v;
    double approach = 0;
    for (int k = 0; k < 3; k++)
        approach -= n[k] * (v[k] - velocity[k]);
    if (!touches(distance - step.radius[static_cast<size_t>(i)], approach)) return;
    Row row = {};
    std::copy(velocity, velocity + 3, row.v);
    Contact c = {};
    c.a = static_cast<uint32_t>(i);
    c.b = static_cast<uint32_t>(step.rows.size());
    c.counts = true;
    c.klass = -1;
    c.gap = distance - step.radius[c.a];
    std::copy(n, n + 3, c.n);
    c.friction = wall.friction >= 0 && has_friction() ? wall.friction : friction;
    c.restitution = wall.restitution >= 0 ? wall.restitution : restitution;
    c.id_a = atom->tag[i];
    c.id_b = -1 - static_cast<int64_t>(which);
    if (const Remembered *const kept = spheres_memory.find(c.a, c.id_b)) Step::warm(c, *kept);
    step.rows.push_back(row);
    step.contacts.push_back(c);
}

void FixImpinge::find_at_walls() {
    int first = 0;
    static const double still[3] = {0, 0, 0};
    for (const Wall &wall : walls) {
        Region *const region = wall.region;
        if (region && region->dynamic_check()) {
            region->prematch();
            region->set_velocity();
        }
        for (int i = 0; i < atom->nlocal; i++) {
            if (!(atom->mask[i] & groupbit) || is_immovable(i)) continue;
            double *const x = atom->x[i];
            const double reach = atom->radius[i] + ahead;
            if (!region) {
                const double distance = wall.normal[0] * x[0] + wall.normal[1] * x[1] +
                                        wall.normal[2] * x[2] - wall.offset;
                if (distance < reach)
                    add_wall_contact(i, wall, first, wall.normal, distance, still);
                continue;
            }
            if (!region->match(x[0], x[1], x[2])) continue;
            const int touching = region->surface(x[0], x[1], x[2], reach);
            for (int k = 0; k < touching; k++) {
                const Region::Contact &at = region->contact[k];
                if (!(at.r > 0)) continue; /* no normal */
                const double n[3] = {at.delx / at.r, at.dely / at.r, at.delz / at.r};
                double velocity[3] = {0, 0, 0};
                if (region->dynamic_check()) region->velocity_contact(velocity, x, k);
                add_wall_contact(i, wall, first + at.iwall, n, at.r, velocity);
            }
        }
        first += region ? WALLS_OF_REGION : 1;
    }
}

void FixImpinge::find_contacts() {
    step.contacts.clear();
    look_ahead();
    for (size_t k = 0; k < pairs.size(); k++)
        touched[k] = add_pair(k);
    find_at_walls();
    rows.resize(step.rows.size());
    for (size_t i = 0; i < step.rows.size(); i++)
        rows[i] = step.rows[i].v;
    last[CONTACTS] = 0;
    last[LARGEST_OVERLAP] = 0;
    for (const Contact &c : step.contacts) {
        last[CONTACTS] += c.counts;
        last[LARGEST_OVERLAP] = std::max(last[LARGEST_OVERLAP], -c.gap);
    }
}

/* ---- A step ---- */

/*
 * Velocity Verlet calls this between its half kicks: v is before the second of the step that ends,
 * to which the next step's first is added. Impacts see the velocities between the two and change
 * v; the rest sees v with the next half kick, and its impulse is a force over the step. So a sphere
 * that rests has no velocity whenever LAMMPS reads it, one that bounces elastically keeps its
 * energy, and forces and torques are those that hold the spheres.
 */
void FixImpinge::post_force(int) {
    follow_time_step();
    if (list_is_due) {
        find_pairs();
        if (auto_is_due) choose_automatic();
    } else if (goes_on || !pairs_are_current)
        check_places();
    goes_on = false;
    load();
    exchange_told();
    find_contacts();
    if (impacts() & Step::RESTS) rest();
    remember();
}

/* Returns what there is to do after them, on any rank. */
int FixImpinge::impacts() {
    Works works;
    int round = 0;
    int left = 0;
    step.struck.clear();
    for (;; round++) {
        const int any = step.find_fastest();
        MPI_Allreduce(&any, &left, 1, MPI_INT, MPI_BOR, world);
        if (!(left & Step::COLLIDES) || round == rounds_max) break;
        exchange_fastest();
        check_collisions(step.collide(works));
        exchange(VELOCITIES);
    }
    last[ROUNDS] = round;
    last[LEFT_APPROACHING] = left & Step::COLLIDES;
    last[IMPACTS] += works.impacts;
    last[RESTITUTION_LOSS] += works.restitution;
    last[FRICTION_LOSS] += works.friction;
    last[SWEEPS] = last[RESIDUAL] = 0;
    store_impacts();
    return left;
}

/* Spheres without an impact keep their bits. */
void FixImpinge::store_impacts() {
    std::sort(step.struck.begin(), step.struck.end());
    step.struck.erase(std::unique(step.struck.begin(), step.struck.end()), step.struck.end());
    for (const uint32_t i : step.struck) {
        const Told &was = step.told[i];
        const Row &is = step.rows[i];
        for (size_t k = 0; k < 3; k++) {
            atom->v[i][k] += is.v[k] - was.v[k];
            atom->omega[i][k] += (is.v[3 + k] - was.v[3 + k]) / step.radius[i];
        }
    }
}

void FixImpinge::rest() {
    before.resize(VELOCITIES * step.owned);
    for (size_t i = 0; i < step.told.size(); i++) {
        Row &row = step.rows[i];
        for (size_t k = 0; k < VELOCITIES; k++)
            row.v[k] += step.told[i].kick[k];
        if (i < step.owned)
            std::copy(row.v, row.v + VELOCITIES,
                      before.begin() + static_cast<long>(VELOCITIES * i));
    }
    step.choose_classes();
    step.count_classes();
    step.add_warm();
    exchange(VELOCITIES_AND_COUNTS);
    last[RESIDUAL] = 0;
    for (int s = 0; s < sweeps_max; s++) {
        last[RESIDUAL] = 0;
        for (int k = 0; k < step.set.classes; k++) {
            const int klass = s % 2 == 0 ? k : step.set.classes - 1 - k;
            last[RESIDUAL] = std::max(last[RESIDUAL], step.sweep(klass));
            exchange(VELOCITIES);
        }
    }
    last[SWEEPS] = sweeps_max;
    if (guards) guard();
    last[FRICTION_LOSS] += step.project(atom->x);
    forces_of_rest();
}

/*
 * If the rest has raised the kinetic energy of all spheres, its impulses are scaled to where it is
 * what it was: KE(alpha) = KE + alpha A + alpha^2 B. The library's own guard looks at each island
 * of contacts; islands go across ranks, and to find them would take as many messages as they are
 * long.
 */
void FixImpinge::guard() {
    std::vector<double> terms;
    terms.reserve(2 * step.owned);
    for (size_t i = 0; i < step.owned; i++) {
        const Row &row = step.rows[i];
        if (row.inverse_mass == 0) continue;
        const double *const was = before.data() + VELOCITIES * i;
        double a = 0;
        double b = 0;
        for (int k = 0; k < VELOCITIES; k++) {
            const double inertia = (k < 3 ? 1 : 1 / INVERSE_INERTIA) / row.inverse_mass;
            const double change = row.v[k] - was[k];
            a += inertia * change * was[k];
            b += inertia * change * change / 2;
        }
        terms.push_back(a);
        terms.push_back(b);
    }
    step.driven_works(terms);
    if (is_clearly_negative(terms, world)) return;
    double sums[2];
    sum_exactly(terms, sums, world);
    if (!(sums[0] + sums[1] > 0 && sums[1] > 0)) return;
    const double alpha = sums[0] < 0 ? -sums[0] / sums[1] : 0;
    last[GUARDED]++;
    for (size_t i = 0; i < step.owned; i++)
        for (int k = 0; k < VELOCITIES; k++) {
            const double was = before[VELOCITIES * i + static_cast<size_t>(k)];
            step.rows[i].v[k] = was + alpha * (step.rows[i].v[k] - was);
        }
    for (Contact &c : step.contacts)
        for (double &p : c.p)
            p *= alpha;
    exchange(VELOCITIES);
}

void FixImpinge::forces_of_rest() {
    for (size_t i = 0; i < step.owned; i++) {
        const Row &row = step.rows[i];
        if (row.inverse_mass == 0) continue;
        const double *const was = before.data() + VELOCITIES * i;
        const double push = 1 / (update->dt * row.inverse_mass);
        const double turn = push * step.radius[i] / INVERSE_INERTIA;
        for (size_t k = 0; k < 3; k++) {
            atom->f[i][k] += push * (row.v[k] - was[k]);
            atom->torque[i][k] += turn * (row.v[3 + k] - was[3 + k]);
        }
    }
}

void FixImpinge::remember() {
    for (const uint32_t i : at_walls)
        spheres_memory.drop(i, true);
    at_walls.clear();
    for (const Contact &c : step.contacts) {
        Remembered m;
        std::copy(c.p, c.p + 3, m.p);
        std::copy(c.n, c.n + 3, m.n);
        m.klass = c.klass;
        /* No class: there was no rest, so there is nothing to store. */
        if (c.klass < 0) {
            if (c.id_b >= 0) touched[c.slot] = 0;
        } else if (c.id_b >= 0) {
            touch[c.slot] = m;
        } else {
            spheres_memory.add(c.a, c.id_b, m);
            at_walls.push_back(c.a);
        }
    }
    write_local();
    reduced_at = -1;
}

/* ---- Output ---- */

/* A contact stands once, with the rank that owns the sphere of the lower tag. */
void FixImpinge::write_local() {
    const size_t most = step.contacts.size();
    local_numbers.resize(LOCAL_COLUMNS * most);
    double *to = local_numbers.data();
    for (const Contact &c : step.contacts) {
        if (!c.counts) continue;
        *to++ = static_cast<double>(c.id_a);
        *to++ = static_cast<double>(c.id_b);
        to = std::copy(c.n, c.n + 3, to);
        *to++ = -c.gap;
        for (const double p : c.p)
            *to++ = p / update->dt;
        to = std::copy(c.impact, c.impact + 3, to);
        *to++ = c.slides();
    }
    size_local_rows = static_cast<int>((to - local_numbers.data()) / LOCAL_COLUMNS);
    for (size_t i = local_rows.size(); i <= most; i++)
        local_rows.push_back(nullptr);
    for (size_t i = 0; i < most; i++)
        local_rows[i] = local_numbers.data() + LOCAL_COLUMNS * i;
    array_local = local_rows.data();
}

double FixImpinge::compute_vector(int which) {
    if (reduced_at != update->ntimestep) {
        double sums[OUTPUTS], most[OUTPUTS];
        MPI_Allreduce(last, sums, OUTPUTS, MPI_DOUBLE, MPI_SUM, world);
        MPI_Allreduce(last, most, OUTPUTS, MPI_DOUBLE, MPI_MAX, world);
        for (int k = 0; k < OUTPUTS; k++) {
            const bool adds =
                k == IMPACTS || k == RESTITUTION_LOSS || k == FRICTION_LOSS || k == CONTACTS;
            last_all[k] = adds ? sums[k] : most[k];
        }
        reduced_at = update->ntimestep;
    }
    return last_all[which];
}

double FixImpinge::memory_usage() {
    return static_cast<double>(
        step.rows.capacity() * sizeof(Row) + step.contacts.capacity() * sizeof(Contact) +
        pairs.capacity() * (sizeof(Pair) + sizeof(Remembered)) + tags.capacity() * sizeof(tagint) +
        step.told.capacity() * sizeof(Told));
}

/* ---- Spheres that come and go, and restart files ---- */

void FixImpinge::grow_arrays(int count) { spheres_memory.resize(static_cast<size_t>(count)); }
void FixImpinge::copy_arrays(int from, int to, int) {
    leave_places();
    spheres_memory.copy(static_cast<size_t>(from), static_cast<size_t>(to));
}
void FixImpinge::set_arrays(int i) {
    leave_places();
    spheres_memory.clear(static_cast<size_t>(i));
}

int FixImpinge::pack_exchange(int i, double *to) {
    leave_places();
    return static_cast<int>(spheres_memory.pack(static_cast<size_t>(i), to));
}

int FixImpinge::unpack_exchange(int i, double *from) {
    leave_places();
    return static_cast<int>(spheres_memory.unpack(static_cast<size_t>(i), from));
}

void FixImpinge::write_restart(FILE *file) {
    double sums[OUTPUTS];
    store_pairs();
    MPI_Allreduce(last, sums, OUTPUTS, MPI_DOUBLE, MPI_SUM, world);
    if (comm->me != 0) return;
    const double numbers[5] = {memory_time_step, sums[IMPACTS], sums[RESTITUTION_LOSS],
                               sums[FRICTION_LOSS], last[GUARDED]};
    const int bytes = sizeof numbers;
    fwrite(&bytes, sizeof bytes, 1, file);
    fwrite(numbers, sizeof numbers, 1, file);
}

/* All ranks get the totals; one keeps them, so that their sum is right. */
void FixImpinge::restart(char *from) {
    double numbers[5];
    std::memcpy(numbers, from, sizeof numbers);
    for (const double n : numbers)
        if (!std::isfinite(n)) refuse(BAD_RESTART);
    if (numbers[0] < 0) refuse(BAD_RESTART);
    memory_time_step = numbers[0];
    last[GUARDED] = numbers[4];
    if (comm->me != 0) return;
    last[IMPACTS] = numbers[1];
    last[RESTITUTION_LOSS] = numbers[2];
    last[FRICTION_LOSS] = numbers[3];
}

int FixImpinge::pack_restart(int i, double *to) {
    to[0] = size_restart(i);
    return 1 + static_cast<int>(spheres_memory.pack(static_cast<size_t>(i), to + 1));
}

/* The numbers of this fix are the nth of a sphere's lists; each list has its length before it. */
void FixImpinge::unpack_restart(int i, int nth) {
    const double *const lists = atom->extra[i];
    const double room = atom->nextra_store;
    double at = 0;
    double length = 0;
    for (int k = 0; k <= nth; k++) {
        at += length;
        length = at < room ? lists[static_cast<size_t>(at)] : 0;
        if (!(length >= 1 && length <= room - at) || length != std::floor(length))
            error->one(FLERR, std::string("fix impinge: ") + BAD_RESTART);
    }
    if (!spheres_memory.unpack_checked(static_cast<size_t>(i), lists + static_cast<size_t>(at) + 1,
                                       static_cast<size_t>(length) - 1, step.set.classes))
        error->one(FLERR, std::string("fix impinge: ") + BAD_RESTART);
}

int FixImpinge::size_restart(int i) {
    return 1 + static_cast<int>(spheres_memory.size(static_cast<size_t>(i)));
}

int FixImpinge::maxsize_restart() {
    int mine = 2;
    int all = 2;
    for (int i = 0; i < atom->nlocal; i++)
        mine = std::max(mine, size_restart(i));
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, world);
    return all;
}
