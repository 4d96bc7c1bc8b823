// Rank, consistency and zeros of a large system: L U by supernodes modulo a prime near 2^50.
//
//     const auto m = ddla::factor::residue_factors::make(a.view(), {});
//     if (m.about().is_nonsingular()) …              // proved
//     else if (m.about().rank && !m.is_consistent(b.view())) …
//
// Pivots are static, and modulo a prime any one that is not zero will do.  Where a block has none,
// since it may be singular in a matrix of full rank, a known number g takes the place of 0: for
// these pivots k, L U = A + g sum e_k e_k^T.  With E of these columns e_k, S = 1 - g E^T (L U)^-1 E
// has the nullity of A, null vectors w of S are E^T v of null vectors v of A, and det(A) is
// det(L U) det(S) (Woodbury).  S is small if few pivots are 0; else the rank is not known.
//
// Where one prime finds less than full rank, or a zero, another one tells whether it divided a
// number by chance: one of 10^15 does.
#pragma once

#include "factor/supernodal/static_factors.hpp"

namespace ddla::factor {

/// Pivots of 0 at most, each of which costs a solve.
constexpr index_t most_pivots_of_zero = 32;

struct residue_report : ended_report {
    double done = 0;                ///< operations until it ended
    std::int64_t making_bytes = 0;  ///< held at most
    index_t without = 0;            ///< pivots that no block had
    bool has_symmetric_pattern = false;
    /// Of A, modulo the prime; nullopt: not known, since too many pivots were 0.  It may be below
    /// the rank of A, never above.
    std::optional<index_t> rank = {};
    /// Of A, modulo the prime, as a number from 0 on; 0 where it is not known, too.
    std::int64_t determinant = 0;
    /// Rows that depend on others (as many as n - rank), and columns; ascending, from 0.
    std::vector<column_t> dependent_rows = {}, dependent_columns = {};

    bool is_nonsingular() const { return end == factor_end::complete && rank == n; }
};

/// In multiplications of L U in double by supernodes, one modulo a prime.
constexpr double work_of_residue = 4;

enum class residue_modulus {
    first,  ///< 2^50 - 1877
    second  ///< 2^50 - 3221
};

namespace detail {
class residue_data;
}

/// Copies share the factors.  Const members can be called by several threads at a time.
class residue_factors {
public:
    /// Of a square matrix on the host, whose values count exactly; those at one place are summed in
    /// V.  `unsuited` as static_factors has it.  Of the options most_operations are those of L U.
    /// Throws input_error if A is not square.  Cost: 1.4 to 3 times that of L U in double (van der
    /// Hoeven, Lecerf and Quintin, ACM TOMS 43(1), 2016, have the arithmetic).
    template <scalar V>
    static residue_factors make(const csr<V>& a, const static_options& options,
                                residue_modulus modulo = residue_modulus::first);

    /// What make() knows before the first operation: entries, operations, bytes and the pattern,
    /// and `complete` unless something ends it there.  Cost: that of the order.
    template <scalar V>
    static residue_report count(const csr<V>& a, const static_options& options);

    const residue_report& about() const;

    /// Whether A x = b has a solution modulo the prime.  Throws input_error for a size that does
    /// not fit, numbers that are not finite, or unless about().rank is known.  Cost: two operations
    /// an entry.
    bool is_consistent(vec<const dd_real> b) const;
    /// Which components of the x of A x = b are zero modulo the prime; others are not zero.
    /// Throws as is_consistent, and input_error unless about().is_nonsingular().  Cost: two
    /// operations an entry.
    std::vector<bool> zeros_of_solution(vec<const dd_real> b) const;

    /// The columns that take part in A x = 0 with x = 1 in dependent column k and 0 in the other
    /// dependent ones; ascending.  Throws input_error unless there is such a column.  Cost: as
    /// above.
    std::vector<column_t> right_null_support(index_t k) const;
    /// The rows that take part in A^T y = 0 with y = 1 in dependent row k.
    std::vector<column_t> left_null_support(index_t k) const;

private:
    std::shared_ptr<const detail::residue_data> data_;
};

}  // namespace ddla::factor
