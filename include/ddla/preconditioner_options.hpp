// How preconditioners are built.
//
//     ddla::solve_options options;
//     options.method = ddla::method::bicgstab;
//     options.precond = ddla::preconditioning::ilu;
//     options.preconditioner.fill = 2;  // ILU(2)
#pragma once

#include "error.hpp"
#include "factorisation.hpp"
#include "views.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ddla {

/// What is done with a pivot that is zero, or at most 2^-33 of the largest entry of its row, after
/// scaling.
enum class bad_pivot {
    shift,   ///< it becomes 2^-17 of that entry (IC: diag(A) grows until all have roots); counted
    refuse,  ///< pivot_error, with the row
};

/// Incomplete factors have no usable pivot in a row.
class pivot_error : public input_error {
public:
    pivot_error(index_t row, bool may_shift, const std::string& text)
        : input_error(text), row_(row), may_shift_(may_shift)
    {
    }
    index_t row() const noexcept { return row_; }  ///< of A, from 0
    /// The options refuse such pivots; bad_pivot::shift may go on.
    bool may_shift() const noexcept { return may_shift_; }

private:
    index_t row_;
    bool may_shift_;
};

enum class polynomial_kind {
    neumann,    ///< of I - D^-1 A
    chebyshev,  ///< of D^-1 A on an interval, for symmetric positive definite matrices
};

struct preconditioner_options {
    /// ILU: levels of fill, 0 unless given.  ILUT: entries of each half of a row beyond those of A,
    /// 10 unless given.
    std::optional<int> fill = {};
    double drop = 1e-3;  ///< ILUT: entries below this part of their row's largest are left out
    /// Block Jacobi: rows of each block but the last, a multiple of 256.
    std::int64_t block_rows = 256;
    /// Or given blocks: block k has the rows and columns blocks[k] to blocks[k + 1]; the first is
    /// 0, the last the size of A.
    std::vector<index_t> blocks = {};
    /// The numbers of the factors; automatic: double, applied in the precision of the solve.
    factor_precision factors = factor_precision::automatic;
    /// Automatic: natural for incomplete factors.
    column_ordering ordering = column_ordering::automatic;
    bool scale = true;  ///< rows and columns, by powers of two
    /// Bring large entries to the diagonal by a matching where an entry there is below 2^-7 of its
    /// row's largest.  Never for IC.
    bool match = true;
    bad_pivot pivots = bad_pivot::shift;
    polynomial_kind polynomial = polynomial_kind::neumann;
    int degree = 4;  ///< of the polynomial: so many products
    /// Chebyshev: the interval is [L / ratio, L]; L is the largest row sum of |D^-1 A|.
    double eigenvalue_ratio = 30;
    /// Entries of incomplete factors over those of A, at most.
    double most_fill = std::numeric_limits<double>::infinity();
    double most_work = 4;  ///< 10^9 multiplications with a subtraction, at most
    std::int64_t most_memory = std::int64_t{8} << 30;  ///< bytes of the factors, at most
};

}  // namespace ddla
