#include "rivals.hpp"

#include "ddla/error.hpp"

#include <string>

namespace bench {

namespace {

[[noreturn]] void fail(const char* call, const char* what, std::source_location at)
{
    throw ddla::internal_error(std::string(call) + " at " + at.file_name() + ":" +
                               std::to_string(at.line()) + ": " + what);
}

/// What cuBLAS takes by itself on Hopper; given, so that no call allocates while a graph records.
constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

}  // namespace

void check(cublasStatus_t status, const char* call, std::source_location at)
{
    if (status != CUBLAS_STATUS_SUCCESS) fail(call, cublasGetStatusString(status), at);
}

void check(cusparseStatus_t status, const char* call, std::source_location at)
{
    if (status != CUSPARSE_STATUS_SUCCESS) fail(call, cusparseGetErrorString(status), at);
}

rivals::rivals(cudaStream_t stream, ddla::place at)
    : stream_(stream), blas_workspace_(workspace_bytes, at)
{
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    check(cublasCreate(&blas_), "cublasCreate");
    check(cublasSetStream(blas_, stream), "cublasSetStream");
    check(cublasSetWorkspace(blas_, blas_workspace_.data(), workspace_bytes), "cublasSetWorkspace");
    check(cusparseCreate(&sparse_), "cusparseCreate");
    check(cusparseSetStream(sparse_, stream), "cusparseSetStream");
}

rivals::~rivals()
{
    cudaStreamSynchronize(stream_);
    cublasDestroy(blas_);
    cusparseDestroy(sparse_);
}

void rivals::scalars_on_host() const
{
    check(cublasSetPointerMode(blas_, CUBLAS_POINTER_MODE_HOST), "cublasSetPointerMode");
}

void rivals::scalars_on_device() const
{
    check(cublasSetPointerMode(blas_, CUBLAS_POINTER_MODE_DEVICE), "cublasSetPointerMode");
}

void rivals::dot(std::int64_t n, const double* x, const double* y, double* result) const
{
    check(cublasDdot_64(blas_, n, x, 1, y, 1, result), "cublasDdot");
}

void rivals::nrm2(std::int64_t n, const double* x, double* result) const
{
    check(cublasDnrm2_64(blas_, n, x, 1, result), "cublasDnrm2");
}

void rivals::axpy(std::int64_t n, const double* a, const double* x, double* y) const
{
    check(cublasDaxpy_64(blas_, n, a, x, 1, y, 1), "cublasDaxpy");
}

void rivals::scal(std::int64_t n, const double* a, double* x) const
{
    check(cublasDscal_64(blas_, n, a, x, 1), "cublasDscal");
}

void rivals::copy(std::int64_t n, const double* x, double* y) const
{
    check(cublasDcopy_64(blas_, n, x, 1, y, 1), "cublasDcopy");
}

}  // namespace bench
