// Factors as stages of a solve use them.
#include "factor_stages.hpp"

#include "engine/host_loops.hpp"

#include "ddla/host_threads.hpp"
#include "ddla/text.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {
namespace {

/// solve(b, x) on the high words; the low words of x become 0.
template <class Solve>
correction in_double(const Solve& solve)
{
    return [solve](vec<const dd_real> r, vec<dd_real> d) {
        solve(vec<const double>(r.word(0), r.size), vec<double>(d.word(0), d.size));
        std::fill_n(d.word(1), d.size, 0.0);
    };
}

shared_scale powers_of_two(const std::vector<int>& exponent)
{
    std::vector<double> power;
    power.reserve(exponent.size());
    for (const int e : exponent) power.push_back(std::ldexp(1.0, std::clamp(e, -1000, 1000)));
    return power;
}

passed_limit over_work(double operations, const factorisation_options& asked)
{
    return {limit_kind::work, "factors need more work than most_work allows, " +
                                  to_string(dd_real(1e9 * asked.most_work), 4) +
                                  " multiplications with a subtraction (counted: " +
                                  to_string(dd_real(operations), 4) + ")"};
}

passed_limit over_memory(std::int64_t bytes, const factorisation_options& asked)
{
    return {limit_kind::memory, "factors need more memory than most_memory allows, " +
                                    std::to_string(asked.most_memory) +
                                    " bytes (counted: " + std::to_string(bytes) + ")"};
}

/// Of a symmetric A.
template <class Factors>
approximate_inverse symmetric_in_double(const Factors& f)
{
    const correction solve = in_double([&f](vec<const double> r, vec<double> d) { f.solve(r, d); });
    const shared_scale scale = powers_of_two(f.exponent());
    return {solve,
            solve,
            scale,
            0x1p-52,
            scale,
            false,
            work_of_solve(2 * static_cast<double>(f.about().entries), 1),
            {},
            rounding_of(1)};
}
template <class Factors>
approximate_inverse symmetric_in_dd(const Factors& f)
{
    const correction solve = [&f](vec<const dd_real> r, vec<dd_real> d) { f.solve(r, d); };
    const shared_scale scale = powers_of_two(f.exponent());
    return {solve,
            solve,
            scale,
            0x1p-104,
            scale,
            false,
            work_of_solve(2 * static_cast<double>(f.about().entries), work_in_dd)};
}

template <class Factors>
approximate_inverse symmetric_in_double_applied_in_dd(const Factors& f)
{
    approximate_inverse inverse = symmetric_in_double(f);
    inverse.is_symmetric = true;
    inverse.work *= work_in_dd;
    inverse.rounding = rounding_of(2);
    inverse.solve =
        inverse.solve_transposed = [&f](vec<const dd_real> r, vec<dd_real> d) { f.solve(r, d); };
    return inverse;
}

/// Of factors whose solves take several systems.
approximate_inverse with_several(approximate_inverse inverse, bool is_symmetric)
{
    inverse.solve_several = inverse.solve;
    inverse.solve_several_transposed = inverse.solve_transposed;
    inverse.is_symmetric = is_symmetric;
    return inverse;
}

/// The same of factors in double.
template <class Factors>
approximate_inverse with_several_in_double(approximate_inverse inverse, const Factors& f,
                                           bool is_symmetric)
{
    const correction_in_double solve = [&f](vec<const double> r, vec<double> d) { f.solve(r, d); };
    inverse.several_in_double = inverse.several_transposed_in_double = solve;
    if constexpr (requires(vec<const double> r, vec<double> d) { f.solve_transposed(r, d); })
        inverse.several_transposed_in_double = [&f](vec<const double> r, vec<double> d) {
            f.solve_transposed(r, d);
        };
    return with_several(std::move(inverse), is_symmetric);
}

/// By LU of either kind.
template <class Factors>
approximate_inverse lu_in_double(const Factors& f)
{
    return {in_double([&f](vec<const double> r, vec<double> d) { f.solve(r, d); }),
            in_double([&f](vec<const double> r, vec<double> d) { f.solve_transposed(r, d); }),
            powers_of_two(f.scaling().column),
            0x1p-52,
            powers_of_two(f.scaling().row),
            false,
            work_of_solve(static_cast<double>(f.about().entries), 1),
            {},
            rounding_of(1)};
}
template <class Factors>
approximate_inverse lu_in_double_applied_in_dd(const Factors& f)
{
    approximate_inverse inverse = lu_in_double(f);
    inverse.work *= work_in_dd;
    inverse.rounding = rounding_of(2);
    inverse.solve = [&f](vec<const dd_real> r, vec<dd_real> d) { f.solve(r, d); };
    inverse.solve_transposed = [&f](vec<const dd_real> r, vec<dd_real> d) {
        f.solve_transposed(r, d);
    };
    return inverse;
}
template <class Factors>
approximate_inverse lu_in_dd(const Factors& f)
{
    return {[&f](vec<const dd_real> r, vec<dd_real> d) { f.solve(r, d); },
            [&f](vec<const dd_real> r, vec<dd_real> d) { f.solve_transposed(r, d); },
            powers_of_two(f.scaling().column),
            0x1p-104,
            powers_of_two(f.scaling().row),
            false,
            work_of_solve(static_cast<double>(f.about().entries), work_in_dd)};
}

}  // namespace

factor::ordering ordering_of(column_ordering o)
{
    switch (o) {
    case column_ordering::natural:
        return factor::ordering::natural;
    case column_ordering::amd:
        return factor::ordering::amd;
    case column_ordering::colamd:
        return factor::ordering::colamd;
    case column_ordering::rcm:
        return factor::ordering::rcm;
    case column_ordering::multicolour:
        return factor::ordering::multicolour;
    case column_ordering::dissection:
        return factor::ordering::dissection;
    case column_ordering::automatic:
        break;
    }
    return factor::ordering::automatic;
}

factor::options options_of(const factorisation_options& asked, bool in_double,
                           const factor_watch& watch)
{
    factor::options o;
    o.order = ordering_of(asked.ordering);
    o.scale = asked.scale;
    o.match = asked.match ? factor::match_rows::automatic : factor::match_rows::none;
    o.most_operations = asked.most_work * 1e9 / (in_double ? 1 : work_in_dd);
    o.most_bytes = asked.most_memory;
    o.run = {host_threads(), run_on_host};
    o.watch = [watch](index_t column, index_t n, std::int64_t, double) {
        return watch(static_cast<double>(column) / static_cast<double>(n));
    };
    return o;
}

std::optional<passed_limit> limit_passed_by(const factor::ended_report& about,
                                            const factorisation_options& asked)
{
    const auto limit = factor::limit_of(about.end);
    if (!limit) return std::nullopt;
    return *limit == limit_kind::work ? over_work(about.operations, asked)
                                      : over_memory(about.bytes, asked);
}

approximate_inverse inverse_by(const factor::factors<double>& f)
{
    return with_several_in_double(lu_in_double(f), f, false);
}
approximate_inverse inverse_by(const factor::factors<dd_real>& f)
{
    return with_several(lu_in_dd(f), false);
}
approximate_inverse inverse_in_double_double(const factor::factors<double>& f)
{
    return lu_in_double_applied_in_dd(f);
}
approximate_inverse inverse_by(const factor::static_factors<double>& f)
{
    return with_several_in_double(lu_in_double(f), f, false);
}
approximate_inverse inverse_by(const factor::static_factors<dd_real>& f)
{
    return with_several(lu_in_dd(f), false);
}
approximate_inverse inverse_in_double_double(const factor::static_factors<double>& f)
{
    return lu_in_double_applied_in_dd(f);
}

approximate_inverse inverse_by(const factor::definite_factors<double>& f)
{
    return with_several_in_double(symmetric_in_double(f), f, true);
}
approximate_inverse inverse_by(const factor::symmetric_factors<double>& f)
{
    return with_several_in_double(symmetric_in_double(f), f, true);
}
approximate_inverse inverse_by(const factor::definite_factors<dd_real>& f)
{
    return with_several(symmetric_in_dd(f), true);
}
approximate_inverse inverse_by(const factor::symmetric_factors<dd_real>& f)
{
    return with_several(symmetric_in_dd(f), true);
}

approximate_inverse inverse_in_double_double(const factor::definite_factors<double>& f)
{
    return symmetric_in_double_applied_in_dd(f);
}
approximate_inverse inverse_in_double_double(const factor::symmetric_factors<double>& f)
{
    return symmetric_in_double_applied_in_dd(f);
}

}  // namespace ddla::refine
