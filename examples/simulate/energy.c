/* The plot of the energy over time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawing/plot.h"
#include "haff.h"
#include "support/fail.h"
#include "support/output.h"
#include "view.h"

static const svg_style translation_style = {.stroke = PLOT_BLUE, .width = 2};
static const svg_style rotation_style = {.stroke = PLOT_GREEN, .width = 1.6};
static const svg_style potential_style = {.stroke = PLOT_VERMILION, .width = 1.6};
static const svg_style sum_style = {.stroke = PLOT_BLACK, .width = 1.2, .dashes = "5 3"};
static const svg_style theory_style = {.stroke = PLOT_VERMILION, .width = 1.6, .dashes = "6 4"};
static const svg_style until_style = {.stroke = PLOT_GREY, .width = 1, .dashes = "2 3"};

typedef double value_of(const sample *at);

static double translation(const sample *at) { return at->translation; }
static double rotation(const sample *at) { return at->rotation; }
static double potential(const sample *at) { return at->potential; }
static double sum(const sample *at) { return at->translation + at->rotation + at->potential; }

static void draw(const plot *on, const series *of, value_of *value, const svg_style *style) {
    plot_point *points = allocate(of->count, sizeof *points);
    for (size_t i = 0; i < of->count; i++)
        points[i] = (plot_point){of->samples[i].time, value(&of->samples[i])};
    plot_line(on, points, of->count, style);
    free(points);
}

static void draw_pour(const motion *of) {
    const series *all = &of->series;
    double most = 0;
    for (size_t i = 0; i < all->count; i++)
        most = fmax(most, fmax(sum(&all->samples[i]), all->samples[i].translation));
    const double end = fmax(all->samples[all->count - 1].time, of->next_step);
    plot on = plot_begin("Energy of spheres poured into a box", 0, end, 0, 1.05 * most);
    draw(&on, all, potential, &potential_style);
    draw(&on, all, rotation, &rotation_style);
    draw(&on, all, translation, &translation_style);
    draw(&on, all, sum, &sum_style);
    plot_legend_line(&on, &translation_style, "translation");
    plot_legend_line(&on, &rotation_style, "rotation");
    plot_legend_line(&on, &potential_style, "potential");
    plot_legend_line(&on, &sum_style, "all");
    plot_axes(&on, "time, s", "energy, J");
    char words[160];
    snprintf(words, sizeof words, "%zu spheres; restitution %g, friction %g", of->scene.particles,
             of->scene.collision.restitution, of->scene.collision.friction);
    plot_end(&on, words);
}

/* ---- The gas: log(T / T_0) over log(1 + t / tau), where Haff's law is a line of slope -2 ---- */

static void draw_law(const plot *on, double last) {
    const plot_point points[] = {plot_logarithms(1, 1), plot_logarithms(last, 1 / (last * last))};
    plot_line(on, points, sizeof points / sizeof *points, &theory_style);
}

static void draw_gas(const motion *of, double fit) {
    const series *all = &of->series;
    const scene *in = &of->scene;
    const double frequency =
        haff_frequency(in->packing, 2 * in->radius, 1, all->samples[0].temperature);
    double theory = haff_time(in->collision.restitution, frequency);
    /* Elastic: nothing cools; time in collisions then. */
    if (!isfinite(theory)) theory = 1 / frequency;
    const sample *last = &all->samples[all->count - 1];
    const double end = fmax(1 + last->time / theory, 1.01);
    const double least = fmin(last->temperature / all->samples[0].temperature, 0.9);
    plot on =
        plot_begin_logarithmic("A gas of spheres that cools", 1, end * 1.15, least / 1.5, 1.4);
    plot_point *points = allocate(all->count, sizeof *points);
    for (size_t i = 0; i < all->count; i++)
        points[i] = plot_logarithms(1 + all->samples[i].time / theory,
                                    all->samples[i].temperature / all->samples[0].temperature);
    double until = 0;
    const double fitted = haff_fit(all, fit, &until);
    if (!isnan(fitted)) {
        const plot_point at = plot_logarithms(1 + until / theory, 1);
        plot_whole_line(&on, at, (plot_point){0, 1}, &until_style);
    }
    plot_line(&on, points, all->count, &translation_style);
    free(points);
    draw_law(&on, end * 1.15);
    plot_legend_line(&on, &translation_style, "the run");
    plot_legend_line(&on, &theory_style, "Haff's law, *tau* of theory");
    if (!isnan(fitted)) plot_legend_line(&on, &until_style, "end of the fit");
    plot_axes(&on, "1 + *t* / *tau*", "*T* / *T*_0");
    char words[320];
    snprintf(words, sizeof words,
             "%zu spheres, packing %g, restitution %g, %.1f collisions per sphere\n"
             "tau: %.5g fitted, %.5g by theory; ratio %.4f",
             in->particles, in->packing, in->collision.restitution, last->collisions, fitted,
             theory, fitted / theory);
    plot_end(&on, words);
}

void view_energy(const motion *of, double fit, const char *path) {
    output_open(path);
    if (of->scene.kind == SCENE_POUR)
        draw_pour(of);
    else
        draw_gas(of, fit);
    output_finish();
}
