/* fix impinge: hard contacts of spheres in LAMMPS. docs/engines.md says how to use it. */
#ifndef IMPINGE_ENGINES_LAMMPS_FIX_IMPINGE_H
#define IMPINGE_ENGINES_LAMMPS_FIX_IMPINGE_H

/* A 64-bit tag does not fit the key of a contact. */
#ifdef LAMMPS_BIGBIG
#error "fix impinge needs tags of 32 bits: build LAMMPS with SMALLBIG, which is its default"
#endif

#include <lammps/fix.h>

#include <string>
#include <vector>

#include "memory.h"
#include "step.h"

namespace LAMMPS_NS {

class Region;

class FixImpinge : public Fix {
  public:
    FixImpinge(LAMMPS *program, int count, char **argument);
    ~FixImpinge() override;
    int setmask() override;
    void init() override;
    void setup(int) override;
    void post_force(int) override;
    void pre_exchange() override;
    void post_run() override { goes_on = true; }
    double compute_vector(int) override;
    double memory_usage() override;

    void grow_arrays(int) override;
    void copy_arrays(int, int, int) override;
    void set_arrays(int) override;
    int pack_exchange(int, double *) override;
    int unpack_exchange(int, double *) override;
    void write_restart(FILE *) override;
    void restart(char *) override;
    int pack_restart(int, double *) override;
    void unpack_restart(int, int) override;
    int size_restart(int) override;
    int maxsize_restart() override;

  private:
    /* Totals since the fix began, and then what the last step was. */
    enum Output {
        IMPACTS,
        RESTITUTION_LOSS,
        FRICTION_LOSS,
        LARGEST_OVERLAP,
        ROUNDS,
        SWEEPS,
        CONTACTS,
        RESIDUAL,
        GUARDED,
        LEFT_APPROACHING,
        OUTPUTS
    };
    struct Wall {
        bool is_region;
        double normal[3], offset;
        std::string name;
        Region *region; /* null: a plane */
        double restitution, friction;
    };
    struct Pair {
        uint32_t a, b; /* a has the lower tag */
    };
    struct Place {
        double x[3], radius;
    };

    impinge_lammps::Step step;
    impinge_lammps::SphereMemory spheres_memory;
    std::vector<Wall> walls;
    std::vector<Pair> pairs; /* in the order of tags */
    std::vector<char> touched;
    std::vector<impinge_lammps::Remembered> touch; /* of the pairs that have touched */
    std::vector<Place> places;
    std::vector<double> table_speed, table_restitution;
    std::vector<double *> told_rows, rows, fastest_rows; /* as LAMMPS exchanges them */
    std::vector<uint32_t> at_walls;                      /* own spheres */
    std::vector<double> inverse_mass;
    std::vector<double> before; /* velocities of own rows before the rest */
    double friction, restitution, rest_speed, slop;
    double ahead; /* gaps above this do not close in half a step */
    bool auto_rest, auto_slop, guards;
    bool auto_is_due;         /* there was no sphere yet that rest and slop could be chosen from */
    std::vector<tagint> tags; /* of all spheres, where they were when the list was made */
    bool pairs_are_current;   /* own spheres are still there; the list has the memory of pairs */
    bool list_is_due;         /* spheres have new places, as in every step with new lists */
    bool goes_on;             /* a run has ended, and none has begun with a new list */
    int rounds_max, sweeps_max, fixed_bit;
    std::string fixed_group;
    double memory_time_step; /* that of the remembered impulses */
    double last[OUTPUTS], last_all[OUTPUTS];
    bigint reduced_at;
    std::vector<double> local_numbers;
    std::vector<double *> local_rows;

    impinge_law find_law(const std::string &name);
    bool has_friction() const;
    int parse(int i, int count, char **argument);
    int parse_restitution(int i, int count, char **argument);
    int parse_wall(int i, int count, char **argument);
    double number(const char *text);
    double share(const char *what, double value);
    void check_arguments();
    [[noreturn]] void refuse(const std::string &why);
    void check(impinge_status);
    void check_collisions(impinge_status);
    void choose_automatic();
    void follow_time_step();
    bool is_immovable(int i) const;

    void store_pairs();
    void leave_places();
    void check_places();
    void make_room_to_exchange();
    size_t count_most_kept();
    void check_sizes();
    void search(std::vector<uint32_t> &starts, std::vector<uint32_t> &index);
    void find_pairs();
    void recall_pairs();
    void load();
    void exchange_told();
    void exchange(int width);
    void exchange_fastest();
    bool touches(double gap, double approach) const;
    void look_ahead();
    void find_contacts();
    void find_at_walls();
    bool add_pair(size_t slot);
    void add_wall_contact(int i, const Wall &, int which, const double n[3], double distance,
                          const double velocity[3]);
    int impacts();
    void store_impacts();
    void rest();
    void guard();
    void forces_of_rest();
    void remember();
    void write_local();
};

} // namespace LAMMPS_NS

#endif
