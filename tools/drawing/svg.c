#include "svg.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/fail.h"
#include "support/output.h"

/* No element's beginning is longer than this. */
enum { PIECE_SIZE = 512 };

__attribute__((format(printf, 1, 2))) static void write_format(const char *format, ...) {
    char piece[PIECE_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(piece, sizeof piece, format, values);
    va_end(values);
    output_text(piece);
}

/* To a hundredth, without zeros at the end. */
static const char *number(char text[32], double value) {
    snprintf(text, 32, "%.2f", value);
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        length--;
    if (text[length - 1] == '.') length--;
    text[length] = '\0';
    return strcmp(text, "-0") == 0 ? "0" : text;
}

static void write_attribute(const char *name, double value) {
    char text[32];
    write_format(" %s=\"%s\"", name, number(text, value));
}

static void write_escaped(char letter) {
    switch (letter) {
    case '&':
        output_text("&amp;");
        break;
    case '<':
        output_text("&lt;");
        break;
    case '>':
        output_text("&gt;");
        break;
    default:
        write_format("%c", letter);
    }
}

static void write_title(const char *title) {
    output_text("<title>");
    for (; *title; title++)
        write_escaped(*title);
    output_text("</title>");
}

static void write_style(const svg_style *style) {
    write_format(" fill=\"%s\"", style->fill ? style->fill : "none");
    if (!style->stroke) return;
    write_format(" stroke=\"%s\"", style->stroke);
    write_attribute("stroke-width", style->width);
    if (style->dashes) write_format(" stroke-dasharray=\"%s\"", style->dashes);
}

void svg_require(const char *option, const char *path) {
    static const char ending[] = ".svg";
    const size_t length = strlen(path), wanted = sizeof ending - 1;
    struct stat status;
    if (length > wanted && !strcmp(path + length - wanted, ending)) return;
    if (!strcmp(path, "-") || (!stat(path, &status) && !S_ISREG(status.st_mode))) return;
    fail("%s: pictures are SVG; '%s' does not end in %s", option, path, ending);
}

void svg_begin(double width, double height, const char *title) {
    char w[32];
    char h[32];
    number(w, width);
    number(h, height);
    write_format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" "
                 "viewBox=\"0 0 %s %s\" role=\"img\" font-family=\"sans-serif\">\n",
                 w, h, w, h);
    write_title(title);
    write_format("\n<rect width=\"%s\" height=\"%s\" fill=\"#ffffff\"/>\n", w, h);
}

void svg_end(void) { output_text("</svg>\n"); }

static void write_point(char command, double x, double y) {
    char text_x[32];
    char text_y[32];
    write_format("%c%s %s", command, number(text_x, x), number(text_y, y));
}

void svg_path_begin(void) { output_text("<path d=\""); }
void svg_path_move(double x, double y) { write_point('M', x, y); }
void svg_path_line(double x, double y) { write_point('L', x, y); }

void svg_path_curve(double x1, double y1, double x2, double y2, double x, double y) {
    write_point('C', x1, y1);
    write_point(' ', x2, y2);
    write_point(' ', x, y);
}

void svg_path_end(const svg_style *style, bool closed) {
    output_text(closed ? "Z\"" : "\"");
    output_text(" stroke-linejoin=\"round\"");
    write_style(style);
    output_text("/>\n");
}

void svg_line(double x1, double y1, double x2, double y2, const svg_style *style) {
    output_text("<line");
    write_attribute("x1", x1);
    write_attribute("y1", y1);
    write_attribute("x2", x2);
    write_attribute("y2", y2);
    write_style(style);
    output_text("/>\n");
}

void svg_rectangle(double x, double y, double width, double height, const svg_style *style) {
    output_text("<rect");
    write_attribute("x", x);
    write_attribute("y", y);
    write_attribute("width", width);
    write_attribute("height", height);
    write_style(style);
    output_text("/>\n");
}

void svg_circle(double x, double y, double radius, const svg_style *style, const char *tip) {
    output_text("<circle");
    write_attribute("cx", x);
    write_attribute("cy", y);
    write_attribute("r", radius);
    write_style(style);
    if (tip) {
        output_text(">");
        write_title(tip);
        output_text("</circle>\n");
    } else {
        output_text("/>\n");
    }
}

/* Writes the subscript at the beginning of the text; returns what comes after it. */
static const char *write_subscript(const char *text) {
    output_text("<tspan dy=\"3\" font-size=\"75%\">");
    for (; isalnum((unsigned char)*text); text++)
        write_escaped(*text);
    /* Back up: the invisible space has the next letters' place on the base line. */
    output_text("</tspan><tspan dy=\"-3\">&#8203;</tspan>");
    return text;
}

static void write_words(const char *text) {
    bool italic = false;
    while (*text) {
        if (*text == '_') {
            text = write_subscript(text + 1);
            continue;
        }
        if (*text == '*') {
            output_text(italic ? "</tspan>" : "<tspan font-style=\"italic\">");
            italic = !italic;
        } else {
            write_escaped(*text);
        }
        text++;
    }
}

void svg_text(double x, double y, double size, svg_anchor anchor, double turn, const char *text) {
    static const char *const anchors[] = {"start", "middle", "end"};
    output_text("<text");
    write_attribute("x", x);
    write_attribute("y", y);
    write_attribute("font-size", size);
    if (anchor != SVG_START) write_format(" text-anchor=\"%s\"", anchors[anchor]);
    if (turn != 0) {
        char t[32];
        char at_x[32];
        char at_y[32];
        number(t, -turn);
        write_format(" transform=\"rotate(%s %s %s)\"", t, number(at_x, x), number(at_y, y));
    }
    output_text(">");
    write_words(text);
    output_text("</text>\n");
}

void svg_still_begin(double opacity, double moving) {
    char still[32];
    char moved[32];
    write_format("<g opacity=\"%s\"><set attributeName=\"opacity\" to=\"%s\"/>\n",
                 number(still, opacity), number(moved, moving));
}

void svg_frame_begin(size_t index, size_t count, double seconds) {
    const bool first = index == 0, last = index + 1 == count;
    char duration[32];
    write_format("<g class=\"frame\" visibility=\"hidden\"><animate attributeName=\"visibility\" "
                 "calcMode=\"discrete\" dur=\"%ss\" repeatCount=\"indefinite\"",
                 number(duration, seconds));
    write_format(" values=\"%svisible%s\" keyTimes=\"0", first ? "" : "hidden;",
                 last ? "" : ";hidden");
    if (!first) write_format(";%.5f", (double)index / (double)count);
    if (!last) write_format(";%.5f", (double)(index + 1) / (double)count);
    output_text("\"/>\n");
}

void svg_group_end(void) { output_text("</g>\n"); }
