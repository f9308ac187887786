/** The scenes of cascade, and how they are resolved. */
#ifndef CASCADE_H
#define CASCADE_H

#include <impinge/impinge.h>

/** No scene has more. */
enum { CASCADE_BODIES = 64, CASCADE_CONTACTS = 64 };

/** The columns of a body's velocities. */
enum cascade_velocity { VX, VY, VZ, WX, WY, WZ, CASCADE_VELOCITIES };

typedef struct cascade_scene {
    size_t bodies, contacts;
    double inverse_mass[CASCADE_BODIES];    /* 1/kg */
    double inverse_inertia[CASCADE_BODIES]; /* about any axis, 1/(kg m^2) */
    double velocity[CASCADE_VELOCITIES][CASCADE_BODIES];
    double place[2][CASCADE_BODIES]; /* of the centre; of a pool break only, in m */
    uint32_t a[CASCADE_CONTACTS], b[CASCADE_CONTACTS];
    double arm_a[3][CASCADE_CONTACTS], arm_b[3][CASCADE_CONTACTS], normal[3][CASCADE_CONTACTS];
} cascade_scene;

/** Balls of mass and radius 1 in a row along x, of which the first `in` come at 1 m/s. */
void cascade_cradle(cascade_scene *s, size_t balls, size_t in);

/** A uniform rod of mass 1 and length 2 that falls flat on two supports at 1 m/s. */
void cascade_rod(cascade_scene *s);

/** 15 balls in a triangle and a cue ball, all of mass and radius 1, which hits the first at 1 m/s
 * along x, its centre at that angle (radians) before it. */
void cascade_break(cascade_scene *s, double angle);

/** The values that all contacts share. */
typedef struct cascade_how {
    impinge_options options;
    impinge_sequence_options sequence;
    double restitution, friction, tangential_restitution;
} cascade_how;

typedef struct cascade_result {
    impinge_sequence_report report;
    impinge_sequence_end end;
    double impulse[3][CASCADE_CONTACTS]; /* on a, N s */
} cascade_result;

/** Resolves the scene, which is one island, and writes its velocities after. */
void cascade_resolve(cascade_scene *s, const cascade_how *how, cascade_result *result);

/** The momentum along an axis and the kinetic energy. */
double cascade_momentum(const cascade_scene *s, size_t axis);
double cascade_energy(const cascade_scene *s);

#endif
