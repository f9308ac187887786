/*
 * Boxes by separating axes: the axis of the least overlap is a face's normal, and then the face of
 * the other box that looks at it is clipped by its sides; or it is a cross product of two edges,
 * which then touch in one point.
 */
#include "detect.h"

#include <math.h>
#include <string.h>

#include "../tools/support/vector.h"

/* How far a box reaches along a unit vector. */
static double reach(const box *a, const double n[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += a->half[k] * fabs(dot3(a->axis[k], n));
    return sum;
}

/* The best axis so far. */
typedef struct best {
    double gap, normal[3]; /* from B to A */
    int face;              /* of A 0 to 2, of B 3 to 5, or -1: edges */
    int edge_a, edge_b;
} best;

static double gap_along(const box *a, const box *b, const double n[3]) {
    double between[3];
    for (int k = 0; k < 3; k++)
        between[k] = a->centre[k] - b->centre[k];
    return fabs(dot3(between, n)) - reach(a, n) - reach(b, n);
}

static void turn_to_a(const box *a, const box *b, const double n[3], double out[3]) {
    double between[3];
    for (int k = 0; k < 3; k++)
        between[k] = a->centre[k] - b->centre[k];
    const double sign = dot3(between, n) < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        out[k] = sign * n[k];
}

static void try_faces(const box *a, const box *b, best *found) {
    found->gap = -HUGE_VAL;
    for (int face = 0; face < 6; face++) {
        const double *const n = face < 3 ? a->axis[face] : b->axis[face - 3];
        const double gap = gap_along(a, b, n);
        /* The first of two faces that are as good, so that steps do not jump between them. */
        if (gap <= found->gap + 1e-6 * a->half[0]) continue;
        found->gap = gap;
        found->face = face;
        turn_to_a(a, b, n, found->normal);
    }
}

/* Edges have to be clearly better: a face has more points. */
static void try_edges(const box *a, const box *b, best *found) {
    const double bias = 0.02 * fmin(fmin(a->half[0], a->half[1]), a->half[2]);
    double most = found->gap + bias;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double n[3];
            cross3(a->axis[i], b->axis[j], n);
            const double length = sqrt(dot3(n, n));
            if (length < 1e-3) continue; /* parallel: as good as a face */
            for (int k = 0; k < 3; k++)
                n[k] /= length;
            const double gap = gap_along(a, b, n);
            if (gap <= most) continue;
            most = gap;
            found->gap = gap;
            found->face = -1;
            found->edge_a = i;
            found->edge_b = j;
            turn_to_a(a, b, n, found->normal);
        }
    }
}

/* The middle of the edge of a box that reaches furthest along n. */
static void edge_middle(const box *a, int edge, const double n[3], double out[3]) {
    memcpy(out, a->centre, 3 * sizeof(double));
    for (int k = 0; k < 3; k++) {
        if (k == edge) continue;
        const double sign = dot3(a->axis[k], n) < 0 ? -1 : 1;
        for (int d = 0; d < 3; d++)
            out[d] += sign * a->half[k] * a->axis[k][d];
    }
}

/* Midway between the nearest points of two edges. */
static size_t touch_edges(const box *a, const box *b, const best *found, touch *out) {
    double p[3], q[3], between[3];
    const double back[3] = {-found->normal[0], -found->normal[1], -found->normal[2]};
    const double *const u = a->axis[found->edge_a];
    const double *const v = b->axis[found->edge_b];
    edge_middle(a, found->edge_a, back, p);
    edge_middle(b, found->edge_b, found->normal, q);
    for (int k = 0; k < 3; k++)
        between[k] = q[k] - p[k];
    const double along = dot3(u, v);
    const double divisor = 1 - along * along;
    const double s = (dot3(between, u) - along * dot3(between, v)) / divisor;
    const double t = (along * dot3(between, u) - dot3(between, v)) / divisor;
    for (int k = 0; k < 3; k++)
        out->point[k] = 0.5 * (p[k] + s * u[k] + q[k] + t * v[k]);
    out->gap = found->gap;
    return 1;
}

typedef struct polygon {
    double corner[16][3];
    size_t count;
} polygon;

/*
 * The part of a polygon on the inner side of a plane, n . x <= offset, or beyond it by less than
 * `slack`: edges that almost coincide would otherwise cross at one place in one step and at another
 * in the next.
 */
static void clip(polygon *p, const double n[3], double offset, double slack) {
    polygon out = {.count = 0};
    for (size_t i = 0; i < p->count; i++) {
        const double *const x = p->corner[i];
        const double *const y = p->corner[(i + 1) % p->count];
        const double from = dot3(n, x) - offset;
        const double to = dot3(n, y) - offset;
        if (from <= slack) memcpy(out.corner[out.count++], x, 3 * sizeof(double));
        if ((from <= slack) != (to <= slack) && from * to < 0) {
            for (int k = 0; k < 3; k++)
                out.corner[out.count][k] = x[k] + from / (from - to) * (y[k] - x[k]);
            out.count++;
        }
        if (out.count >= 15) break;
    }
    *p = out;
}

/* The face of a box that looks most against n. */
static polygon face_against(const box *b, const double n[3]) {
    int face = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(dot3(b->axis[k], n)) > fabs(dot3(b->axis[face], n))) face = k;
    const double sign = dot3(b->axis[face], n) > 0 ? -1 : 1;
    const int u = (face + 1) % 3;
    const int v = (face + 2) % 3;
    const double corners[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    polygon p = {.count = 4};
    for (size_t i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            p.corner[i][k] = b->centre[k] + sign * b->half[face] * b->axis[face][k] +
                             corners[i][0] * b->half[u] * b->axis[u][k] +
                             corners[i][1] * b->half[v] * b->axis[v][k];
    return p;
}

/*
 * True if a point is new: faces whose edges all but coincide meet in corners close together, that
 * come and go with the last bits of the positions.
 */
static int is_new(const touch *touches, size_t count, const double point[3], double near) {
    for (size_t i = 0; i < count; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += (touches[i].point[k] - point[k]) * (touches[i].point[k] - point[k]);
        if (square < near * near) return 0;
    }
    return 1;
}

/* The face of `of` with the outward normal n, and what of the other box's face is above it. */
static size_t touch_face(const box *of, int axis, const double n[3], const box *other,
                         double margin, touch touches[TOUCHES_MAX]) {
    polygon p = face_against(other, n);
    const double slack = 0.02 * fmin(fmin(of->half[0], of->half[1]), of->half[2]);
    for (int k = 0; k < 3; k++) {
        if (k == axis) continue;
        const double back[3] = {-of->axis[k][0], -of->axis[k][1], -of->axis[k][2]};
        clip(&p, of->axis[k], dot3(of->axis[k], of->centre) + of->half[k], slack);
        clip(&p, back, dot3(back, of->centre) + of->half[k], slack);
    }
    const double surface = dot3(n, of->centre) + of->half[axis];
    size_t count = 0;
    for (size_t i = 0; i < p.count && count < TOUCHES_MAX; i++) {
        const double gap = dot3(n, p.corner[i]) - surface;
        if (gap > margin || !is_new(touches, count, p.corner[i], 0.05 * of->half[axis])) continue;
        for (int k = 0; k < 3; k++)
            touches[count].point[k] = p.corner[i][k] - 0.5 * gap * n[k];
        touches[count++].gap = gap;
    }
    return count;
}

size_t touch_boxes(const box *a, const box *b, double margin, double normal[3],
                   touch touches[TOUCHES_MAX]) {
    best found = {.face = 0};
    try_faces(a, b, &found);
    if (found.gap > margin) return 0;
    try_edges(a, b, &found);
    if (found.gap > margin) return 0;
    memcpy(normal, found.normal, 3 * sizeof(double));
    if (found.face < 0) return touch_edges(a, b, &found, touches);
    const double back[3] = {-normal[0], -normal[1], -normal[2]};
    return found.face < 3 ? touch_face(a, found.face, back, b, margin, touches)
                          : touch_face(b, found.face - 3, normal, a, margin, touches);
}

size_t touch_floor(const box *a, double margin, touch touches[TOUCHES_MAX]) {
    size_t count = 0;
    for (unsigned corner = 0; corner < 8; corner++) {
        double at[3];
        memcpy(at, a->centre, sizeof at);
        for (unsigned k = 0; k < 3; k++)
            for (int d = 0; d < 3; d++)
                at[d] += (corner >> k & 1 ? 1 : -1) * a->half[k] * a->axis[k][d];
        if (at[2] > margin) continue;
        const touch found = {{at[0], at[1], 0.5 * at[2]}, at[2]};
        touches[count++] = found;
    }
    return count;
}
