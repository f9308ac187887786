#include "packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/random_contacts.h"
#include "memory.h"

#define FILLED    0.62
#define REACH     1.1
#define SWEEPS    60
#define PUSH      0.3  /* the share of an overlap that either sphere moves in a sweep */
#define CELL_SIDE 1.25 /* more than the reach of the largest pair */

/* Spheres on their way: three numbers of a place after one another, and a grid of cells. */
typedef struct heap {
    size_t count;
    double side, *place, *radius, *moved;
    int cells;     /* along a side */
    size_t *first; /* of each cell; spheres are sorted by cell */
} heap;

static int cell_of(const heap *h, double x) {
    const int c = (int)(x / h->side * h->cells);
    return c < h->cells ? c : h->cells - 1;
}

static size_t cell_at(const heap *h, const double *x) {
    const size_t n = (size_t)h->cells;
    return ((size_t)cell_of(h, x[0]) * n + (size_t)cell_of(h, x[1])) * n + (size_t)cell_of(h, x[2]);
}

static size_t cell_count(const heap *h) {
    return (size_t)h->cells * (size_t)h->cells * (size_t)h->cells;
}

/* Counting sort. */
static void sort(heap *h) {
    const size_t cells = cell_count(h);
    double *place = allocated(3 * h->count, sizeof *place);
    double *radius = allocated(h->count, sizeof *radius);
    size_t *next = allocated(cells + 1, sizeof *next);
    memset(h->first, 0, (cells + 1) * sizeof *h->first);
    for (size_t i = 0; i < h->count; i++)
        h->first[cell_at(h, h->place + 3 * i) + 1]++;
    for (size_t c = 0; c < cells; c++)
        h->first[c + 1] += h->first[c];
    memcpy(next, h->first, (cells + 1) * sizeof *next);
    for (size_t i = 0; i < h->count; i++) {
        const size_t to = next[cell_at(h, h->place + 3 * i)]++;
        memcpy(place + 3 * to, h->place + 3 * i, 3 * sizeof *place);
        radius[to] = h->radius[i];
    }
    memcpy(h->place, place, 3 * h->count * sizeof *place);
    memcpy(h->radius, radius, h->count * sizeof *radius);
    free(place);
    free(radius);
    free(next);
}

typedef void visit(heap *h, size_t i, size_t j, const double d[3], double distance, void *user);

/* j > i only; d leads from j to the image of i that is nearest. */
static void visit_pair(heap *h, size_t i, size_t j, double reach, visit *v, void *user) {
    if (j <= i) return;
    double d[3];
    double square = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = h->place[3 * i + (size_t)k] - h->place[3 * j + (size_t)k];
        d[k] -= h->side * rint(d[k] / h->side);
        square += d[k] * d[k];
    }
    const double most = reach * (h->radius[i] + h->radius[j]);
    if (square < most * most) v(h, i, j, d, sqrt(square), user);
}

static void visit_neighbours(heap *h, size_t i, double reach, visit *v, void *user) {
    const int n = h->cells;
    const double *x = h->place + 3 * i;
    for (int k = 0; k < 27; k++) {
        const int cx = (cell_of(h, x[0]) + k / 9 - 1 + n) % n;
        const int cy = (cell_of(h, x[1]) + k / 3 % 3 - 1 + n) % n;
        const int cz = (cell_of(h, x[2]) + k % 3 - 1 + n) % n;
        const size_t c = (size_t)((cx * n + cy) * n + cz);
        for (size_t j = h->first[c]; j < h->first[c + 1]; j++)
            visit_pair(h, i, j, reach, v, user);
    }
}

static void push(heap *h, size_t i, size_t j, const double d[3], double distance, void *user) {
    (void)user;
    if (distance == 0) return;
    const double by = PUSH * (h->radius[i] + h->radius[j] - distance) / distance;
    for (size_t k = 0; k < 3; k++) {
        h->moved[3 * i + k] += by * d[k];
        h->moved[3 * j + k] -= by * d[k];
    }
}

static void sweep(heap *h) {
    memset(h->moved, 0, 3 * h->count * sizeof *h->moved);
    for (size_t i = 0; i < h->count; i++)
        visit_neighbours(h, i, 1, push, NULL);
    for (size_t i = 0; i < 3 * h->count; i++) {
        h->place[i] += h->moved[i];
        h->place[i] -= h->side * floor(h->place[i] / h->side);
    }
}

static void list(heap *h, size_t i, size_t j, const double d[3], double distance, void *user) {
    packing *p = user;
    (void)distance;
    for (size_t k = 0; k < 3; k++)
        if (d[k] != h->place[3 * i + k] - h->place[3 * j + k]) return; /* across a face */
    p->a[p->contacts] = (uint32_t)i;
    p->b[p->contacts++] = (uint32_t)j;
}

static void set_in_motion(packing *p) {
    uint64_t state = 9;
    p->mass = allocated(p->particles, sizeof(double));
    for (size_t k = 0; k < 6; k++)
        p->motion[k] = allocated(p->particles, sizeof(double));
    for (size_t i = 0; i < p->particles; i++) {
        const double r = p->radius[i];
        p->mass[i] = 8 * r * r * r;
        for (size_t k = 0; k < 6; k++)
            p->motion[k][i] = random_between(&state, -0.5, 0.5);
    }
}

packing packing_new(size_t particles) {
    const double pi = 3.14159265358979323846;
    uint64_t state = 5;
    heap h = {.count = particles,
              .place = allocated(3 * particles, sizeof(double)),
              .radius = allocated(particles, sizeof(double)),
              .moved = allocated(3 * particles, sizeof(double))};
    double volume = 0;
    for (size_t i = 0; i < particles; i++) {
        h.radius[i] = random_between(&state, 0.45, 0.55);
        volume += 4 * pi / 3 * h.radius[i] * h.radius[i] * h.radius[i];
    }
    h.side = cbrt(volume / FILLED);
    h.cells = (int)(h.side / CELL_SIDE);
    h.first = allocated(cell_count(&h) + 1, sizeof *h.first);
    for (size_t i = 0; i < 3 * particles; i++)
        h.place[i] = h.side * random_between(&state, 0, 1);
    for (int s = 0; s < SWEEPS; s++) {
        sort(&h);
        sweep(&h);
    }
    sort(&h);
    /*
     * A particle has at most some 15 neighbours within the reach, and half of them are in its own
     * row.
     */
    packing p = {.particles = particles,
                 .radius = h.radius,
                 .a = allocated(16 * particles, sizeof(uint32_t)),
                 .b = allocated(16 * particles, sizeof(uint32_t))};
    for (size_t i = 0; i < particles; i++)
        visit_neighbours(&h, i, REACH, list, &p);
    for (size_t k = 0; k < 3; k++) {
        p.position[k] = allocated(particles, sizeof(double));
        for (size_t i = 0; i < particles; i++)
            p.position[k][i] = h.place[3 * i + k];
    }
    free(h.place);
    free(h.moved);
    free(h.first);
    set_in_motion(&p);
    return p;
}

/* The share of listed pairs that would touch if radii were `factor` times as large. */
static double touching_share(const packing *p, double factor) {
    size_t touching = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        const double reach = factor * (p->radius[p->a[c]] + p->radius[p->b[c]]);
        double square = 0;
        for (size_t k = 0; k < 3; k++) {
            const double d = p->position[k][p->a[c]] - p->position[k][p->b[c]];
            square += d * d;
        }
        touching += square < reach * reach;
    }
    return (double)touching / (double)p->contacts;
}

void packing_thin(packing *p, double share) {
    double low = 0, high = 1;
    if (share >= 1) return;
    for (int i = 0; i < 40; i++) {
        const double middle = (low + high) / 2;
        if (touching_share(p, middle) > share)
            high = middle;
        else
            low = middle;
    }
    for (size_t i = 0; i < p->particles; i++)
        p->radius[i] *= low;
}

void packing_shuffle(packing *p) {
    uint64_t state = 13;
    for (size_t c = p->contacts; c > 1; c--) {
        const size_t other = random_below(&state, (unsigned)c);
        const uint32_t a = p->a[c - 1], b = p->b[c - 1];
        p->a[c - 1] = p->a[other];
        p->b[c - 1] = p->b[other];
        p->a[other] = a;
        p->b[other] = b;
    }
}

void packing_free(packing *p) {
    free(p->radius);
    for (size_t k = 0; k < 3; k++)
        free(p->position[k]);
    free(p->mass);
    for (size_t k = 0; k < 6; k++)
        free(p->motion[k]);
    free(p->a);
    free(p->b);
}
