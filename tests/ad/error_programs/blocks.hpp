// What is given to the kernels of blocks.cu.

struct Heat {
    static constexpr std::size_t types = 4;
    static Groups names() { return {{"x"}, {"u"}, {"flux"}, {"y"}}; }
    static constexpr int blocks = 4, n = 64 * blocks, steps = 100;
    Numbers x = random_numbers(n, 0.0, 1.0), seeds = random_signs(n);

    template <class X, class U, class Flux, class Y> double run() const
    {
        auto xs = as<X>(x);
        std::vector<Y> y(n);
        heat<X, U, Flux, Y>(dim3(blocks), dim3(64), xs.data(), y.data(), steps);
        return product(seeds, y);
    }
    g2o::ErrorReport estimate() const
    {
        heat_errors<double, double, double, double> errors;
        Numbers y(n), d_x(n), d_y = seeds;
        heat_error<double, double, double, double>(dim3(blocks), dim3(64), x.data(), y.data(),
                                                   steps, d_x.data(), d_y.data(), &errors);
        errors.given_x.add(x.data(), d_x.data(), n);
        return errors.report();
    }
};

struct Norms {
    static constexpr std::size_t types = 4;
    static Groups names() { return {{"x"}, {"v"}, {"s"}, {"total"}}; }
    static constexpr int blocks = 40, n = 30000;
    Numbers x = random_numbers(n, -1.0, 1.0);

    template <class X, class V, class S, class Y> double run() const
    {
        auto xs = as<X>(x);
        Y total = 0;
        norms<X, V, S, Y>(dim3(blocks), dim3(64), xs.data(), &total, n);
        return double(total);
    }
    g2o::ErrorReport estimate() const
    {
        norms_errors<double, double, double, double> errors;
        double total = 0.0, d_total = 1.0;
        Numbers d_x(n);
        norms_error<double, double, double, double>(dim3(blocks), dim3(64), x.data(), &total, n,
                                                    d_x.data(), &d_total, &errors);
        errors.given_x.add(x.data(), d_x.data(), n);
        return errors.report();
    }
};

struct Matmul {
    static constexpr std::size_t types = 5;
    static Groups names() { return {{"a"}, {"b"}, {"left", "right"}, {"sum"}, {"c"}}; }
    static constexpr int n = 32;
    Numbers a = random_numbers(n * n, -1.0, 1.0), b = random_numbers(n * n, -1.0, 1.0);
    Numbers seeds = random_signs(n * n);

    template <class A, class B, class Tile, class Sum, class C> double run() const
    {
        auto as_ = as<A>(a);
        auto bs = as<B>(b);
        std::vector<C> c(n * n);
        matmul<A, B, Tile, Sum, C>(dim3(n / 8, n / 8), dim3(8, 8), as_.data(), bs.data(),
                                   c.data(), n);
        return product(seeds, c);
    }
    g2o::ErrorReport estimate() const
    {
        matmul_errors<double, double, double, double, double> errors;
        Numbers c(n * n), d_a(n * n), d_b(n * n), d_c = seeds;
        matmul_error<double, double, double, double, double>(
            dim3(n / 8, n / 8), dim3(8, 8), a.data(), b.data(), c.data(), n, d_a.data(),
            d_b.data(), d_c.data(), &errors);
        errors.given_a.add(a.data(), d_a.data(), n * n);
        errors.given_b.add(b.data(), d_b.data(), n * n);
        return errors.report();
    }
};

struct Softmax {
    static constexpr std::size_t types = 4;
    static Groups names() { return {{"x"}, {"e"}, {"sum"}, {"y"}}; }
    static constexpr int blocks = 8, n = 32 * blocks;
    Numbers x = random_numbers(n, 0.0, 2.0), seeds = random_signs(n);

    template <class X, class E, class Sum, class Y> double run() const
    {
        auto xs = as<X>(x);
        std::vector<Y> y(n);
        softmax<X, E, Sum, Y>(dim3(blocks), dim3(32), xs.data(), y.data());
        return product(seeds, y);
    }
    g2o::ErrorReport estimate() const
    {
        softmax_errors<double, double, double, double> errors;
        Numbers y(n), d_x(n), d_y = seeds;
        softmax_error<double, double, double, double>(dim3(blocks), dim3(32), x.data(), y.data(),
                                                      d_x.data(), d_y.data(), &errors);
        errors.given_x.add(x.data(), d_x.data(), n);
        return errors.report();
    }
};

struct Lanes {
    static constexpr std::size_t types = 3;
    static Groups names() { return {{"x"}, {"v"}, {"y"}}; }
    static constexpr int blocks = 8, n = 32 * blocks;
    Numbers x = random_numbers(n, 0.0, 2.0), seeds = random_signs(n);

    template <class X, class V, class Y> double run() const
    {
        auto xs = as<X>(x);
        std::vector<Y> y(n);
        lanes<X, V, Y>(dim3(blocks), dim3(32), xs.data(), y.data());
        return product(seeds, y);
    }
    g2o::ErrorReport estimate() const
    {
        lanes_errors<double, double, double> errors;
        Numbers y(n), d_x(n), d_y = seeds;
        lanes_error<double, double, double>(dim3(blocks), dim3(32), x.data(), y.data(), d_x.data(),
                                            d_y.data(), &errors);
        errors.given_x.add(x.data(), d_x.data(), n);
        return errors.report();
    }
};
