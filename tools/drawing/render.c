#include "render.h"

#include <math.h>
#include <stdlib.h>

#include "support/fail.h"

/* Each pixel is so many samples wide and high. */
enum { SAMPLES = 2 };

/* Where the light comes from: above, left, from behind the viewer. A unit vector, as are its sides.
 */
static const double light[3] = {-0.26, 0.76, 0.5957};

/* How bright what the light does not reach is, and how much darker what is in a narrow place. */
static const double ambient = 0.52;
static const double narrow_dark = 0.75;

/* A map of what is nearest to a viewer: of every sample the ball and its depth. */
typedef struct depth_map {
    size_t width, height;
    double x, y, scale; /* where its corner is, and samples per pixel */
    float *depth;       /* -infinity: nothing */
    int32_t *ball;      /* -1: none */
} depth_map;

static depth_map map_make(double x, double y, double width, double height, double scale) {
    depth_map made = {.width = (size_t)ceil(width * scale) + 1,
                      .height = (size_t)ceil(height * scale) + 1,
                      .x = x,
                      .y = y,
                      .scale = scale};
    const size_t count = made.width * made.height;
    made.depth = allocate(count, sizeof *made.depth);
    made.ball = allocate(count, sizeof *made.ball);
    for (size_t i = 0; i < count; i++) {
        made.depth[i] = -INFINITY;
        made.ball[i] = -1;
    }
    return made;
}

static void map_free(depth_map *of) {
    free(of->depth);
    free(of->ball);
}

/* The first and the last sample of a range, cut to what there is. */
static long cut(double at, size_t count) {
    return at < 0 ? 0 : at >= (double)count ? (long)count - 1 : (long)at;
}

static void map_add(depth_map *to, const double at[3], double radius, int32_t index) {
    const double x = (at[0] - to->x) * to->scale;
    const double y = (at[1] - to->y) * to->scale;
    const double r = radius * to->scale;
    if (x + r < 0 || y + r < 0 || x - r >= (double)to->width || y - r >= (double)to->height) return;
    for (long row = cut(y - r, to->height); row <= cut(y + r, to->height); row++) {
        for (long column = cut(x - r, to->width); column <= cut(x + r, to->width); column++) {
            const double dx = (double)column + 0.5 - x;
            const double dy = (double)row + 0.5 - y;
            const double square = r * r - dx * dx - dy * dy;
            if (square < 0) continue;
            const float depth = (float)(at[2] + sqrt(square) / to->scale);
            const size_t i = (size_t)row * to->width + (size_t)column;
            if (depth <= to->depth[i]) continue;
            to->depth[i] = depth;
            to->ball[i] = index;
        }
    }
}

static depth_map see(const stage *of) {
    depth_map seen = map_make(0, 0, (double)of->width, (double)of->height, SAMPLES);
    for (size_t i = 0; i < of->ball_count; i++)
        map_add(&seen, of->balls[i].at, of->balls[i].radius, (int32_t)i);
    return seen;
}

bool *render_visible(const stage *of) {
    bool *visible = allocate(of->ball_count, sizeof *visible);
    depth_map seen = see(of);
    for (size_t i = 0; i < seen.width * seen.height; i++)
        if (seen.ball[i] >= 0) visible[seen.ball[i]] = true;
    map_free(&seen);
    return visible;
}

/* ---- The light ---- */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* As the light sees a point: sideways, upwards, towards the light. */
static void to_light(const double at[3], double seen[3]) {
    /* (0, 1, 0) x light, and light x that, both of unit length. */
    const double level = sqrt(light[0] * light[0] + light[2] * light[2]);
    const double sideways[3] = {light[2] / level, 0, -light[0] / level};
    double upwards[3];
    cross(light, sideways, upwards);
    seen[0] = dot(at, sideways);
    seen[1] = dot(at, upwards);
    seen[2] = dot(at, light);
}

static depth_map see_from_light(const stage *of) {
    double lower[2] = {INFINITY, INFINITY};
    double upper[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < of->ball_count; i++) {
        double at[3];
        to_light(of->balls[i].at, at);
        for (size_t axis = 0; axis < 2; axis++) {
            lower[axis] = fmin(lower[axis], at[axis] - of->balls[i].radius);
            upper[axis] = fmax(upper[axis], at[axis] + of->balls[i].radius);
        }
    }
    if (!of->ball_count) lower[0] = lower[1] = upper[0] = upper[1] = 0;
    depth_map map = map_make(lower[0], lower[1], upper[0] - lower[0], upper[1] - lower[1], SAMPLES);
    for (size_t i = 0; i < of->ball_count; i++) {
        double at[3];
        to_light(of->balls[i].at, at);
        map_add(&map, at, of->balls[i].radius, (int32_t)i);
    }
    return map;
}

/* How much of the light reaches a point, from nine places around it. */
static double lit(const depth_map *from_light, const double at[3]) {
    double seen[3];
    to_light(at, seen);
    const double x = (seen[0] - from_light->x) * from_light->scale;
    const double y = (seen[1] - from_light->y) * from_light->scale;
    int reached = 0;
    for (int i = 0; i < 9; i++) {
        const double column = floor(x) + (i % 3 - 1);
        const double row = floor(y) + ((double)(i / 3) - 1);
        if (column < 0 || row < 0 || column >= (double)from_light->width ||
            row >= (double)from_light->height) {
            reached++;
            continue;
        }
        const size_t index = (size_t)row * from_light->width + (size_t)column;
        /* A pixel and a half: more than the slope of a ball is within a sample. */
        reached += (double)from_light->depth[index] < seen[2] + 1.5;
    }
    return reached / 9.0;
}

/* How much of the surroundings of a sample is before it: gaps between balls are dark. */
static double crowded(const depth_map *seen, size_t column, size_t row, double depth,
                      double reach) {
    /* A spiral of directions and distances: each is the golden angle on from the last. */
    enum { RAYS = 12 };
    static const double spiral[RAYS][2] = {{0.2041, 0.0000},  {-0.2607, 0.2388},  {0.0399, -0.4547},
                                           {0.3286, 0.4286},  {-0.6030, -0.1067}, {0.5712, -0.3634},
                                           {-0.1911, 0.7107}, {-0.3644, -0.7016}, {0.7906, 0.2887},
                                           {-0.8224, 0.3395}, {0.3965, -0.8472},  {0.2930, 0.9341}};
    double before = 0;
    for (size_t i = 0; i < RAYS; i++) {
        const double x = (double)column + reach * seen->scale * spiral[i][0];
        const double y = (double)row + reach * seen->scale * spiral[i][1];
        if (x < 0 || y < 0 || x >= (double)seen->width || y >= (double)seen->height) continue;
        const double rise = (double)seen->depth[(size_t)y * seen->width + (size_t)x] - depth;
        /* What is far before it does not touch it. */
        if (rise > 0 && rise < 3 * reach) before += fmin(1, rise / (0.6 * reach));
    }
    return before / RAYS;
}

/* x^24 */
static double sharpened(double x) {
    const double cube = x * x * x;
    const double sixth = cube * cube;
    return sixth * sixth * sixth * sixth;
}

static colour shaded(colour of, double brightness, double gloss) {
    return (colour){fmin(1, of.red * brightness + gloss), fmin(1, of.green * brightness + gloss),
                    fmin(1, of.blue * brightness + gloss)};
}

static colour ball_colour(const stage *of, const depth_map *seen, const depth_map *from_light,
                          size_t column, size_t row) {
    const size_t i = row * seen->width + column;
    const ball *hit = &of->balls[seen->ball[i]];
    const double at[3] = {((double)column + 0.5) / seen->scale, ((double)row + 0.5) / seen->scale,
                          (double)seen->depth[i]};
    const double normal[3] = {(at[0] - hit->at[0]) / hit->radius,
                              (at[1] - hit->at[1]) / hit->radius,
                              (at[2] - hit->at[2]) / hit->radius};
    const double facing = fmax(0, dot(normal, light));
    const double direct = facing > 0 ? facing * lit(from_light, at) : 0;
    const double open = 1 - narrow_dark * crowded(seen, column, row, at[2], 1.2 * hit->radius);
    /* The mirror image of the light, towards the viewer. */
    const double mirror = fmax(0, 2 * facing * normal[2] - light[2]);
    const double gloss = direct > 0 ? 0.35 * sharpened(mirror) * (direct / facing) : 0;
    return shaded(hit->colour, (ambient * (0.7 + 0.3 * normal[1]) + 0.68 * direct) * open, gloss);
}

/* The point of a panel at a place of the picture; false if it is not there. */
static bool panel_at(const panel *of, double x, double y, double at[3]) {
    double normal[3];
    cross(of->side[0], of->side[1], normal);
    if (normal[2] == 0) return false;
    at[0] = x;
    at[1] = y;
    at[2] = of->corner[2] -
            ((x - of->corner[0]) * normal[0] + (y - of->corner[1]) * normal[1]) / normal[2];
    const double from[3] = {at[0] - of->corner[0], at[1] - of->corner[1], at[2] - of->corner[2]};
    for (size_t i = 0; i < 2; i++) {
        const double along = dot(from, of->side[i]) / dot(of->side[i], of->side[i]);
        if (!(along >= 0 && along <= 1)) return false;
    }
    return true;
}

static colour ground_colour(const stage *of, const depth_map *seen, const depth_map *from_light,
                            size_t column, size_t row) {
    for (size_t i = 0; i < of->panel_count; i++) {
        double at[3];
        const double x = ((double)column + 0.5) / seen->scale;
        const double y = ((double)row + 0.5) / seen->scale;
        if (!panel_at(&of->panels[i], x, y, at)) continue;
        const double brightness = of->panels[i].shadows ? 0.72 + 0.28 * lit(from_light, at) : 1;
        return shaded(of->panels[i].colour, brightness, 0);
    }
    return (colour){1, 1, 1};
}

/* ---- The picture ---- */

static colour mixed(colour a, colour b, double share) {
    return (colour){a.red + share * (b.red - a.red), a.green + share * (b.green - a.green),
                    a.blue + share * (b.blue - a.blue)};
}

static void draw_edge(const depth_map *seen, colour *samples, const edge *of) {
    static const colour ink = {0.25, 0.27, 0.3};
    const double dx = (of->to[0] - of->from[0]) * seen->scale;
    const double dy = (of->to[1] - of->from[1]) * seen->scale;
    const double steps = ceil(fmax(fabs(dx), fabs(dy))) + 1;
    /* Two samples wide: each point and the one across the line. */
    const int across = fabs(dx) > fabs(dy);
    for (double step = 0; step <= steps; step++) {
        const double share = step / steps;
        const double depth = of->from[2] + share * (of->to[2] - of->from[2]);
        for (int i = 0; i < 2; i++) {
            const double x = floor(of->from[0] * seen->scale + share * dx) + (across ? 0 : i);
            const double y = floor(of->from[1] * seen->scale + share * dy) + (across ? i : 0);
            if (x < 0 || y < 0 || x >= (double)seen->width || y >= (double)seen->height) continue;
            const size_t at = (size_t)y * seen->width + (size_t)x;
            if ((double)seen->depth[at] < depth) samples[at] = mixed(samples[at], ink, 0.6);
        }
    }
}

static unsigned char byte_of(double share) { return (unsigned char)lrint(255 * share); }

/* The mean of each pixel's samples; the picture's first row is the highest. */
static unsigned char *gather(const stage *of, const depth_map *seen, const colour *samples) {
    unsigned char *pixels = allocate(of->width * of->height, 3);
    for (size_t row = 0; row < of->height; row++) {
        for (size_t column = 0; column < of->width; column++) {
            colour sum = {0, 0, 0};
            for (size_t i = 0; i < SAMPLES * SAMPLES; i++) {
                const size_t up = row * SAMPLES + i / SAMPLES;
                const colour *one = &samples[up * seen->width + column * SAMPLES + i % SAMPLES];
                sum = (colour){sum.red + one->red, sum.green + one->green, sum.blue + one->blue};
            }
            unsigned char *to = &pixels[3 * ((of->height - 1 - row) * of->width + column)];
            to[0] = byte_of(sum.red / (SAMPLES * SAMPLES));
            to[1] = byte_of(sum.green / (SAMPLES * SAMPLES));
            to[2] = byte_of(sum.blue / (SAMPLES * SAMPLES));
        }
    }
    return pixels;
}

unsigned char *render(const stage *of) {
    depth_map seen = see(of);
    depth_map from_light = see_from_light(of);
    colour *samples = allocate(seen.width * seen.height, sizeof *samples);
    for (size_t row = 0; row < seen.height; row++)
        for (size_t column = 0; column < seen.width; column++)
            samples[row * seen.width + column] =
                seen.ball[row * seen.width + column] >= 0
                    ? ball_colour(of, &seen, &from_light, column, row)
                    : ground_colour(of, &seen, &from_light, column, row);
    for (size_t i = 0; i < of->edge_count; i++)
        draw_edge(&seen, samples, &of->edges[i]);
    unsigned char *pixels = gather(of, &seen, samples);
    free(samples);
    map_free(&from_light);
    map_free(&seen);
    return pixels;
}
