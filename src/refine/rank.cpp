// What a report says of the rank of A, from an elimination modulo a prime.
#include "rank.hpp"

#include <algorithm>

namespace ddla::refine {
namespace {

constexpr std::size_t vectors_of_null = 4;  // on the way to one

std::vector<index_t> widened(const std::vector<column_t>& of)
{
    return {of.begin(), of.end()};
}

std::vector<double> elements(const vector<double>& of, const std::vector<index_t>& at)
{
    std::vector<double> picked;
    picked.reserve(at.size());
    for (const index_t i : at) picked.push_back(of[i]);
    return picked;
}

}  // namespace

rank_report rank_of(const factor::modular_factors& m, vec<const dd_real> b)
{
    const factor::modular_report& about = m.about();
    rank_report r{about.rank, about.is_proved(), m.is_consistent(b), widened(about.dependent_rows),
                  widened(about.dependent_columns)};
    if (about.rank == about.n) return r;
    r.combined_rows = widened(m.left_null_support(0));
    r.combined_columns = widened(m.right_null_support(0));
    return r;
}

template <scalar V>
std::optional<null_weights> weights_of(const csr<V>& a, const factor::modular_factors& m,
                                       const rank_report& rank, const factor::options& options,
                                       const std::function<void(std::int64_t)>& count)
{
    const factor::factors<dd_real> f = factor::factors<dd_real>::make(a, m.with_this_rank(options));
    count(std::max(f.about().making_bytes,
                   f.about().bytes +
                       static_cast<std::int64_t>(vectors_of_null * f.about().n * sizeof(dd_real))));
    if (f.about().end == factor::lu_end::stopped) return std::nullopt;
    if (f.about().end != factor::lu_end::complete || f.about().rank != rank.value)
        return null_weights();
    return null_weights{elements(f.left_null_vector<double>(0), rank.combined_rows),
                        elements(f.right_null_vector<double>(0), rank.combined_columns)};
}

std::optional<bool> is_numerically_singular(const rank_report& rank, index_t n,
                                            const std::optional<condition_number>& kappa1)
{
    if (rank.value < n) return true;
    if (!kappa1 || !kappa1->is_known()) return {};
    if (kappa1->value >= 0x1p53) return true;
    if (kappa1->at_least) return {};
    return false;
}

template std::optional<null_weights> weights_of(const csr<double>&, const factor::modular_factors&,
                                                const rank_report&, const factor::options&,
                                                const std::function<void(std::int64_t)>&);
template std::optional<null_weights> weights_of(const csr<dd_real>&, const factor::modular_factors&,
                                                const rank_report&, const factor::options&,
                                                const std::function<void(std::int64_t)>&);

}  // namespace ddla::refine
