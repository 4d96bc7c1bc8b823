#include "cusparse_matrix.hpp"

#include "timing.hpp"

namespace bench {

using namespace ddla;

namespace {

constexpr double one = 1, zero = 0;

buffer narrow_row_begin(const csr_matrix<double>& a)
{
    std::vector<index_t> wide(static_cast<std::size_t>(a.rows()) + 1);
    copy_bytes(wide.data(), host, a.view().row_begin.wide(), there, wide.size() * sizeof(index_t));
    if (a.nonzeros() > INT32_MAX) throw input_error("the matrix has too many entries for 32 bits");
    const std::vector<std::int32_t> narrow(wide.begin(), wide.end());
    buffer there_too(narrow.size() * sizeof(std::int32_t), there);
    copy_bytes(there_too.data(), there, narrow.data(), host, narrow.size() * sizeof(std::int32_t));
    return there_too;
}

}  // namespace

cusparse_matrix::cusparse_matrix(const rivals& by, const csr_matrix<double>& a,
                                 const product_algorithm& algorithm)
    : by_(by), algorithm_(algorithm), rows_(a.rows()), row_begin_(narrow_row_begin(a))
{
    const csr<double> v = a.view();
    check(cusparseCreateConstCsr(&matrix_, v.rows, v.columns, a.nonzeros(), row_begin_.data(),
                                 v.column, v.value.high, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
          "cusparseCreateConstCsr");
    // What was preprocessed holds for any vectors of these sizes.
    ddla::vector<double> x(v.columns, there), y(v.rows, there);
    check(cusparseCreateDnVec(&x_, v.columns, x.view().high, CUDA_R_64F), "cusparseCreateDnVec");
    check(cusparseCreateDnVec(&y_, v.rows, y.view().high, CUDA_R_64F), "cusparseCreateDnVec");
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(by.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, x_,
                                  &zero, y_, CUDA_R_64F, algorithm.id, &bytes),
          "cusparseSpMV_bufferSize");
    workspace_ = buffer(std::max<std::size_t>(bytes, 1), there);
    check(cusparseSpMV_preprocess(by.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, x_,
                                  &zero, y_, CUDA_R_64F, algorithm.id, workspace_.data()),
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
    // cuSPARSE only reads x, but has no call that gives a constant vector new values.
    check(cusparseDnVecSetValues(x_, const_cast<double*>(x)), "cusparseDnVecSetValues");
    check(cusparseDnVecSetValues(y_, y), "cusparseDnVecSetValues");
    check(cusparseSpMV(by_.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, x_, &zero, y_,
                       CUDA_R_64F, algorithm_.id, workspace_.data()),
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
