// Sparse L D L^T factors of a symmetric matrix, by supernodes: half the work of LU, and
// the signs of the eigenvalues.
//
//     const auto f = ddla::factor::symmetric_factors<double>::make(a.view(), {});
//     if (f.about().end == ddla::factor::factor_end::complete) f.solve<dd_real>(b, x);
//
// Pivots of one row or two, those of a symmetric matching, are exchanged within supernodes alone;
// those that are too small are replaced.  docs/factorisation.md has the rules that fix every bit.
#pragma once

#include "block_diagonal.hpp"
#include "factor/symmetric/symmetric_order.hpp"
#include "static_factors.hpp"

#include "ddla/factorisation.hpp"
#include "ddla/vector.hpp"

#include <memory>

namespace ddla::factor {

struct symmetric_options {
    bool scale = true;
    /// Blocks of two from a maximum-product matching where the diagonal has zeros or both signs.
    /// Else pivots are single, to begin with.
    bool pair = true;
    /// AMD and dissection as they are; automatic: the one of fewer operations, see order_by_counts.
    ordering order = ordering::automatic;
    /// Order, pivots and scaling, if they are known: then the three above do not count.
    const symmetric_order* given = nullptr;
    /// Pivots that are too small; else zeros alone.
    bool replace = true;
    double most_operations = std::numeric_limits<double>::infinity();
    /// Of the matching.
    double most_matching_operations = std::numeric_limits<double>::infinity();
    /// Whether L D L^T of so many operations should be made; else A is left to LU, and so it is
    /// where the matching takes too many.  Empty: in any case.
    std::function<bool(double operations)> is_wanted = {};
    std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max();
    /// Sees the part of the operations that is done; false stops it.
    std::function<bool(double)> watch = {};
    chunk_runner run = {};          ///< of the factors and of solves; changes no bit
    known_orders* known = nullptr;  ///< see order_choice
    place_of_factors at = {};       ///< changes no bit
};

/// Of static_report entries and operations are those of L and D, growth the largest number of D
/// over the largest of A.
struct symmetric_report : static_report {
    index_t pairs = 0;  ///< pivots of two rows
    /// Of the factors, exactly; of A, if none was replaced and no eigenvalue is within the rounding
    /// errors.
    inertia signs;
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
    /// factors cannot solve.  Throws input_error if A is not square.  Cost: see about(); half of LU
    /// with static pivots.
    template <scalar V>
    static symmetric_factors make(const csr<V>& a, const symmetric_options& options);

    /// What make() would report before the first operation, limits that are passed included.
    template <scalar V>
    static symmetric_report count(const csr<V>& a, const symmetric_options& options);

    const symmetric_report& about() const;

    /// x of A x = b: n elements, or k n for k systems, one after the other, each with the bits that
    /// it has alone.  In the wider of T and F; b is scaled by a power of two inside.  b and x may
    /// be the same memory.  Throws input_error for sizes that do not fit or unless about().end is
    /// complete.  Cost: four operations an entry of L and system; four systems are solved in one
    /// pass.
    template <scalar T>
    void solve(vec<const T> b, vec<T> x) const;

    /// At least || S A S - L D L^T ||_2, proved in docs/certify.md; infinite where a pivot was
    /// replaced or numbers are not moderate.  Throws input_error unless about().end is complete.
    /// Cost: two passes over L.
    double backward_error_bound() const;

    // What the factors are made of.  Row k is pivot k.
    const supernodes& parts() const;
    const std::vector<column_t>& row_of() const;  ///< the row of A of each pivot
    const std::vector<int>& exponent() const;     ///< of S, of each row of A
    const block_diagonal<F>& pivots() const;      ///< D
    /// The place, in the order of elimination, of the row that became each pivot.
    const std::vector<column_t>& places() const;
    /// l_ij, i > j, in the order of pivots; 0 where nothing is stored.
    F entry(index_t i, index_t j) const;

private:
    std::shared_ptr<const detail::symmetric_data<F>> data_;
};

}  // namespace ddla::factor
