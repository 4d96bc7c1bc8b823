#include "cudss_rival.hpp"

#include <cmath>

#if defined(DDLA_BENCH_CUDSS)
#include "support/processor_time.hpp"

#include <cuda_runtime_api.h>
#include <cudss.h>

#include <algorithm>
#include <vector>

namespace bench {

namespace {

/// Device memory with the numbers of a vector.
template <class X>
class on_device {
public:
    explicit on_device(const std::vector<X>& from)
    {
        cudaMalloc(&data_, from.size() * sizeof(X));
        cudaMemcpy(data_, from.data(), from.size() * sizeof(X), cudaMemcpyDefault);
    }
    ~on_device() { cudaFree(data_); }
    on_device(const on_device&) = delete;
    on_device& operator=(const on_device&) = delete;
    void* data() const { return data_; }

private:
    void* data_ = nullptr;
};

/// The upper triangle by rows; numbers of so many words, the low one 0.
struct upper_triangle {
    std::vector<int> begin = {0}, column;
    std::vector<double> value;

    upper_triangle(const ddla::csr_matrix<double>& a, std::size_t words)
    {
        const auto rows = a.view();
        for (ddla::index_t i = 0; i < a.rows(); ++i) {
            for (ddla::index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e) {
                if (rows.column[e] < i) continue;
                column.push_back(rows.column[e]);
                value.push_back(rows.value.get(e));
                value.resize(column.size() * words, 0.0);
            }
            begin.push_back(static_cast<int>(column.size()));
        }
    }
};

/// Seconds of a phase; infinite if it fails.
template <class Run>
double seconds_of(const Run& run)
{
    cudaDeviceSynchronize();
    const double start = wall_seconds();
    const bool succeeded = run();
    cudaDeviceSynchronize();
    return succeeded ? wall_seconds() - start : HUGE_VAL;
}

}  // namespace

double cudss_seconds(const ddla::csr_matrix<double>& a, bool in_double_double)
{
    const std::size_t words = in_double_double ? 2 : 1;
    const upper_triangle upper(a, words);
    const on_device<int> begin(upper.begin), column(upper.column);
    const on_device<double> value(upper.value),
        b(std::vector<double>(static_cast<std::size_t>(a.rows()) * words, 1.0));
    const cudaDataType_t type = in_double_double ? CUDSS_R_64F_MP2 : CUDA_R_64F;
    cudssHandle_t handle = nullptr;
    cudssConfig_t config = nullptr;
    cudssData_t data = nullptr;
    cudssMatrix_t matrix = nullptr, right = nullptr;
    cudssCreate(&handle);
    cudssConfigCreate(&config);
    cudssDataCreate(handle, &data);
    cudssMatrixCreateCsr(&matrix, a.rows(), a.rows(),
                         static_cast<std::int64_t>(upper.column.size()), begin.data(), nullptr,
                         column.data(), value.data(), CUDA_R_32I, CUDA_R_32I, type, CUDSS_MTYPE_SPD,
                         CUDSS_MVIEW_UPPER, CUDSS_BASE_ZERO);
    cudssMatrixCreateDn(&right, a.rows(), 1, a.rows(), b.data(), type, CUDSS_LAYOUT_COL_MAJOR);
    const auto run = [&](int phase) {
        return seconds_of([&] {
            return cudssExecute(handle, phase, config, data, matrix, right, right) ==
                   CUDSS_STATUS_SUCCESS;
        });
    };
    double least = run(CUDSS_PHASE_ANALYSIS);
    if (least < HUGE_VAL) least = run(CUDSS_PHASE_FACTORIZATION);
    for (int k = 0; k < 2 && least < HUGE_VAL; ++k)
        least = std::min(k == 0 ? HUGE_VAL : least, run(CUDSS_PHASE_REFACTORIZATION));
    cudssMatrixDestroy(right);
    cudssMatrixDestroy(matrix);
    cudssDataDestroy(handle, data);
    cudssConfigDestroy(config);
    cudssDestroy(handle);
    return least;
}

}  // namespace bench

#else

double bench::cudss_seconds(const ddla::csr_matrix<double>&, bool)
{
    return HUGE_VAL;
}

#endif
