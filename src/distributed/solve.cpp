// Solves of systems whose rows are shared among ranks.
#include "rank_place.hpp"
#include "rank_systems.hpp"

#include "calls/own_mode.hpp"

#include "ddla/fp_mode.hpp"
#include "ddla/text.hpp"

#include <algorithm>

#include <sys/resource.h>

namespace ddla {

using namespace distributed;

namespace {

/// The hash of all of x, which goes from rank to rank.
template <scalar T>
std::uint64_t hash_of_all(communicator& among, index_t all, const vector<T>& mine)
{
    const vector<T> copied = mine.where().is_host() ? vector<T>() : mine.to(host);
    const vec<const T> numbers = mine.where().is_host() ? mine.view() : copied.view();
    std::uint64_t h = static_cast<std::uint64_t>(all);
    for (int r = 0; r < among.size(); ++r) {
        if (r == among.rank()) h = api::mixed_with<T>(h, numbers);
        broadcast(among, r, std::as_writable_bytes(std::span(&h, 1)));
    }
    return h;
}

/// The watch of this rank becomes one of all ranks: each says what its own has answered with the
/// next sum, and all hear the same.
solve_options watched_by_all(const solve_options& asked, const shared_solve& with)
{
    solve_options options = asked;
    options.watch = [watch = asked.watch, answer = with.answer](const solve_progress& now) {
        if (watch && answer->mine() == 0 && !watch(now)) answer->say_stop();
        return answer->goes_on();
    };
    return options;
}

/// The most memory that this process has had, in bytes.
std::uint64_t resident_bytes()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

/// Of all ranks.  Every rank calls it.
ranks_report sent_since(communicator& among, const ranks::traffic& before,
                        const ranks::traffic& now)
{
    const ranks_report mine{among.size(),
                            now.sums - before.sums,
                            now.numbers - before.numbers,
                            now.products - before.products,
                            now.messages - before.messages,
                            now.bytes - before.bytes,
                            resident_bytes()};
    ranks_report all{.count = mine.count, .sums = mine.sums, .products = mine.products};
    for (const ranks_report& one : ranks::gathered(among, mine)) {
        all.numbers += one.numbers;
        all.messages += one.messages;
        all.bytes += one.bytes;
        all.resident_bytes = std::max(all.resident_bytes, one.resident_bytes);
    }
    return all;
}

}  // namespace

template <scalar T, scalar V>
requires acts_on<T, V> std::vector<solve_report> solve(const distributed_matrix<V>& of,
                                                       const std::vector<vector<T>>& b,
                                                       std::vector<vector<T>>& x,
                                                       const solve_options& options)
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = of.parts();
    return ranks::together(a.among(), [&] {
        require_for_ranks(a, options);
        rank_systems<T> systems(a, b, x);
        rank_place place(a);
        const distributed_system<T, V> system(a.kept(), place.with);
        const ranks::traffic before = *a.traffic();
        std::vector<solve_report> reports =
            api::solve_on<T>(place.here(), system, preconditioner<T>(), systems.all(),
                             watched_by_all(api::in_own_mode(options), place.with));
        const ranks_report sent = sent_since(a.among(), before, *a.traffic());
        for (std::size_t j = 0; j < b.size(); ++j) {
            reports[j].ranks = sent;
            systems.give_back(j, x[j]);
            reports[j].solution_hash = hash_of_all<T>(a.among(), of.columns(), x[j]);
        }
        return reports;
    });
}

template <scalar T, scalar V>
requires acts_on<T, V> solve_report solve(const distributed_matrix<V>& a, const vector<T>& b,
                                          vector<T>& x, const solve_options& options)
{
    const std::vector<vector<T>> only_b{b};
    std::vector<vector<T>> only_x{x};
    solve_report report = solve(a, only_b, only_x, options).front();
    x = std::move(only_x.front());
    return report;
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::vector<solve_report> solve(const distributed_matrix<V>&,                         \
                                             const std::vector<vector<T>>&,                        \
                                             std::vector<vector<T>>&, const solve_options&);       \
    template solve_report solve(const distributed_matrix<V>&, const vector<T>&, vector<T>&,        \
                                const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
