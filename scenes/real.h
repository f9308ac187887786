/**
 * The element type of a scene, which is compiled once with IMPINGE_REAL_BITS 32 and once with 64.
 * Names are those of the library's sources, which scenes and examples do not include.
 */
#ifndef SCENES_REAL_H
#define SCENES_REAL_H

#if IMPINGE_REAL_BITS == 32
typedef float real_t;
#define NAME(name) name##_f32
#elif IMPINGE_REAL_BITS == 64
typedef double real_t;
#define NAME(name) name##_f64
#else
#error "IMPINGE_REAL_BITS must be 32 or 64"
#endif

#endif
