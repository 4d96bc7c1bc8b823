// Rank and consistency of a system by elimination modulo the prime 2^61 - 2373.
//
//     const auto m = ddla::factor::modular_factors::make(a.view(), {});
//     if (m.about().is_nonsingular()) …          // proved
//     else if (!m.is_consistent(b.view())) …     // no x solves A x = b
//
// Pivots that are small in floating point prove nothing; numbers modulo a prime are exact.  A
// determinant that is not zero modulo p is not zero.  One that is zero modulo p without being zero
// takes a matrix made for it, or bad luck of about n in 2^61: that A has no full rank is almost
// certain, and proved if its pattern has none either.
#pragma once

#include "factors.hpp"

namespace ddla::factor {

struct modular_report {
    factor_end end = factor_end::complete;
    index_t n = 0, rank = 0;
    index_t structural_rank =
        0;  ///< of the pattern: no values give a higher rank; n if not looked at
    double operations = 0;
    std::int64_t entries = 0;
    std::int64_t bytes = 0, making_bytes = 0;  ///< of the factors; held while they were made
    double seconds = 0;                        ///< measured; decides nothing
    /// Rows that depend on others (as many as n - rank), and columns; ascending, from 0.
    std::vector<column_t> dependent_rows, dependent_columns;

    bool is_nonsingular() const { return end == factor_end::complete && rank == n; }
    /// Whether `rank` is the rank for certain; else it almost certainly is.
    bool is_proved() const
    {
        return end == factor_end::complete && (rank == n || rank == structural_rank);
    }
};

namespace detail {
struct modular_data;
}

class modular_factors {
public:
    /// Of a square matrix on the host.  Uses order, match, most_operations, most_bytes and watch.
    /// With the same order and match, factors::make finds the same columns dependent, whatever its
    /// rows.  Throws input_error if A is not square.
    /// Cost: of a factorisation, about 3 times as long as in double.
    template <scalar V>
    static modular_factors make(const csr<V>& a, const options& options);

    const modular_report& about() const;

    /// Whether A x = b has a solution.  false is certain if about().is_proved(), true if A is
    /// nonsingular; else almost certain.  Throws input_error for a size that does not fit, entries
    /// that are not finite, or unless about().end is complete.  Cost: two operations an entry.
    template <scalar T>
    bool is_consistent(vec<const T> b) const;

    /// Which components of the x of A x = b are zero modulo p: they almost certainly are zero, the
    /// others certainly are not.  A nonsingular.  Throws as is_consistent, and input_error unless
    /// about().is_nonsingular().  Cost: two operations an entry.
    template <scalar T>
    std::vector<bool> zeros_of_solution(vec<const T> b) const;

    /// The columns that take part in A x = 0 with x = 1 in dependent column k and 0 in the other
    /// dependent ones; ascending.
    std::vector<column_t> right_null_support(index_t k) const;
    /// The rows that take part in A^T y = 0 with y = 1 in dependent row k.
    std::vector<column_t> left_null_support(index_t k) const;

    /// `options` for factors that have no pivot in the dependent rows and columns, so that their
    /// null vectors belong to the supports here.
    options with_this_rank(options options) const;

private:
    std::shared_ptr<const detail::modular_data> data_;
};

}  // namespace ddla::factor
