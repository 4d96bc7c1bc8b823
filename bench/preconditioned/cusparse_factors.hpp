// Incomplete factors by cuSPARSE in double, and solves with their triangles.
#pragma once

#include "contender.hpp"

#define DISABLE_CUSPARSE_DEPRECATED  // csrilu02 and csric02 are, without successors
#include "support/cusparse_arrays.hpp"
#include "support/rivals.hpp"

namespace bench {

/// A solve with one triangle of compressed rows, analysed once.
class cusparse_triangle {
public:
    /// The arrays must outlive it; the other triangle of the rows is not looked at.
    struct rows {
        std::int64_t n, entries;
        const int* row_begin;
        const int* column;
        const double* value;
    };
    cusparse_triangle(const rivals& by, const rows& a, cusparseFillMode_t part,
                      cusparseDiagType_t diagonal);
    ~cusparse_triangle();
    cusparse_triangle(const cusparse_triangle&) = delete;
    cusparse_triangle& operator=(const cusparse_triangle&) = delete;

    void solve(const double* r, double* z) const;

private:
    const rivals& by_;
    cusparseSpMatDescr_t matrix_ = nullptr;
    cusparseDnVecDescr_t in_ = nullptr, out_ = nullptr;
    cusparseSpSVDescr_t solver_ = nullptr;
    ddla::buffer workspace_;
};

/// L and U, or L and L^T as rows of their own.
class cusparse_factors {
public:
    /// Of a matrix at the device whose rows are sorted, all diagonals among them.  Throws
    /// input_error, with the row, for a zero pivot.  Waits.
    cusparse_factors(const rivals& by, const ddla::csr_matrix<double>& a, factors_kind kind);

    /// z = (L U)^-1 r.  r and z must be apart.
    void apply(const double* r, double* z) const;

private:
    void make_ilu();
    void make_ic();
    void transpose();
    cusparse_triangle::rows rows_of(const ddla::buffer& begin, const ddla::buffer& column,
                                    const ddla::buffer& value) const;

    const rivals& by_;
    int n_, entries_;
    ddla::buffer begin_, column_, value_;
    ddla::buffer upper_begin_, upper_column_, upper_value_;  ///< IC: of the transposed rows
    mutable ddla::vector<double> between_;
    std::unique_ptr<cusparse_triangle> lower_, upper_;
};

}  // namespace bench
