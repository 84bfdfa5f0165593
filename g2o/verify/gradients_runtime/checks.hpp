// The checks of one launch, whatever its kernel: these know it as functions of all active numbers.
#ifndef G2O_CHECK_CHECKS_HPP
#define G2O_CHECK_CHECKS_HPP

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <omp.h>
#include <string>
#include <vector>

#include "memory.hpp"

namespace g2o_check
{

using Numbers = std::vector<double>;

struct Settings {
    double tolerance = 0.0;   // of adjoint against tangent, relative; 0: what the type allows
    double differences = 0.0; // of tangent against finite differences; 0: as well; < 0: do not look
    std::vector<int> threads = {1, 2, 4};
    int repeats = 20;
    std::size_t columns = 256; // so many numbers are varied one by one
    int seeds = 3;
    int rounds = 0; // > 0: nothing is checked, kernel and adjoint are timed so many times
};

// ---- results ------------------------------------------------------------------------------------

// One line of the driver's output: kernel, check, ok or FAILED, the largest deviation in units of
// what is allowed, and where it is.
inline void report(const char *kernel, const char *check, bool ok, double worst,
                   const std::string &where)
{
    std::printf("%s\t%s\t%s\t%.3g\t%s\n", kernel, check, ok ? "ok" : "FAILED", worst,
                where.c_str());
    std::fflush(stdout);
}

inline std::string shown(double number)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", number);
    return text;
}

// The largest deviation so far. `note` is only called where a deviation is the largest.
class Worst
{
  public:
    template <class Note> void see(double expected, double actual, double allowed, Note &&note)
    {
        const double difference = std::fabs(actual - expected);
        double ratio = difference == 0.0 ? 0.0 : difference / allowed;
        if (!(ratio <= std::numeric_limits<double>::max()))
            ratio = std::numeric_limits<double>::infinity(); // NaN and what allows nothing
        ++seen_;
        failed_ += ratio > 1.0;
        if (ratio > ratio_) {
            ratio_ = ratio;
            where_ = ratio > 1.0 ? note() : std::string();
        }
    }
    void report_as(const char *kernel, const char *check) const
    {
        std::string where = where_;
        if (failed_ > 1)
            where += " (" + std::to_string(failed_) + " of " + std::to_string(seen_) + " differ)";
        report(kernel, check, failed_ == 0, ratio_, where);
    }

  private:
    double ratio_ = 0.0;
    std::size_t seen_ = 0;
    std::size_t failed_ = 0;
    std::string where_;
};

// ---- the checks of one launch -------------------------------------------------------------------

// What kernels differ in stands in `Check`: reading what follows for each takes compilers long.
class Checks
{
  public:
    // Runs all checks; prints one line for each.
    void run(const Settings &settings)
    {
        const double loosest = epsilon_ > 1e-10 ? 1e-4 : 1e-10;
        tolerance_ = settings.tolerance > 0.0 ? settings.tolerance : loosest;
        slack_ = std::max(1.0, tolerance_ / loosest);
        differences_ =
            settings.differences != 0.0 ? settings.differences : (epsilon_ > 1e-10 ? 5e-3 : 1e-6);
        if (settings.rounds > 0) {
            measure(settings.rounds);
            return;
        }
        const int usual = omp_get_max_threads();
        omp_set_num_threads(1); // more only where that is what is asked
        check(settings);
        omp_set_num_threads(usual);
    }

  protected:
    struct Place {
        std::size_t parameter, element, position;
    };
    // What the adjoint of these seeds gives, and the tangents of that and of the kernel's results.
    struct Twice {
        Numbers adjoint, tangent, second;
    };

    Checks(const char *name, std::vector<const char *> parameters, bool has_second)
        : name_(name), parameters_(parameters), has_second_(has_second)
    {
    }
    ~Checks() = default;

    virtual Numbers given() = 0; // all active numbers on entry
    virtual Numbers value(const Numbers &x) = 0;
    virtual Numbers adjoint(const Numbers &x, const Numbers &seeds) = 0; // F'(x)^T seeds
    virtual Numbers tangent(const Numbers &direction) = 0;
    virtual Twice twice(const Numbers &seeds, const Numbers &direction,
                        const Numbers &of_seeds) = 0;
    virtual Numbers results() = 0; // all numbers, those of constants included, behind the kernel
    virtual Numbers left() = 0;    // ... behind the derivative that was called last
    virtual double kernel_seconds() = 0;
    virtual double adjoint_seconds() = 0;

    // Are they what can be checked? Reports what cannot.
    bool begin(const char *advice)
    {
        x_ = given();
        y_ = value(x_);
        left();
        if (leads_away_)
            unmade() = "a pointer leads to memory of the function's own afterwards";
        if (!unmade().empty()) {
            report(name_, "kernel", false, 0.0, unmade() + ": that is not checked");
            unmade().clear();
            return false;
        }
        if (!is_finite(y_))
            report(name_, "kernel", false, 0.0,
                   std::string("the kernel itself gives numbers that are not finite") + advice);
        return is_finite(y_);
    }

    const char *name_;
    std::vector<const char *> parameters_;
    std::vector<Place> places_; // of every active number
    Numbers x_, y_;             // active numbers on entry and on exit
    mutable bool leads_away_ = false; // does a pointer lead to what no argument has?
    double epsilon_ = 0.0;

  private:
    // Milliseconds of the kernel and of its adjoint, one after the other in every round, so that
    // what else goes on on the machine meets both alike. Each starts from the same memory.
    void measure(int rounds)
    {
        std::vector<double> kernels, adjoints, ratios;
        for (int round = 0; round <= rounds; ++round) {
            const double kernel = kernel_seconds(), adjoint = adjoint_seconds();
            if (round == 0)
                continue; // memory is touched for the first time
            kernels.push_back(1e3 * kernel);
            adjoints.push_back(1e3 * adjoint);
            ratios.push_back(adjoint / kernel);
        }
        report(name_, "times", true, median(ratios),
               shown(median(kernels)) + " " + shown(median(adjoints)));
    }

    static double median(std::vector<double> numbers)
    {
        std::nth_element(numbers.begin(), numbers.begin() + long(numbers.size() / 2),
                         numbers.end());
        return numbers[numbers.size() / 2];
    }

    void check(const Settings &settings)
    {
        if (!begin("; choose other arguments"))
            return;
        if (x_.empty()) {
            report(name_, "kernel", false, 0.0, "no argument is active");
            return;
        }
        check_results();
        check_columns(settings);
        check_directions(settings);
        check_threads(settings);
        if (has_second_)
            check_second(settings);
    }

    std::string place(std::size_t index, const char *prefix) const
    {
        const Place &found = places_[index];
        std::string text = std::string(prefix) + parameters_[found.parameter];
        text += "[" + std::to_string(found.element) + "]";
        const bool is_last = index + 1 == places_.size();
        if (found.position > 0 || (!is_last && places_[index + 1].position > 0))
            text += " (number " + std::to_string(found.position) + " of the element)";
        return text;
    }

    // -- checks --

    static bool is_finite(const Numbers &numbers)
    {
        return std::all_of(numbers.begin(), numbers.end(),
                           [](double n) { return std::isfinite(n); });
    }
    static double largest(const Numbers &numbers)
    {
        double found = 0.0;
        for (double number : numbers)
            found = std::max(found, std::fabs(number));
        return found;
    }
    Numbers random_numbers() const
    {
        Numbers found(x_.size());
        for (double &number : found)
            number = double(float(uniform(-1.0, 1.0))); // seeds of floats are what is passed
        return found;
    }

    void compare_memory(const Numbers &wanted, const Numbers &got, const char *check) const
    {
        const double floor = largest(wanted) * 16.0 * epsilon_;
        Worst worst;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            worst.see(wanted[i], got[i], 256.0 * epsilon_ * std::fabs(wanted[i]) + floor, [&] {
                return "number " + std::to_string(i) + " of the arguments is " + shown(got[i]) +
                       " instead of " + shown(wanted[i]);
            });
        worst.report_as(name_, check);
    }

    // Adjoint and tangent leave what the kernel leaves.
    void check_results()
    {
        const Numbers expected = results();
        adjoint(x_, random_numbers());
        compare_memory(expected, left(), "results of the adjoint");
        tangent(random_numbers());
        compare_memory(expected, left(), "results of the tangent");
    }

    // About `count` of the numbers, but some of every argument: all of those that have only a few.
    std::vector<std::size_t> chosen_columns(std::size_t count) const
    {
        constexpr std::size_t few = 16;
        std::vector<std::size_t> shuffled(x_.size()), taken(parameters_.size()), chosen, others;
        for (std::size_t i = 0; i < shuffled.size(); ++i)
            shuffled[i] = i;
        std::shuffle(shuffled.begin(), shuffled.end(), generator());
        for (std::size_t i : shuffled)
            (taken[places_[i].parameter]++ < few ? chosen : others).push_back(i);
        const std::size_t missing = count - std::min(count, chosen.size());
        others.resize(std::min(others.size(), missing));
        chosen.insert(chosen.end(), others.begin(), others.end());
        std::sort(chosen.begin(), chosen.end());
        return chosen;
    }

    // Columns of F'(x), from the tangent: against finite differences, and s^T F'(x) against the
    // adjoint of s, number by number.
    void check_columns(const Settings &settings)
    {
        std::vector<Numbers> seeds, adjoints;
        for (int i = 0; i < settings.seeds; ++i) {
            seeds.push_back(random_numbers());
            adjoints.push_back(adjoint(x_, seeds.back()));
        }
        const std::vector<std::size_t> chosen = chosen_columns(settings.columns);
        std::vector<Numbers> wanted(seeds.size()), scales(seeds.size());
        Worst differences;
        for (std::size_t column : chosen) {
            Numbers direction(x_.size(), 0.0);
            direction[column] = 1.0;
            const Numbers exit = tangent(direction);
            for (std::size_t s = 0; s < seeds.size(); ++s) {
                double sum = 0.0, scale = 0.0;
                for (std::size_t i = 0; i < exit.size(); ++i) {
                    sum += seeds[s][i] * exit[i];
                    scale += std::fabs(seeds[s][i] * exit[i]);
                }
                wanted[s].push_back(sum);
                scales[s].push_back(scale);
            }
            if (differences_ > 0.0)
                compare_differences(direction, exit, differences, place(column, ""));
        }
        Worst worst;
        for (std::size_t s = 0; s < seeds.size(); ++s) {
            const double floor = 0.01 * tolerance_ * largest(scales[s]);
            for (std::size_t c = 0; c < chosen.size(); ++c) {
                const double actual = adjoints[s][chosen[c]];
                worst.see(wanted[s][c], actual, tolerance_ * scales[s][c] + floor, [&] {
                    return place(chosen[c], "d_") + " is " + shown(actual) +
                           ", forward mode gives " + shown(wanted[s][c]);
                });
            }
        }
        worst.report_as(name_, "adjoint = tangent");
        if (differences_ > 0.0)
            differences.report_as(name_, "tangent = differences");
    }

    // <s, F'(x) v> from the tangent and from the adjoint, for random s and v.
    void check_directions(const Settings &settings)
    {
        Worst products, differences;
        for (int i = 0; i < settings.seeds; ++i) {
            const Numbers seeds = random_numbers(), direction = random_numbers();
            const Numbers exit = tangent(direction), entry = adjoint(x_, seeds);
            double forward = 0.0, reverse = 0.0, scale = 0.0;
            for (std::size_t j = 0; j < exit.size(); ++j) {
                forward += seeds[j] * exit[j];
                reverse += entry[j] * direction[j];
                scale += std::fabs(seeds[j] * exit[j]) + std::fabs(entry[j] * direction[j]);
            }
            products.see(forward, reverse, tolerance_ * scale, [&] {
                return "reverse mode gives " + shown(reverse) + ", forward mode " + shown(forward);
            });
            if (differences_ > 0.0)
                compare_differences(direction, exit, differences, "a random direction");
        }
        products.report_as(name_, "dot products");
        if (differences_ > 0.0)
            differences.report_as(name_, "random directions");
    }

    void compare_differences(const Numbers &direction, const Numbers &exit, Worst &worst,
                             const std::string &of)
    {
        compare_slopes([&](double step) { return value(shifted(x_, direction, step)); }, y_, exit,
                       worst, of, "", false);
    }

    // `exit`, the slope of the function `at` at 0, where it is `here`, against central differences
    // with Richardson's extrapolation. Where it has a kink, every slope between those of the two
    // sides is right; where it `may_jump`, nothing is said of a slope that is twice as large at half
    // the distance.
    template <class F>
    void compare_slopes(F &&at, const Numbers &here, const Numbers &exit, Worst &worst,
                        const std::string &of, const char *prefix, bool may_jump) const
    {
        const bool is_single = epsilon_ > 1e-10;
        const double steps[] = {is_single ? 1.0 / 64 : 1e-4, is_single ? 1.0 / 256 : 1e-5,
                                is_single ? 1.0 / 16 : 1e-6};
        const double scale = largest(here), slope = largest(exit);
        Numbers estimate(exit.size()), left(exit.size()), right(exit.size());
        std::vector<char> is_open(exit.size(), 1);
        std::size_t open = exit.size();
        for (double h : steps) {
            if (open == 0)
                return;
            const Numbers up = at(h), down = at(-h), half_up = at(h / 2), half_down = at(-h / 2);
            const double noise = 64.0 * epsilon_ * scale / h;
            for (std::size_t i = 0; i < exit.size(); ++i) {
                if (!is_open[i])
                    continue;
                const double wide = (up[i] - down[i]) / (2 * h);
                const double narrow = (half_up[i] - half_down[i]) / h;
                estimate[i] = (4 * narrow - wide) / 3;
                left[i] = (here[i] - half_down[i]) / (h / 2);
                right[i] = (half_up[i] - here[i]) / (h / 2);
                const double allowed = differences_ * (std::fabs(exit[i]) + 0.01 * slope) + noise;
                const double low = std::min(left[i], right[i]) - allowed;
                const double high = std::max(left[i], right[i]) + allowed;
                const bool is_kink = std::fabs(right[i] - left[i]) > allowed;
                const bool is_far = std::fabs(half_up[i] - half_down[i]) > differences_ * scale;
                const bool is_jump = may_jump && is_far &&
                                     std::fabs(narrow - 2 * wide) <= 0.1 * std::fabs(narrow);
                const bool is_close = is_jump || std::fabs(exit[i] - estimate[i]) <= allowed ||
                                      std::fabs(exit[i] - narrow) <= allowed ||
                                      (is_kink && low <= exit[i] && exit[i] <= high);
                if (is_close) {
                    worst.see(0.0, 0.0, 1.0, [] { return std::string(); });
                    is_open[i] = 0;
                    --open;
                }
            }
        }
        for (std::size_t i = 0; i < exit.size(); ++i)
            if (is_open[i])
                worst.see(estimate[i], exit[i], differences_ * (std::fabs(exit[i]) + 0.01 * slope),
                          [&] {
                              return "derivative of " + place(i, prefix) + " with respect to " + of +
                                     ": forward mode gives " + shown(exit[i]) + ", differences " +
                                     shown(estimate[i]);
                          });
    }

    static Numbers shifted(const Numbers &from, const Numbers &direction, double step)
    {
        Numbers x = from;
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] += step * direction[i];
        return x;
    }

    // The tangent of the adjoint: it does what the adjoint and the tangent do; for seeds that stay
    // as they are it is symmetric, <u, H v> = <v, H u>; and it is the slope of the adjoint, whose
    // seeds may change as well.
    void check_second(const Settings &settings)
    {
        const Numbers expected = results();
        twice(random_numbers(), random_numbers(), random_numbers());
        compare_memory(expected, left(), "hvp: results");
        Worst same, symmetric, differences, threads;
        const Numbers none(x_.size(), 0.0);
        for (int i = 0; i < settings.seeds; ++i) {
            const Numbers seeds = random_numbers(), v = random_numbers(), u = random_numbers();
            const Twice one = twice(seeds, v, none), other = twice(seeds, u, none);
            const Twice all = twice(seeds, v, u);
            const Numbers gradient = adjoint(x_, seeds);
            compare_same(gradient, all.adjoint, same, "d_");
            compare_same(tangent(v), all.tangent, same, "t_");
            double first = 0.0, second = 0.0, scale = 0.01 * largest(gradient);
            for (std::size_t j = 0; j < u.size(); ++j) {
                first += u[j] * one.second[j];
                second += v[j] * other.second[j];
                scale += std::fabs(u[j] * one.second[j]) + std::fabs(v[j] * other.second[j]);
            }
            symmetric.see(first, second, tolerance_ * scale, [&] {
                return "u H v is " + shown(first) + ", v H u is " + shown(second);
            });
            const auto at = [&](double step) {
                return adjoint(shifted(x_, v, step), shifted(seeds, u, step));
            };
            if (differences_ > 0.0)
                compare_slopes(at, gradient, all.second, differences, "a random direction", "d_",
                               true);
        }
        same.report_as(name_, "hvp: adjoint, tangent");
        symmetric.report_as(name_, "hvp: symmetric");
        if (differences_ > 0.0)
            differences.report_as(name_, "hvp = differences");
        const Numbers seeds = random_numbers(), v = random_numbers();
        const Twice wanted = twice(seeds, v, v);
        for (int count : settings.threads) {
            omp_set_num_threads(count);
            for (int i = 0; i < std::min(settings.repeats, 5); ++i) {
                const Twice found = twice(seeds, v, v);
                compare_runs(wanted.tangent, found.tangent, threads, count, "t_");
                compare_runs(wanted.second, found.second, threads, count, "t_d_");
            }
        }
        omp_set_num_threads(1);
        threads.report_as(name_, "hvp: threads");
    }

    void compare_same(const Numbers &expected, const Numbers &actual, Worst &worst,
                      const char *prefix) const
    {
        const double floor = 0.01 * tolerance_ * largest(expected);
        for (std::size_t i = 0; i < expected.size(); ++i)
            worst.see(expected[i], actual[i], tolerance_ * std::fabs(expected[i]) + floor, [&] {
                return place(i, prefix) + " is " + shown(actual[i]) + " instead of " +
                       shown(expected[i]);
            });
    }

    // Adjoints and tangents do not depend on the number of threads, nor on the run.
    void check_threads(const Settings &settings)
    {
        const Numbers seeds = random_numbers();
        const Numbers reverse = adjoint(x_, seeds), forward = tangent(seeds);
        Worst worst;
        for (int threads : settings.threads) {
            omp_set_num_threads(threads);
            for (int i = 0; i < settings.repeats; ++i) {
                compare_runs(reverse, adjoint(x_, seeds), worst, threads, "d_");
                if (i < 3)
                    compare_runs(forward, tangent(seeds), worst, threads, "tangent of ");
            }
        }
        worst.report_as(name_, "threads");
    }

    void compare_runs(const Numbers &expected, const Numbers &actual, Worst &worst, int threads,
                      const char *prefix) const
    {
        const double rounding = 1024.0 * slack_ * epsilon_;
        const double floor = rounding / 16.0 * largest(expected);
        for (std::size_t i = 0; i < expected.size(); ++i)
            worst.see(expected[i], actual[i], rounding * std::fabs(expected[i]) + floor, [&] {
                return place(i, prefix) + " is " + shown(actual[i]) + " with " +
                       std::to_string(threads) + " threads, " + shown(expected[i]) +
                       " with one: " + shown(std::fabs(actual[i] - expected[i])) + " apart";
            });
    }

    bool has_second_;
    double tolerance_ = 0.0;
    double slack_ = 1.0; // by how much more than usual threads may differ
    double differences_ = 0.0;
};

} // namespace g2o_check

#endif // G2O_CHECK_CHECKS_HPP
