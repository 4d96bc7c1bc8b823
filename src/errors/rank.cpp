// What a report says of the rank of A, from an elimination modulo a prime.
#include "rank.hpp"

#include "distance.hpp"
#include "factor/order/matching.hpp"
#include "refine/factor_stages.hpp"

#include <algorithm>

namespace ddla::refine {
namespace {

constexpr index_t vectors_of_null = 4;  // on the way to one

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

/// All y of A^T y = 0, zero where they are zero modulo the prime.
std::vector<vector<dd_real>> left_null_space(const factor::factors<dd_real>& f,
                                             const factor::modular_factors& m)
{
    const index_t missing = f.about().n - f.about().rank;
    if (missing > most_null_vectors) return {};
    std::vector<vector<dd_real>> all;
    for (index_t k = 0; k < missing; ++k) {
        const vector<dd_real> y = f.left_null_vector<dd_real>(k);
        vector<dd_real>& kept = all.emplace_back(y.size());
        for (const column_t i : m.left_null_support(k)) kept.set(i, y[i]);
    }
    return orthonormal(std::move(all));
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
rank_report rank_of(const factor::residue_factors& m, const csr<V>& a, double most_operations)
{
    const factor::residue_report& about = m.about();
    rank_report r{*about.rank, about.is_nonsingular(), true, widened(about.dependent_rows),
                  widened(about.dependent_columns)};
    if (about.is_nonsingular()) return r;
    const factor::matching pattern =
        factor::largest_matching(factor::columns_of(a), most_operations);
    r.proved = pattern.complete && pattern.size == r.value;
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
    const index_t missing = f.about().n - rank.value;
    const index_t vectors = vectors_of_null + (missing > most_null_vectors ? 0 : missing);
    count(std::max(f.about().making_bytes,
                   f.about().bytes +
                       vectors * f.about().n * static_cast<std::int64_t>(sizeof(dd_real))));
    if (f.about().end == factor::factor_end::stopped) return std::nullopt;
    const double work = work_in_dd * f.about().operations;
    if (f.about().end != factor::factor_end::complete || f.about().rank != rank.value)
        return null_weights{.work = work};
    return null_weights{elements(f.left_null_vector<double>(0), rank.combined_rows),
                        elements(f.right_null_vector<double>(0), rank.combined_columns),
                        left_null_space(f, m), work};
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

template rank_report rank_of(const factor::residue_factors&, const csr<double>&, double);
template rank_report rank_of(const factor::residue_factors&, const csr<dd_real>&, double);
template std::optional<null_weights> weights_of(const csr<double>&, const factor::modular_factors&,
                                                const rank_report&, const factor::options&,
                                                const std::function<void(std::int64_t)>&);
template std::optional<null_weights> weights_of(const csr<dd_real>&, const factor::modular_factors&,
                                                const rank_report&, const factor::options&,
                                                const std::function<void(std::int64_t)>&);

}  // namespace ddla::refine
