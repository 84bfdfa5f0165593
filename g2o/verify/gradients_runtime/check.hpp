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
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <omp.h>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "checks.hpp"

namespace g2o_check
{

// ---- signatures ---------------------------------------------------------------------------------

template <class P>
inline constexpr bool is_active_parameter =
    std::is_pointer_v<P>
        ? is_active<std::remove_pointer_t<P>> && !std::is_pointer_v<std::remove_pointer_t<P>>
        : is_active<P> || leads<P>;

// 0: not asked for; 1: active where the type can be; 2: active.
template <std::size_t I, int... Named> constexpr int named_at()
{
    constexpr int all[] = {Named..., 0};
    return all[I];
}

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

// The positions of those that hold.
template <bool... Holds> constexpr auto positions()
{
    std::array<std::size_t, (std::size_t(Holds) + ... + 1)> found{};
    std::size_t next = 0, position = 0;
    ((Holds ? void(found[next++] = position++) : void(position++)), ...);
    return found;
}
template <bool... Holds, std::size_t... N>
auto positions_of(std::index_sequence<N...>) -> std::index_sequence<positions<Holds...>()[N]...>;
template <bool... Holds>
using PositionsOf =
    decltype(positions_of<Holds...>(std::make_index_sequence<(std::size_t(Holds) + ... + 0)>()));

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

// ---- the check of one launch --------------------------------------------------------------------

template <class Kernel, std::size_t Count, int... Named> class Check final : public Checks
{
    using Types = Parameters<Kernel, Count>;
    using All = std::make_index_sequence<Count>;
    static constexpr bool takes_bytes = Signature<Count, Kernel>::takes_bytes;

    template <std::size_t I> using Type = std::tuple_element_t<I, Types>;
    template <std::size_t I>
    static constexpr bool active =
        named_at<I, Named...>() > (is_active_parameter<Type<I>> ? 0 : 1);

    template <std::size_t... I>
    static auto active_of(std::index_sequence<I...>) -> PositionsOf<active<I>...>;
    using Active = decltype(active_of(All()));

    template <template <class> class Shadow, std::size_t... I>
    static auto shadow_types(std::index_sequence<I...>) -> std::tuple<Shadow<Type<I>>...>;
    template <template <class> class Shadow>
    using DerivativeOf = Derivative<takes_bytes, Types, decltype(shadow_types<Shadow>(Active()))>;

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
        : Checks(name, parameters, second != nullptr), kernel_(kernel), adjoint_(adjoint),
          tangent_(tangent), second_(second), grid_(grid), block_(block), bytes_(bytes),
          initial_(arguments), memory_(arguments), shadows_(arguments)
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

    template <std::size_t I> static constexpr bool has_shadow = active<I>;

    // Prints the error report of one run, in all its forms: of the sum with random signs of the
    // numbers that the kernel changes, in the `dependent` parameters where any are named.
    // `given(errors, parameter)` is where what is given is added; the `accuracy` is relative to the
    // sum of the sizes of these numbers.
    template <class Errors, class Function, class Given>
    void estimate(Function function, Given given, std::vector<bool> dependent, double accuracy)
    {
        if (!begin(""))
            return;
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
        memory_ = initial_;
        shadows_ = initial_;
        set_scalars(shadows_, seeds);
        call_adjoint(function, Active(), &errors);
        fetch(shadows_, All());
        const Numbers adjoints = scalars(shadows_);
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

    // -- arguments as lists of numbers --

    template <class F> void each_active(Arguments &arguments, F &&each) const
    {
        each_active(arguments, each, Active());
    }
    template <class F, std::size_t... I>
    void each_active(Arguments &arguments, F &each, std::index_sequence<I...>) const
    {
        (each(std::get<I>(arguments), I), ...);
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
    template <std::size_t... I>
    Numbers everything(Arguments &arguments, std::index_sequence<I...>) const
    {
        Numbers found;
        Blocks blocks;
        (std::get<I>(arguments).add_to(blocks), ...);
        (collect(std::get<I>(arguments), blocks, found), ...);
        return found;
    }
    template <class A> void collect(A &argument, const Blocks &blocks, Numbers &found) const
    {
        for (std::size_t i = 0; i < argument.size(); ++i)
            each_number(argument[i], [&](auto &n) { found.push_back(double(n)); });
        if constexpr (is_deep<decltype(argument.pass())>)
            argument.each_pointer_in([&](const void *pointer) {
                const auto [block, offset] = blocks.place(pointer);
                found.push_back(block), found.push_back(offset);
                leads_away_ = leads_away_ || block == -1.0;
            });
    }

    // -- calls --

    // The seconds that the function took.
    template <class Function, class... Shadows>
    double call(Function function, Shadows... shadows)
    {
        return call_with(All(), function, shadows...);
    }
    template <std::size_t... I, class Function, class... Shadows>
    double call_with(std::index_sequence<I...>, Function function, Shadows... shadows)
    {
        std::tuple<decltype(std::get<I>(memory_).pass())...> passed(
            std::get<I>(memory_).pass()...);
        const double begin = omp_get_wtime();
        if constexpr (takes_bytes)
            function(grid_, block_, bytes_, std::get<I>(passed)..., shadows...);
        else
            function(grid_, block_, std::get<I>(passed)..., shadows...);
        const double seconds = omp_get_wtime() - begin;
        (std::get<I>(memory_).fetch(), ...);
        return seconds;
    }
    template <std::size_t... I> static void fetch(Arguments &arguments, std::index_sequence<I...>)
    {
        (std::get<I>(arguments).fetch(), ...);
    }

    // `more` stand behind the shadows.
    template <class Function, std::size_t... I, class... More>
    double call_adjoint(Function function, std::index_sequence<I...>, More... more)
    {
        return call(function, adjoint_shadow<I>(shadows_)..., more...);
    }
    template <std::size_t... I>
    void call_twice(Arguments &tangents, Arguments &both, std::index_sequence<I...>)
    {
        call(second_, adjoint_shadow<I>(shadows_)..., adjoint_shadow<I>(tangents)...,
             adjoint_shadow<I>(both)...);
    }
    template <std::size_t... I> void call_tangent(std::index_sequence<I...>)
    {
        call(tangent_, tangent_shadow<I>(shadows_)...);
    }
    template <std::size_t I> AdjointShadow<Type<I>> adjoint_shadow(Arguments &shadows) const
    {
        return reinterpret_cast<AdjointShadow<Type<I>>>(std::get<I>(shadows).pass_shadow());
    }
    template <std::size_t I> TangentShadow<Type<I>> tangent_shadow(Arguments &shadows) const
    {
        if constexpr (std::is_pointer_v<Type<I>>)
            return std::get<I>(shadows).pass_shadow();
        else if constexpr (std::is_same_v<TangentShadow<Type<I>>, Type<I>>)
            return std::get<I>(shadows).pass();
        else
            return *reinterpret_cast<TangentShadow<Type<I>> *>(std::get<I>(shadows).pass_shadow());
    }

    Numbers given() override { return scalars(initial_); }
    Numbers value(const Numbers &x) override
    {
        memory_ = initial_;
        set_scalars(memory_, x);
        call(kernel_);
        return scalars(memory_);
    }
    Numbers adjoint(const Numbers &x, const Numbers &seeds) override
    {
        memory_ = initial_;
        set_scalars(memory_, x);
        shadows_ = initial_;
        set_scalars(shadows_, seeds);
        call_adjoint(adjoint_, Active());
        fetch(shadows_, All());
        return scalars(shadows_);
    }
    Numbers tangent(const Numbers &direction) override
    {
        memory_ = initial_;
        shadows_ = initial_;
        set_scalars(shadows_, direction);
        call_tangent(Active());
        fetch(shadows_, All());
        return scalars(shadows_);
    }
    Twice twice(const Numbers &seeds, const Numbers &direction, const Numbers &of_seeds) override
    {
        memory_ = initial_;
        shadows_ = initial_;
        Arguments tangents = initial_, both = initial_;
        set_scalars(shadows_, seeds);
        set_scalars(tangents, direction);
        set_scalars(both, of_seeds);
        call_twice(tangents, both, Active());
        fetch(shadows_, All());
        fetch(tangents, All());
        fetch(both, All());
        return {scalars(shadows_), scalars(tangents), scalars(both)};
    }
    Numbers results() override
    {
        memory_ = initial_;
        call(kernel_);
        return left();
    }
    Numbers left() override { return everything(memory_, All()); }
    double kernel_seconds() override
    {
        memory_ = initial_;
        return call(kernel_);
    }
    double adjoint_seconds() override
    {
        memory_ = initial_;
        shadows_ = initial_;
        return call_adjoint(adjoint_, Active());
    }

    Kernel kernel_;
    Adjoint adjoint_;
    Tangent tangent_;
    Second second_;
    dim3 grid_, block_;
    std::size_t bytes_;
    Arguments initial_, memory_, shadows_;
};

} // namespace g2o_check

#endif // G2O_CHECK_CHECK_HPP
