// What is given to the kernels of simple.cu.

struct Polynomial {
    static constexpr std::size_t types = 4;
    static Groups names() { return {{"x"}, {"a"}, {"v"}, {"y"}}; }
    static constexpr int n = 200;
    Numbers x = random_numbers(n, 0.5, 1.5), seeds = random_signs(n);
    double a = uniform(0.5, 1.5);

    template <class X, class A, class V, class Y> double run() const
    {
        auto xs = as<X>(x);
        std::vector<Y> y(n);
        polynomial<X, A, V, Y>(dim3(7), dim3(32), A(a), xs.data(), y.data(), n);
        return product(seeds, y);
    }
    g2o::ErrorReport estimate() const
    {
        polynomial_errors<double, double, double, double> errors;
        Numbers y(n), d_x(n), d_y = seeds;
        double d_a = 0.0;
        polynomial_error<double, double, double, double>(dim3(7), dim3(32), a, x.data(), y.data(),
                                                         n, &d_a, d_x.data(), d_y.data(), &errors);
        errors.given_a.add(d_a, a);
        errors.given_x.add(x.data(), d_x.data(), n);
        return errors.report();
    }
};

struct Weighted {
    static constexpr std::size_t types = 4;
    static Groups names() { return {{"x"}, {"w"}, {"sum"}, {"y"}}; }
    static constexpr int n = 2000, threads = 64;
    Numbers x = random_numbers(n, 0.0, 1.0), w = random_numbers(n, 0.0, 1.0);
    Numbers seeds = random_signs(threads);

    template <class X, class W, class Sum, class Y> double run() const
    {
        auto xs = as<X>(x);
        auto ws = as<W>(w);
        std::vector<Y> y(threads);
        weighted<X, W, Sum, Y>(dim3(2), dim3(32), xs.data(), ws.data(), y.data(), n);
        return product(seeds, y);
    }
    g2o::ErrorReport estimate() const
    {
        weighted_errors<double, double, double, double> errors;
        Numbers y(threads), d_x(n), d_w(n), d_y = seeds;
        weighted_error<double, double, double, double>(dim3(2), dim3(32), x.data(), w.data(),
                                                       y.data(), n, d_x.data(), d_w.data(),
                                                       d_y.data(), &errors);
        errors.given_x.add(x.data(), d_x.data(), n);
        errors.given_w.add(w.data(), d_w.data(), n);
        return errors.report();
    }
};

struct Variance {
    static constexpr std::size_t types = 5;
    static Groups names() { return {{"x"}, {"sum"}, {"squares"}, {"mean"}, {"y"}}; }
    static constexpr int n = 300, threads = 32;
    Numbers x = random_numbers(n * threads, 4.0, 5.0), seeds = random_signs(threads);

    template <class X, class Sum, class Squares, class Mean, class Y> double run() const
    {
        auto xs = as<X>(x);
        std::vector<Y> y(threads);
        variance<X, Sum, Squares, Mean, Y>(dim3(1), dim3(32), xs.data(), y.data(), n);
        return product(seeds, y);
    }
    g2o::ErrorReport estimate() const
    {
        variance_errors<double, double, double, double, double> errors;
        Numbers y(threads), d_x(x.size()), d_y = seeds;
        variance_error<double, double, double, double, double>(
            dim3(1), dim3(32), x.data(), y.data(), n, d_x.data(), d_y.data(), &errors);
        errors.given_x.add(x.data(), d_x.data(), x.size());
        return errors.report();
    }
};

struct Bodies {
    static constexpr std::size_t types = 4;
    static Groups names() { return {{"x", "y", "mass"}, {"dx", "dy"}, {"s"}, {"sum", "force"}}; }
    static constexpr int n = 150;
    Numbers x = random_numbers(n, -1.0, 1.0), y = random_numbers(n, -1.0, 1.0);
    Numbers mass = random_numbers(n, 0.5, 1.5), seeds = random_signs(n);

    template <class X, class D, class S, class Force> double run() const
    {
        auto xs = as<X>(x), ys = as<X>(y), masses = as<X>(mass);
        std::vector<Force> force(n);
        bodies<X, D, S, Force>(dim3(5), dim3(32), xs.data(), ys.data(), masses.data(),
                               force.data(), n);
        return product(seeds, force);
    }
    g2o::ErrorReport estimate() const
    {
        bodies_errors<double, double, double, double> errors;
        Numbers force(n), d_x(n), d_y(n), d_mass(n), d_force = seeds;
        bodies_error<double, double, double, double>(
            dim3(5), dim3(32), x.data(), y.data(), mass.data(), force.data(), n, d_x.data(),
            d_y.data(), d_mass.data(), d_force.data(), &errors);
        errors.given_x.add(x.data(), d_x.data(), n);
        errors.given_y.add(y.data(), d_y.data(), n);
        errors.given_mass.add(mass.data(), d_mass.data(), n);
        return errors.report();
    }
};

struct Option {
    static constexpr std::size_t types = 4;
    static Groups names() { return {{"stock", "strike", "years"}, {"root", "d1", "d2"}, {"n1", "n2"}, {"price"}}; }
    static constexpr int n = 200;
    Numbers stock = random_numbers(n, 50.0, 150.0), strike = random_numbers(n, 50.0, 150.0);
    Numbers seeds = random_signs(n);
    double years = uniform(0.5, 2.0);

    template <class S, class D, class N, class Price> double run() const
    {
        auto stocks = as<S>(stock), strikes = as<S>(strike);
        std::vector<Price> price(n);
        option<S, D, N, Price>(dim3(7), dim3(32), stocks.data(), strikes.data(), S(years),
                               price.data(), n);
        return product(seeds, price);
    }
    g2o::ErrorReport estimate() const
    {
        option_errors<double, double, double, double> errors;
        Numbers price(n), d_stock(n), d_strike(n), d_price = seeds;
        double d_years = 0.0;
        option_error<double, double, double, double>(
            dim3(7), dim3(32), stock.data(), strike.data(), years, price.data(), n,
            d_stock.data(), d_strike.data(), &d_years, d_price.data(), &errors);
        errors.given_stock.add(stock.data(), d_stock.data(), n);
        errors.given_strike.add(strike.data(), d_strike.data(), n);
        errors.given_years.add(d_years, years);
        return errors.report();
    }
};

struct Arc {
    static constexpr std::size_t types = 4;
    static Groups names() { return {{"start", "step"}, {"now", "last"}, {"x"}, {"length", "lengths"}}; }
    static constexpr int steps = 1000, threads = 32;
    Numbers start = random_numbers(threads, 0.0, 1.0), seeds = random_signs(threads);

    template <class X, class T, class Y, class Length> double run() const
    {
        auto starts = as<X>(start);
        std::vector<Length> lengths(threads);
        arc<X, T, Y, Length>(dim3(1), dim3(32), starts.data(), lengths.data(), steps);
        return product(seeds, lengths);
    }
    g2o::ErrorReport estimate() const
    {
        arc_errors<double, double, double, double> errors;
        Numbers lengths(threads), d_start(threads), d_lengths = seeds;
        arc_error<double, double, double, double>(dim3(1), dim3(32), start.data(), lengths.data(),
                                                  steps, d_start.data(), d_lengths.data(),
                                                  &errors);
        errors.given_start.add(start.data(), d_start.data(), threads);
        return errors.report();
    }
};

struct Oscillator {
    static constexpr std::size_t types = 4;
    static Groups names() { return {{"x0", "x"}, {"v0", "v"}, {"a"}, {"energy"}}; }
    static constexpr int steps = 500, threads = 64;
    Numbers x0 = random_numbers(threads, -1.0, 1.0), v0 = random_numbers(threads, -1.0, 1.0);
    Numbers seeds = random_signs(threads);

    template <class X, class V, class A, class Energy> double run() const
    {
        auto xs = as<X>(x0);
        auto vs = as<V>(v0);
        std::vector<Energy> energy(threads);
        oscillator<X, V, A, Energy>(dim3(2), dim3(32), xs.data(), vs.data(), energy.data(), steps);
        return product(seeds, energy);
    }
    g2o::ErrorReport estimate() const
    {
        oscillator_errors<double, double, double, double> errors;
        Numbers energy(threads), d_x0(threads), d_v0(threads), d_energy = seeds;
        oscillator_error<double, double, double, double>(
            dim3(2), dim3(32), x0.data(), v0.data(), energy.data(), steps, d_x0.data(),
            d_v0.data(), d_energy.data(), &errors);
        errors.given_x0.add(x0.data(), d_x0.data(), threads);
        errors.given_v0.add(v0.data(), d_v0.data(), threads);
        return errors.report();
    }
};

struct Clipped {
    static constexpr std::size_t types = 4;
    static Groups names() { return {{"x"}, {"v"}, {"w"}, {"y"}}; }
    static constexpr int n = 300;
    Numbers x = random_numbers(n, 0.0, 1.0), seeds = random_signs(n);

    template <class X, class V, class W, class Y> double run() const
    {
        auto xs = as<X>(x);
        std::vector<Y> y(n);
        clipped<X, V, W, Y>(dim3(10), dim3(32), xs.data(), y.data(), n);
        return product(seeds, y);
    }
    g2o::ErrorReport estimate() const
    {
        clipped_errors<double, double, double, double> errors;
        Numbers y(n), d_x(n), d_y = seeds;
        clipped_error<double, double, double, double>(dim3(10), dim3(32), x.data(), y.data(), n,
                                                      d_x.data(), d_y.data(), &errors);
        errors.given_x.add(x.data(), d_x.data(), n);
        return errors.report();
    }
};
