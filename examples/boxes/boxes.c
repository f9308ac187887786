/*
 * Boxes that fall on the floor, one on the other, and come to rest: the contacts' step of
 * <impinge/body_step.h>, with the detection and the loop of scenes/boxes.c around it. Draws them as
 * SVG at four moments, and prints how much they still move.
 *
 *     example-boxes > boxes.svg
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../scenes/box_scenes.h"

typedef NAME(box_world) world;

/* ---- Drawing: from above and aside, without perspective ---- */

enum { PANELS = 4, PANEL_WIDTH = 300, PANEL_HEIGHT = 330, PIXELS_PER_METRE = 21 };

/* To the right, up and towards the eye. */
static const double right[3] = {0.8660254037844386, -0.5, 0};
static const double up[3] = {-0.2113248654051871, -0.3660254037844386, 0.9063077870366499};
static const double towards[3] = {-0.4531538935183250, -0.7848855672213958, -0.4226182617406994};

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A face that can be seen. */
typedef struct face {
    double corner[4][3];
    double near; /* how far towards the eye */
    int shade;   /* 0 to 255 */
    size_t box;
} face;

static int farther_first(const void *x, const void *y) {
    const double a = ((const face *)x)->near;
    const double b = ((const face *)y)->near;
    return (a > b) - (a < b);
}

/* Corner k of a box has the bits of k as signs along its edges; a face fixes one of them. */
static size_t faces_of(const world *w, size_t box, face *faces) {
    double corner[8][3];
    size_t count = 0;
    for (unsigned k = 0; k < 8; k++)
        NAME(box_corner)(w, box, k, corner[k]);
    for (unsigned axis = 0; axis < 3; axis++) {
        for (unsigned side = 0; side < 2; side++) {
            const unsigned u = 1u << (axis + 1) % 3;
            const unsigned v = 1u << (axis + 2) % 3;
            const unsigned from = side << axis;
            const unsigned order[4] = {from, from | u, from | u | v, from | v};
            double normal[3];
            face *const f = &faces[count];
            f->near = 0;
            f->box = box;
            for (int d = 0; d < 3; d++) {
                normal[d] = (side ? 1 : -1) * (corner[1u << axis][d] - corner[0][d]);
                for (int k = 0; k < 4; k++)
                    f->corner[k][d] = corner[order[k]][d];
            }
            if (dot(normal, towards) >= 0) continue;
            for (int k = 0; k < 4; k++)
                f->near -= dot(f->corner[k], towards) / 4;
            const double light[3] = {-0.35, 0.45, 0.82};
            const double lit = dot(normal, light) / sqrt(dot(normal, normal));
            f->shade = (int)(150 + 90 * lit);
            count++;
        }
    }
    return count;
}

static void draw_face(const face *f, double left) {
    /* Boxes in a few hues, so that they can be told apart. */
    static const double hues[5][3] = {{0.95, 0.75, 0.45},
                                      {0.55, 0.75, 0.95},
                                      {0.75, 0.9, 0.6},
                                      {0.95, 0.65, 0.6},
                                      {0.8, 0.7, 0.95}};
    const double *const hue = hues[f->box % 5];
    printf("<polygon points=\"");
    for (int k = 0; k < 4; k++)
        printf("%.1f,%.1f ",
               left + PANEL_WIDTH / 2.0 - 20 + PIXELS_PER_METRE * dot(f->corner[k], right),
               PANEL_HEIGHT - 110.0 - PIXELS_PER_METRE * dot(f->corner[k], up));
    printf("\" fill=\"#%02x%02x%02x\"/>\n", (int)(f->shade * hue[0]), (int)(f->shade * hue[1]),
           (int)(f->shade * hue[2]));
}

static void draw(const world *w, int panel, double time) {
    face *const faces = malloc(6 * w->boxes * sizeof *faces);
    size_t count = 0;
    if (!faces) abort();
    for (size_t i = 0; i < w->boxes; i++)
        count += faces_of(w, i, faces + count);
    qsort(faces, count, sizeof *faces, farther_first);
    for (size_t i = 0; i < count; i++)
        draw_face(&faces[i], panel * PANEL_WIDTH);
    printf("<text x=\"%d\" y=\"%d\" stroke=\"none\" fill=\"#333\">%.1f s, %.2g J</text>\n",
           panel * PANEL_WIDTH + 16, PANEL_HEIGHT - 12, time, NAME(box_kinetic_energy)(w));
    free(faces);
}

/* ---- The simulation ---- */

int main(void) {
    const double h = 1.0 / 240;
    const double moments[PANELS] = {0, 0.8, 1.6, 8};
    world *const w = NAME(box_cloud)(4);
    w->how.rest.sweeps_max = 5;
    w->how.impacts.rest_speed = 4 * 9.81 * h;
    printf(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" "
        "font-size=\"14\">\n<g stroke=\"#333\" stroke-width=\"0.6\" stroke-linejoin=\"round\">\n",
        PANELS * PANEL_WIDTH, PANEL_HEIGHT);
    size_t steps = 0;
    for (int panel = 0; panel < PANELS; panel++) {
        for (; (double)steps * h < moments[panel] - h / 2; steps++)
            NAME(box_step)(w, h);
        draw(w, panel, moments[panel]);
        fprintf(stderr, "%.1f s: %.3g J of motion, %zu contacts, overlap %.4f m\n", moments[panel],
                NAME(box_kinetic_energy)(w), w->contacts, NAME(box_overlap)(w));
    }
    printf("</g></svg>\n");
    NAME(box_world_free)(w);
}
