#include "cusparse_matrix.hpp"

#include "data.hpp"
#include "timing.hpp"

namespace bench {

using namespace ddla;

namespace {

constexpr double one = 1, zero = 0;

}  // namespace

cusparse_matrix::cusparse_matrix(const rivals& by, const csr_matrix<double>& a,
                                 const product_algorithm& algorithm)
    : by_(by), algorithm_(algorithm), rows_(a.rows())
{
    if (algorithm.id == sliced_ell.id)
        describe_slices(a);
    else
        describe_rows(a);
    preprocess(a.columns());
}

void cusparse_matrix::describe_rows(const csr_matrix<double>& a)
{
    row_begin_ = narrow_row_begin(a, by_.stream());
    const csr<double> v = a.view();
    check(cusparseCreateConstCsr(&matrix_, v.rows, v.columns, a.nonzeros(), row_begin_.data(),
                                 v.column, v.value.word(0), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
          "cusparseCreateConstCsr");
}

void cusparse_matrix::describe_slices(const csr_matrix<double>& a)
{
    slices_ = slices_of(a, by_.stream());
    check(cusparseCreateConstSlicedEll(
              &matrix_, a.rows(), a.columns(), a.nonzeros(), slices_.slots, sliced_arrays::rows,
              slices_.begin.data(), slices_.column.data(), slices_.value.data(), CUSPARSE_INDEX_32I,
              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
          "cusparseCreateConstSlicedEll");
}

void cusparse_matrix::preprocess(std::int64_t columns)
{
    // What was preprocessed holds for any vectors of these sizes.
    ddla::vector<double> x(columns, there), y(rows_, there);
    check(cusparseCreateDnVec(&x_, columns, x.view().word(0), CUDA_R_64F), "cusparseCreateDnVec");
    check(cusparseCreateDnVec(&y_, rows_, y.view().word(0), CUDA_R_64F), "cusparseCreateDnVec");
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(by_.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, x_,
                                  &zero, y_, CUDA_R_64F, algorithm_.id, &bytes),
          "cusparseSpMV_bufferSize");
    workspace_ = buffer(std::max<std::size_t>(bytes, 1), there);
    if (algorithm_.id == sliced_ell.id) return;  // nothing is known of it that could be prepared
    check(cusparseSpMV_preprocess(by_.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, x_,
                                  &zero, y_, CUDA_R_64F, algorithm_.id, workspace_.data()),
          "cusparseSpMV_preprocess");
}

cusparse_matrix::~cusparse_matrix()
{
    cudaStreamSynchronize(by_.stream());
    cusparseDestroyDnVec(x_);
    cusparseDestroyDnVec(y_);
    cusparseDestroySpMat(matrix_);
}

void cusparse_matrix::multiply(const double* x, double* y) const
{
    multiply(one, x, zero, y);
}

void cusparse_matrix::multiply(double alpha, const double* x, double beta, double* y) const
{
    // cuSPARSE only reads x, but has no call that gives a constant vector new values.
    check(cusparseDnVecSetValues(x_, const_cast<double*>(x)), "cusparseDnVecSetValues");
    check(cusparseDnVecSetValues(y_, y), "cusparseDnVecSetValues");
    check(cusparseSpMV(by_.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix_, x_, &beta,
                       y_, CUDA_R_64F, algorithm_.id, workspace_.data()),
          "cusparseSpMV");
}

product_times time_products(const rivals& by, const csr_matrix<double>& a, const double* x,
                            double* y)
{
    product_times all{};
    for (std::size_t k = 0; k < product_algorithms.size(); ++k) {
        const cusparse_matrix m(by, a, product_algorithms[k]);
        all.microseconds[k] = microseconds(by.stream(), [&] { m.multiply(x, y); });
    }
    const auto best = std::min_element(all.microseconds.begin(), all.microseconds.end());
    all.best = static_cast<std::size_t>(best - all.microseconds.begin());
    return all;
}

}  // namespace bench
