// Checks of one kernel's adjoint and tangent.
//
// F maps all active memory on entry to all active memory on exit. The adjoint of the kernel gives
// F'(x)^T s for the seeds s, its tangent F'(x) v for the directions v, and both do what the kernel
// does. The checks compare the kernel, its tangent, its adjoint and finite differences with each
// other, number by number where there are few, and the adjoint with itself for several numbers of
// threads; the tangent of the adjoint, where there is one, with finite differences of the adjoint.
#ifndef G2O_CHECK_CHECK_HPP
#define G2O_CHECK_CHECK_HPP

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <omp.h>
#include <string>
#include <tuple>
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

// ---- signatures ---------------------------------------------------------------------------------

template <class P>
inline constexpr bool is_active_parameter =
    std::is_pointer_v<P>
        ? is_active<std::remove_pointer_t<P>> && !std::is_pointer_v<std::remove_pointer_t<P>>
        : is_active<P> || leads<P>;

template <std::size_t I, bool... Named> constexpr bool named_at()
{
    constexpr bool all[] = {Named..., false};
    return all[I];
}
template <std::size_t I, bool... Named> inline constexpr bool is_named = named_at<I, Named...>();

// What a shadow is of: `View<const T>` leads to what cannot be written, `View<T>` to derivatives.
template <class T> struct Writable {
    using Type = T;
};
template <class T> struct Writable<const T> : Writable<T> {
};
template <class T> struct Writable<T *> {
    using Type = typename Writable<T>::Type *;
};
template <template <class...> class Record, class... A> struct Writable<Record<A...>> {
    using Type = Record<typename Writable<A>::Type...>;
};
template <template <class, int> class Record, class A, int N> struct Writable<Record<A, N>> {
    using Type = Record<typename Writable<A>::Type, N>;
};

template <class P>
using AdjointShadow =
    std::conditional_t<std::is_pointer_v<P>,
                       std::add_pointer_t<std::remove_cv_t<std::remove_pointer_t<P>>>,
                       typename Writable<P>::Type *>;
template <class P>
using TangentShadow =
    std::conditional_t<std::is_pointer_v<P>,
                       std::add_pointer_t<std::remove_cv_t<std::remove_pointer_t<P>>>,
                       typename Writable<P>::Type>;

// The parameters of a kernel that the source gives `Count`; `takes_bytes`: of shared memory.
template <std::size_t Count, class Function> struct Signature;
template <std::size_t Count, class... A> struct Signature<Count, void (*)(dim3, dim3, A...)> {
    static constexpr bool takes_bytes = false;
    static_assert(sizeof...(A) == Count, "the kernel's translation has other parameters");
    using Parameters = std::tuple<A...>;
};
template <std::size_t Count, class... A>
struct Signature<Count, void (*)(dim3, dim3, std::size_t, A...)> {
    static constexpr bool takes_bytes = sizeof...(A) == Count;
    static_assert(takes_bytes || sizeof...(A) + 1 == Count,
                  "the kernel's translation has other parameters");
    using Parameters =
        std::conditional_t<takes_bytes, std::tuple<A...>, std::tuple<std::size_t, A...>>;
};

template <class Function, std::size_t Count>
using Parameters = typename Signature<Count, Function>::Parameters;

template <bool TakesBytes, class... A> struct FunctionOf {
    using type = void (*)(dim3, dim3, A...);
};
template <class... A> struct FunctionOf<true, A...> {
    using type = void (*)(dim3, dim3, std::size_t, A...);
};

template <bool TakesBytes, class First, class Second> struct Derivative;
template <bool TakesBytes, class... P, class... S>
struct Derivative<TakesBytes, std::tuple<P...>, std::tuple<S...>> {
    using type = typename FunctionOf<TakesBytes, P..., S...>::type;
    using twice = typename FunctionOf<TakesBytes, P..., S..., S..., S...>::type;
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

// ---- the check of one launch --------------------------------------------------------------------

template <class Kernel, std::size_t Count, bool... Named> class Check
{
    using Types = Parameters<Kernel, Count>;
    using All = std::make_index_sequence<Count>;
    static constexpr bool takes_bytes = Signature<Count, Kernel>::takes_bytes;

    template <std::size_t I> using Type = std::tuple_element_t<I, Types>;
    template <std::size_t I>
    static constexpr bool active = is_named<I, Named...> && is_active_parameter<Type<I>>;

    template <template <class> class Shadow, std::size_t... I>
    static auto shadow_types(std::index_sequence<I...>) -> decltype(std::tuple_cat(
        std::conditional_t<active<I>, std::tuple<Shadow<Type<I>>>, std::tuple<>>()...));
    template <template <class> class Shadow>
    using DerivativeOf = Derivative<takes_bytes, Types, decltype(shadow_types<Shadow>(All()))>;

    template <std::size_t... I>
    static auto arguments_type(std::index_sequence<I...>) -> std::tuple<Argument<Type<I>>...>;

  public:
    using Arguments = decltype(arguments_type(All()));
    using Adjoint = typename DerivativeOf<AdjointShadow>::type;
    using Tangent = typename DerivativeOf<TangentShadow>::type;
    using Second = typename DerivativeOf<AdjointShadow>::twice;

    // `second`, the tangent of the adjoint, is checked where it is there.
    Check(const char *name, std::vector<const char *> parameters, Kernel kernel, Adjoint adjoint,
          Tangent tangent, dim3 grid, dim3 block, std::size_t bytes, const Arguments &arguments,
          Second second = nullptr)
        : name_(name), parameters_(parameters), kernel_(kernel), adjoint_(adjoint),
          tangent_(tangent), second_(second), grid_(grid), block_(block), bytes_(bytes),
          initial_(arguments)
    {
        each_active(initial_, [&](auto &argument, std::size_t parameter) {
            std::size_t position = 0;
            for (std::size_t i = 0; i < argument.size(); ++i, position = 0)
                each_scalar(argument[i], [&](auto &number) {
                    using Number = std::remove_reference_t<decltype(number)>;
                    const double epsilon = std::numeric_limits<Number>::epsilon();
                    epsilon_ = std::max(epsilon_, epsilon);
                    places_.push_back({parameter, i, position++});
                });
        });
    }

    // Runs all checks; prints one line for each.
    void run(const Settings &settings)
    {
        const double loosest = epsilon_ > 1e-10 ? 1e-4 : 1e-10;
        tolerance_ = settings.tolerance > 0.0 ? settings.tolerance : loosest;
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

    template <std::size_t I> static constexpr bool has_shadow = active<I>;

    // Prints the error report of one run, in all its forms: of the sum with random signs of the
    // numbers that the kernel changes, in the `dependent` parameters where any are named.
    // `given(errors, parameter)` is where what is given is added; the `accuracy` is relative to the
    // sum of the sizes of these numbers.
    template <class Errors, class Function, class Given>
    void estimate(Function function, Given given, std::vector<bool> dependent, double accuracy)
    {
        x_ = scalars(initial_);
        y_ = value(x_);
        if (!is_finite(y_)) {
            report(name_, "kernel", false, 0.0, "the kernel itself gives numbers that are not finite");
            return;
        }
        if (dependent.empty())
            dependent.assign(Count, true);
        Numbers seeds(x_.size(), 0.0);
        double size = 0.0;
        for (std::size_t i = 0; i < x_.size(); ++i) {
            if (!dependent[places_[i].parameter] || y_[i] == x_[i])
                continue;
            seeds[i] = uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
            size += std::fabs(y_[i]);
        }
        Errors errors;
        Arguments memory = initial_, shadows = initial_;
        set_scalars(shadows, seeds);
        call(function, memory,
             std::tuple_cat(adjoint_shadows(shadows, All()), std::make_tuple(&errors)));
        fetch(shadows);
        const Numbers adjoints = scalars(shadows);
        for (std::size_t i = 0; i < x_.size(); ++i)
            if (auto *one = given(errors, places_[i].parameter))
                one->add(adjoints[i], x_[i]);
        const auto made = errors.report();
        const std::string sizes = "sizes of the results: " + shown(size) + "\n";
        show("text", made.text(accuracy * size) + sizes);
        show("json", made.json(accuracy * size));
        show("html", made.html(accuracy * size));
    }

  private:
    // One line of the driver's output: kernel, form, and the text with its lines in one.
    void show(const char *form, std::string text) const
    {
        std::replace(text.begin(), text.end(), '\n', '\v');
        std::printf("%s\t%s\t%s\n", name_, form, text.c_str());
    }

    struct Place {
        std::size_t parameter, element, position;
    };

    // Milliseconds of the kernel and of its adjoint, one after the other in every round, so that
    // what else goes on on the machine meets both alike. Each starts from the same memory.
    void measure(int rounds)
    {
        std::vector<double> kernels, adjoints, ratios;
        Arguments memory = initial_, shadows = initial_;
        for (int round = 0; round <= rounds; ++round) {
            memory = initial_;
            const double kernel = call(kernel_, memory, std::tuple<>());
            memory = initial_;
            shadows = initial_;
            const double adjoint = call(adjoint_, memory, adjoint_shadows(shadows, All()));
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
        x_ = scalars(initial_);
        y_ = value(x_);
        if (!is_finite(y_)) {
            report(name_, "kernel", false, 0.0,
                   "the kernel itself gives numbers that are not finite; choose other arguments");
            return;
        }
        if (x_.empty()) {
            report(name_, "kernel", false, 0.0, "no argument is active");
            return;
        }
        check_results();
        check_columns(settings);
        check_directions(settings);
        check_threads(settings);
        if (second_ != nullptr)
            check_second(settings);
    }

    // -- arguments as lists of numbers --

    template <class F> void each_active(Arguments &arguments, F &&each) const
    {
        each_active(arguments, each, All());
    }
    template <class F, std::size_t... I>
    void each_active(Arguments &arguments, F &&each, std::index_sequence<I...>) const
    {
        (each_if_active<I>(arguments, each), ...);
    }
    template <std::size_t I, class F> void each_if_active(Arguments &arguments, F &each) const
    {
        if constexpr (active<I>)
            each(std::get<I>(arguments), I);
    }

    template <class F> void each_active_scalar(Arguments &arguments, F &&each) const
    {
        each_active(arguments, [&](auto &argument, std::size_t) {
            for (std::size_t i = 0; i < argument.size(); ++i)
                each_scalar(argument[i], each);
        });
    }

    Numbers scalars(Arguments &arguments) const
    {
        Numbers found;
        found.reserve(places_.size());
        each_active_scalar(arguments, [&](auto &number) { found.push_back(double(number)); });
        return found;
    }
    void set_scalars(Arguments &arguments, const Numbers &numbers) const
    {
        auto next = numbers.begin();
        each_active_scalar(arguments, [&](auto &number) {
            number = static_cast<std::remove_reference_t<decltype(number)>>(*next++);
        });
    }

    // All numbers, those of constants included.
    Numbers everything(Arguments &arguments) const
    {
        Numbers found;
        std::apply(
            [&](auto &...argument) {
                const auto collect = [&](auto &one) {
                    for (std::size_t i = 0; i < one.size(); ++i)
                        if constexpr (!std::is_pointer_v<std::decay_t<decltype(one[i])>>)
                            each_number(one[i], [&](auto &n) { found.push_back(double(n)); });
                };
                (collect(argument), ...);
            },
            arguments);
        return found;
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

    // -- calls --

    // The seconds that the function took.
    template <class Function, class... Shadows>
    double call(Function function, Arguments &arguments, std::tuple<Shadows...> shadows) const
    {
        const auto passed =
            std::apply([](auto &...one) { return std::make_tuple(one.pass()...); }, arguments);
        const double begin = omp_get_wtime();
        if constexpr (takes_bytes)
            std::apply(function,
                       std::tuple_cat(std::make_tuple(grid_, block_, bytes_), passed, shadows));
        else
            std::apply(function, std::tuple_cat(std::make_tuple(grid_, block_), passed, shadows));
        const double seconds = omp_get_wtime() - begin;
        fetch(arguments);
        return seconds;
    }
    static void fetch(Arguments &arguments)
    {
        std::apply([](auto &...one) { (one.fetch(), ...); }, arguments);
    }

    template <std::size_t... I>
    auto adjoint_shadows(Arguments &shadows, std::index_sequence<I...>) const
    {
        return std::tuple_cat(adjoint_shadow<I>(shadows)...);
    }
    template <std::size_t I> auto adjoint_shadow(Arguments &shadows) const
    {
        if constexpr (active<I>)
            return std::make_tuple(
                reinterpret_cast<AdjointShadow<Type<I>>>(std::get<I>(shadows).pass_shadow()));
        else
            return std::tuple<>();
    }
    template <std::size_t... I>
    auto tangent_shadows(Arguments &shadows, std::index_sequence<I...>) const
    {
        return std::tuple_cat(tangent_shadow<I>(shadows)...);
    }
    template <std::size_t I> auto tangent_shadow(Arguments &shadows) const
    {
        if constexpr (!active<I>)
            return std::tuple<>();
        else if constexpr (std::is_pointer_v<Type<I>>)
            return std::make_tuple(std::get<I>(shadows).pass_shadow());
        else if constexpr (std::is_same_v<TangentShadow<Type<I>>, Type<I>>)
            return std::make_tuple(std::get<I>(shadows).pass());
        else
            return std::make_tuple(
                *reinterpret_cast<TangentShadow<Type<I>> *>(std::get<I>(shadows).pass_shadow()));
    }

    Numbers value(const Numbers &x) const
    {
        Arguments memory = initial_;
        set_scalars(memory, x);
        call(kernel_, memory, std::tuple<>());
        return scalars(memory);
    }

    // F'(x)^T seeds. `memory`: what the kernel's own memory holds then.
    Numbers adjoint(const Numbers &seeds, Arguments &memory) const
    {
        return adjoint(x_, seeds, memory);
    }
    Numbers adjoint(const Numbers &x, const Numbers &seeds, Arguments &memory) const
    {
        memory = initial_;
        set_scalars(memory, x);
        Arguments shadows = initial_;
        set_scalars(shadows, seeds);
        call(adjoint_, memory, adjoint_shadows(shadows, All()));
        fetch(shadows);
        return scalars(shadows);
    }
    Numbers tangent(const Numbers &direction, Arguments &memory) const
    {
        memory = initial_;
        Arguments shadows = initial_;
        set_scalars(shadows, direction);
        call(tangent_, memory, tangent_shadows(shadows, All()));
        fetch(shadows);
        return scalars(shadows);
    }

    // What the adjoint of these seeds gives, and the tangents of that and of the kernel's results.
    struct Twice {
        Numbers adjoint, tangent, second;
    };
    Twice twice(const Numbers &seeds, const Numbers &direction, const Numbers &of_seeds,
                Arguments &memory) const
    {
        memory = initial_;
        Arguments shadows = initial_, tangents = initial_, both = initial_;
        set_scalars(shadows, seeds);
        set_scalars(tangents, direction);
        set_scalars(both, of_seeds);
        call(second_, memory,
             std::tuple_cat(adjoint_shadows(shadows, All()), adjoint_shadows(tangents, All()),
                            adjoint_shadows(both, All())));
        fetch(shadows);
        fetch(tangents);
        fetch(both);
        return {scalars(shadows), scalars(tangents), scalars(both)};
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

    void compare_memory(Arguments &expected, Arguments &actual, const char *check) const
    {
        const Numbers wanted = everything(expected), got = everything(actual);
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
        Arguments expected = initial_, actual = initial_;
        call(kernel_, expected, std::tuple<>());
        adjoint(random_numbers(), actual);
        compare_memory(expected, actual, "results of the adjoint");
        tangent(random_numbers(), actual);
        compare_memory(expected, actual, "results of the tangent");
    }

    // About `count` of the numbers, but some of every argument: all of those that have only a few.
    std::vector<std::size_t> chosen_columns(std::size_t count) const
    {
        constexpr std::size_t few = 16;
        std::vector<std::size_t> shuffled(x_.size()), taken(Count), chosen, others;
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
        Arguments memory = initial_;
        for (int i = 0; i < settings.seeds; ++i) {
            seeds.push_back(random_numbers());
            adjoints.push_back(adjoint(seeds.back(), memory));
        }
        const std::vector<std::size_t> chosen = chosen_columns(settings.columns);
        std::vector<Numbers> wanted(seeds.size()), scales(seeds.size());
        Worst differences;
        for (std::size_t column : chosen) {
            Numbers direction(x_.size(), 0.0);
            direction[column] = 1.0;
            const Numbers exit = tangent(direction, memory);
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
        Arguments memory = initial_;
        for (int i = 0; i < settings.seeds; ++i) {
            const Numbers seeds = random_numbers(), direction = random_numbers();
            const Numbers exit = tangent(direction, memory), entry = adjoint(seeds, memory);
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
                             const std::string &of) const
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
        Arguments expected = initial_, actual = initial_;
        call(kernel_, expected, std::tuple<>());
        twice(random_numbers(), random_numbers(), random_numbers(), actual);
        compare_memory(expected, actual, "hvp: results");
        Worst same, symmetric, differences, threads;
        const Numbers none(x_.size(), 0.0);
        for (int i = 0; i < settings.seeds; ++i) {
            const Numbers seeds = random_numbers(), v = random_numbers(), u = random_numbers();
            const Twice one = twice(seeds, v, none, actual), other = twice(seeds, u, none, actual);
            const Twice all = twice(seeds, v, u, actual);
            const Numbers gradient = adjoint(seeds, actual);
            compare_same(gradient, all.adjoint, same, "d_");
            compare_same(tangent(v, actual), all.tangent, same, "t_");
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
                return adjoint(shifted(x_, v, step), shifted(seeds, u, step), actual);
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
        const Twice wanted = twice(seeds, v, v, actual);
        for (int count : settings.threads) {
            omp_set_num_threads(count);
            for (int i = 0; i < std::min(settings.repeats, 5); ++i) {
                const Twice found = twice(seeds, v, v, actual);
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
        Arguments memory = initial_;
        const Numbers reverse = adjoint(seeds, memory), forward = tangent(seeds, memory);
        Worst worst;
        for (int threads : settings.threads) {
            omp_set_num_threads(threads);
            for (int i = 0; i < settings.repeats; ++i) {
                compare_runs(reverse, adjoint(seeds, memory), worst, threads, "d_");
                if (i < 3)
                    compare_runs(forward, tangent(seeds, memory), worst, threads, "tangent of ");
            }
        }
        worst.report_as(name_, "threads");
    }

    void compare_runs(const Numbers &expected, const Numbers &actual, Worst &worst, int threads,
                      const char *prefix) const
    {
        const double floor = 64.0 * epsilon_ * largest(expected);
        for (std::size_t i = 0; i < expected.size(); ++i)
            worst.see(expected[i], actual[i], 1024.0 * epsilon_ * std::fabs(expected[i]) + floor,
                      [&] {
                          return place(i, prefix) + " is " + shown(actual[i]) + " with " +
                                 std::to_string(threads) + " threads, " + shown(expected[i]) +
                                 " with one";
                      });
    }

    const char *name_;
    std::vector<const char *> parameters_;
    Kernel kernel_;
    Adjoint adjoint_;
    Tangent tangent_;
    Second second_;
    dim3 grid_, block_;
    std::size_t bytes_;
    Arguments initial_;
    std::vector<Place> places_; // of every active number
    Numbers x_, y_;             // active numbers on entry and on exit
    double epsilon_ = 0.0;
    double tolerance_ = 0.0;
    double differences_ = 0.0;
};

} // namespace g2o_check

#endif // G2O_CHECK_CHECK_HPP
