// Sparse L U factors by supernodes, with static pivots: rows of a matching or the
// diagonal, exchanged only within supernodes; those that are too small are replaced.
//
//     const auto f = ddla::factor::static_factors<double>::make(a.view(), {});
//     if (f.about().end == ddla::factor::factor_end::complete) f.solve<dd_real>(b, x);
//
// Li and Demmel, "SuperLU_DIST", ACM TOMS 29(2), 2003, has static pivots; Schenk and Gaertner,
// Future Gener. Comput. Syst. 20(3), 2004, pivots within supernodes.  docs/factorisation.md has the
// rules that fix every bit.
#pragma once

#include "factor/lu/lu_analysis.hpp"
#include "place_of_factors.hpp"
#include "static_rule.hpp"
#include "supernodes.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace ddla::factor {

struct static_options {
    /// Its thresholds do not count, and most_operations are those of the matching alone.
    options common = {};
    /// Of the factors, whose pattern is symmetrised.
    double most_operations = std::numeric_limits<double>::infinity();
    /// Where A takes fewer, or has no diagonal to begin with, it is left to threshold pivots.
    double least_operations = 0;
    place_of_factors at = {};  ///< changes no bit
};

/// Of factorisation_report entries and operations are those of L and U without stored zeros, exact
/// also where a limit ended it before the first operation.  Growth: the largest number of U over
/// the largest of A.
struct static_report : ended_report {
    std::int64_t making_bytes = 0;  ///< held while they were made, at most
    index_t replaced = 0;           ///< pivots that were too small: A is not what was factored
    double largest_multiplier = 0;  ///< of L
    double done = 0;                ///< operations until it ended
};

/// Whether pivots were replaced, or numbers have grown beyond this: LU by columns may be better.
inline bool has_weak_pivots(const static_report& about, double most_growth)
{
    return about.replaced > 0 || std::max(about.growth, about.largest_multiplier) > most_growth;
}

/// Whether the watch lets L U go on, after so many operations of one triangle.
inline bool may_go_on(const static_options& o, const ended_report& about, double done)
{
    const double part = about.operations > 0 ? std::min(2 * done / about.operations, 1.0) : 0;
    return !o.common.watch ||
           o.common.watch(static_cast<index_t>(part * static_cast<double>(about.n)), about.n,
                          about.entries, part * about.operations);
}

namespace detail {
template <scalar F>
struct static_data;
}

/// P R A C Q = L U with powers of two R and C, values in F.  Copies share the factors.  Const
/// members can be called by several threads at a time.
template <scalar F>
class static_factors {
public:
    /// Of a square matrix on the host.  Wider values are rounded to F.  Where it ends early the
    /// factors cannot solve; `unsuited`: with what `analysis` then has LU can go on.  An analysis
    /// that is there is used.  Throws input_error if A is not square.  Cost: see about().
    template <scalar V>
    static static_factors make(const csr<V>& a, const static_options& options,
                               std::optional<lu_analysis<V>>* analysis = nullptr);
    /// What make() knows before the first operation: entries, operations and bytes, and `complete`
    /// unless something ends it there.  Cost: that of the order.
    template <scalar V>
    static static_report count(const csr<V>& a, const static_options& options);

    const static_report& about() const;

    /// x of A x = b: n elements, or k n for k systems, one after the other, each with the bits that
    /// it has alone.  In the wider of T and F; b is scaled by a power of two inside.  b and x may
    /// be the same memory.  Throws input_error for sizes that do not fit or unless about().end is
    /// complete.  Cost: two operations an entry and system; four systems are solved in one pass.
    template <scalar T>
    void solve(vec<const T> b, vec<T> x) const;
    /// x of A^T x = b.
    template <scalar T>
    void solve_transposed(vec<const T> b, vec<T> x) const;

    /// The device where they stay; -1: they are on the host.
    int device() const;
    /// Solves for vectors at that device, by its engine's operations.  Throws resource_error.
    template <scalar T>
    std::unique_ptr<placed_solver<T>> solver_there(factor_operations& operations) const;

    /// Factors of new values with the analysis of the old ones: order, matched rows, scaling but
    /// for one power of two, and supernodes.  Pivots are chosen anew within supernodes, so that the
    /// bits are those of the values and the analysis; with the values that were analysed they are
    /// the same as before.  Returns false, and keeps the old factors, if a pivot is replaced,
    /// growth or a multiplier is above most_growth, or an entry has no place in the old pattern.
    /// `at` changes no bit.  Throws input_error if A is not as large.  Cost: the operations, no
    /// order.
    template <scalar V>
    bool refactor(const csr<V>& a, const place_of_factors& at = {});

    // What the factors are made of.  Row k is pivot k.
    const supernodes& parts() const;
    const std::vector<column_t>& row_of() const;     ///< the row of A of each pivot
    const std::vector<column_t>& column_of() const;  ///< the column of A of each pivot
    const exponents& scaling() const;                ///< by rows and columns of A
    /// The place, in the order of elimination, of the row that became each pivot: k where pivots
    /// are the diagonal.
    const std::vector<column_t>& places() const;
    /// l_ij of i > j, else u_ij, in the order of pivots; 0 where nothing is stored.
    F entry(index_t i, index_t j) const;

private:
    std::shared_ptr<const detail::static_data<F>> data_;
};

}  // namespace ddla::factor
