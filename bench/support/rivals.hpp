// cuBLAS and cuSPARSE on one stream, every call checked.
#pragma once

#include "data.hpp"
#include "device/core/check.hpp"

#include <cublas_v2.h>
#include <cusparse.h>

namespace bench {

using ddla::device_backend::check;
void check(cublasStatus_t status, const char* call,
           std::source_location at = std::source_location::current());
void check(cusparseStatus_t status, const char* call,
           std::source_location at = std::source_location::current());

/// Scalars of cuBLAS (factors and results) are on the device or on the host, as told; a result on
/// the host makes the call wait.  Those of cuSPARSE, 1 and 0, are on the host and delay nothing.
class rivals {
public:
    explicit rivals(cudaStream_t stream, ddla::place at = there);
    ~rivals();
    rivals(const rivals&) = delete;
    rivals& operator=(const rivals&) = delete;

    cudaStream_t stream() const { return stream_; }
    cublasHandle_t blas() const { return blas_; }
    cusparseHandle_t sparse() const { return sparse_; }

    void scalars_on_host() const;
    void scalars_on_device() const;

    void dot(std::int64_t n, const double* x, const double* y, double* result) const;
    void nrm2(std::int64_t n, const double* x, double* result) const;
    void axpy(std::int64_t n, const double* a, const double* x, double* y) const;
    void scal(std::int64_t n, const double* a, double* x) const;
    void copy(std::int64_t n, const double* x, double* y) const;

private:
    cudaStream_t stream_;
    cublasHandle_t blas_ = nullptr;
    cusparseHandle_t sparse_ = nullptr;
    ddla::buffer blas_workspace_;
};

}  // namespace bench
