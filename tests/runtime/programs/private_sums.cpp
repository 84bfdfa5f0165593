// PrivateSums: every thread adds to a copy of its own, and only where something was added.
#include "check.hpp"
#include "g2o_runtime.hpp"
#include "g2o_tapes.hpp"

#include <vector>

namespace
{

struct Started {
    double a = 1.0; // copies begin with 0 all the same
    double b = 2.0;
};

void all_threads_add()
{
    std::vector<double> array(10, 0.5);
#pragma omp parallel
    {
        g2o::PrivateSums<double> sums(array.data() + 2, 5);
#pragma omp for
        for (int i = 0; i < 1000; ++i)
            for (int k = 0; k < 5; ++k)
                sums[k] += k + 1;
    }
    CHECK(array[1] == 0.5);
    for (int k = 0; k < 5; ++k)
        CHECK(array[std::size_t(k) + 2] == 0.5 + 1000.0 * (k + 1));
    CHECK(array[7] == 0.5);
}

void elements_that_nothing_was_added_to_need_not_exist()
{
    std::vector<double> array(4, 0.0);
    {
        g2o::PrivateSums<double> sums(array.data() - 1000, 1004);
        sums[1003] += 3.0;
    }
    CHECK(array[3] == 3.0);
    {
        g2o::PrivateSums<double> none(nullptr, 7);
        g2o::PrivateSums<double> empty(array.data(), 0);
        g2o::PrivateSums<double> negative(array.data(), -3);
    }
    CHECK(array[0] == 0.0 && array[3] == 3.0);
}

void structures_begin_with_zero()
{
    std::vector<Started> array(2);
    {
        g2o::PrivateSums<Started, double> sums(array.data(), 2);
        sums[1].b += 0.25;
    }
    CHECK(array[0].a == 1.0 && array[0].b == 2.0);
    CHECK(array[1].a == 1.0 && array[1].b == 2.25);
    std::vector<float4> vectors(2, make_float4(0.0f, 1.0f, 2.0f, 3.0f));
    {
        g2o::PrivateSums<float4, float> sums(vectors.data(), 2);
        sums[0].w += 0.5f;
    }
    CHECK(vectors[0].w == 3.5f && vectors[0].x == 0.0f && vectors[1].w == 3.0f);
}

} // namespace

int main()
{
    all_threads_add();
    elements_that_nothing_was_added_to_need_not_exist();
    structures_begin_with_zero();
    return finish();
}
