/* What rounding does to results, and which variables may be less precise: in C, and what
 * `g2o_errors.hpp` is made from. */
#ifndef G2O_ERRORS_H
#define G2O_ERRORS_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the relative errors of some numbers do to the result, to first order: the sum of
 * |adjoint * number|, and that of its squares. Times the unit roundoff of a type, the one is the
 * most that the result can be off, and the root of the other what it is off by and large. */
typedef struct {
    double sum, squares;
} g2o_rounding;

static inline void g2o_add_rounding(g2o_rounding *rounding, double adjoint, double number)
{
    rounding->sum += fabs(adjoint * number);
    rounding->squares += adjoint * number * adjoint * number;
}

/* `count` numbers with their shadows: what a function is given is rounded once, before it. */
static inline void g2o_add_roundings(g2o_rounding *rounding, const double *numbers,
                                     const double *shadows, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        g2o_add_rounding(rounding, shadows[i], numbers[i]);
}

static inline void g2o_add_float_roundings(g2o_rounding *rounding, const float *numbers,
                                           const float *shadows, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        g2o_add_rounding(rounding, (double)shadows[i], (double)numbers[i]);
}

/* What is rounded: a parameter, a number that is stored as it is, one that is computed, or one
 * that is only used to compute another one. */
typedef enum { g2o_given, g2o_copied, g2o_computed, g2o_inside } g2o_how;

typedef struct {
    const char *variable;
    const char *place; /* in the source */
    const char *type;  /* of the variable */
    g2o_how how;
    const char *reads; /* the variables that the number is made of, with spaces between */
} g2o_rounded;

/* The roundings of one run of a function, and what follows from them. `left_out` is what rounding
 * may do besides, which no derivative knows of. */
typedef struct {
    const char *function;
    size_t count;
    const g2o_rounded *rounded;
    const g2o_rounding *sums;
    size_t left_out_count;
    const char *const *left_out;
} g2o_error_report;

/* A floating type by what it rounds: half of the distance from 1 to the next number, relative to
 * 1. */
typedef struct {
    const char *name;
    double unit;
} g2o_precision;

static inline g2o_precision g2o_single_precision(void)
{
    const g2o_precision made = {"float", ldexp(1.0, -24)};
    return made;
}

static inline g2o_precision g2o_double_precision(void)
{
    const g2o_precision made = {"double", ldexp(1.0, -53)};
    return made;
}

/* How large an error of a number, rounded to nearest, is by and large, relative to the largest. */
static const double g2o_usual_part = 0.42;

/* Nothing has been added for a parameter: the report does not tell of it. */
static inline int g2o_is_untold(const g2o_error_report *report, size_t row)
{
    return report->rounded[row].how == g2o_given && report->sums[row].sum == 0.0;
}

/* A variable is the first row that tells of it: that of the name with these letters, `count` for
 * none. */
static inline size_t g2o_row_of(const g2o_error_report *report, const char *name, size_t length)
{
    for (size_t row = 0; row < report->count; ++row) {
        const char *variable = report->rounded[row].variable;
        if (!g2o_is_untold(report, row) && strlen(variable) == length &&
            strncmp(variable, name, length) == 0)
            return row;
    }
    return report->count;
}

static inline size_t g2o_variable_of(const g2o_error_report *report, size_t row)
{
    const char *variable = report->rounded[row].variable;
    return g2o_row_of(report, variable, strlen(variable));
}

/* Is the number less precise where the variables are that `less` has a mark for? An operation is as
 * precise as the most precise of what it is given. */
static inline int g2o_is_rounded(const g2o_error_report *report, size_t row, const char *less)
{
    const g2o_rounded *one = &report->rounded[row];
    const int own = less[g2o_variable_of(report, row)];
    size_t known = 0, marked = 0;
    for (const char *name = one->reads; *name != '\0'; ++known) {
        const size_t length = strcspn(name, " ");
        const size_t variable = g2o_row_of(report, name, length);
        marked += variable < report->count && less[variable];
        name += length + (name[length] == ' ');
    }
    const int all = known > 0 && marked == known;
    switch (one->how) {
    case g2o_inside:
        return marked > 0;
    case g2o_computed:
        return own || all;
    default:
        return own && !all;
    }
}

/* The most that the results can be off where the variables `less` have this precision, and all
 * others one that rounds to `other`; or how much they are off by and large. */
static inline double g2o_error_of(const g2o_error_report *report, const char *less, double unit,
                                  double other, int by_and_large)
{
    double sum = 0.0, squares = 0.0;
    for (size_t row = 0; row < report->count; ++row) {
        if (g2o_is_untold(report, row))
            continue;
        const double one = g2o_is_rounded(report, row, less) ? unit : other;
        sum += report->sums[row].sum * one;
        squares += report->sums[row].squares * one * one;
    }
    return by_and_large ? g2o_usual_part * sqrt(squares) : sum;
}

static inline char *g2o_marks(const g2o_error_report *report, char mark)
{
    char *marks = (char *)malloc(report->count + 1);
    if (marks == NULL)
        abort();
    memset(marks, mark, report->count + 1);
    return marks;
}

/* The same with all variables in a precision. */
static inline double g2o_error_in(const g2o_error_report *report, double unit, int by_and_large)
{
    char *all = g2o_marks(report, 1);
    const double found = g2o_error_of(report, all, unit, 0.0, by_and_large);
    free(all);
    return found;
}

/* The most that the results can be off if everything is computed in this precision, and how much
 * they are off by and large. */
static inline double g2o_error_bound(const g2o_error_report *report, g2o_precision precision)
{
    return g2o_error_in(report, precision.unit, 0);
}

static inline double g2o_expected_error(const g2o_error_report *report, g2o_precision precision)
{
    return g2o_error_in(report, precision.unit, 1);
}

/* Marks for as many variables as can have a precision without an error above `accuracy`: those that
 * matter least come first. To be freed. */
static inline char *g2o_less_precise(const g2o_error_report *report, double accuracy,
                                     g2o_precision precision)
{
    const double other = g2o_double_precision().unit;
    char *less = g2o_marks(report, 0), *tried = g2o_marks(report, 0);
    double *alone = (double *)malloc((report->count + 1) * sizeof(double));
    if (alone == NULL)
        abort();
    for (size_t row = 0; row < report->count; ++row) {
        tried[row] = g2o_is_untold(report, row) || g2o_variable_of(report, row) != row;
        less[row] = 1;
        alone[row] = g2o_error_of(report, less, precision.unit, other, 0);
        less[row] = 0;
    }
    for (;;) {
        size_t best = report->count;
        for (size_t row = 0; row < report->count; ++row)
            if (!tried[row] && (best == report->count || alone[row] < alone[best]))
                best = row;
        if (best == report->count)
            break;
        tried[best] = less[best] = 1;
        less[best] = g2o_error_of(report, less, precision.unit, other, 0) <= accuracy;
    }
    free(alone);
    free(tried);
    return less;
}

/* May the variable be less precise, by these marks? */
static inline int g2o_may_be_less(const g2o_error_report *report, const char *less,
                                  const char *variable)
{
    const size_t row = g2o_row_of(report, variable, strlen(variable));
    return row < report->count && less[row];
}

/* ---- reports as text ------------------------------------------------------------------------- */

typedef struct {
    char *text;
    size_t size, capacity;
} g2o_text;

static inline void g2o_put(g2o_text *text, const char *format, ...)
{
    for (;;) {
        va_list given;
        va_start(given, format);
        const size_t left = text->capacity - text->size;
        const int needed = vsnprintf(left ? text->text + text->size : NULL, left, format, given);
        va_end(given);
        if (needed < 0)
            abort();
        if ((size_t)needed < left) {
            text->size += (size_t)needed;
            return;
        }
        text->capacity = 2 * text->capacity + (size_t)needed + 256;
        text->text = (char *)realloc(text->text, text->capacity);
        if (text->text == NULL)
            abort();
    }
}

static inline const char *g2o_called(g2o_how how)
{
    static const char *const names[] = {"given", "copied", "computed", "inside"};
    return names[how];
}

static inline void g2o_put_less(g2o_text *made, const g2o_error_report *report, const char *less,
                                const char *between, const char *quote)
{
    const char *first = "";
    for (size_t row = 0; row < report->count; ++row)
        if (less[row]) {
            g2o_put(made, "%s%s%s%s", first, quote, report->rounded[row].variable, quote);
            first = between;
        }
}

/* The report as a table; with an accuracy also which variables may be float. To be freed. */
static inline char *g2o_error_text(const g2o_error_report *report, double accuracy)
{
    const g2o_precision precisions[] = {g2o_single_precision(), g2o_double_precision()};
    const double unit = precisions[0].unit;
    int names = 8, places = 5;
    for (size_t row = 0; row < report->count; ++row) {
        const g2o_rounded *one = &report->rounded[row];
        if (g2o_is_untold(report, row))
            continue;
        names = (int)strlen(one->variable) > names ? (int)strlen(one->variable) : names;
        places = (int)strlen(one->place) > places ? (int)strlen(one->place) : places;
    }
    char *less = g2o_less_precise(report, accuracy, precisions[0]);
    g2o_text made = {NULL, 0, 0};
    g2o_put(&made, "rounding errors of the results of %s, to first order\n", report->function);
    g2o_put(&made, "%-*s  %-*s  %-8s  most as float  by and large  %s\n", names, "variable", places,
            "place", "what", accuracy > 0.0 ? "may be float" : "");
    for (size_t row = 0; row < report->count; ++row) {
        const g2o_rounded *one = &report->rounded[row];
        if (g2o_is_untold(report, row))
            continue;
        const int told = accuracy > 0.0 && one->how != g2o_inside;
        const char *may = less[g2o_variable_of(report, row)] ? "yes" : "no";
        g2o_put(&made, "%-*s  %-*s  %-8s  %-13.2e  ", names, one->variable, places, one->place,
                g2o_called(one->how), report->sums[row].sum * unit);
        const double usual = g2o_usual_part * sqrt(report->sums[row].squares) * unit;
        g2o_put(&made, told ? "%-12.2e  %s\n" : "%.2e\n", usual, may);
    }
    for (int i = 0; i < 2; ++i) {
        g2o_put(&made, "all in %s:%*sat most %.2e, by and large %.2e\n", precisions[i].name,
                8 - (int)strlen(precisions[i].name), "", g2o_error_bound(report, precisions[i]),
                g2o_expected_error(report, precisions[i]));
    }
    if (accuracy > 0.0) {
        g2o_put(&made, "for an error of at most %.2e, these may be float: ", accuracy);
        g2o_put_less(&made, report, less, " ", "");
        if (memchr(less, 1, report->count) == NULL)
            g2o_put(&made, "none\n");
        else
            g2o_put(&made, " (at most %.2e)\n",
                    g2o_error_of(report, less, unit, precisions[1].unit, 0));
    }
    for (size_t i = 0; i < report->left_out_count; ++i)
        g2o_put(&made, "left out: %s\n", report->left_out[i]);
    free(less);
    return made.text;
}

static inline void g2o_put_quoted(g2o_text *made, const char *text)
{
    g2o_put(made, "\"");
    for (; *text != '\0'; ++text)
        g2o_put(made, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    g2o_put(made, "\"");
}

static inline void g2o_put_exact(g2o_text *made, const char *name, double value)
{
    g2o_put(made, "%s\": ", name);
    if (isfinite(value))
        g2o_put(made, "%.17g", value);
    else
        g2o_put(made, "null");
}

/* The report as JSON. To be freed. */
static inline char *g2o_error_json(const g2o_error_report *report, double accuracy)
{
    const g2o_precision precisions[] = {g2o_single_precision(), g2o_double_precision()};
    g2o_text made = {NULL, 0, 0};
    const char *first = "";
    g2o_put(&made, "{\"kernel\": ");
    g2o_put_quoted(&made, report->function);
    g2o_put(&made, ", \"roundings\": [");
    for (size_t row = 0; row < report->count; ++row) {
        const g2o_rounded *one = &report->rounded[row];
        if (g2o_is_untold(report, row))
            continue;
        g2o_put(&made, "%s\n  {\"variable\": ", first);
        g2o_put_quoted(&made, one->variable);
        g2o_put(&made, ", \"place\": ");
        g2o_put_quoted(&made, one->place);
        g2o_put(&made, ", \"type\": ");
        g2o_put_quoted(&made, one->type);
        g2o_put(&made, ", \"what\": \"%s\", \"reads\": [", g2o_called(one->how));
        for (const char *name = one->reads; *name != '\0';) {
            const size_t length = strcspn(name, " ");
            const int is_last = name[length] == '\0';
            g2o_put(&made, "\"%.*s\"%s", (int)length, name, is_last ? "" : ", ");
            name += length + !is_last;
        }
        g2o_put_exact(&made, "], \"sum", report->sums[row].sum);
        g2o_put_exact(&made, ", \"squares", report->sums[row].squares);
        g2o_put(&made, "}");
        first = ",";
    }
    g2o_put(&made, "\n]");
    for (int i = 0; i < 2; ++i) {
        g2o_put(&made, ", \"%s\": {", precisions[i].name);
        g2o_put_exact(&made, "\"bound", g2o_error_bound(report, precisions[i]));
        g2o_put_exact(&made, ", \"expected", g2o_expected_error(report, precisions[i]));
        g2o_put(&made, "}");
    }
    for (size_t i = 0; i < report->left_out_count; ++i) {
        g2o_put(&made, i == 0 ? ", \"left_out\": [" : ", ");
        g2o_put_quoted(&made, report->left_out[i]);
    }
    g2o_put(&made, report->left_out_count > 0 ? "]" : "");
    if (accuracy > 0.0) {
        char *less = g2o_less_precise(report, accuracy, precisions[0]);
        const double error =
            g2o_error_of(report, less, precisions[0].unit, precisions[1].unit, 0);
        g2o_put_exact(&made, ", \"accuracy", accuracy);
        g2o_put(&made, ", \"may_be_float\": [");
        g2o_put_less(&made, report, less, ", ", "\"");
        g2o_put_exact(&made, "], \"error", error);
        free(less);
    }
    g2o_put(&made, "}\n");
    return made.text;
}

static inline void g2o_put_escaped(g2o_text *made, const char *text)
{
    for (; *text != '\0'; ++text) {
        if (*text == '<')
            g2o_put(made, "&lt;");
        else if (*text == '&')
            g2o_put(made, "&amp;");
        else
            g2o_put(made, "%c", *text);
    }
}

/* The report as a page. To be freed. */
static inline char *g2o_error_html(const g2o_error_report *report, double accuracy)
{
    const g2o_precision single = g2o_single_precision(), twice = g2o_double_precision();
    char *less = g2o_less_precise(report, accuracy, single);
    g2o_text made = {NULL, 0, 0};
    g2o_put(&made, "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Rounding errors of the "
                   "results of ");
    g2o_put_escaped(&made, report->function);
    g2o_put(&made, "</title>\n<style>body { font-family: sans-serif; margin: 2em } "
                   "td, th { padding: 0.2em 1em; text-align: left } "
                   "tr.no { background: #fdd } tr.yes { background: #dfd }</style>\n<h1>"
                   "Rounding errors of the results of ");
    g2o_put_escaped(&made, report->function);
    g2o_put(&made, "</h1>\n<p>All in float: at most %.2e, by and large %.2e. ",
            g2o_error_bound(report, single), g2o_expected_error(report, single));
    g2o_put(&made, "All in double: at most %.2e, by and large %.2e.</p>\n",
            g2o_error_bound(report, twice), g2o_expected_error(report, twice));
    if (accuracy > 0.0) {
        g2o_put(&made, "<p>For an error of at most %.2e, what is green may be float: ", accuracy);
        g2o_put(&made, "at most %.2e.</p>\n",
                g2o_error_of(report, less, single.unit, twice.unit, 0));
    }
    g2o_put(&made, "<table>\n<tr><th>variable<th>place<th>what<th>most as float<th>by and large\n");
    for (size_t row = 0; row < report->count; ++row) {
        const g2o_rounded *one = &report->rounded[row];
        if (g2o_is_untold(report, row))
            continue;
        const char *may = less[g2o_variable_of(report, row)] ? " class=\"yes\"" : " class=\"no\"";
        g2o_put(&made, "<tr%s><td>", accuracy > 0.0 ? may : "");
        g2o_put_escaped(&made, one->variable);
        g2o_put(&made, "<td>");
        g2o_put_escaped(&made, one->place);
        g2o_put(&made, "<td>%s<td>%.2e<td>%.2e\n", g2o_called(one->how),
                report->sums[row].sum * single.unit,
                g2o_usual_part * sqrt(report->sums[row].squares) * single.unit);
    }
    g2o_put(&made, "</table>\n");
    for (size_t i = 0; i < report->left_out_count; ++i) {
        g2o_put(&made, "<p>Left out: ");
        g2o_put_escaped(&made, report->left_out[i]);
        g2o_put(&made, ".</p>\n");
    }
    free(less);
    return made.text;
}

#endif
