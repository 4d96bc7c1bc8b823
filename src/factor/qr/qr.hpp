// Sparse QR factors of a matrix with at least as many rows as columns, by Givens rotations on the
// host, for least squares: they have the condition of A, not its square.
//
//     const auto f = ddla::factor::qr_factors<dd_real>::make(a.view(), {});
//     if (f.about().end == ddla::factor::factor_end::complete) f.solve_augmented(0, right, y);
//
// Sources: George and Heath, Linear Algebra Appl. 34, 1980, "Solution of sparse linear least
// squares problems using Givens rotations", for R row by row; Bjorck, BIT 7, 1967, for the
// augmented system by Q and R.  docs/factorisation.md has the rules that fix every bit.
#pragma once

#include "factor/columns.hpp"

#include "factor/factor_end.hpp"
#include "factor/order/ordering.hpp"

#include "ddla/vector.hpp"

#include <functional>
#include <limits>

namespace ddla::factor {

struct qr_options {
    ordering order = ordering::colamd;  ///< of the columns: colamd or natural
    double most_operations = std::numeric_limits<double>::infinity();
    std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max();  ///< at a time
    /// Sees the part of the rows that is done; false stops it.
    std::function<bool(double)> watch = {};
};

struct qr_report {
    factor_end end = factor_end::complete;
    index_t rows = 0, columns = 0;
    std::int64_t entries = 0, rotations = 0;  ///< of R; all that make Q
    double operations = 0;   ///< multiplications with a subtraction: four an entry of a rotation
    std::int64_t bytes = 0;  ///< of R and Q
    /// The most at a time, with the row of A on its way and what a rotation makes of two rows.
    std::int64_t making_bytes = 0;
    /// Of the scaled A, estimated by inverse iteration: above it by little, mostly.
    double smallest_singular_value = 0;
};

/// An entry of R below or right of the others in its row, or of a row on the way to R.
template <scalar F>
struct qr_row {
    std::vector<column_t> column;  ///< in the order of elimination, ascending
    std::vector<F> value;
};

/// (y_first, y_second) becomes (c y_first + s y_second, c y_second - s y_first).
template <scalar F>
struct rotation {
    column_t first, second;
    F c, s;
};

/// A S P = Q (R; 0), S powers of two that bring the largest entry of each column near 1.
template <scalar F>
struct qr_data {
    qr_report about;
    std::vector<column_t> column_of;  ///< of A: of each column of R
    std::vector<int> exponent;        ///< of S, of each column of A
    std::vector<qr_row<F>> r;         ///< row k begins at column k
    std::vector<column_t> row_of;     ///< of A: where row k of R is on the side of Q's rows
    std::vector<rotation<F>> q;       ///< in the order in which they make R
};

/// Copies share the factors.  Const members can be called by several threads at a time.
template <scalar F>
class qr_factors {
public:
    /// Of a matrix with rows >= columns on the host; wider values are rounded to F.  Where it ends
    /// early the factors cannot solve.  Throws input_error if A has fewer rows.  Work is counted on
    /// the way: the pattern of Q is not known before.
    template <scalar V>
    static qr_factors make(const csr<V>& a, const qr_options& options);

    const qr_report& about() const { return data_->about; }
    const std::vector<int>& exponent() const { return data_->exponent; }

    /// y of [alpha I, A; A^T, 0] y = right for alpha = 2^exponent_of_alpha.  right and y may be the
    /// same memory.  Throws input_error for sizes that do not fit or unless about().end is
    /// complete. Cost: four operations an entry of R, eight a rotation.
    void solve_augmented(int exponent_of_alpha, vec<const F> right, vec<F> y) const;

private:
    std::shared_ptr<const qr_data<F>> data_;
};

}  // namespace ddla::factor
