// g2o_errors.hpp: what rounding does to results, and which variables may be less precise.
#ifndef G2O_ERRORS_HPP
#define G2O_ERRORS_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast" // it is C
#include "g2o_errors.h"
#pragma GCC diagnostic pop

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
        const View view(*this);
        return g2o_error_of(&view.report, view.marks(less).data(), precision.unit, other, 0);
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
        const View view(*this);
        return g2o_error_of(&view.report, view.marks(less).data(), precision.unit, other, 1);
    }

    // As many variables as can be less precise without an error above `accuracy`: those that matter
    // least come first.
    std::vector<std::string> less_precise(double accuracy,
                                          const Precision &precision = single_precision) const
    {
        const View view(*this);
        const Memory marks(g2o_less_precise(&view.report, accuracy, {"", precision.unit}), std::free);
        std::vector<std::string> chosen;
        for (const std::string &one : variables_) {
            if (g2o_may_be_less(&view.report, marks.get(), one.c_str()))
                chosen.push_back(one);
        }
        return chosen;
    }

    std::string text(double accuracy = 0.0) const { return printed(g2o_error_text, accuracy); }
    std::string json(double accuracy = 0.0) const { return printed(g2o_error_json, accuracy); }
    std::string html(double accuracy = 0.0) const { return printed(g2o_error_html, accuracy); }

private:
    using Memory = std::unique_ptr<char, decltype(&std::free)>;

    // The report as C sees it.
    struct View {
        std::vector<std::string> reads;
        std::vector<g2o_rounded> rounded;
        std::vector<g2o_rounding> sums;
        std::vector<const char *> left_out;
        g2o_error_report report;

        explicit View(const ErrorReport &of) : reads(of.roundings_.size())
        {
            for (std::size_t i = 0; i < reads.size(); ++i) {
                const RoundingOf &one = of.roundings_[i];
                for (const std::string &name : one.reads)
                    reads[i] += (reads[i].empty() ? "" : " ") + name;
                rounded.push_back({one.variable.c_str(), one.place.c_str(), one.type.c_str(),
                                   g2o_how(one.what), reads[i].c_str()});
                sums.push_back({one.rounding.sum, one.rounding.squares});
            }
            for (const std::string &one : of.left_out_)
                left_out.push_back(one.c_str());
            report = {of.kernel_.c_str(), rounded.size(),   rounded.data(),
                      sums.data(),        left_out.size(), left_out.data()};
        }

        std::vector<char> marks(const std::vector<std::string> &less) const
        {
            std::vector<char> made(rounded.size() + 1, 0);
            for (const std::string &one : less)
                made[g2o_row_of(&report, one.data(), one.size())] = 1;
            return made;
        }
    };

    template <class Form> std::string printed(Form form, double accuracy) const
    {
        const View view(*this);
        return Memory(form(&view.report, accuracy), std::free).get();
    }

    std::string kernel_;
    std::vector<RoundingOf> roundings_;
    std::vector<std::string> variables_;
    std::vector<std::string> left_out_;
};

} // namespace g2o

#pragma pop_macro("T")
#pragma pop_macro("U")

} // extern "C++"

#endif // G2O_ERRORS_HPP
