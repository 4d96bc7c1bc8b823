// Factors as an object.
#include "ddla/factors.hpp"

#include "ddla/fp_mode.hpp"

#include "calls/at_host.hpp"
#include "calls/finite_values.hpp"
#include "calls/place_of.hpp"
#include "refine/factor_stages.hpp"

namespace ddla {

using namespace api;

namespace {

template <scalar V>
void check_matrix(const csr_matrix<V>& a)
{
    require_square("factors", a.rows(), a.columns());
    require_finite_values(engine_at(a.where()), "factors", a.view(), a.where());
}

}  // namespace

template <scalar F>
struct lu_factors<F>::parts {
    explicit parts(factor::factors<F> made) : factors(std::move(made)) {}
    factor::factors<F> factors;
};

template <scalar F>
template <scalar V>
lu_factors<F>::lu_factors(const csr_matrix<V>& a, const factorisation_options& options)
{
    const fp_mode_guard exact;
    require_in_range("factors", options);
    check_matrix(a);
    const rows_at_host<V> rows(a.view(), a.where());
    auto made = refine::factor_in<F>(rows.view(), options, [](double) { return true; });
    if (const auto limit = refine::limit_passed_by(made.about(), options))
        throw limit->error_of("factors");
    if (made.about().end == factor::factor_end::stopped) throw interrupted_error();
    if (made.about().end != factor::factor_end::complete)
        throw input_error("factors: their numbers pass the range of double");
    parts_ = std::make_shared<const parts>(std::move(made));
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
    return parts_->factors.about();
}

template <scalar F>
const factor::factors<F>& lu_factors<F>::implementation() const
{
    return parts_->factors;
}

template <scalar F>
template <scalar T>
void lu_factors<F>::solve(const vector<T>& b, vector<T>& x) const
{
    const fp_mode_guard exact;
    require_same_place("factors", "b", b.where(), "the factors live", host);
    require_same_place("factors", "x", x.where(), "the factors live", host);
    parts_->factors.solve(b.view(), x.view());
}

template <scalar F>
template <scalar T>
void lu_factors<F>::solve_transposed(const vector<T>& b, vector<T>& x) const
{
    const fp_mode_guard exact;
    require_same_place("factors", "b", b.where(), "the factors live", host);
    require_same_place("factors", "x", x.where(), "the factors live", host);
    parts_->factors.solve_transposed(b.view(), x.view());
}

template <scalar F>
template <scalar V>
bool lu_factors<F>::refactor(const csr_matrix<V>& a)
{
    const fp_mode_guard exact;
    check_matrix(a);
    const rows_at_host<V> rows(a.view(), a.where());
    factor::factors<F> changed = parts_->factors;
    if (!changed.refactor(rows.view())) return false;
    parts_ = std::make_shared<const parts>(std::move(changed));
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
