/*
 * Linear elasticity with finite elements: quadrilaterals with four nodes on a mesh without structure,
 * assembly into a sparse matrix (CSR), conjugate gradients with Jacobi's preconditioner, and
 * compliance, volume and a norm of von Mises' stresses: topology optimisation with SIMP and a filter
 * of densities.
 *
 *     design -> filter -> projection -> stiffness -> assembly -> solution -> compliance, stress
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES 4 /* of an element */
#define DOFS 8
#define POINTS 4

typedef struct {
    int nodes, elements;
    const double (*at)[2];     /* coordinates of the nodes */
    const int (*node)[NODES];  /* nodes of the elements, anticlockwise */
    const bool *fixed;         /* two for each node */
} Mesh;

typedef struct {
    int rows, entries;
    int *start, *column;
    double *value;
} Csr;

typedef struct {
    double young, poisson, least; /* `least`: stiffness of void, as a part */
    double penalty;               /* of densities in between */
} Material;

typedef struct {
    double beta, eta;
} Projection;

typedef struct {
    int iterations;
    double tolerance;
} Solver;

static const double gauss = 0.57735026918962576451;
static const double corner[NODES][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

/* ---- sparse matrices ------------------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    const int one = *(const int *)a, other = *(const int *)b;
    return (one > other) - (one < other);
}

/* The pattern of the stiffness matrix. */
void make_pattern(const Mesh *mesh, Csr *matrix)
{
    enum { MOST = 64 };
    const int rows = 2 * mesh->nodes;
    int (*found)[MOST] = malloc(sizeof(int[mesh->nodes][MOST]));
    int *count = calloc(mesh->nodes, sizeof(int));
    for (int e = 0; e < mesh->elements; e++)
        for (int a = 0; a < NODES; a++)
            for (int b = 0; b < NODES; b++) {
                const int i = mesh->node[e][a], j = mesh->node[e][b];
                int k = 0;
                while (k < count[i] && found[i][k] != j)
                    k++;
                if (k == count[i] && k < MOST)
                    found[i][count[i]++] = j;
            }
    matrix->rows = rows;
    matrix->start = malloc((rows + 1) * sizeof(int));
    matrix->start[0] = 0;
    for (int i = 0; i < rows; i++)
        matrix->start[i + 1] = matrix->start[i] + 2 * count[i / 2];
    matrix->entries = matrix->start[rows];
    matrix->column = malloc(matrix->entries * sizeof(int));
    for (int i = 0; i < mesh->nodes; i++) {
        qsort(found[i], count[i], sizeof(int), compare);
        for (int d = 0; d < 2; d++)
            for (int k = 0; k < count[i]; k++)
                for (int c = 0; c < 2; c++)
                    matrix->column[matrix->start[2 * i + d] + 2 * k + c] = 2 * found[i][k] + c;
    }
    free(found);
    free(count);
}

static int find_entry(const Csr *matrix, int row, int column)
{
    int low = matrix->start[row], high = matrix->start[row + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (matrix->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void multiply(const Csr *a, const double *restrict x, double *restrict y)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < a->rows; i++) {
        double sum = 0.0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            sum += a->value[k] * x[a->column[k]];
        y[i] = sum;
    }
}

/* ---- elements ------------------------------------------------------------------------------------- */

/* Derivatives of the shape functions at a point of an element; returns the determinant. */
static double shape_gradients(double x[NODES][2], double s, double t, double g[NODES][2])
{
    double local[NODES][2], j[2][2] = {{0.0}};
    for (int a = 0; a < NODES; a++) {
        local[a][0] = 0.25 * corner[a][0] * (1.0 + t * corner[a][1]);
        local[a][1] = 0.25 * corner[a][1] * (1.0 + s * corner[a][0]);
        for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++)
                j[p][q] += local[a][p] * x[a][q];
    }
    const double det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
    for (int a = 0; a < NODES; a++) {
        g[a][0] = (j[1][1] * local[a][0] - j[0][1] * local[a][1]) / det;
        g[a][1] = (j[0][0] * local[a][1] - j[1][0] * local[a][0]) / det;
    }
    return det;
}

static void plane_stress(double young, double poisson, double d[3][3])
{
    const double factor = young / (1.0 - poisson * poisson);
    memset(d, 0, 9 * sizeof(double));
    d[0][0] = d[1][1] = factor;
    d[0][1] = d[1][0] = factor * poisson;
    d[2][2] = 0.5 * factor * (1.0 - poisson);
}

static void strain_matrix(double g[NODES][2], double b[3][DOFS])
{
    for (int a = 0; a < NODES; a++) {
        b[0][2 * a] = g[a][0], b[0][2 * a + 1] = 0.0;
        b[1][2 * a] = 0.0, b[1][2 * a + 1] = g[a][1];
        b[2][2 * a] = g[a][1], b[2][2 * a + 1] = g[a][0];
    }
}

static void element_stiffness(double x[NODES][2], double young, double poisson, double k[DOFS][DOFS])
{
    double d[3][3], g[NODES][2], b[3][DOFS];
    plane_stress(young, poisson, d);
    for (int i = 0; i < DOFS; i++)
        for (int j = 0; j < DOFS; j++)
            k[i][j] = 0.0;
    for (int p = 0; p < POINTS; p++) {
        const double det = shape_gradients(x, gauss * corner[p][0], gauss * corner[p][1], g);
        strain_matrix(g, b);
        for (int i = 0; i < DOFS; i++)
            for (int j = 0; j < DOFS; j++) {
                double sum = 0.0;
                for (int r = 0; r < 3; r++)
                    for (int c = 0; c < 3; c++)
                        sum += b[r][i] * d[r][c] * b[c][j];
                k[i][j] += sum * det;
            }
    }
}

static double stiffness_of(const Material *m, double density)
{
    return m->young * (m->least + (1.0 - m->least) * pow(density, m->penalty));
}

static void gather(const Mesh *mesh, int e, double x[NODES][2])
{
    for (int a = 0; a < NODES; a++)
        for (int k = 0; k < 2; k++)
            x[a][k] = mesh->at[mesh->node[e][a]][k];
}

/* Elements share nodes, so that threads meet in the matrix. */
static void assemble(const Mesh *mesh, const Material *material, const double *density, Csr *matrix)
{
#pragma omp parallel
    {
#pragma omp for simd
        for (int k = 0; k < matrix->entries; k++)
            matrix->value[k] = 0.0;
#pragma omp for schedule(dynamic, 8)
        for (int e = 0; e < mesh->elements; e++) {
            double x[NODES][2], k[DOFS][DOFS];
            gather(mesh, e, x);
            element_stiffness(x, stiffness_of(material, density[e]), material->poisson, k);
            for (int i = 0; i < DOFS; i++) {
                const int row = 2 * mesh->node[e][i / 2] + i % 2;
                if (mesh->fixed[row])
                    continue;
                for (int j = 0; j < DOFS; j++) {
                    const int column = 2 * mesh->node[e][j / 2] + j % 2;
                    if (mesh->fixed[column])
                        continue;
                    const int entry = find_entry(matrix, row, column);
#pragma omp atomic
                    matrix->value[entry] += k[i][j];
                }
            }
        }
#pragma omp for
        for (int row = 0; row < matrix->rows; row++)
            if (mesh->fixed[row])
                matrix->value[find_entry(matrix, row, row)] = 1.0;
    }
}

/* ---- densities ------------------------------------------------------------------------------------ */

static void centre(const Mesh *mesh, int e, double c[2])
{
    c[0] = c[1] = 0.0;
    for (int a = 0; a < NODES; a++) {
        c[0] += 0.25 * mesh->at[mesh->node[e][a]][0];
        c[1] += 0.25 * mesh->at[mesh->node[e][a]][1];
    }
}

/* Cones around the centres of the elements. */
static void filter(const Mesh *mesh, double radius, const double *design, double *density)
{
    int e, other;
#pragma omp parallel for private(other) schedule(guided)
    for (e = 0; e < mesh->elements; e++) {
        double here[2], there[2], sum = 0.0, weights = 0.0;
        centre(mesh, e, here);
        for (other = 0; other < mesh->elements; other++) {
            centre(mesh, other, there);
            const double weight = radius - hypot(here[0] - there[0], here[1] - there[1]);
            if (weight <= 0.0)
                continue;
            sum += weight * design[other];
            weights += weight;
        }
        density[e] = sum / weights;
    }
}

static void project(int count, Projection p, double *density)
{
    const double low = tanh(p.beta * p.eta), whole = low + tanh(p.beta * (1.0 - p.eta));
#pragma omp parallel for simd
    for (int e = 0; e < count; e++)
        density[e] = (low + tanh(p.beta * (density[e] - p.eta))) / whole;
}

/* ---- solution ------------------------------------------------------------------------------------- */

static double dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Returns how many iterations it took. */
static int conjugate_gradients(const Csr *a, const double *b, double *x, const Solver *solver)
{
    const int n = a->rows;
    double *r = malloc(n * sizeof(double)), *z = malloc(n * sizeof(double));
    double *p = malloc(n * sizeof(double)), *q = malloc(n * sizeof(double));
    double *inverse = malloc(n * sizeof(double));
    const double most = solver->tolerance * solver->tolerance * dot(n, b, b);
    int iteration = 0;

    multiply(a, x, q);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        inverse[i] = 1.0 / a->value[find_entry(a, i, i)];
        r[i] = b[i] - q[i];
        z[i] = inverse[i] * r[i];
        p[i] = z[i];
    }
    double rho = dot(n, r, z);
    while (iteration < solver->iterations && dot(n, r, r) > most) {
        multiply(a, p, q);
        const double alpha = rho / dot(n, p, q);
        double next = 0.0;
#pragma omp parallel for reduction(+ : next)
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            z[i] = inverse[i] * r[i];
            next += r[i] * z[i];
        }
        const double beta = next / rho;
        rho = next;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            p[i] = z[i] + beta * p[i];
        iteration++;
    }
    free(r);
    free(z);
    free(p);
    free(q);
    free(inverse);
    return iteration;
}

/* ---- what comes out ------------------------------------------------------------------------------- */

/* A smooth maximum of von Mises' stress in the centres of the elements. */
static double stress_norm(const Mesh *mesh, const Material *material, const double *density,
                          const double *u, double power)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int e = 0; e < mesh->elements; e++) {
        double x[NODES][2], g[NODES][2], b[3][DOFS], d[3][3], strain[3] = {0.0}, stress[3];
        gather(mesh, e, x);
        shape_gradients(x, 0.0, 0.0, g);
        strain_matrix(g, b);
        plane_stress(material->young, material->poisson, d);
        for (int r = 0; r < 3; r++)
            for (int i = 0; i < DOFS; i++)
                strain[r] += b[r][i] * u[2 * mesh->node[e][i / 2] + i % 2];
        for (int r = 0; r < 3; r++) {
            stress[r] = 0.0;
            for (int c = 0; c < 3; c++)
                stress[r] += d[r][c] * strain[c];
        }
        const double mises2 = stress[0] * stress[0] - stress[0] * stress[1] + stress[1] * stress[1] +
                              3.0 * stress[2] * stress[2];
        sum += pow(sqrt(density[e]) * sqrt(mises2 + 1e-12), power);
    }
    return pow(sum, 1.0 / power);
}

static double volume(const Mesh *mesh, const double *density)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int e = 0; e < mesh->elements; e++) {
        double x[NODES][2], g[NODES][2];
        gather(mesh, e, x);
        sum += 4.0 * shape_gradients(x, 0.0, 0.0, g) * density[e];
    }
    return sum;
}

/* The objective for a design; the displacements are the first guess, and those found. */
#pragma g2o grad (objective, u)/(at, design, load, u, young, poisson)
#pragma g2o jvp (objective, u)/(at, design, load, u, young, poisson)
double objective(int nodes, int elements, const double (*at)[2], const int (*node)[NODES],
                 const bool *fixed, const Csr *pattern, const double *design, const double *load,
                 double *u, double young, double poisson, double radius, const Solver *solver)
{
    const Mesh mesh = {nodes, elements, at, node, fixed};
    const Material material = {young, poisson, 1e-3, 3.0};
    const Projection projection = {2.0, 0.5};
    Csr matrix = *pattern;
    double *density = malloc(elements * sizeof(double)), *force = malloc(2 * nodes * sizeof(double));
    matrix.value = malloc(matrix.entries * sizeof(double));
    if (density == NULL || force == NULL || matrix.value == NULL) {
        fprintf(stderr, "there is no memory left\n");
        exit(EXIT_FAILURE);
    }

    filter(&mesh, radius, design, density);
    project(elements, projection, density);
    assemble(&mesh, &material, density, &matrix);
#pragma omp parallel for
    for (int i = 0; i < 2 * nodes; i++)
        force[i] = fixed[i] ? 0.0 : load[i];
    conjugate_gradients(&matrix, force, u, solver);

    const double compliance = dot(2 * nodes, force, u);
    const double stress = stress_norm(&mesh, &material, density, u, 6.0);
    const double used = volume(&mesh, density);
    free(matrix.value);
    free(density);
    free(force);
    return compliance + 0.1 * stress + 0.5 * used;
}

/* A cantilever of `nx` by `ny` elements that is held on the left. */
int main(int argc, char **argv)
{
    const int nx = argc > 1 ? atoi(argv[1]) : 20, ny = nx / 2, nodes = (nx + 1) * (ny + 1);
    double (*at)[2] = malloc(sizeof(double[nodes][2]));
    int (*node)[NODES] = malloc(sizeof(int[nx * ny][NODES]));
    bool *fixed = calloc(2 * nodes, sizeof(bool));
    double *design = malloc(nx * ny * sizeof(double)), *load = calloc(2 * nodes, sizeof(double));
    double *u = calloc(2 * nodes, sizeof(double));
    const Solver solver = {500, 1e-8};
    Csr pattern = {0};
    for (int i = 0; i < nodes; i++) {
        at[i][0] = i / (ny + 1);
        at[i][1] = i % (ny + 1);
        fixed[2 * i] = fixed[2 * i + 1] = i <= ny;
    }
    for (int e = 0; e < nx * ny; e++) {
        const int first = e / ny * (ny + 1) + e % ny;
        const int around[NODES] = {first, first + ny + 1, first + ny + 2, first + 1};
        memcpy(node[e], around, sizeof around);
        design[e] = 0.5;
    }
    load[2 * nodes - 1] = -0.1;
    const Mesh mesh = {nodes, nx * ny, (const double (*)[2])at, (const int (*)[NODES])node, fixed};
    make_pattern(&mesh, &pattern);
    printf("objective %.9e\n",
           objective(nodes, nx * ny, (const double (*)[2])at, (const int (*)[NODES])node, fixed,
                     &pattern, design, load, u, 1.0, 0.3, 1.5, &solver));
    free(pattern.start);
    free(pattern.column);
    free(at);
    free(node);
    free(fixed);
    free(design);
    free(load);
    free(u);
    return 0;
}
