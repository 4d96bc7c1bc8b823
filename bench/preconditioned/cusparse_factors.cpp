#include "cusparse_factors.hpp"

#include "support/data.hpp"

#include "ddla/error.hpp"

namespace bench {

using ddla::buffer;

namespace {

constexpr double one = 1;

int* ints(const buffer& b)
{
    return static_cast<int*>(b.data());
}
double* doubles(const buffer& b)
{
    return static_cast<double*>(b.data());
}

buffer workspace(std::size_t bytes)
{
    return buffer(std::max<std::size_t>(bytes, 1), there);
}

/// The description of a general matrix, which the older calls want.
class general_matrix {
public:
    general_matrix() { check(cusparseCreateMatDescr(&it_), "cusparseCreateMatDescr"); }
    ~general_matrix() { cusparseDestroyMatDescr(it_); }
    general_matrix(const general_matrix&) = delete;
    general_matrix& operator=(const general_matrix&) = delete;
    operator cusparseMatDescr_t() const { return it_; }

private:
    cusparseMatDescr_t it_ = nullptr;
};

void require_pivots(cusparseStatus_t status, int row, const char* call)
{
    if (status == CUSPARSE_STATUS_ZERO_PIVOT)
        throw ddla::input_error(std::string(call) + ": zero pivot in row " +
                                std::to_string(row + 1));
    check(status, call);
}

}  // namespace

cusparse_triangle::cusparse_triangle(const rivals& by, const rows& a, cusparseFillMode_t part,
                                     cusparseDiagType_t diagonal)
    : by_(by)
{
    check(cusparseCreateCsr(&matrix_, a.n, a.n, a.entries, const_cast<int*>(a.row_begin),
                            const_cast<int*>(a.column), const_cast<double*>(a.value),
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                            CUDA_R_64F),
          "cusparseCreateCsr");
    check(cusparseSpMatSetAttribute(matrix_, CUSPARSE_SPMAT_FILL_MODE, &part, sizeof part),
          "cusparseSpMatSetAttribute");
    check(cusparseSpMatSetAttribute(matrix_, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal),
          "cusparseSpMatSetAttribute");
    // What was analysed holds for any vectors of this size.
    ddla::vector<double> r(a.n, there), z(a.n, there);
    check(cusparseCreateDnVec(&in_, a.n, r.view().word(0), CUDA_R_64F), "cusparseCreateDnVec");
    check(cusparseCreateDnVec(&out_, a.n, z.view().word(0), CUDA_R_64F), "cusparseCreateDnVec");
    check(cusparseSpSV_createDescr(&solver_), "cusparseSpSV_createDescr");
    std::size_t bytes = 0;
    check(cusparseSpSV_bufferSize(by_.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_,
                                  in_, out_, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver_,
                                  &bytes),
          "cusparseSpSV_bufferSize");
    workspace_ = workspace(bytes);
    check(cusparseSpSV_analysis(by_.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, in_,
                                out_, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver_,
                                workspace_.data()),
          "cusparseSpSV_analysis");
    check(cudaStreamSynchronize(by_.stream()), "cudaStreamSynchronize");
}

cusparse_triangle::~cusparse_triangle()
{
    cudaStreamSynchronize(by_.stream());
    cusparseSpSV_destroyDescr(solver_);
    cusparseDestroyDnVec(in_);
    cusparseDestroyDnVec(out_);
    cusparseDestroySpMat(matrix_);
}

void cusparse_triangle::solve(const double* r, double* z) const
{
    check(cusparseDnVecSetValues(in_, const_cast<double*>(r)), "cusparseDnVecSetValues");
    check(cusparseDnVecSetValues(out_, z), "cusparseDnVecSetValues");
    check(cusparseSpSV_solve(by_.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, in_,
                             out_, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver_),
          "cusparseSpSV_solve");
}

cusparse_factors::cusparse_factors(const rivals& by, const ddla::csr_matrix<double>& a,
                                   factors_kind kind)
    : by_(by), n_(static_cast<int>(a.rows())), entries_(static_cast<int>(a.nonzeros())),
      begin_(narrow_row_begin(a, by.stream())),
      column_(static_cast<std::size_t>(entries_) * sizeof(int), there),
      value_(static_cast<std::size_t>(entries_) * sizeof(double), there), between_(n_, there)
{
    const ddla::csr<double> v = a.view();
    check(cudaMemcpyAsync(column_.data(), v.column, column_.bytes(), cudaMemcpyDeviceToDevice,
                          by.stream()),
          "cudaMemcpyAsync");
    check(cudaMemcpyAsync(value_.data(), v.value.word(0), value_.bytes(), cudaMemcpyDeviceToDevice,
                          by.stream()),
          "cudaMemcpyAsync");
    if (kind == factors_kind::ilu)
        make_ilu();
    else
        make_ic();
}

cusparse_triangle::rows cusparse_factors::rows_of(const buffer& begin, const buffer& column,
                                                  const buffer& value) const
{
    return {n_, entries_, ints(begin), ints(column), doubles(value)};
}

void cusparse_factors::make_ilu()
{
    const general_matrix like;
    csrilu02Info_t info = nullptr;
    check(cusparseCreateCsrilu02Info(&info), "cusparseCreateCsrilu02Info");
    const std::unique_ptr<std::remove_pointer_t<csrilu02Info_t>,
                          cusparseStatus_t (*)(csrilu02Info_t)>
        owner(info, cusparseDestroyCsrilu02Info);
    int bytes = 0, row = -1;
    check(cusparseDcsrilu02_bufferSize(by_.sparse(), n_, entries_, like, doubles(value_),
                                       ints(begin_), ints(column_), info, &bytes),
          "cusparseDcsrilu02_bufferSize");
    const buffer room = workspace(static_cast<std::size_t>(bytes));
    check(cusparseDcsrilu02_analysis(by_.sparse(), n_, entries_, like, doubles(value_),
                                     ints(begin_), ints(column_), info,
                                     CUSPARSE_SOLVE_POLICY_USE_LEVEL, room.data()),
          "cusparseDcsrilu02_analysis");
    require_pivots(cusparseXcsrilu02_zeroPivot(by_.sparse(), info, &row), row, "csrilu02_analysis");
    check(cusparseDcsrilu02(by_.sparse(), n_, entries_, like, doubles(value_), ints(begin_),
                            ints(column_), info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, room.data()),
          "cusparseDcsrilu02");
    require_pivots(cusparseXcsrilu02_zeroPivot(by_.sparse(), info, &row), row, "csrilu02");
    const auto both = rows_of(begin_, column_, value_);
    lower_ = std::make_unique<cusparse_triangle>(by_, both, CUSPARSE_FILL_MODE_LOWER,
                                                 CUSPARSE_DIAG_TYPE_UNIT);
    upper_ = std::make_unique<cusparse_triangle>(by_, both, CUSPARSE_FILL_MODE_UPPER,
                                                 CUSPARSE_DIAG_TYPE_NON_UNIT);
}

void cusparse_factors::make_ic()
{
    const general_matrix like;
    csric02Info_t info = nullptr;
    check(cusparseCreateCsric02Info(&info), "cusparseCreateCsric02Info");
    const std::unique_ptr<std::remove_pointer_t<csric02Info_t>, cusparseStatus_t (*)(csric02Info_t)>
        owner(info, cusparseDestroyCsric02Info);
    int bytes = 0, row = -1;
    check(cusparseDcsric02_bufferSize(by_.sparse(), n_, entries_, like, doubles(value_),
                                      ints(begin_), ints(column_), info, &bytes),
          "cusparseDcsric02_bufferSize");
    const buffer room = workspace(static_cast<std::size_t>(bytes));
    check(cusparseDcsric02_analysis(by_.sparse(), n_, entries_, like, doubles(value_), ints(begin_),
                                    ints(column_), info, CUSPARSE_SOLVE_POLICY_USE_LEVEL,
                                    room.data()),
          "cusparseDcsric02_analysis");
    require_pivots(cusparseXcsric02_zeroPivot(by_.sparse(), info, &row), row, "csric02_analysis");
    check(cusparseDcsric02(by_.sparse(), n_, entries_, like, doubles(value_), ints(begin_),
                           ints(column_), info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, room.data()),
          "cusparseDcsric02");
    require_pivots(cusparseXcsric02_zeroPivot(by_.sparse(), info, &row), row, "csric02");
    transpose();
    lower_ =
        std::make_unique<cusparse_triangle>(by_, rows_of(begin_, column_, value_),
                                            CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT);
    upper_ =
        std::make_unique<cusparse_triangle>(by_, rows_of(upper_begin_, upper_column_, upper_value_),
                                            CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_NON_UNIT);
}

/// The upper triangle becomes L^T: rows of its own are solved faster than L transposed.
void cusparse_factors::transpose()
{
    upper_begin_ = buffer(begin_.bytes(), there);
    upper_column_ = buffer(column_.bytes(), there);
    upper_value_ = buffer(value_.bytes(), there);
    std::size_t bytes = 0;
    check(cusparseCsr2cscEx2_bufferSize(by_.sparse(), n_, n_, entries_, doubles(value_),
                                        ints(begin_), ints(column_), doubles(upper_value_),
                                        ints(upper_begin_), ints(upper_column_), CUDA_R_64F,
                                        CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                                        CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes),
          "cusparseCsr2cscEx2_bufferSize");
    const buffer room = workspace(bytes);
    check(cusparseCsr2cscEx2(by_.sparse(), n_, n_, entries_, doubles(value_), ints(begin_),
                             ints(column_), doubles(upper_value_), ints(upper_begin_),
                             ints(upper_column_), CUDA_R_64F, CUSPARSE_ACTION_NUMERIC,
                             CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT, room.data()),
          "cusparseCsr2cscEx2");
    check(cudaStreamSynchronize(by_.stream()), "cudaStreamSynchronize");
}

void cusparse_factors::apply(const double* r, double* z) const
{
    double* const between = between_.view().word(0);
    lower_->solve(r, between);
    upper_->solve(between, z);
}

}  // namespace bench
