// Factors of one A that solves with several b share.
#pragma once

#include "factor/lu/factors.hpp"
#include "factor/lu/modular.hpp"
#include "factor/qr/qr.hpp"
#include "factor/rank/residue_factors.hpp"
#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/static_factors.hpp"
#include "factor/supernodal/symmetric.hpp"

#include "ddla/solve.hpp"

#include <array>
#include <optional>
#include <vector>

namespace ddla::refine {

/// Of the first null vectors: y of A^T y = 0 at the rows that take part, x of A x = 0 at the
/// columns.
struct null_weights {
    std::vector<double> row = {}, column = {};
    /// An orthonormal basis of all y of A^T y = 0; empty where there are many.
    std::vector<vector<dd_real>> left = {};
    /// What factors took for them, in multiplications with a subtraction in double.
    double work = 0;
};

/// Factors of one kind, in either precision.
template <template <scalar> class Factors>
struct kept_in_both {
    std::optional<Factors<double>> in_double = {};
    std::optional<Factors<dd_real>> in_double_double = {};

    template <scalar F>
    std::optional<Factors<F>>& in_precision()
    {
        if constexpr (words_of<F> == 1)
            return in_double;
        else
            return in_double_double;
    }
    /// Of those that are not in F.  Factors that ended early tell what they would have taken.
    template <scalar F>
    std::int64_t bytes_beside() const
    {
        const auto held = [](const auto& f) {
            const bool is_there = f && f->about().end == factor::factor_end::complete;
            return is_there ? f->about().bytes : 0;
        };
        return words_of<F> == 1 ? held(in_double_double) : held(in_double);
    }
};

/// What is there already; each solve leaves what it makes, with the same options.
struct kept_factors {
    kept_in_both<factor::factors> lu = {};
    kept_in_both<factor::static_factors> with_static_pivots = {};
    kept_in_both<factor::definite_factors> definite = {};
    kept_in_both<factor::symmetric_factors> symmetric = {};
    std::optional<factor::qr_factors<dd_real>> orthogonal = {};  ///< of least squares
    std::optional<factor::modular_factors> modular = {};
    using residues_modulo_both = std::array<std::optional<factor::residue_factors>, 2>;
    residues_modulo_both residues = {};
    std::optional<factor::residue_report> full_rank = {};  ///< a proof of it
    std::optional<rank_report> rank_by_supernodes = {};    ///< of A; `consistent` is of each b
    std::optional<null_weights> weights = {};

    /// Of factors in floating point, but for those in F.
    template <scalar F>
    std::int64_t bytes_beside() const
    {
        return lu.bytes_beside<F>() + with_static_pivots.bytes_beside<F>() +
               definite.bytes_beside<F>() + symmetric.bytes_beside<F>();
    }
    std::int64_t modular_bytes() const { return modular ? modular->about().bytes : 0; }
};

inline bool was_stopped(factor::factor_end e)
{
    return e == factor::factor_end::stopped;
}

/// The kept ones, or those that `make` returns: they are kept unless they were stopped.
template <class Factors, class Make>
Factors kept_or_made(std::optional<Factors>* kept, const Make& make)
{
    if (kept && *kept) return **kept;
    Factors made = make();
    if (kept && !was_stopped(made.about().end)) *kept = made;
    return made;
}

}  // namespace ddla::refine
