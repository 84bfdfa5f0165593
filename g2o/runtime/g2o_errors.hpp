// g2o_errors.hpp: what rounding does to results, and which variables may be less precise.
#ifndef G2O_ERRORS_HPP
#define G2O_ERRORS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

// A program's macros of these names are not meant for what follows.
#pragma push_macro("T")
#undef T
#pragma push_macro("U")
#undef U

namespace g2o {

// What the relative errors of some numbers do to the result, to first order: the sum of
// |adjoint * number|, and that of its squares. Times the unit roundoff of a type, the one is the
// most that the result can be off, and the root of the other what it is off by and large.
struct Rounding {
    double sum = 0.0;
    double squares = 0.0;

    void add(double adjoint, double number)
    {
        sum += std::fabs(adjoint * number);
        squares += adjoint * number * adjoint * number;
    }

    // `count` numbers with their shadows: what is given to a kernel is rounded once, before it.
    template <class T, class U> void add(const T *numbers, const U *shadows, std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
            add(double(shadows[i]), double(numbers[i]));
    }
};

// What is rounded: a parameter, a number that is stored as it is, one that is computed, or one
// that is only used to compute another one.
enum class Rounded { given, copied, computed, inside };

struct RoundingOf {
    std::string variable;
    std::string place; // in the source
    std::string type;  // of the variable
    Rounded what;
    std::vector<std::string> reads; // the variables that the number is made of
    Rounding rounding;
};

// A floating type by what it rounds: half of the distance from 1 to the next number, relative to 1.
struct Precision {
    std::string name;
    double unit;
};

inline const Precision single_precision{"float", std::ldexp(1.0, -24)};
inline const Precision double_precision{"double", std::ldexp(1.0, -53)};

// How large an error of a number, rounded to nearest, is by and large, relative to the largest.
constexpr double usual_part = 0.42;

// The roundings of one run of a kernel, and what follows from them.
class ErrorReport {
public:
    // `left_out` is what rounding may do besides, which no derivative knows of.
    ErrorReport(std::string kernel, std::vector<RoundingOf> roundings,
                std::vector<std::string> left_out = {})
        : kernel_(std::move(kernel)), left_out_(std::move(left_out))
    {
        for (RoundingOf &one : roundings) {
            if (one.what != Rounded::given || one.rounding.sum != 0.0)
                roundings_.push_back(std::move(one));
        }
        for (const RoundingOf &one : roundings_) {
            if (std::find(variables_.begin(), variables_.end(), one.variable) == variables_.end())
                variables_.push_back(one.variable);
        }
    }

    const std::vector<std::string> &variables() const { return variables_; }
    const std::vector<RoundingOf> &roundings() const { return roundings_; }

    // The most that the results can be off if everything is computed in this precision ...
    double bound(const Precision &precision = single_precision) const
    {
        return bound(variables_, precision, 0.0);
    }

    // ... or only these variables are, and all others in a precision that rounds to `other`.
    double bound(const std::vector<std::string> &less, const Precision &precision = single_precision,
                 double other = double_precision.unit) const
    {
        double found = 0.0;
        for (const RoundingOf &one : roundings_)
            found += one.rounding.sum * (is_rounded(one, less) ? precision.unit : other);
        return found;
    }

    // How much they are off by and large.
    double expected(const Precision &precision = single_precision) const
    {
        return expected(variables_, precision, 0.0);
    }

    double expected(const std::vector<std::string> &less,
                    const Precision &precision = single_precision,
                    double other = double_precision.unit) const
    {
        double found = 0.0;
        for (const RoundingOf &one : roundings_) {
            const double unit = is_rounded(one, less) ? precision.unit : other;
            found += one.rounding.squares * unit * unit;
        }
        return usual_part * std::sqrt(found);
    }

    // As many variables as can be less precise without an error above `accuracy`: those that matter
    // least come first.
    std::vector<std::string> less_precise(double accuracy,
                                          const Precision &precision = single_precision) const
    {
        std::vector<std::pair<double, std::size_t>> ordered;
        for (std::size_t i = 0; i < variables_.size(); ++i)
            ordered.emplace_back(bound({variables_[i]}, precision), i);
        std::sort(ordered.begin(), ordered.end());
        std::vector<std::string> chosen;
        for (const auto &one : ordered) {
            chosen.push_back(variables_[one.second]);
            if (!(bound(chosen, precision) <= accuracy))
                chosen.pop_back();
        }
        return chosen;
    }

    std::string text(double accuracy = 0.0) const;
    std::string json(double accuracy = 0.0) const;
    std::string html(double accuracy = 0.0) const;

private:
    std::string kernel_;
    std::vector<RoundingOf> roundings_;
    std::vector<std::string> variables_;
    std::vector<std::string> left_out_;

    static bool contains(const std::vector<std::string> &names, const std::string &name)
    {
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    // Is the number less precise where the variables `less` are? An operation is as precise as the
    // most precise of what it is given.
    static bool is_rounded(const RoundingOf &one, const std::vector<std::string> &less)
    {
        const auto in_less = [&](const std::string &name) { return contains(less, name); };
        if (one.what == Rounded::inside)
            return std::any_of(one.reads.begin(), one.reads.end(), in_less);
        const bool all = !one.reads.empty() &&
                         std::all_of(one.reads.begin(), one.reads.end(), in_less);
        if (one.what == Rounded::computed)
            return in_less(one.variable) || all;
        return in_less(one.variable) && !all;
    }

    static std::string number(double value)
    {
        char text[32];
        std::snprintf(text, sizeof text, "%.2e", value);
        return text;
    }

    static const char *called(Rounded what)
    {
        switch (what) {
        case Rounded::given:
            return "given";
        case Rounded::copied:
            return "copied";
        case Rounded::computed:
            return "computed";
        default:
            return "inside";
        }
    }
};

inline std::string ErrorReport::text(double accuracy) const
{
    std::size_t names = 8, places = 5;
    for (const RoundingOf &one : roundings_) {
        names = std::max(names, one.variable.size());
        places = std::max(places, one.place.size());
    }
    const auto padded = [](std::string text, std::size_t width) {
        return text + std::string(width > text.size() ? width - text.size() : 0, ' ') + "  ";
    };
    const std::vector<std::string> less = less_precise(accuracy);
    std::string made = "rounding errors of the results of " + kernel_ + ", to first order\n";
    made += padded("variable", names) + padded("place", places) + padded("what", 8) +
            padded("most as float", 13) + padded("by and large", 12);
    made += accuracy > 0.0 ? "may be float\n" : "\n";
    for (const RoundingOf &one : roundings_) {
        const double unit = single_precision.unit;
        std::string line = padded(one.variable, names) + padded(one.place, places) +
                           padded(called(one.what), 8) + padded(number(one.rounding.sum * unit), 13) +
                           padded(number(usual_part * std::sqrt(one.rounding.squares) * unit), 12);
        if (accuracy > 0.0 && one.what != Rounded::inside)
            line += contains(less, one.variable) ? "yes" : "no";
        made += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    for (const Precision &one : {single_precision, double_precision}) {
        made += "all in " + padded(one.name + ":", 7) + "at most " + number(bound(one)) +
                ", by and large " + number(expected(one)) + "\n";
    }
    if (accuracy > 0.0) {
        made += "for an error of at most " + number(accuracy) + ", these may be float:";
        for (const std::string &name : less)
            made += " " + name;
        made += less.empty() ? " none\n" : " (at most " + number(bound(less)) + ")\n";
    }
    for (const std::string &one : left_out_)
        made += "left out: " + one + "\n";
    return made;
}

inline std::string ErrorReport::json(double accuracy) const
{
    const auto exact = [](double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.17g", value);
        return std::string(std::isfinite(value) ? text : "null");
    };
    const auto quoted = [](const std::string &text) {
        std::string made = "\"";
        for (const char letter : text) {
            if (letter == '"' || letter == '\\')
                made += '\\';
            made += letter;
        }
        return made + "\"";
    };
    const auto list = [&](const std::vector<std::string> &names) {
        std::string made = "[";
        for (const std::string &name : names)
            made += (made.size() > 1 ? ", " : "") + quoted(name);
        return made + "]";
    };
    std::string made = "{\"kernel\": " + quoted(kernel_) + ", \"roundings\": [";
    for (std::size_t i = 0; i < roundings_.size(); ++i) {
        const RoundingOf &one = roundings_[i];
        made += std::string(i == 0 ? "" : ",") + "\n  {\"variable\": " + quoted(one.variable) +
                ", \"place\": " + quoted(one.place) + ", \"type\": " + quoted(one.type) +
                ", \"what\": " + quoted(called(one.what)) + ", \"reads\": " + list(one.reads) +
                ", \"sum\": " + exact(one.rounding.sum) +
                ", \"squares\": " + exact(one.rounding.squares) + "}";
    }
    made += "\n], \"float\": {\"bound\": " + exact(bound()) + ", \"expected\": " + exact(expected()) +
            "}, \"double\": {\"bound\": " + exact(bound(double_precision)) +
            ", \"expected\": " + exact(expected(double_precision)) + "}";
    if (!left_out_.empty())
        made += ", \"left_out\": " + list(left_out_);
    if (accuracy > 0.0) {
        const std::vector<std::string> less = less_precise(accuracy);
        made += ", \"accuracy\": " + exact(accuracy) + ", \"may_be_float\": " + list(less) +
                ", \"error\": " + exact(bound(less));
    }
    return made + "}\n";
}

inline std::string ErrorReport::html(double accuracy) const
{
    const auto escaped = [](const std::string &text) {
        std::string made;
        for (const char letter : text)
            made += letter == '<' ? "&lt;" : letter == '&' ? "&amp;" : std::string(1, letter);
        return made;
    };
    const std::vector<std::string> less = less_precise(accuracy);
    const std::string title = "Rounding errors of the results of " + escaped(kernel_);
    std::string made = "<!doctype html>\n<meta charset=\"utf-8\">\n<title>" + title +
                       "</title>\n<style>body { font-family: sans-serif; margin: 2em } "
                       "td, th { padding: 0.2em 1em; text-align: left } "
                       "tr.no { background: #fdd } tr.yes { background: #dfd }</style>\n<h1>" +
                       title + "</h1>\n<p>All in float: at most " + number(bound()) +
                       ", by and large " + number(expected()) + ". All in double: at most " +
                       number(bound(double_precision)) + ", by and large " +
                       number(expected(double_precision)) + ".</p>\n";
    if (accuracy > 0.0) {
        made += "<p>For an error of at most " + number(accuracy) + ", what is green may be float: "
                "at most " + number(bound(less)) + ".</p>\n";
    }
    made += "<table>\n<tr><th>variable<th>place<th>what<th>most as float<th>by and large\n";
    for (const RoundingOf &one : roundings_) {
        const bool may = contains(less, one.variable);
        made += std::string("<tr") + (accuracy > 0.0 ? may ? " class=\"yes\"" : " class=\"no\"" : "") +
                "><td>" + escaped(one.variable) + "<td>" + escaped(one.place) + "<td>" +
                called(one.what) + "<td>" + number(one.rounding.sum * single_precision.unit) +
                "<td>" +
                number(usual_part * std::sqrt(one.rounding.squares) * single_precision.unit) + "\n";
    }
    made += "</table>\n";
    for (const std::string &one : left_out_)
        made += "<p>Left out: " + escaped(one) + ".</p>\n";
    return made;
}

} // namespace g2o

#pragma pop_macro("T")
#pragma pop_macro("U")

#endif // G2O_ERRORS_HPP
