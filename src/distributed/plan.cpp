// What a solve of all ranks will do.
#include "gathered_matrix.hpp"
#include "rank_systems.hpp"

#include "operators/matrix_system.hpp"
#include "solve/checked_system.hpp"
#include "solve/planned_on_ranks.hpp"

#include "ddla/fp_mode.hpp"

namespace ddla {

using namespace distributed;

namespace {

/// What rank 0 would take.
template <scalar V>
api::shared_sizes sizes_of(const matrix_parts<V>& a, const solve_options& options)
{
    const index_t rows = a.rows().all(), entries = a.nonzeros();
    api::shared_sizes all{.rows = rows,
                          .columns = a.columns().all(),
                          .nonzeros = entries,
                          .ranks = a.among().size(),
                          .bytes_of_gathering = bytes_of_gathering(rows, entries, sizeof(V))};
    if (const auto passed = passed_by_entries(bytes_of_system(rows, entries, sizeof(V)),
                                              options.factorisation.most_memory))
        all.limit = passed->text;
    return all;
}

/// The system on rank 0.
template <scalar V>
csr_matrix<V> gathered(const matrix_parts<V>& a, const api::shared_sizes& all)
{
    agreed(a.among(), [&] { require_memory_to_gather(a.among().rank(), all.bytes_of_gathering); });
    return gathered_matrix(a.layout(), a.kept()->on_host());
}

}  // namespace

template <scalar T, scalar V>
requires acts_on<T, V> std::vector<planned_stage> plan_solve(const distributed_matrix<V>& of,
                                                             const std::vector<vector<T>>& b,
                                                             const std::vector<vector<T>>& x,
                                                             const solve_options& options)
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = of.parts();
    return ranks::together(a.among(), [&]() -> std::vector<planned_stage> {
        require_for_ranks(a, options);
        const rank_systems<T> systems(a, b, x);
        if (b.empty()) throw input_error("solve: there is no b");
        rank_place place(a);
        const distributed_system<T, V> system(a.kept(), place.with);
        for (const auto& [one_b, one_x] : systems.all())
            api::check_system<T>(place.here(), system, {}, one_b, one_x, options);
        const bool is_first = a.among().rank() == 0;
        const api::shared_sizes all = sizes_of(a, options);
        if (api::makes_preconditioner(all, options))
            system.require_preconditioner(options.precond, options.preconditioner);
        if (!all.limit.empty() || !api::begins_with_factors(all, options))
            return is_first ? api::planned_on_ranks<T>(all, nullptr, options)
                            : std::vector<planned_stage>();
        const csr_matrix<V> whole = gathered(a, all);
        std::vector<planned_stage> stages;
        agreed(a.among(), [&] {
            if (!is_first) return;
            const api::matrix_system<T, V> on_first(whole);
            stages = api::planned_on_ranks<T>(all, &on_first, options);
        });
        return stages;
    });
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::vector<planned_stage> plan_solve(                                                \
        const distributed_matrix<V>&, const std::vector<vector<T>>&,                               \
        const std::vector<vector<T>>&, const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
