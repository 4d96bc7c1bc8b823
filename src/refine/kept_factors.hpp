// Factors of one A that solves with several b share.
#pragma once

#include "factor/factors.hpp"
#include "factor/modular.hpp"
#include "factor/symmetric.hpp"

#include <optional>
#include <vector>

namespace ddla::refine {

/// Of the first null vectors: y of A^T y = 0 at the rows that take part, x of A x = 0 at the
/// columns.
struct null_weights {
    std::vector<double> row = {}, column = {};
};

/// What is there already; each solve leaves what it makes, with the same options.
struct kept_factors {
    std::optional<factor::factors<double>> in_double = {};
    std::optional<factor::factors<dd_real>> in_double_double = {};
    std::optional<factor::modular_factors> modular = {};
    std::optional<factor::symmetric_factors<double>> symmetric_in_double = {};
    std::optional<factor::symmetric_factors<dd_real>> symmetric_in_double_double = {};
    std::optional<null_weights> weights = {};

    template <scalar F>
    std::optional<factor::factors<F>>& of()
    {
        if constexpr (words_of<F> == 1)
            return in_double;
        else
            return in_double_double;
    }
    template <scalar F>
    std::optional<factor::symmetric_factors<F>>& symmetric_of()
    {
        if constexpr (words_of<F> == 1)
            return symmetric_in_double;
        else
            return symmetric_in_double_double;
    }
    /// Of factors in floating point, but for those in F.
    template <scalar F>
    std::int64_t bytes_beside() const
    {
        std::int64_t bytes = 0;
        const auto add = [&](const auto& kept) { bytes += kept ? kept->about().bytes : 0; };
        if (words_of<F> == 1) {
            add(in_double_double);
            add(symmetric_in_double_double);
        } else {
            add(in_double);
            add(symmetric_in_double);
        }
        return bytes;
    }
    std::int64_t modular_bytes() const { return modular ? modular->about().bytes : 0; }
};

inline bool was_stopped(factor::lu_end e)
{
    return e == factor::lu_end::stopped;
}
inline bool was_stopped(factor::symmetric_end e)
{
    return e == factor::symmetric_end::stopped;
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
