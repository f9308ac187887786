/* The planar section of impulse space: figures 3 to 8 of Chatterjee and Ruina 1998. */
#include "map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/plot.h"
#include "support/fail.h"

/* What a picture shows besides the permissible region. */
typedef enum layer {
    LAYER_CONSTRUCTION = 1 << 0, /* points and lines of 3.3 with their letters */
    LAYER_CENTRE = 1 << 1,       /* P_II, the centre of the ellipse */
    LAYER_ROUTH = 1 << 2,
    LAYER_WHITTAKER = 1 << 3,
    LAYER_SMITH = 1 << 4,
    LAYER_TWO_STAGE = 1 << 5,
    LAYER_CHATTERJEE_RUINA = 1 << 6,
    LAYER_STICKING_ELASTIC = 1 << 7, /* where sticking meets e = 1 (4.2.2) */
    LAYER_REVERSED = 1 << 8,         /* where the tangential velocity is reversed (4.2.3) */
    LAYER_PENDULUM = 1 << 9,         /* a sketch of the bodies */
    LAYER_LAWS =
        LAYER_ROUTH | LAYER_WHITTAKER | LAYER_SMITH | LAYER_TWO_STAGE | LAYER_CHATTERJEE_RUINA
} layer;

typedef struct figure {
    const char *name; /* in the paper */
    map_planar contact;
    int layers;
    const char *title;
    const char *caption;
} figure;

/*
 * The paper's figures have no numbers. These have what its text says of them: in 3 and 4 the path
 * of Routh's law meets the line of sticking below that of maximum compression and goes on along the
 * other friction line, Smith's reaches the normal axis beyond E, and sticking meets EF outside the
 * ellipse; in 5 the matrix is a sphere's; in 6 the contact jams and P_II is inside the friction
 * cone; in 7 the centre is below the tangential axis; in 8 K's eigenvalue along
 * (-3, 4), which is that of a pendulum's rod, is 1e-4 of the other's, and u0 is across the rod.
 */
#define GENERIC                                                                                    \
    { 1, 0.5, 1, -0.6, -1, 0.4 }

static const figure figures[] = {
    {"3a", GENERIC, LAYER_CONSTRUCTION, "The permissible region of impulses",
     "A generic collision in a plane: the ellipse of conserved energy, the friction lines, and "
     "the\npermissible region: inside both, above the line of maximum compression AB."},
    {"3b", GENERIC, LAYER_CONSTRUCTION | LAYER_ROUTH, "The impulses of Routh's law",
     "Routh's law: the path of the impulse from O, and the impulses that it can reach (bold)\nas "
     "Poisson's restitution goes from 0 to 1."},
    {"3c", GENERIC, LAYER_CONSTRUCTION | LAYER_SMITH | LAYER_REVERSED,
     "The impulses of Smith's law",
     "Smith's law as restitution goes from -1 (at O, thin) and from 0 to 1 (bold). On the dotted\n"
     "line through F the tangential velocity is reversed."},
    {"3d", GENERIC, LAYER_CONSTRUCTION | LAYER_WHITTAKER | LAYER_STICKING_ELASTIC,
     "The impulses of Whittaker's law",
     "Whittaker's law, and its construction for e = 1: the line of sticking meets the line of\n"
     "constant e (dashed) at the dot, outside the ellipse: energy is gained."},
    {"4", GENERIC, LAYER_LAWS, "A generic collision",
     "A generic collision: what the laws can reach as restitution goes from 0 (ring) to 1 (dot)."},
    {"5",
     {3.5, 0, 1, -1.4, -1, 0.3},
     LAYER_LAWS,
     "A collision with diagonal M",
     "A collision with diagonal M, as of spheres and disks (bilinear = Chatterjee-Ruina)."},
    {"6",
     {1, -0.8, 1, -1, 0, 1.5},
     LAYER_LAWS | LAYER_CENTRE,
     "A tangential collision",
     "A tangential collision (grazing): Routh's law predicts normal rebound (so does the "
     "two-stage\n"
     "law, with Poisson's restitution, too); Chatterjee and Ruina's permits tangential rebound."},
    {"7",
     {1, 0.6, 1, -1.2, -0.5, INFINITY},
     LAYER_LAWS | LAYER_CENTRE,
     "A collision with infinite friction",
     "A collision with infinite friction. The centre of the ellipse is below the tangential axis, "
     "so\nthat a dead collision would need a pull."},
    {"8",
     {0.640036, 0.479952, 0.360064, -0.8, -0.6, 2.5},
     LAYER_ROUTH | LAYER_SMITH | LAYER_TWO_STAGE | LAYER_CHATTERJEE_RUINA | LAYER_CENTRE |
         LAYER_PENDULUM,
     "A collision with unbounded M",
     "A collision with unbounded M: a pendulum's end meets the floor. The ellipse is a strip. "
     "Routh's\n"
     "impulses leave no velocity; Whittaker's law gains energy without bound and is not shown."}};

/* ---- Geometry ---- */

typedef struct section {
    map_planar contact;
    int layers;
    plot_point first, second; /* P_I and P_II */
    double m_tt, m_tn, m_nn;  /* M = K^-1 */
    double energy;            /* u0 . M u0 */
    bool resolve_jams;
} section;

static section section_of(const map_planar *c, int layers) {
    const double determinant = c->ktt * c->knn - c->ktn * c->ktn;
    section s = {.contact = *c,
                 .layers = layers,
                 .first = {0, -c->un / c->knn},
                 .m_tt = c->knn / determinant,
                 .m_tn = -c->ktn / determinant,
                 .m_nn = c->ktt / determinant,
                 .resolve_jams = c->un == 0};
    s.second = (plot_point){-(s.m_tt * c->ut + s.m_tn * c->un), -(s.m_tn * c->ut + s.m_nn * c->un)};
    s.energy = -(c->ut * s.second.x + c->un * s.second.y);
    return s;
}

/* The impulse after which the velocity is (ut, un). */
static plot_point impulse_to(const section *s, double ut, double un) {
    return (plot_point){s->second.x + s->m_tt * ut + s->m_tn * un,
                        s->second.y + s->m_tn * ut + s->m_nn * un};
}

/* The point of the ellipse where the velocity has the direction theta. */
static plot_point ellipse_at(const section *s, double theta) {
    const double t = cos(theta);
    const double n = sin(theta);
    const double square = s->m_tt * t * t + 2 * s->m_tn * t * n + s->m_nn * n * n;
    const double speed = sqrt(s->energy / square);
    return impulse_to(s, speed * t, speed * n);
}

static const double quarter = 1.57079632679489661923;

/*
 * The ellipse by even steps of its own angle: P = P_II + sqrt(energy) L (cos, sin) with L L^T = M,
 * so that a slender one is as smooth as a round one.
 */
enum { ELLIPSE_POINTS = 180 };

static void ellipse_points(const section *s, plot_point *points) {
    const double size = sqrt(s->energy);
    const double l_tt = sqrt(s->m_tt);
    const double l_nt = s->m_tn / l_tt;
    const double l_nn = sqrt(s->m_nn - l_nt * l_nt);
    for (int i = 0; i < ELLIPSE_POINTS; i++) {
        const double theta = 4 * quarter * i / ELLIPSE_POINTS;
        points[i] = (plot_point){s->second.x + size * l_tt * cos(theta),
                                 s->second.y + size * (l_nt * cos(theta) + l_nn * sin(theta))};
    }
}

/* The permissible region (Chatterjee and Ruina 1998, 3.2): the ellipse, cut by three conditions. */
static size_t region_points(const section *s, plot_point *points) {
    const map_planar *c = &s->contact;
    ellipse_points(s, points);
    size_t count = ELLIPSE_POINTS;
    count = polygon_cut(points, count, -c->ktn, -c->knn, c->un); /* u_n >= 0 */
    count = polygon_cut(points, count, 0, -1, 0);                /* no pull */
    if (isinf(c->friction)) return count;
    count = polygon_cut(points, count, 1, -c->friction, 0);
    return polygon_cut(points, count, -1, -c->friction, 0);
}

/* ---- Laws ---- */

typedef struct reach {
    impinge_law law;
    layer layer;
    const char *name;
    svg_style style;
} reach;

/* Where curves coincide, the thin ones that come later leave the wide ones to be seen. */
static const reach reaches[] = {
    {IMPINGE_LAW_ROUTH, LAYER_ROUTH, "Routh (Poisson)", {PLOT_BLACK, 4, NULL, NULL}},
    {IMPINGE_LAW_TWO_STAGE, LAYER_TWO_STAGE, "two-stage", {PLOT_GREEN, 2.6, NULL, NULL}},
    {IMPINGE_LAW_SMITH, LAYER_SMITH, "Smith", {PLOT_BLUE, 1.8, "9 2", NULL}},
    {IMPINGE_LAW_WHITTAKER, LAYER_WHITTAKER, "Whittaker", {PLOT_VERMILION, 1.4, "2.5 2.5", NULL}}};

/* What a law makes of the section; of Routh's, by Poisson's rule as in the paper. */
static plot_point impulse_of(const section *s, impinge_law law, double restitution,
                             double tangential) {
    const map_planar *c = &s->contact;
    const double zero = 0;
    double p[3] = {0, 0, 0};
    const impinge_contacts_f64 contacts = {
        .count = 1,
        .k11 = &c->ktt,
        .k12 = &zero,
        .k13 = &c->ktn,
        .k22 = &c->ktt, /* of the direction across, in which nothing moves */
        .k23 = &zero,
        .k33 = &c->knn,
        .u1 = &c->ut,
        .u2 = &zero,
        .u3 = &c->un,
        .coefficients = {.restitution.value = restitution,
                         .friction.value = c->friction,
                         .tangential_restitution.value = tangential}};
    const impinge_contact_results_f64 results = {.p1 = &p[0], .p2 = &p[1], .p3 = &p[2]};
    const impinge_options options = {
        .law = law, .rule = IMPINGE_RULE_POISSON, .resolve_jams = s->resolve_jams};
    const impinge_status status = impinge_resolve_contacts_f64(&contacts, &options, &results, NULL);
    if (status != IMPINGE_OK) fail("%s", impinge_status_text(status));
    return (plot_point){p[0], p[2]};
}

static double distance(plot_point a, plot_point b) { return hypot(a.x - b.x, a.y - b.y); }

/* So near that they are one in the picture. */
static bool same_place(const plot *in, plot_point a, plot_point b) {
    return distance(a, b) < 2 * (in->x_max - in->x_min) / in->width;
}

enum { CURVE_POINTS = 201 };

static void draw_reach(const plot *in, const section *s, const reach *of) {
    plot_point points[CURVE_POINTS];
    for (int i = 0; i < CURVE_POINTS; i++)
        points[i] = impulse_of(s, of->law, (double)i / (CURVE_POINTS - 1), 0);
    const plot_point first = points[0];
    const plot_point last = points[CURVE_POINTS - 1];
    const svg_style ring = {.stroke = of->style.stroke, .width = 1.4, .fill = "#ffffff"};
    const svg_style dot = {.fill = of->style.stroke};
    char tip[96];
    if (same_place(in, first, last)) {
        snprintf(tip, sizeof tip, "%s: p = (%.4g, %.4g) for every e", of->name, last.x, last.y);
        plot_dot(in, last, 1.2 + of->style.width, &dot, tip);
        return;
    }
    plot_line(in, points, CURVE_POINTS, &of->style);
    snprintf(tip, sizeof tip, "%s, e = 0: p = (%.4g, %.4g)", of->name, first.x, first.y);
    plot_dot(in, first, 1.6 + of->style.width / 2, &ring, tip);
    snprintf(tip, sizeof tip, "%s, e = 1: p = (%.4g, %.4g)", of->name, last.x, last.y);
    plot_dot(in, last, 1.2 + of->style.width / 2, &dot, tip);
}

static const svg_style ruina_style = {PLOT_PURPLE, 1, NULL, PLOT_PALE_YELLOW};

/*
 * What Chatterjee and Ruina's law reaches over e in [0, 1] and e_t in [-1, 1]: the image of that
 * square's outline. The law moves impulses along P_II - P_I only, so that this bounds the rest.
 */
static void draw_ruina(const plot *in, const section *s) {
    enum { SIDE = 41 };
    plot_point points[4 * SIDE];
    for (int i = 0; i < SIDE; i++) {
        const double part = (double)i / (SIDE - 1);
        const double across = 2 * part - 1;
        const impinge_law law = IMPINGE_LAW_CHATTERJEE_RUINA;
        points[i] = impulse_of(s, law, 0, across);
        points[SIDE + i] = impulse_of(s, law, part, 1);
        points[2 * SIDE + i] = impulse_of(s, law, 1, -across);
        points[3 * SIDE + i] = impulse_of(s, law, 1 - part, -1);
    }
    plot_area(in, points, 4 * SIDE, &ruina_style);
    /* Of a grazing collision it is a line. */
    const svg_style line = {PLOT_PURPLE, 5, NULL, NULL};
    const plot_point least = points[0];
    const plot_point most = points[SIDE - 1];
    if (s->contact.un == 0) plot_line(in, (plot_point[]){least, most}, 2, &line);
}

/* ---- Drawing ---- */

static const svg_style region_style = {.fill = PLOT_PALE_GREY};
static const svg_style ellipse_style = {PLOT_BLACK, 1.2, NULL, NULL};
static const svg_style compression_style = {PLOT_BLACK, 1, NULL, NULL};
static const svg_style sticking_style = {PLOT_BLACK, 1, "9 3 2 3", NULL};
static const svg_style friction_style = {PLOT_GREY, 1.2, NULL, NULL};
static const svg_style axis_style = {PLOT_GREY, 0.7, "1 2", NULL};
static const svg_style elastic_style = {PLOT_BLACK, 1, "5 3", NULL};
static const svg_style reversed_style = {PLOT_VERMILION, 1, "2 3", NULL};
static const svg_style letter_style = {.fill = PLOT_BLACK};

static void draw_region_area(const plot *in, const section *s) {
    plot_point points[ELLIPSE_POINTS + 8];
    const size_t count = region_points(s, points);
    plot_area(in, points, count, &region_style);
}

/* The directions of the lines: along each, one component of K dp is zero. */
static plot_point along_compression(const section *s) {
    return (plot_point){s->contact.knn, -s->contact.ktn};
}

static plot_point along_sticking(const section *s) {
    return (plot_point){-s->contact.ktn, s->contact.ktt};
}

static void draw_lines(const plot *in, const section *s) {
    plot_point ellipse[ELLIPSE_POINTS + 1];
    ellipse_points(s, ellipse);
    ellipse[ELLIPSE_POINTS] = ellipse[0];
    const plot_point origin = {0, 0};
    plot_whole_line(in, origin, (plot_point){0, 1}, &axis_style);
    plot_whole_line(in, origin, (plot_point){1, 0}, &axis_style);
    plot_line(in, ellipse, ELLIPSE_POINTS + 1, &ellipse_style);
    plot_whole_line(in, s->second, along_compression(s), &compression_style);
    plot_whole_line(in, s->second, along_sticking(s), &sticking_style);
    const double mu = s->contact.friction;
    const plot_point right = isinf(mu) ? (plot_point){1, 0} : (plot_point){mu, 1};
    plot_half_line(in, origin, right, &friction_style);
    plot_half_line(in, origin, (plot_point){-right.x, right.y}, &friction_style);
}

static void draw_letter(const plot *in, plot_point at, double right, double up,
                        const char *letter) {
    char tip[64];
    snprintf(tip, sizeof tip, "%s: p = (%.4g, %.4g)", letter, at.x, at.y);
    plot_dot(in, at, 2.4, &letter_style, tip);
    plot_words(in, at, right, up, SVG_MIDDLE, letter);
}

/* The points of 3.3: where the velocity before and after is along an axis, and E and F. */
static void draw_construction(const plot *in, const section *s) {
    const plot_point elastic = {0, 2 * s->first.y};
    const plot_point reversed = {2 * s->second.x, 2 * s->second.y};
    plot_whole_line(in, elastic, along_compression(s), &elastic_style);
    draw_letter(in, (plot_point){0, 0}, -9, -12, "O");
    draw_letter(in, ellipse_at(s, 2 * quarter), -9, -12, "A");
    draw_letter(in, ellipse_at(s, 0), 10, 6, "B");
    draw_letter(in, ellipse_at(s, quarter), 9, 6, "C");
    draw_letter(in, ellipse_at(s, 3 * quarter), -9, -12, "D");
    draw_letter(in, elastic, 10, 5, "E");
    draw_letter(in, reversed, 10, 5, "F");
}

/* Where e = 1 and no slip meet (4.2.2). */
static void draw_sticking_elastic(const plot *in, const section *s) {
    plot_dot(in, impulse_to(s, 0, -s->contact.un), 4, &letter_style, "sticking, e = 1");
}

static void draw_reversed(const plot *in, const section *s) {
    const plot_point reversed = {2 * s->second.x, 2 * s->second.y};
    plot_whole_line(in, reversed, along_sticking(s), &reversed_style);
}

/*
 * What a law gives as its restitution goes from -1, which is no impulse, to 0: all that counts is
 * the change of u_n, (1 + e) u_n0, so that a slower approach without restitution gives the same.
 */
static void draw_path(const plot *in, const section *s, impinge_law law) {
    const svg_style style = {PLOT_BLACK, 1.6, NULL, NULL};
    plot_point points[CURVE_POINTS] = {{0, 0}};
    for (int i = 1; i < CURVE_POINTS; i++) {
        section slower = *s;
        slower.contact.un *= (double)i / (CURVE_POINTS - 1);
        points[i] = impulse_of(&slower, law, 0, 0);
    }
    plot_line(in, points, CURVE_POINTS, &style);
}

static bool shows(const section *s, layer what) { return (s->layers & (int)what) != 0; }

static void draw_laws(const plot *in, const section *s) {
    for (size_t i = 0; i < sizeof reaches / sizeof *reaches; i++)
        if (shows(s, reaches[i].layer)) draw_reach(in, s, &reaches[i]);
}

static void draw_legend(plot *in, const section *s) {
    plot_legend_area(in, &region_style, "permissible region");
    plot_legend_line(in, &ellipse_style, "energy conserved");
    plot_legend_line(in, &compression_style, "max. compression, *u*_n = 0");
    plot_legend_line(in, &sticking_style, "sticking, *u*_t = 0");
    plot_legend_line(in, &friction_style, "friction lines");
    if (shows(s, LAYER_CONSTRUCTION)) plot_legend_line(in, &elastic_style, "*e* = 1");
    if (shows(s, LAYER_REVERSED)) plot_legend_line(in, &reversed_style, "*u*_t reversed");
    if (!shows(s, LAYER_LAWS)) return;
    plot_legend_words(in, "");
    plot_legend_words(in, "within reach of");
    for (size_t i = 0; i < sizeof reaches / sizeof *reaches; i++)
        if (shows(s, reaches[i].layer)) plot_legend_line(in, &reaches[i].style, reaches[i].name);
    if (shows(s, LAYER_CHATTERJEE_RUINA)) plot_legend_area(in, &ruina_style, "Chatterjee-Ruina");
}

static void include(plot_point at, double *low, double *high) {
    low[0] = fmin(low[0], at.x);
    high[0] = fmax(high[0], at.x);
    low[1] = fmin(low[1], at.y);
    high[1] = fmax(high[1], at.y);
}

/*
 * What the frame has to hold: the ellipse; or if that is far longer than all that happens in it,
 * what does.
 */
static void bounds(const section *s, double *low, double *high) {
    const double core = fmax(hypot(s->second.x, s->second.y), 2 * s->first.y);
    const double size = sqrt(s->energy);
    const plot_point half = {size * sqrt(s->m_tt), size * sqrt(s->m_nn)};
    low[0] = low[1] = high[0] = high[1] = 0;
    if (fmax(half.x, half.y) < 4 * core) {
        include((plot_point){s->second.x - half.x, s->second.y - half.y}, low, high);
        include((plot_point){s->second.x + half.x, s->second.y + half.y}, low, high);
    } else {
        include((plot_point){-core / 2, -core / 8}, low, high);
        include((plot_point){core / 2, core}, low, high);
        include(s->second, low, high);
    }
    include((plot_point){0, 2 * s->first.y}, low, high);
    const plot_point sticking = impulse_to(s, 0, -s->contact.un);
    if (shows(s, LAYER_WHITTAKER) && hypot(sticking.x, sticking.y) < 2 * core)
        include(sticking, low, high);
}

/* The pendulum of figure 8, its end on the floor: below the legend. */
static void draw_pendulum(const plot *in) {
    const svg_style thin = {PLOT_BLACK, 0.8, NULL, NULL};
    const svg_style rod = {PLOT_BLACK, 3, NULL, NULL};
    const svg_style hinge = {PLOT_BLACK, 1, NULL, "#ffffff"};
    const double x = in->left + in->width + 120;
    const double floor = in->top + in->height - 14;
    const double length = 90;
    for (int i = -60; i <= 40; i += 10)
        svg_line(x + i, floor, x + i - 7, floor + 9, &thin);
    svg_line(x - 64, floor, x + 44, floor, &thin);
    svg_line(x, floor, x - 0.6 * length, floor - 0.8 * length, &rod);
    svg_circle(x - 0.6 * length, floor - 0.8 * length, 4, &hinge, "hinge");
}

static void draw(const map_planar *contact, int layers, const char *title, const char *caption) {
    const section s = section_of(contact, layers);
    double low[2], high[2];
    bounds(&s, low, high);
    const double margin = 0.06 * fmax(high[0] - low[0], high[1] - low[1]);
    plot in = plot_begin_equal(title, low[0] - margin, high[0] + margin, low[1] - margin,
                               high[1] + margin);
    draw_region_area(&in, &s);
    if (shows(&s, LAYER_CHATTERJEE_RUINA)) draw_ruina(&in, &s);
    draw_lines(&in, &s);
    if (shows(&s, LAYER_CONSTRUCTION)) draw_construction(&in, &s);
    if (shows(&s, LAYER_CONSTRUCTION) && shows(&s, LAYER_ROUTH))
        draw_path(&in, &s, IMPINGE_LAW_ROUTH);
    if (shows(&s, LAYER_REVERSED)) draw_reversed(&in, &s);
    if (shows(&s, LAYER_REVERSED)) draw_path(&in, &s, IMPINGE_LAW_SMITH);
    if (shows(&s, LAYER_STICKING_ELASTIC)) draw_sticking_elastic(&in, &s);
    draw_laws(&in, &s);
    if (shows(&s, LAYER_CENTRE)) draw_letter(&in, s.second, -10, contact->ktn > 0 ? -13 : 5, "C");
    if (!shows(&s, LAYER_CONSTRUCTION))
        draw_letter(&in, (plot_point){0, 0}, contact->ktn < 0 ? 10 : -9, -12, "O");
    plot_axes(&in, "tangential impulse *p*_t (kg m/s)", "normal impulse *p*_n (kg m/s)");
    draw_legend(&in, &s);
    if (shows(&s, LAYER_PENDULUM)) draw_pendulum(&in);
    plot_end(&in, caption);
}

void map_region(const map_planar *contact) {
    draw(contact, LAYER_LAWS | LAYER_CENTRE, "Permissible impulses and laws",
         "What the laws can reach as restitution goes from 0 (ring) to 1 (dot).");
}

bool map_region_figure(const char *name) {
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        const figure *of = &figures[i];
        if (strcmp(name, of->name) != 0) continue;
        draw(&of->contact, of->layers, of->title, of->caption);
        return true;
    }
    return false;
}
