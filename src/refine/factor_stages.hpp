// Factors as stages of a solve use them.
#pragma once

#include "inverse.hpp"

#include "engine/host_loops.hpp"
#include "factor/lu/factors.hpp"
#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/static_factors.hpp"
#include "factor/supernodal/symmetric.hpp"

#include "ddla/error.hpp"
#include "ddla/factorisation.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/solve.hpp"

#include <optional>
#include <string>

namespace ddla::refine {

/// A multiplication with a subtraction in double-double, in those of double.
constexpr double work_in_dd = 10;

/// Of a solve whose factors have so many entries, each used once, in multiplications of double: it
/// waits for memory, unlike a factorisation, which works on dense blocks.
constexpr double work_of_solve(double entries, double in_double)
{
    constexpr double waiting = 2;
    return waiting * entries * in_double;
}

/// Of an entry of factors modulo a prime, in a solve by them.
constexpr double work_of_modular_solve = 2;

/// Sees the part of the columns that is done; false ends the factorisation.
using factor_watch = std::function<bool(double done)>;
/// Who makes the numbers of factors of so much work.
using factor::place_of_factors;

factor::ordering ordering_of(column_ordering o);

/// AMD or nested dissection where they are asked for, else the choice between them.
inline factor::ordering order_of_symmetric(column_ordering o)
{
    return o == column_ordering::amd || o == column_ordering::dissection
               ? ordering_of(o)
               : factor::ordering::automatic;
}

factor::options options_of(const factorisation_options& asked, bool in_double,
                           const factor_watch& watch);

template <scalar F, scalar V>
factor::factors<F> factor_in(const csr<V>& a, const factorisation_options& asked,
                             const factor_watch& watch, factor::lu_analysis<V>* known = nullptr)
{
    return factor::factors<F>::make(a, options_of(asked, words_of<F> == 1, watch), known);
}

/// Supernodes are blocks of columns: so many multiplications take as long as one of LU by columns.
constexpr double supernodes_at_once = 32;
using factor::supernodes_in_dd;

/// What most_work limits: of operations by supernodes in F, in multiplications of LU in double by
/// columns.
template <scalar F>
constexpr double work_of_supernodes(double operations)
{
    return operations * (words_of<F> == 1 ? 1 : supernodes_in_dd) / supernodes_at_once;
}
/// Symmetric with a positive diagonal, and finite.
template <scalar V>
bool looks_definite(const csr<V>& a)
{
    return factor::definite_end(a, {host_threads(), run_on_host}) == factor::factor_end::complete;
}

template <scalar F>
factor::definite_options definite_options_of(const factorisation_options& asked,
                                             const factor_watch& watch,
                                             const place_of_factors& at = {})
{
    const factor::options o = options_of(asked, words_of<F> == 1, watch);
    return {.scale = o.scale,
            .order = order_of_symmetric(asked.ordering),
            .most_operations = asked.most_work * 1e9 / work_of_supernodes<F>(1),
            .most_bytes = o.most_bytes,
            .watch = watch,
            .run = o.run,
            .at = at};
}

/// L L^T of a symmetric positive definite matrix.
template <scalar F, scalar V>
factor::definite_factors<F> definite_factors_in(const csr<V>& a, const factorisation_options& asked,
                                                const factor_watch& watch,
                                                const place_of_factors& at = {})
{
    return factor::definite_factors<F>::make(a, definite_options_of<F>(asked, watch, at));
}

template <scalar F>
factor::static_options static_options_of(const factorisation_options& asked,
                                         const factor_watch& watch, const place_of_factors& at = {})
{
    return {.common = options_of(asked, words_of<F> == 1, watch),
            .most_operations = asked.most_work * 1e9 / work_of_supernodes<F>(1),
            .least_operations = factor::least_static_operations<F>,
            .at = at};
}

/// LU with static pivots, or `unsuited`; then LU by columns can go on with the analysis.
template <scalar F, scalar V>
factor::static_factors<F>
static_factors_in(const csr<V>& a, const factorisation_options& asked, const factor_watch& watch,
                  std::optional<factor::lu_analysis<V>>& analysis, const place_of_factors& at = {})
{
    return factor::static_factors<F>::make(a, static_options_of<F>(asked, watch, at), &analysis);
}

/// As factors of new values by old pivots are refused: six digits are lost.
inline bool has_weak_pivots(const factor::static_report& about)
{
    return factor::has_weak_pivots(about, factor::options().most_growth);
}

template <scalar F>
factor::symmetric_options
symmetric_options_of(const factorisation_options& asked, const factor_watch& watch,
                     const std::function<bool(double operations)>& is_wanted,
                     const place_of_factors& at = {})
{
    const factor::options o = options_of(asked, words_of<F> == 1, watch);
    return {.scale = o.scale,
            .pair = asked.match,
            .order = order_of_symmetric(asked.ordering),
            .replace = bool(is_wanted),
            .most_operations = asked.most_work * 1e9 / work_of_supernodes<F>(1),
            .most_matching_operations = o.most_operations,
            .is_wanted = is_wanted,
            .most_bytes = o.most_bytes,
            .watch = watch,
            .run = o.run,
            .at = at};
}

/// L D L^T of a symmetric matrix; `unsuited` unless it is wanted.  Of least squares, where it is in
/// any case, the conditions may be beyond what factors can do, and QR follows: there no pivot is
/// replaced but zeros.
template <scalar F, scalar V>
factor::symmetric_factors<F>
symmetric_factors_in(const csr<V>& a, const factorisation_options& asked, const factor_watch& watch,
                     const std::function<bool(double operations)>& is_wanted = {},
                     const place_of_factors& at = {})
{
    return factor::symmetric_factors<F>::make(a,
                                              symmetric_options_of<F>(asked, watch, is_wanted, at));
}

/// A limit that factors, or what follows them, would pass; the text has its option and both
/// numbers.  Of the rank that A lacks there is no limit: the text alone counts.
struct passed_limit {
    limit_kind kind = limit_kind::work;
    std::string text = {};
    limit_subject subject = limit_subject::factors;

    limit_error error_of(const std::string& caller) const { return {kind, caller + ": " + text}; }
};

/// The one that ended the making of these factors, if one did.
std::optional<passed_limit> limit_passed_by(const factor::ended_report& about,
                                            const factorisation_options& asked);
template <scalar F>
std::optional<passed_limit> limit_passed_by_supernodes(factor::ended_report about,
                                                       const factorisation_options& asked)
{
    about.operations = work_of_supernodes<F>(about.operations);
    return limit_passed_by(about, asked);
}

/// Corrections by solves with these factors, which must outlive them.  Factors in double are
/// applied in double, to the high words: a correction needs no more.
approximate_inverse inverse_by(const factor::factors<double>& f);
approximate_inverse inverse_by(const factor::factors<dd_real>& f);
approximate_inverse inverse_by(const factor::static_factors<double>& f);
approximate_inverse inverse_by(const factor::static_factors<dd_real>& f);
approximate_inverse inverse_by(const factor::definite_factors<double>& f);
approximate_inverse inverse_by(const factor::definite_factors<dd_real>& f);
approximate_inverse inverse_by(const factor::symmetric_factors<double>& f);
approximate_inverse inverse_by(const factor::symmetric_factors<dd_real>& f);
/// The same by factors in double that are applied in double-double.
approximate_inverse inverse_in_double_double(const factor::factors<double>& f);
approximate_inverse inverse_in_double_double(const factor::static_factors<double>& f);
approximate_inverse inverse_in_double_double(const factor::definite_factors<double>& f);
approximate_inverse inverse_in_double_double(const factor::symmetric_factors<double>& f);

}  // namespace ddla::refine
