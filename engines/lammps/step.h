/*
 * Contacts of spheres together, on one of several ranks: the part of a step between two exchanges.
 *
 * A rank has its own spheres, and copies (ghosts) of those of its neighbours that may touch them.
 * It lists every contact that has one of its own spheres, in the order of tags. So both owners of a
 * contact between ranks compute it, from the same numbers and with the same bits, and each gives
 * the impulse to its own sphere only; ghosts are brought up to date after that. Every sphere's
 * impulses are added up in the order of its contacts' tags. So the bits do not depend on the number
 * of ranks.
 *
 * Within a sweep there is an order of classes. Contacts of one class see the same velocities, and
 * contacts of a class that share a sphere each see a share of its mass (mass splitting), so that
 * their sum is safe. A new contact chooses the class in which its two spheres have the fewest
 * contacts: with as many classes as spheres have contacts hardly any share is less than one, and
 * the sweep is Gauss-Seidel's; with one class it is Jacobi's.
 */
#ifndef IMPINGE_ENGINES_LAMMPS_STEP_H
#define IMPINGE_ENGINES_LAMMPS_STEP_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include <impinge/impinge.h>

namespace impinge_lammps {

/* Six bits each of a double's 53, in which a sphere's contacts of every class are counted. */
constexpr int CLASSES_MAX = 8;

/*
 * A sphere, or a wall where it is touched, as the sweeps see it. One cache line. The first numbers
 * are what ranks exchange: 6 of them, or 7.
 */
struct Row {
    double v[6];         /* velocity, then radius times angular velocity */
    double counts;       /* contacts by class, six bits each */
    double inverse_mass; /* 0: immovable */
};

/* The numbers of a sphere that its owner sends when a step begins. */
struct Told {
    double v[6], counts;
    double x[3];    /* as the owner has it: LAMMPS shifts its own copies by the box, which rounds */
    double kick[6]; /* what the other half kick will add to v */
};

/* R^2 / I over 1 / m, of a solid sphere. */
constexpr double INVERSE_INERTIA = 2.5;

/* Counts one contact more; more than 63 of a class stay 63. */
void add_count(double &counts, int klass);

/* The memory of a contact from step to step. */
struct Remembered {
    double p[3];  /* the impulse of the rest, on A */
    double n[3];  /* from B to A */
    double klass; /* < 0: none, from a restart file of more classes */
};

struct Contact {
    uint32_t a, b; /* rows */
    bool counts;   /* of the ranks that compute this contact, this one reports it */
    int klass;     /* < 0: it is new and has none yet */
    double gap;    /* < 0: overlap */
    double n[3];
    double p[3];
    double friction;
    double restitution;
    int64_t id_a, id_b; /* tags; id_b < 0: a wall. id_a is the lower tag */
    double impact[3];   /* the sum of this step's impacts, on A */
    double change[3];
    size_t slot; /* of a pair: its place in the list of neighbours */

    bool slides() const; /* whether friction is at its bound */
};

/* A sphere's fastest contact, so that both ends of a contact can agree to collide. */
struct Fastest {
    double approach; /* 0: none */
    double id_a, id_b;
};

struct Settings {
    double time_step;
    double rest_speed;
    int classes;
    double slop, factor;
    impinge_law law;
    double tangential_restitution;
    impinge_restitution_f64 restitution;
};

struct Works {
    double restitution = 0, friction = 0; /* energy lost, >= 0 */
    double impacts = 0;                   /* how many */
};

struct Invalid {
    int64_t id_a, id_b;
    uint32_t outcome;
};

struct Step {
    Settings set;
    std::vector<Told> told; /* of the rows that are spheres */
    std::vector<Row> rows;
    std::vector<double> radius; /* of the rows that are spheres */
    std::vector<Contact> contacts;
    std::vector<std::vector<uint32_t>> classes; /* contacts of each */
    size_t owned = 0;                           /* rows before this are this rank's own */
    std::vector<Fastest> fastest;
    std::vector<uint32_t> chosen; /* contacts that collide in this round */
    std::vector<uint32_t> struck; /* own rows that have had impacts in this step */

    /* Approach velocities, and the fastest of each sphere. Returns what there is to do: flags. */
    enum { COLLIDES = 1, RESTS = 2 };
    int find_fastest();
    /*
     * Contacts that are the fastest of both ends collide. If the library calls one invalid or
     * out of range, it gives it no impulse, and `invalid` has the first.
     */
    impinge_status collide(Works &works);
    Invalid invalid = {};
    /* Two spheres of radius and mass 1 collide, to see whether this build has the law and model. */
    impinge_status try_collision(double restitution, double friction) const;

    /* Classes for new contacts by the counts of the rows, then all contacts by class. */
    void choose_classes();
    void count_classes();
    /* Gives a contact the impulse that it had in the step before, turned into its new frame. */
    static void warm(Contact &c, const Remembered &before);
    void add_warm();
    /* One class of one sweep; returns its largest residual. */
    double sweep(int klass);
    /* Appends the work of immovable spheres and walls to the energy guard's terms. */
    void driven_works(std::vector<double> &terms) const;
    /*
     * Pushes own spheres apart; `x` are their positions. Returns what sliding takes of the energy
     * while spheres move on with the velocities after the rest.
     */
    double project(double *const *x) const;

  private:
    std::vector<double> approach;
    std::vector<double> batch;
    bool rests(const Contact &c, double approach) const;
    bool is_fastest(const Contact &c, double approach) const;
    void push(const Contact &c, const double p[3]);
};

} // namespace impinge_lammps

#endif
