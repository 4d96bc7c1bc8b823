// A proof that a large matrix has full rank: L U by supernodes modulo a prime.
//
//     if (ddla::factor::prove_full_rank(a.view(), {}).is_proved()) …
//
// The determinant of A, a whole number times a power of two, is not zero modulo the prime: so it is
// not zero.  Pivots are static, and modulo a prime any one that is not zero will do.  Where a block
// has none, since it may be singular in a matrix of full rank, another number takes its place; the
// determinant of A follows by the matrix determinant lemma, if these are few.
#pragma once

#include "factor/supernodal/static_factors.hpp"

namespace ddla::factor {

struct full_rank_report : ended_report {
    double done = 0;                ///< operations until it ended
    std::int64_t making_bytes = 0;  ///< held at most
    index_t without = 0;            ///< pivots that no block had
    /// Of A, modulo residue_prime, as a number from 0 on; 0 where it is not known, too.
    std::int64_t determinant = 0;

    bool is_proved() const { return end == factor_end::complete && determinant != 0; }
};

/// In multiplications of L U in double by supernodes, one modulo the prime.
constexpr double work_of_residue = 4;

/// Of a square matrix on the host, whose values count exactly; those at one place are summed in V.
/// `unsuited` as static_factors has it.  Of the options most_operations are those of L U.  Throws
/// input_error if A is not square. Cost: 1.4 to 3 times that of L U in double (van der Hoeven,
/// Lecerf and Quintin, ACM TOMS 43(1), 2016, have the arithmetic).
template <scalar V>
full_rank_report prove_full_rank(const csr<V>& a, const static_options& options);

}  // namespace ddla::factor
