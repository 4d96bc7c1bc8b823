// Factors of a solve, counted before they are made.
#include "counted_factors.hpp"

#include "static_symmetric.hpp"

#include "ddla/watched_scope.hpp"

namespace ddla::refine {
namespace {

/// `about`: of what ended before the first operation, or would go on.
template <scalar F>
std::optional<counted_factors> counted(const factor::ended_report& about,
                                       const factorisation_options& asked)
{
    if (about.end == factor::factor_end::stopped) throw interrupted_error();
    if (about.end != factor::factor_end::complete && !factor::limit_of(about.end))
        return std::nullopt;
    return counted_factors{about.entries, work_of_supernodes<F>(about.operations), about.bytes,
                           limit_passed_by_supernodes<F>(about, asked)};
}

/// All of them order the same pattern, most often.
template <scalar V>
struct counter {
    const csr<V>& a;
    const factorisation_options& asked;
    factor::known_orders known = {};

    template <scalar F>
    std::optional<counted_factors> definite()
    {
        auto o = definite_options_of<F>(asked, {});
        o.known = &known;
        return counted<F>(factor::definite_factors<F>::count(a, o), asked);
    }
    /// As L D L^T or as L U.
    template <scalar F>
    std::optional<counted_factors> with_static_pivots()
    {
        auto o = static_options_of<F>(asked, [](double) { return true; });
        o.common.known = &known;
        if (may_be_static_symmetric(a.rows, asked) && factor::is_symmetric(a, o.common.run)) {
            std::optional<factor::lu_analysis<V>> analysis;
            auto s = symmetric_options_of<F>(asked, {}, [&](double operations) {
                return wants_static_symmetric<F>(operations, a, o.common, analysis);
            });
            s.known = &known;
            const auto symmetric = counted<F>(factor::symmetric_factors<F>::count(a, s), asked);
            if (symmetric) return symmetric;
        }
        return counted<F>(factor::static_factors<F>::count(a, o), asked);
    }
    std::optional<counted_factors> count(factor_work stage)
    {
        switch (stage) {
        case factor_work::definite_in_double:
            return definite<double>();
        case factor_work::definite_in_double_double:
            return definite<dd_real>();
        case factor_work::in_double:
            return with_static_pivots<double>();
        case factor_work::in_double_double:
            return with_static_pivots<dd_real>();
        default:
            return std::nullopt;
        }
    }
};

}  // namespace

template <scalar V>
std::vector<std::optional<counted_factors>> count_factors(const csr<V>& a,
                                                          const std::vector<factor_work>& stages,
                                                          const factorisation_options& asked)
{
    counter<V> of{a, asked};
    std::vector<std::optional<counted_factors>> all;
    for (const factor_work s : stages) all.push_back(of.count(s));
    return all;
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template std::vector<std::optional<counted_factors>> count_factors(                            \
        const csr<V>&, const std::vector<factor_work>&, const factorisation_options&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
