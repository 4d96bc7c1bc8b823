// Sparse L D L^T factors of a symmetric matrix on the host: half the work of LU, and the signs of
// the eigenvalues.
//
//     const auto f = ddla::factor::symmetric_factors<double>::make(a.view(), {});
//     if (f.about().end == ddla::factor::factor_end::complete) f.solve<dd_real>(b, x);
//
// Pivots are chosen before the first operation.  Where that proves too unstable it says so; then LU
// is the way.  docs/factorisation.md has the rules that fix every bit.
#pragma once

#include "factor/order/ordering.hpp"
#include "factor/order/scaling.hpp"
#include "factor/triangular.hpp"
#include "ldlt.hpp"

#include "ddla/factorisation.hpp"
#include "ddla/vector.hpp"

#include <memory>

namespace ddla::factor {

struct symmetric_options {
    bool scale = true;
    /// Blocks of two from a maximum-product matching where the diagonal has zeros or both signs.
    /// Else pivots are single.
    bool pair = true;
    /// AMD and dissection as they are; automatic: the one of fewer operations, see order_by_counts.
    ordering order = ordering::automatic;
    double most_growth = 0x1p20;
    double most_operations = std::numeric_limits<double>::infinity();
    std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max();
    /// Sees the part of the columns that is done; false stops it.
    std::function<bool(double)> watch = {};
    chunk_runner run = {};  ///< for nested dissection: changes no bit
};

/// Of factorisation_report entries are of L and D, bytes by columns and by rows, and growth is the
/// largest row sum of |L| |D| |L|^T over that of |A|: rounding errors are this many times those of
/// A's entries.  Rank and pivots are not looked at.
struct symmetric_report : ended_report {
    index_t pairs = 0;  ///< pivots of two rows
    /// Of the factors, exactly; of A, if no eigenvalue is within the rounding errors.
    inertia signs;
    index_t singular_row = -1;  ///< a row of the pivot that is singular
};

namespace detail {
template <scalar F>
struct symmetric_data;
}

/// P S A S P^T = L D L^T with powers of two S, values in F.  Copies share the factors.  Const
/// members can be called by several threads at a time.
template <scalar F>
class symmetric_factors {
public:
    /// Of a square matrix on the host.  Wider values are rounded to F.  Where it ends early the
    /// factors cannot solve.  Throws input_error if A is not square.  Cost: see about().
    template <scalar V>
    static symmetric_factors make(const csr<V>& a, const symmetric_options& options);

    const symmetric_report& about() const;

    /// x of A x = b, in the wider of T and F; b is scaled by a power of two inside.  b and x may be
    /// the same memory.  Throws input_error for sizes that do not fit or unless about().end is
    /// complete.  Cost: four operations an entry of L.
    template <scalar T>
    void solve(vec<const T> b, vec<T> x) const;

    // What the factors are made of.  Row k is pivot k.
    const std::vector<column_t>& row_of() const;  ///< the row of A of each pivot
    const std::vector<int>& exponent() const;     ///< of S, of each row of A
    const ldlt_pattern& pattern() const;
    const ldlt_values<F>& values() const;

private:
    std::shared_ptr<const detail::symmetric_data<F>> data_;
};

}  // namespace ddla::factor
