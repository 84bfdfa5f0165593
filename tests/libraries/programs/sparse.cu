// cuSPARSE: products, triangular systems, conversions and incomplete factors, against dense loops.
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <vector>

static int failures = 0;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("line %d: %s\n", __LINE__, #condition);                                    \
            ++failures;                                                                            \
        }                                                                                          \
    } while (0)
#define CHECK(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)

const int M = 4, N = 5;
static const double dense[M][N] = {{1, 0, 2, 0, 0}, {0, 3, 0, 0, 4}, {0, 0, 0, 0, 0}, {5, 6, 0, 7, 0}};

template <typename T> struct Array {
    T *device;
    std::vector<T> host;
    Array(const std::vector<T> &values) : host(values)
    {
        cudaMalloc(&device, values.size() * sizeof(T));
        cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Array() { cudaFree(device); }
    const std::vector<T> &get()
    {
        cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return host;
    }
};

static bool near(double a, double b) { return std::fabs(a - b) < 1e-5 * (1 + std::fabs(b)); }

template <typename T>
static void products(cusparseHandle_t handle, cudaDataType type, cusparseIndexBase_t base)
{
    std::vector<T> values;
    std::vector<int> offsets(1, base), columns, rows;
    for (int i = 0; i < M; ++i) {
        for (int j = 0; j < N; ++j)
            if (dense[i][j] != 0) {
                values.push_back(T(dense[i][j]));
                columns.push_back(j + base);
                rows.push_back(i + base);
            }
        offsets.push_back(int(values.size()) + base);
    }
    const int nonzeros = int(values.size());
    Array<T> a(values), y(std::vector<T>(N, T(1)));
    Array<int> a_offsets(offsets), a_columns(columns), a_rows(rows);
    std::vector<T> given(N);
    for (int i = 0; i < N; ++i)
        given[i] = T(i + 1);
    Array<T> x(given);

    cusparseSpMatDescr_t csr, coo;
    CHECK(cusparseCreateCsr(&csr, M, N, nonzeros, a_offsets.device, a_columns.device, a.device,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base, type));
    CHECK(cusparseCreateCoo(&coo, M, N, nonzeros, a_rows.device, a_columns.device, a.device,
                            CUSPARSE_INDEX_32I, base, type));
    T alpha = T(2), beta = T(3);
    std::size_t bytes = 0;
    void *buffer = nullptr;
    for (cusparseSpMatDescr_t matrix : {csr, coo})
        for (int turned = 0; turned < 2; ++turned) {
            const int in = turned ? M : N, out = turned ? N : M;
            cusparseOperation_t op =
                turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
            Array<T> sums(std::vector<T>(out, T(1)));
            cusparseDnVecDescr_t from, to;
            CHECK(cusparseCreateDnVec(&from, in, x.device, type));
            CHECK(cusparseCreateDnVec(&to, out, sums.device, type));
            CHECK(cusparseSpMV_bufferSize(handle, op, &alpha, matrix, from, &beta, to, type,
                                          CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
            cudaMalloc(&buffer, bytes);
            CHECK(cusparseSpMV(handle, op, &alpha, matrix, from, &beta, to, type,
                               CUSPARSE_SPMV_ALG_DEFAULT, buffer));
            for (int i = 0; i < out; ++i) {
                double sum = 0;
                for (int j = 0; j < in; ++j)
                    sum += (turned ? dense[j][i] : dense[i][j]) * (j + 1);
                EXPECT(near(sums.get()[i], 2 * sum + 3));
            }
            EXPECT(cusparseSpMV(handle, op, &alpha, matrix, to, &beta, from, type,
                                CUSPARSE_SPMV_ALG_DEFAULT, buffer) == CUSPARSE_STATUS_INVALID_VALUE);
            CHECK(cusparseDestroyDnVec(from));
            CHECK(cusparseDestroyDnVec(to));
            cudaFree(buffer);
        }

    // C = A * B, with B by columns and by rows, and as it is and transposed.
    const int K = 3;
    std::vector<T> factors(N * K);
    for (int i = 0; i < N * K; ++i)
        factors[i] = T(i % 7 - 2);
    Array<T> b(factors);
    for (int order = 0; order < 2; ++order)
        for (int turned = 0; turned < 2; ++turned) {
            const cusparseOrder_t given_order = order ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
            const int b_rows = turned ? K : N, b_columns = turned ? N : K;
            Array<T> sums(std::vector<T>(M * K, T(-1)));
            cusparseDnMatDescr_t from, to;
            CHECK(cusparseCreateDnMat(&from, b_rows, b_columns, order ? b_columns : b_rows, b.device,
                                      type, given_order));
            CHECK(cusparseCreateDnMat(&to, M, K, M, sums.device, type, CUSPARSE_ORDER_COL));
            beta = T(0);
            CHECK(cusparseSpMM(
                handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha,
                csr, from, &beta, to, type, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
            for (int i = 0; i < M; ++i)
                for (int k = 0; k < K; ++k) {
                    double sum = 0;
                    for (int j = 0; j < N; ++j) {
                        const int row = turned ? k : j, column = turned ? j : k;
                        sum += dense[i][j] * double(factors[order ? row * b_columns + column
                                                                  : column * b_rows + row]);
                    }
                    EXPECT(near(sums.get()[k * M + i], 2 * sum));
                }
            CHECK(cusparseDestroyDnMat(from));
            CHECK(cusparseDestroyDnMat(to));
        }

    // The transpose, by both ways; and back from a dense matrix.
    Array<T> turned(values);
    Array<int> turned_offsets(std::vector<int>(N + 1)), turned_rows(columns), again(offsets);
    CHECK(cusparseCsr2cscEx2(handle, M, N, nonzeros, a.device, a_offsets.device, a_columns.device,
                             turned.device, turned_offsets.device, turned_rows.device, type,
                             CUSPARSE_ACTION_NUMERIC, base, CUSPARSE_CSR2CSC_ALG1, nullptr));
    for (int j = 0; j < N; ++j)
        for (int k = turned_offsets.get()[j] - base; k < turned_offsets.get()[j + 1] - base; ++k)
            EXPECT(near(turned.get()[k], dense[turned_rows.get()[k] - base][j]));
    CHECK(cusparseXcoo2csr(handle, a_rows.device, nonzeros, M, again.device, base));
    EXPECT(again.get() == offsets);
    CHECK(cusparseXcsr2coo(handle, again.device, nonzeros, M, a_rows.device, base));
    EXPECT(a_rows.get() == rows);

    Array<T> full(std::vector<T>(M * N, T(9)));
    cusparseDnMatDescr_t all;
    CHECK(cusparseCreateDnMat(&all, M, N, N, full.device, type, CUSPARSE_ORDER_ROW));
    CHECK(cusparseSparseToDense(handle, csr, all, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    for (int i = 0; i < M * N; ++i)
        EXPECT(near(full.get()[i], dense[i / N][i % N]));
    cusparseSpMatDescr_t found;
    std::int64_t m, n, count;
    CHECK(cusparseCreateCsr(&found, M, N, 0, again.device, nullptr, nullptr, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, base, type));
    CHECK(cusparseDenseToSparse_analysis(handle, all, found, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                         nullptr));
    CHECK(cusparseSpMatGetSize(found, &m, &n, &count));
    EXPECT(m == M && n == N && count == nonzeros);
    Array<T> new_values(std::vector<T>(values.size()));
    Array<int> new_columns(std::vector<int>(values.size()));
    CHECK(cusparseCsrSetPointers(found, again.device, new_columns.device, new_values.device));
    CHECK(cusparseDenseToSparse_convert(handle, all, found, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                        nullptr));
    EXPECT(new_values.get() == values && new_columns.get() == columns && again.get() == offsets);

    // A * transposed(A), where C is to be filled.
    cusparseSpMatDescr_t right, product;
    cusparseSpGEMMDescr_t work;
    CHECK(cusparseCreateCsr(&right, N, M, nonzeros, turned_offsets.device, turned_rows.device,
                            turned.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base, type));
    Array<int> c_offsets(std::vector<int>(M + 1));
    CHECK(cusparseCreateCsr(&product, M, M, 0, c_offsets.device, nullptr, nullptr,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base, type));
    CHECK(cusparseSpGEMM_createDescr(&work));
    CHECK(cusparseSpGEMM_compute(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                 CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, csr, right, &beta,
                                 product, type, CUSPARSE_SPGEMM_DEFAULT, work, &bytes, nullptr));
    cudaMalloc(&buffer, bytes);
    CHECK(cusparseSpGEMM_compute(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                 CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, csr, right, &beta,
                                 product, type, CUSPARSE_SPGEMM_DEFAULT, work, &bytes, buffer));
    CHECK(cusparseSpMatGetSize(product, &m, &n, &count));
    EXPECT(count == 7);
    Array<T> c(std::vector<T>(count, T(0)));
    Array<int> c_columns(std::vector<int>(count, 0));
    CHECK(cusparseCsrSetPointers(product, c_offsets.device, c_columns.device, c.device));
    CHECK(cusparseSpGEMM_copy(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                              CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, csr, right, &beta, product,
                              type, CUSPARSE_SPGEMM_DEFAULT, work));
    for (int i = 0; i < M; ++i)
        for (int k = c_offsets.get()[i] - base; k < c_offsets.get()[i + 1] - base; ++k) {
            double sum = 0;
            for (int j = 0; j < N; ++j)
                sum += dense[i][j] * dense[c_columns.get()[k] - base][j];
            EXPECT(near(c.get()[k], 2 * sum));
        }
    CHECK(cusparseSpGEMM_destroyDescr(work));
    for (cusparseSpMatDescr_t matrix : {csr, coo, found, right, product})
        CHECK(cusparseDestroySpMat(matrix));
    CHECK(cusparseDestroyDnMat(all));
    cudaFree(buffer);
}

// A = L * U without fill, solved with both triangles.
static void triangles(cusparseHandle_t handle)
{
    const int n = 3;
    const std::vector<int> offsets = {0, 2, 5, 7}, columns = {0, 1, 0, 1, 2, 1, 2};
    Array<double> a({4, -1, -1, 4, -1, -1, 4}), b({1, 2, 3}), z({0, 0, 0}), x({0, 0, 0});
    Array<int> a_offsets(offsets), a_columns(columns);
    cusparseMatDescr_t general;
    csrilu02Info_t info;
    int bytes, pivot;
    CHECK(cusparseCreateMatDescr(&general));
    CHECK(cusparseSetMatIndexBase(general, CUSPARSE_INDEX_BASE_ZERO));
    CHECK(cusparseCreateCsrilu02Info(&info));
    CHECK(cusparseDcsrilu02_bufferSize(handle, n, 7, general, a.device, a_offsets.device,
                                       a_columns.device, info, &bytes));
    CHECK(cusparseDcsrilu02_analysis(handle, n, 7, general, a.device, a_offsets.device,
                                     a_columns.device, info, CUSPARSE_SOLVE_POLICY_USE_LEVEL,
                                     nullptr));
    CHECK(cusparseDcsrilu02(handle, n, 7, general, a.device, a_offsets.device, a_columns.device,
                            info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
    CHECK(cusparseXcsrilu02_zeroPivot(handle, info, &pivot));
    EXPECT(pivot == -1 && near(a.get()[2], -0.25) && near(a.get()[3], 3.75));

    cusparseSpMatDescr_t lower, upper;
    for (cusparseSpMatDescr_t *matrix : {&lower, &upper})
        CHECK(cusparseCreateCsr(matrix, n, n, 7, a_offsets.device, a_columns.device, a.device,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                CUDA_R_64F));
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_UPPER;
    cusparseDiagType_t unit = CUSPARSE_DIAG_TYPE_UNIT;
    CHECK(cusparseSpMatSetAttribute(upper, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
    CHECK(cusparseSpMatSetAttribute(lower, CUSPARSE_SPMAT_DIAG_TYPE, &unit, sizeof(unit)));
    cusparseDnVecDescr_t right, between, result;
    CHECK(cusparseCreateDnVec(&right, n, b.device, CUDA_R_64F));
    CHECK(cusparseCreateDnVec(&between, n, z.device, CUDA_R_64F));
    CHECK(cusparseCreateDnVec(&result, n, x.device, CUDA_R_64F));
    const double one = 1;
    cusparseSpSVDescr_t plan;
    CHECK(cusparseSpSV_createDescr(&plan));
    CHECK(cusparseSpSV_analysis(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, lower, right,
                                between, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, plan, nullptr));
    CHECK(cusparseSpSV_solve(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, lower, right, between,
                             CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, plan));
    CHECK(cusparseSpSV_solve(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, upper, between, result,
                             CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, plan));
    const std::vector<double> &found = x.get(); // of a tridiagonal matrix the factors are exact
    EXPECT(near(4 * found[0] - found[1], 1) && near(-found[0] + 4 * found[1] - found[2], 2) &&
           near(-found[1] + 4 * found[2], 3));

    // The same with the transposed factors and two right sides, one of which is twice the other.
    Array<double> sides({1, 2, 3, 2, 4, 6}), solved({0, 0, 0, 0, 0, 0});
    cusparseDnMatDescr_t given, wanted;
    cusparseSpSMDescr_t plans;
    CHECK(cusparseCreateDnMat(&given, n, 2, n, sides.device, CUDA_R_64F, CUSPARSE_ORDER_COL));
    CHECK(cusparseCreateDnMat(&wanted, n, 2, n, solved.device, CUDA_R_64F, CUSPARSE_ORDER_COL));
    CHECK(cusparseSpSM_createDescr(&plans));
    for (cusparseSpMatDescr_t matrix : {upper, lower}) {
        CHECK(cusparseSpSM_solve(handle, CUSPARSE_OPERATION_TRANSPOSE,
                                 CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix,
                                 matrix == upper ? given : wanted, wanted, CUDA_R_64F,
                                 CUSPARSE_SPSM_ALG_DEFAULT, plans));
    }
    for (int i = 0; i < n; ++i) // A is symmetric
        EXPECT(near(solved.get()[i], found[i]) && near(solved.get()[n + i], 2 * found[i]));
    CHECK(cusparseSpSM_destroyDescr(plans));
    CHECK(cusparseSpSV_destroyDescr(plan));
    CHECK(cusparseDestroyCsrilu02Info(info));
    CHECK(cusparseDestroyMatDescr(general));
}

static void cholesky_factor(cusparseHandle_t handle)
{
    Array<float> a({4, 2, 2, 5, 2, 2, 5});
    Array<int> offsets({0, 2, 5, 7}), columns({0, 1, 0, 1, 2, 1, 2});
    cusparseMatDescr_t general;
    csric02Info_t info;
    CHECK(cusparseCreateMatDescr(&general));
    CHECK(cusparseCreateCsric02Info(&info));
    CHECK(cusparseScsric02(handle, 3, 7, general, a.device, offsets.device, columns.device, info,
                           CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
    EXPECT(near(a.get()[0], 2) && near(a.get()[2], 1) && near(a.get()[3], 2) &&
           near(a.get()[5], 1) && near(a.get()[6], 2) && near(a.get()[1], 2));
    CHECK(cusparseDestroyCsric02Info(info));
    CHECK(cusparseDestroyMatDescr(general));
}

static void sampled(cusparseHandle_t handle)
{
    Array<float> a({1, 2, 3, 4}), b({5, 6, 7, 8}), c({1, 1, 1});
    Array<int> rows({0, 1, 1}), columns({1, 0, 1});
    cusparseDnMatDescr_t left, right;
    cusparseSpMatDescr_t to;
    CHECK(cusparseCreateDnMat(&left, 2, 2, 2, a.device, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    CHECK(cusparseCreateDnMat(&right, 2, 2, 2, b.device, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    CHECK(cusparseCreateCoo(&to, 2, 2, 3, rows.device, columns.device, c.device, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    const float one = 1;
    CHECK(cusparseSDDMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE,
                        &one, left, right, &one, to, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT,
                        nullptr));
    EXPECT(c.get()[0] == 23 && c.get()[1] == 44 && c.get()[2] == 51);

    Array<float> y({10, 20, 30, 40}), values({1, 2});
    Array<int> places({3, 1});
    cusparseSpVecDescr_t x;
    cusparseDnVecDescr_t all;
    float dot = 0;
    CHECK(cusparseCreateSpVec(&x, 4, 2, places.device, values.device, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    CHECK(cusparseCreateDnVec(&all, 4, y.device, CUDA_R_32F));
    CHECK(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, x, all, &dot, CUDA_R_32F, nullptr));
    EXPECT(dot == 80);
    CHECK(cusparseAxpby(handle, &one, x, &one, all));
    EXPECT(y.get()[3] == 41 && y.get()[1] == 22 && y.get()[0] == 10);
    CHECK(cusparseGather(handle, all, x));
    EXPECT(values.get()[0] == 41 && values.get()[1] == 22);
    CHECK(cusparseScatter(handle, x, all));

    Array<int> first({1, 0, 1}), second({1, 2, 0}), order({0, 0, 0});
    CHECK(cusparseCreateIdentityPermutation(handle, 3, order.device));
    CHECK(cusparseXcoosortByRow(handle, 2, 3, 3, first.device, second.device, order.device,
                                nullptr));
    EXPECT(order.get() == std::vector<int>({1, 2, 0}) && second.get()[1] == 0);
}

int main()
{
    cusparseHandle_t handle;
    CHECK(cusparseCreate(&handle));
    products<float>(handle, CUDA_R_32F, CUSPARSE_INDEX_BASE_ZERO);
    products<double>(handle, CUDA_R_64F, CUSPARSE_INDEX_BASE_ONE);
    triangles(handle);
    cholesky_factor(handle);
    sampled(handle);
    CHECK(cusparseDestroy(handle));
    std::printf(failures == 0 ? "PASS\n" : "FAIL\n");
    return failures != 0;
}
