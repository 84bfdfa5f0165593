// Vector loops that store integers, behind pointers of every kind.
#include "g2o_runtime.hpp"
#include <cstdio>

struct Cell {
    int count;
    float mass;
};

struct View {
    unsigned *data;
    int n;
};

struct Counter {
    unsigned *data;
    Counter(unsigned *memory) : data(memory) {}
    Counter(const Counter &other) : data(other.data) {}
};

static int table[100];

template <class T> void increment(dim3 grid, dim3 block, T *x, int n)
{
    const int count2 = std::min(n, int(grid.x * block.x));
#pragma omp parallel for simd firstprivate(x)
    for (int i = 0; i < count2; ++i)
        x[i] += 1;
}

void split(dim3 grid, dim3 block, const int *__restrict__ in, int *__restrict__ low,
           unsigned char *__restrict__ high, int n)
{
    const int count2 = std::min(n, int(grid.x * block.x));
#pragma omp parallel for simd firstprivate(in, low, high)
    for (int i = 0; i < count2; ++i) {
        low[i] = in[i] & 15;
        high[i] = in[i] >> 4;
    }
}

void count(dim3 grid, dim3 block, Cell *cells, int n)
{
    const int count2 = std::min(n, int(grid.x * block.x));
#pragma omp parallel for simd firstprivate(cells)
    for (int i = 0; i < count2; ++i)
        cells[i].count += i;
}

// Real numbers need no copy of the pointer to them.
void weigh(dim3 grid, dim3 block, Cell *cells, int n)
{
    const int count2 = std::min(n, int(grid.x * block.x));
#pragma omp parallel for simd
    for (int i = 0; i < count2; ++i)
        cells[i].mass = 0.5f * cells[i].count;
}

// A structure of numbers and pointers has a copy, too.
void fill(dim3 grid, dim3 block, View view)
{
    const int count2 = std::min(view.n, int(grid.x * block.x));
#pragma omp parallel for simd firstprivate(view)
    for (int i = 0; i < count2; ++i)
        view.data[i] = 3 * i;
}

// A class may do anything when it is copied.
void count_down(dim3 grid, dim3 block, Counter counter, int n)
{
    const int count2 = std::min(n, int(grid.x * block.x));
#pragma omp parallel for firstprivate(n)
    for (int i = 0; i < count2; ++i)
        counter.data[i] = n - i;
}

void tabulate(dim3 grid, dim3 block, int n)
{
    const int count2 = std::min(n, int(grid.x * block.x));
#pragma omp parallel for simd
    for (int i = 0; i < count2; ++i)
        table[i] = i * i;
}

void stride(dim3 /*grid*/, dim3 /*block*/, size_t *__restrict__ sums, const int *__restrict__ in,
            size_t n)
{
#pragma omp parallel for simd firstprivate(sums)
    for (size_t i = 0; i < n; ++i)
        sums[i] = 7 * (in[i] + i);
}

int main()
{
    const int n = 100;
    int *in, *low, kept[n];
    unsigned char *high;
    double *real;
    Cell *cells;
    View view = {nullptr, n};
    size_t *sums;
    g2o::malloc_managed(&in, n * sizeof(int));
    g2o::malloc_managed(&low, n * sizeof(int));
    g2o::malloc_managed(&high, n);
    g2o::malloc_managed(&real, n * sizeof(double));
    g2o::malloc_managed(&cells, n * sizeof(Cell));
    g2o::malloc_managed(&view.data, 2 * n * sizeof(unsigned));
    g2o::malloc_managed(&sums, n * sizeof(size_t));
    for (int i = 0; i < n; ++i) {
        in[i] = 5 * i;
        real[i] = cells[i].count = i;
    }
    increment(4, 32, in, n);
    increment(4, 32, real, n);
    split(4, 32, in, low, high, n);
    count(4, 32, cells, n);
    weigh(4, 32, cells, n);
    fill(4, 32, view);
    count_down(4, 32, Counter(view.data + n), n);
    tabulate(4, 32, n);
    stride(2, 16, sums, in, n);
    g2o::device_synchronize();
    g2o::memcpy_from_symbol(kept, table, sizeof kept);
    for (int i = 0; i < n; ++i)
        printf("%d %g %d %d %d %g %u %u %d %zu\n", in[i], real[i], low[i], high[i], cells[i].count,
               cells[i].mass, view.data[i], view.data[n + i], kept[i], sums[i]);
}
