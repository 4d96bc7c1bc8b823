#include "cudss_rival.hpp"

#if defined(DDLA_BENCH_CUDSS)
#include "support/processor_time.hpp"

#include <cuda_runtime_api.h>
#include <cudss.h>

#include "ddla/blas.hpp"

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

namespace {

/// A x = b, and what it takes.
class rival {
public:
    rival(const ddla::csr_matrix<double>& a, std::size_t words)
        : n_(a.rows()), words_(words), upper_(a, words), begin_(upper_.begin),
          column_(upper_.column), value_(upper_.value), b_(ones(8)), x_(ones(8))
    {
        cudssCreate(&handle_);
        cudssConfigCreate(&config_);
        cudssDataCreate(handle_, &data_);
        cudssMatrixCreateCsr(&matrix_, n_, n_, static_cast<std::int64_t>(upper_.column.size()),
                             begin_.data(), nullptr, column_.data(), value_.data(), CUDA_R_32I,
                             CUDA_R_32I, type(), CUDSS_MTYPE_SPD, CUDSS_MVIEW_UPPER,
                             CUDSS_BASE_ZERO);
    }
    ~rival()
    {
        cudssMatrixDestroy(matrix_);
        cudssDataDestroy(handle_, data_);
        cudssConfigDestroy(config_);
        cudssDestroy(handle_);
    }
    rival(const rival&) = delete;
    rival& operator=(const rival&) = delete;

    double run(int phase, std::int64_t systems = 1)
    {
        cudssMatrix_t b = nullptr, x = nullptr;
        cudssMatrixCreateDn(&b, n_, systems, n_, b_.data(), type(), CUDSS_LAYOUT_COL_MAJOR);
        cudssMatrixCreateDn(&x, n_, systems, n_, x_.data(), type(), CUDSS_LAYOUT_COL_MAJOR);
        const double seconds = seconds_of([&] {
            return cudssExecute(handle_, phase, config_, data_, matrix_, x, b) ==
                   CUDSS_STATUS_SUCCESS;
        });
        cudssMatrixDestroy(b);
        cudssMatrixDestroy(x);
        return seconds;
    }
    /// The first system's; a number is its high word, then its low one.
    ddla::vector<ddla::dd_real> x() const
    {
        std::vector<double> words(static_cast<std::size_t>(n_) * words_);
        cudaMemcpy(words.data(), x_.data(), words.size() * sizeof(double), cudaMemcpyDefault);
        ddla::vector<ddla::dd_real> x(n_);
        for (ddla::index_t i = 0; i < n_; ++i) {
            const double* const w = &words[static_cast<std::size_t>(i) * words_];
            x.set(i, words_ == 1 ? ddla::dd_real(w[0]) : ddla::dd_real(w[0]) + ddla::dd_real(w[1]));
        }
        return x;
    }

private:
    cudaDataType_t type() const { return words_ == 2 ? CUDSS_R_64F_MP2 : CUDA_R_64F; }
    std::vector<double> ones(std::size_t systems) const
    {
        std::vector<double> all(static_cast<std::size_t>(n_) * words_ * systems, 0.0);
        for (std::size_t k = 0; k < all.size(); k += words_) all[k] = 1;
        return all;
    }

    const ddla::index_t n_;
    const std::size_t words_;
    const upper_triangle upper_;
    const on_device<int> begin_, column_;
    const on_device<double> value_, b_, x_;
    cudssHandle_t handle_ = nullptr;
    cudssConfig_t config_ = nullptr;
    cudssData_t data_ = nullptr;
    cudssMatrix_t matrix_ = nullptr;
};

double residual_of(const ddla::csr_matrix<double>& a, const ddla::vector<ddla::dd_real>& x)
{
    ddla::vector<ddla::dd_real> r(a.rows(), ddla::dd_real(1));
    ddla::spmv(ddla::dd_real(-1), a, x, ddla::dd_real(1), r);
    return static_cast<double>(ddla::nrm2(r)) / std::sqrt(static_cast<double>(a.rows()));
}

}  // namespace

cudss_seconds measure_cudss(const ddla::csr_matrix<double>& a, bool in_double_double)
{
    rival r(a, in_double_double ? 2 : 1);
    cudss_seconds s;
    s.analysis = r.run(CUDSS_PHASE_ANALYSIS);
    if (s.analysis < HUGE_VAL) s.first = r.run(CUDSS_PHASE_FACTORIZATION);
    if (!(s.first < HUGE_VAL)) return s;
    s.again = r.run(CUDSS_PHASE_REFACTORIZATION);
    s.again = std::min(s.again, r.run(CUDSS_PHASE_REFACTORIZATION));
    r.run(CUDSS_PHASE_SOLVE, 8);
    s.solve_8 = r.run(CUDSS_PHASE_SOLVE, 8);
    r.run(CUDSS_PHASE_SOLVE);
    s.solve = r.run(CUDSS_PHASE_SOLVE);
    s.residual = residual_of(a, r.x());
    return s;
}

}  // namespace bench

#else

bench::cudss_seconds bench::measure_cudss(const ddla::csr_matrix<double>&, bool)
{
    return {};
}

#endif
