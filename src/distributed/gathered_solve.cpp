#include "gathered_solve.hpp"

#include "gathered_matrix.hpp"

#include "ranks/agreement.hpp"
#include "ranks/moved.hpp"

#include "ddla/error.hpp"

#include <string>

namespace ddla::distributed {
namespace {

/// Before anything is gathered: rank 0 has memory for it, and tells how much it is.
void announce(communicator& among, std::size_t bytes, const solve_options& options)
{
    agreed(among, [&] {
        require_memory_to_gather(among.rank(), bytes);
        if (among.rank() != 0) return;
        const std::string stage = "gather " + std::to_string(bytes) + " bytes on rank 0";
        // Whoever ends the solve here ends the factors, which ask again.
        if (options.watch) options.watch({.iterations = 0, .relative_residual = 1, .stage = stage});
    });
}

/// What other ranks are told of the solve of rank 0.
struct told {
    solve_status status;
    std::int64_t iterations;
    double true_relative_residual;
    std::uint64_t passed, length, interrupted;
    limit_kind kind;
    limit_subject subject;
};

}  // namespace

template <scalar T, scalar V>
std::optional<refine::passed_limit>
gathered_solve(const rank_layout& a, const row_parts<V>& parts, vec<const T> b, vec<T> x,
               const solve_options& options, solve_report& report)
{
    communicator& among = a.among();
    const index_t entries = ranks::ranges_of(among, parts.nonzeros()).all();
    const std::size_t bytes = bytes_of_system(a.row_ranges().all(), entries, sizeof(V));
    if (auto passed = passed_by_entries(bytes, options.factorisation.most_memory)) return passed;
    announce(among, bytes_of_gathering(a.row_ranges().all(), entries, sizeof(V)), options);
    const ranks::ranges rows_on_first = ranks::on_first_rank(a.row_ranges().all(), among.size());
    const ranks::ranges columns_on_first =
        ranks::on_first_rank(a.column_ranges().all(), among.size());
    const csr_matrix<V> all = gathered_matrix(a, parts);
    const vector<T> all_b = ranks::moved<T>(among, a.row_ranges(), rows_on_first, b);
    vector<T> all_x = ranks::moved<T>(among, a.column_ranges(), columns_on_first, vec<const T>(x));
    std::optional<refine::passed_limit> passed;
    agreed(among, [&] {
        if (among.rank() == 0)
            passed = api::solve_by_factors<T, V>(host_engine(), host, all.view(), all_b.view(),
                                                 {all_x.view()}, options, report, nullptr);
    });
    told known{report.status,
               report.iterations,
               report.true_relative_residual,
               passed ? 1u : 0u,
               passed ? passed->text.size() : 0,
               report.interrupted ? 1u : 0u,
               passed ? passed->kind : limit_kind::work,
               passed ? passed->subject : limit_subject::factors};
    broadcast(among, 0, std::as_writable_bytes(std::span(&known, 1)));
    ranks::move_numbers<T>(among, columns_on_first, a.column_ranges(), std::as_const(all_x).view(),
                           x);
    report.status = known.status;
    report.interrupted = known.interrupted == 1;
    report.iterations = known.iterations;
    report.true_relative_residual = known.true_relative_residual;
    if (known.passed == 0) return {};
    if (!passed) passed = refine::passed_limit{known.kind, {}, known.subject};
    passed->text.resize(known.length);
    broadcast(among, 0, std::as_writable_bytes(std::span(passed->text)));
    return passed;
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::optional<refine::passed_limit> gathered_solve(                                   \
        const rank_layout&, const row_parts<V>&, vec<const T>, vec<T>, const solve_options&,       \
        solve_report&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::distributed
