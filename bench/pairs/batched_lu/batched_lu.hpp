// Many small systems of linear equations. Element (i, j) of all matrices lies together, the
// matrices next to each other.
#pragma once

#include "../support.hpp"

struct Batch {
    int count, order, repeats;
    std::vector<float> matrix, right;
};

inline Batch make_batch(int argc, char **argv)
{
    Batch batch;
    batch.count = argument(argc, argv, 1, 300);
    batch.order = argument(argc, argv, 2, 5);
    batch.repeats = argument(argc, argv, 3, 2);
    Random random(64u);
    for (int i = 0; i < batch.order; ++i)
        for (int j = 0; j < batch.order; ++j)
            for (int b = 0; b < batch.count; ++b)
                batch.matrix.push_back(random.uniform() +
                                       (i == j ? static_cast<float>(batch.order) : 0.0f));
    for (int i = 0; i < batch.order * batch.count; ++i)
        batch.right.push_back(random.uniform());
    return batch;
}

// What the matrices times the solutions miss of the right sides.
inline int finish(const Batch &batch, const std::vector<float> &x, double milliseconds)
{
    const int count = batch.count, order = batch.order;
    std::vector<float> product(x.size(), 0.0f);
    for (int i = 0; i < order; ++i)
        for (int j = 0; j < order; ++j)
            for (int b = 0; b < count; ++b)
                product[i * count + b] += batch.matrix[(i * order + j) * count + b] *
                                          x[j * count + b];
    return report(worst_error(product, batch.right) < 1e-4, checksum(x), milliseconds);
}
