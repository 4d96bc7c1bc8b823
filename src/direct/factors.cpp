// Factors as an object.
#include "ddla/factors.hpp"

#include "ddla/fp_mode.hpp"

#include "calls/at_host.hpp"
#include "calls/finite_values.hpp"
#include "calls/place_of.hpp"
#include "factors_at.hpp"
#include "lu_parts.hpp"

namespace ddla {

using namespace api;

namespace {

template <scalar V>
void check_matrix(const csr_matrix<V>& a)
{
    require_square("factors", a.rows(), a.columns());
    require_finite_values(engine_at(a.where()), "factors", a.view(), a.where());
}

template <scalar F>
factor::factors<F> complete(factor::factors<F> made, const factorisation_options& options)
{
    if (const auto limit = refine::limit_passed_by(made.about(), options))
        throw limit->error_of("factors");
    if (made.about().end == factor::factor_end::stopped) throw interrupted_error();
    if (made.about().end != factor::factor_end::complete)
        throw input_error("factors: their numbers pass the range of double");
    return made;
}

bool go_on(double)
{
    return true;
}

/// As ddla::solve makes them, and by columns where pivots are weak.
template <scalar F, scalar V>
typename lu_factors<F>::parts::made made_of(const csr<V>& a, const factorisation_options& options,
                                            const refine::place_of_factors& at)
{
    std::optional<factor::lu_analysis<V>> analysis;
    auto made = refine::static_factors_in<F>(a, options, go_on, analysis, at);
    if (const auto limit = refine::limit_passed_by_supernodes<F>(made.about(), options))
        throw limit->error_of("factors");
    if (made.about().end == factor::factor_end::stopped) throw interrupted_error();
    if (made.about().end == factor::factor_end::complete && !refine::has_weak_pivots(made.about()))
        return made;
    return complete(refine::factor_in<F>(a, options, go_on, analysis ? &*analysis : nullptr),
                    options);
}

template <scalar F>
std::shared_ptr<const typename lu_factors<F>::parts>
parts_of(typename lu_factors<F>::parts::made made, const factorisation_options& options)
{
    return std::make_shared<const typename lu_factors<F>::parts>(
        typename lu_factors<F>::parts{std::move(made), options});
}

}  // namespace

template <scalar F>
template <scalar V>
lu_factors<F>::lu_factors(const csr_matrix<V>& a, const factorisation_options& options)
{
    const fp_mode_guard exact;
    require_in_range("factors", options);
    check_matrix(a);
    const rows_at_host<V> rows(a.view(), a.where());
    parts_ =
        parts_of<F>(made_of<F>(rows.view(), options, factors_at(engine_at(a.where()))), options);
}

template <scalar F>
lu_factors<F>::~lu_factors() = default;
template <scalar F>
lu_factors<F>::lu_factors(const lu_factors&) = default;
template <scalar F>
lu_factors<F>& lu_factors<F>::operator=(const lu_factors&) = default;

template <scalar F>
const factorisation_report& lu_factors<F>::about() const
{
    return parts_->about();
}

template <scalar F>
const factor::factors<F>* lu_factors<F>::by_columns() const
{
    return std::get_if<factor::factors<F>>(&parts_->factors);
}
template <scalar F>
const factor::static_factors<F>* lu_factors<F>::by_supernodes() const
{
    return std::get_if<factor::static_factors<F>>(&parts_->factors);
}

template <scalar F>
template <scalar T>
void lu_factors<F>::solve(const vector<T>& b, vector<T>& x) const
{
    const fp_mode_guard exact;
    require_same_place("factors", "b", b.where(), "the factors live", host);
    require_same_place("factors", "x", x.where(), "the factors live", host);
    std::visit([&](const auto& f) { f.solve(b.view(), x.view()); }, parts_->factors);
}

template <scalar F>
template <scalar T>
void lu_factors<F>::solve_transposed(const vector<T>& b, vector<T>& x) const
{
    const fp_mode_guard exact;
    require_same_place("factors", "b", b.where(), "the factors live", host);
    require_same_place("factors", "x", x.where(), "the factors live", host);
    std::visit([&](const auto& f) { f.solve_transposed(b.view(), x.view()); }, parts_->factors);
}

template <scalar F>
template <scalar V>
bool lu_factors<F>::refactor(const csr_matrix<V>& a)
{
    const fp_mode_guard exact;
    check_matrix(a);
    const rows_at_host<V> rows(a.view(), a.where());
    auto changed = parts_->factors;
    const bool done = std::visit(
        [&]<class Factors>(Factors& f) {
            if constexpr (std::is_same_v<Factors, factor::static_factors<F>>)
                return f.refactor(rows.view(), factors_at(engine_at(a.where())));
            else
                return f.refactor(rows.view());
        },
        changed);
    if (!done) return false;
    parts_ = parts_of<F>(std::move(changed), parts_->options);
    return true;
}

#define DDLA_INSTANTIATE(F)                                                                        \
    template class lu_factors<F>;                                                                  \
    template lu_factors<F>::lu_factors(const csr_matrix<double>&, const factorisation_options&);   \
    template lu_factors<F>::lu_factors(const csr_matrix<dd_real>&, const factorisation_options&);  \
    template void lu_factors<F>::solve(const vector<double>&, vector<double>&) const;              \
    template void lu_factors<F>::solve(const vector<dd_real>&, vector<dd_real>&) const;            \
    template void lu_factors<F>::solve_transposed(const vector<double>&, vector<double>&) const;   \
    template void lu_factors<F>::solve_transposed(const vector<dd_real>&, vector<dd_real>&) const; \
    template bool lu_factors<F>::refactor(const csr_matrix<double>&);                              \
    template bool lu_factors<F>::refactor(const csr_matrix<dd_real>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
