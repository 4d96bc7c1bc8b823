// Sparse LU factors of a square matrix on the host, to solve with again and again.
//
//     const auto f = ddla::factor::factors<double>::make(a.view(), {});
//     if (f.about().end == ddla::factor::factor_end::complete) f.solve<dd_real>(b.view(),
//     x.view());
//
// docs/factorisation.md has the rules that fix every bit.
#pragma once

#include "factor/order/ordering.hpp"
#include "factor/order/scaling.hpp"
#include "factor/triangular.hpp"
#include "lu.hpp"

#include "ddla/vector.hpp"

namespace ddla::factor {

enum class match_rows {
    automatic,  ///< where AMD may be used, does not suit the diagonal, and suits the matched rows
    none,
    always,  ///< rows of a maximum-product matching take the place of the diagonal
};

struct options {
    ordering order = ordering::automatic;
    bool scale = true;
    match_rows match = match_rows::automatic;
    double threshold = 0.1;             ///< a pivot is at least this part of the largest candidate
    double preferred_threshold = 0.01;  ///< … the preferred diagonal at least this
    /// A column whose candidates are at most this part of its largest entry has no pivot; negative:
    /// 0 for factors in double, 2^-96 in double-double.
    double negligible = -1;
    /// refactor() refuses factors whose growth or largest multiplier is above this.
    double most_growth = 0x1p20;
    /// Of the factors; and a matching that looks at more entries is left out.
    double most_operations = std::numeric_limits<double>::infinity();
    std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max();
    /// Sees column, columns, entries and operations so far, every 16 columns; false stops it.
    std::function<bool(index_t, index_t, std::int64_t, double)> watch = {};
    chunk_runner run = {};          ///< for nested dissection: changes no bit
    known_orders* known = nullptr;  ///< see order_choice
    /// Rows and columns that must have no pivot: what modular_factors found to depend on others.
    std::vector<column_t> rows_without_pivot = {}, columns_without_pivot = {};
};

/// Of factorisation_report smallest_pivot is by high words, and 0 if there is none, growth the
/// largest candidate or entry of U over the largest entry of A; seconds decide nothing.
struct report : ended_report {
    std::int64_t making_bytes = 0;  ///< held while they were made, at most
    std::vector<column_t> pivotless_rows, pivotless_columns;  ///< each ascending
    /// What the pattern allows at most, looked at if the rank is below n: if it is below n, too, A
    /// is proved singular.  n where the look passes most_operations.  The rows and columns are
    /// those that a largest matching leaves over.
    index_t structural_rank = 0;
    std::vector<column_t> unmatched_rows, unmatched_columns;
};

/// The largest |b_i - …| of rows without pivot after elimination, relative to the largest |b_i|,
/// both as scaled for the factorisation.
struct uncovered_part {
    double relative = 0;
    index_t row = -1;  ///< -1: every row has a pivot
};

/// The order of a solve: lower, then upper; with A^T upper_transposed, then lower_transposed.
enum class factor_part { lower, upper, upper_transposed, lower_transposed };

namespace detail {
template <scalar F>
struct factors_data;
}
template <scalar V>
struct lu_analysis;

/// P R A C Q = L U with powers of two R and C, values in F.  Copies share the factors.  Const
/// members can be called by several threads at a time.
template <scalar F>
class factors {
public:
    /// Of a square matrix on the host.  Wider values are rounded to F.  A budget that is passed, a
    /// stop and entries that are not finite end it early: see about().end; the factors then cannot
    /// solve.  `known`: what analyse_lu found of A with these options, which is used up.  Throws
    /// input_error if A is not square.  Cost: see about().
    template <scalar V>
    static factors make(const csr<V>& a, const options& options, lu_analysis<V>* known = nullptr);
    /// Factors that were made otherwise: incomplete ones.  They cannot be refactored.
    static factors of(std::shared_ptr<const detail::factors_data<F>> data)
    {
        factors f;
        f.data_ = std::move(data);
        return f;
    }

    const report& about() const;

    /// x of A x = b: n elements, or k n for k systems, one after the other.  b is scaled by a power
    /// of two inside.  Computes in the wider of T and F.  Where a column has no pivot, x is 0; x
    /// solves the rows that have one.  b and x may be the same memory.
    /// Throws input_error for sizes that do not fit or unless about().end is complete.
    /// Cost: two operations an entry and system.
    template <scalar T>
    void solve(vec<const T> b, vec<T> x) const;
    /// x of A^T x = b.  The first call makes the transposes.
    template <scalar T>
    void solve_transposed(vec<const T> b, vec<T> x) const;

    /// How much of b the rows without pivot are left with: the part that no x removes.
    template <scalar T>
    uncovered_part uncovered(vec<const T> b) const;
    /// x != 0 of A x = 0, number k of n - rank: 1 in one pivotless column (scaled), 0 in the
    /// others.
    template <scalar T>
    vector<T> right_null_vector(index_t k) const;
    /// y != 0 of A^T y = 0.
    template <scalar T>
    vector<T> left_null_vector(index_t k) const;

    /// Factors of new values with the same pivots.  If their growth or a multiplier is too large, a
    /// pivot is zero or an entry has no place in the old pattern, returns false: the factors are
    /// still those of the old values.  Where it succeeds with the matrix that was factored, the
    /// bits are the same as before.  Cost: the operations, no search, no ordering.
    template <scalar V>
    bool refactor(const csr<V>& a);

    // What a solve is made of, to have it elsewhere.  Row k of a triangle is pivot k.
    const std::vector<column_t>& row_of() const;     ///< the row of A of each pivot
    const std::vector<column_t>& column_of() const;  ///< the column of A of each pivot
    const exponents& scaling() const;                ///< by rows and columns of A
    // Transposes and levels are made when they are first asked for.
    const triangle<F>& part(factor_part which) const;
    const level_sets& levels(factor_part which) const;

private:
    std::shared_ptr<const detail::factors_data<F>> data_;
};

}  // namespace ddla::factor
