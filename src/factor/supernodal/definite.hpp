// Sparse L L^T factors of a symmetric positive definite matrix, by supernodes: on the host, or at a
// device that makes them.
//
//     const auto f = ddla::factor::definite_factors<double>::make(a.view(), {});
//     if (f.about().end == ddla::factor::factor_end::complete) f.solve<dd_real>(b, x);
//
// Whether A is definite shows on the way: the first pivot that is not positive ends it.
// docs/factorisation.md has the rules that fix every bit.
#pragma once

#include "factor/factor_end.hpp"
#include "factor/order/ordering.hpp"
#include "place_of_factors.hpp"
#include "supernodes.hpp"

#include "ddla/factorisation.hpp"
#include "ddla/vector.hpp"

#include <functional>
#include <limits>
#include <memory>

namespace ddla::factor {

/// Whether a square matrix on the host may be definite: complete; or not_symmetric, not_finite, or
/// not_definite where the diagonal is not positive.  Cost: one pass, mostly less where it is not.
template <scalar V>
factor_end definite_end(const csr<V>& a, const chunk_runner& run = {});
/// Whether a square matrix on the host is finite, and each entry that at its mirror image, bit for
/// bit.  Cost: likewise.
template <scalar V>
bool is_symmetric(const csr<V>& a, const chunk_runner& run = {});

/// True only if columns of a square matrix ascend, it is finite, and each entry is that at its
/// mirror image.  False also where nobody looked: with one thread, fewer than 2^17 entries, or
/// fewer than 8 a row.
template <scalar V>
bool is_mirrored(const csr<V>& a, const chunk_runner& run);

struct definite_options {
    bool scale = true;
    /// AMD and dissection as they are; automatic: the one of fewer operations, see order_by_counts.
    ordering order = ordering::automatic;
    double most_operations = std::numeric_limits<double>::infinity();
    std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max();
    /// Sees the part of the operations that is done; false stops it.
    std::function<bool(double)> watch = {};
    chunk_runner run = {};          ///< of the factors and of solves; changes no bit
    known_orders* known = nullptr;  ///< see order_choice
    place_of_factors at = {};       ///< changes no bit
};

/// Of factorisation_report entries and operations are those of L, without stored zeros, exact also
/// where a limit ended it before the first operation; bytes are all that is stored.  The smallest
/// pivot is that of D in L D L^T.  Growth is 1: no number is larger than the largest of A.
struct definite_report : ended_report {
    std::int64_t making_bytes = 0;  ///< held while they were made, at most
    double done = 0;                ///< operations before the first bad pivot, or all of them
    index_t bad_row = -1;           ///< of A: the first without a positive pivot
};

namespace detail {
template <scalar F>
struct definite_data;
}

/// P S A S P^T = L L^T with powers of two S, values in F.  Copies share the factors.  Const members
/// can be called by several threads at a time.
template <scalar F>
class definite_factors {
public:
    /// Of a square matrix on the host.  Wider values are rounded to F.  Where it ends early the
    /// factors cannot solve.  Throws input_error if A is not square.  Cost: see about(); half of
    /// the operations of LU.
    template <scalar V>
    static definite_factors make(const csr<V>& a, const definite_options& options);
    /// What make() knows before the first operation: entries, operations and bytes, and `complete`
    /// unless something ends it there.  Cost: that of the order.
    template <scalar V>
    static definite_report count(const csr<V>& a, const definite_options& options);

    const definite_report& about() const;

    /// x of A x = b, in the wider of T and F; b is scaled by a power of two inside.  b and x may be
    /// the same memory.  k n elements are those of k systems, one after the other: each x has the
    /// bits that it has by itself, and four systems at a time take one pass through L, which hardly
    /// takes longer than that of one.  Throws input_error for sizes that do not fit or unless
    /// about().end is complete.  Cost: four operations an entry of L and system.
    template <scalar T>
    void solve(vec<const T> b, vec<T> x) const;

    /// At least || S A S - L L^T ||_2, S as scaled; infinite if a number is not finite.
    /// docs/certify.md has the proof.  Cost: two passes over L.
    double backward_error_bound() const;

    // What the factors are made of.  Row k is pivot k.
    const supernodes& parts() const;           ///< its order: the row of A of each pivot
    const std::vector<int>& exponent() const;  ///< of S, of each row of A
    /// l_ij in the order of pivots, i >= j; 0 where nothing is stored.
    F entry(index_t i, index_t j) const;

private:
    std::shared_ptr<const detail::definite_data<F>> data_;
};

}  // namespace ddla::factor
