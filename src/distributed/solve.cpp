// Products, sums and solves of systems whose rows are shared among ranks.
#include "matrix_parts.hpp"

#include "calls/own_mode.hpp"
#include "calls/place_of.hpp"
#include "solve/solve_on.hpp"

#include "ddla/fp_mode.hpp"
#include "ddla/text.hpp"

#include <algorithm>
#include <string>

#include <sys/resource.h>

namespace ddla {

using namespace distributed;

namespace {

/// Throws on all ranks where the vector of one does not fit.
template <scalar T>
void require_part(communicator& among, const char* call, const char* name, const vector<T>& x,
                  index_t wanted, place where)
{
    agreed(among, [&] {
        if (x.size() != wanted)
            throw input_error(std::string(call) + ": " + name + " has " + std::to_string(x.size()) +
                              " elements on rank " + std::to_string(among.rank()) + ", which has " +
                              std::to_string(wanted));
        api::require_same_place(call, name, x.where(), "A", where);
    });
}

/// The sums of a solve, and its engine.
class rank_place {
public:
    template <scalar V>
    explicit rank_place(const matrix_parts<V>& a)
    {
        with.traffic = a.traffic();
        with.answer->set_alone(a.among().size() == 1);
        sums_ = std::make_unique<ranks::rank_sums>(a.shared_communicator(), a.layout().row_ranges(),
                                                   with.answer, with.traffic);
        if (!a.is_square()) sums_->add_columns(a.layout().column_ranges());
        engine_ = a.where().is_host() ? host_engine_of_rank(*sums_)
                                      : device_engine_of_rank(a.where().device_index, *sums_);
    }
    engine& here() { return *engine_; }

    shared_solve with;

private:
    std::unique_ptr<ranks::rank_sums> sums_;
    std::unique_ptr<engine> engine_;
};

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

/// Throws on all ranks unless all have as many b as x, and as many as rank 0.
void require_systems(communicator& among, std::size_t of_b, std::size_t of_x)
{
    std::size_t on_first = of_b;
    broadcast(among, 0, std::as_writable_bytes(std::span(&on_first, 1)));
    agreed(among, [&] {
        api::require_as_many("solve", "b", of_b, "x", of_x);
        if (of_b != on_first)
            throw input_error("solve: rank " + std::to_string(among.rank()) + " has " +
                              std::to_string(of_b) + " systems, rank 0 has " +
                              std::to_string(on_first));
    });
}

template <scalar V>
void check_options(const matrix_parts<V>& a, const solve_options& options)
{
    if (options.certify)
        throw input_error("solve: a bound of the error is proved of matrices of one rank");
    if (!a.is_square() && options.method != method::lsmr)
        api::require_square("solve", a.rows().all(), a.columns().all());
}

/// y = A x.
template <scalar T, scalar V>
void multiply_rows(const placed_rows<V>& a, ranks::traffic& counted, vec<const T> x, vec<T> y)
{
    rank_product<T, V>(*a.layout(), *a.lists(), a.parts(), counted, api::engine_at(a.where()))
        .apply(x, 1, y);
}

}  // namespace

template <scalar V>
template <scalar T>
requires acts_on<T, V>
void distributed_matrix<V>::multiply(const vector<T>& x, vector<T>& y) const
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = *parts_;
    return ranks::together(a.among(), [&] {
        require_part(a.among(), "multiply", "x", x, local_columns(), where());
        require_part(a.among(), "multiply", "y", y, local_rows(), where());
        kept_vector<T> in(a.among(), a.columns(), a.layout().column_ranges(), x);
        kept_vector<T> out(a.among(), a.rows(), a.layout().row_ranges(), y);
        multiply_rows<T, V>(*a.kept(), *a.traffic(), in.view(), out.view());
        out.give_back(y);
    });
}

template <scalar V>
template <scalar T>
requires acts_on<T, V>
void distributed_matrix<V>::multiply_transposed(const vector<T>& x, vector<T>& y) const
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = *parts_;
    return ranks::together(a.among(), [&] {
        require_part(a.among(), "multiply_transposed", "x", x, local_rows(), where());
        require_part(a.among(), "multiply_transposed", "y", y, local_columns(), where());
        kept_vector<T> in(a.among(), a.rows(), a.layout().row_ranges(), x);
        kept_vector<T> out(a.among(), a.columns(), a.layout().column_ranges(), y);
        const std::shared_ptr<const placed_rows<V>> transposed = a.transposed();
        multiply_rows<T, V>(*transposed, *a.traffic(), in.view(), out.view());
        out.give_back(y);
    });
}

template <scalar V>
template <scalar T>
T distributed_matrix<V>::dot(const vector<T>& x, const vector<T>& y) const
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = *parts_;
    return ranks::together(a.among(), [&] {
        require_part(a.among(), "dot", "x", x, local_rows(), where());
        require_part(a.among(), "dot", "y", y, local_rows(), where());
        const ranks::ranges& kept = a.layout().row_ranges();
        kept_vector<T> first(a.among(), a.rows(), kept, x);
        kept_vector<T> second(a.among(), a.rows(), kept, y);
        return rank_place(a).here().vectors<T>().dot(first.view(), second.view());
    });
}

template <scalar V>
template <scalar T>
T distributed_matrix<V>::nrm2(const vector<T>& x) const
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = *parts_;
    return ranks::together(a.among(), [&] {
        require_part(a.among(), "nrm2", "x", x, local_rows(), where());
        kept_vector<T> mine(a.among(), a.rows(), a.layout().row_ranges(), x);
        return rank_place(a).here().vectors<T>().nrm2(mine.view());
    });
}

namespace {

template <scalar T>
void require_whole(const char* name, const vector<T>& on_first, index_t wanted)
{
    api::require_same_size("part_of", name, on_first.size(), "A", wanted);
    api::require_same_place("part_of", name, on_first.where(), "A", host);
}

/// A vector that rank 0 has, in the caller's parts.
template <scalar T>
vector<T> part_of(communicator& among, const char* name, const ranks::ranges& parts,
                  const vector<T>& on_first, place where)
{
    return ranks::together(among, [&] {
        agreed(among, [&] {
            if (among.rank() == 0) require_whole(name, on_first, parts.all());
        });
        return ranks::moved<T>(among, ranks::on_first_rank(parts.all(), among.size()), parts,
                               on_first.view())
            .to(where);
    });
}

}  // namespace

template <scalar V>
template <scalar T>
vector<T> distributed_matrix<V>::part_of_b(const vector<T>& on_first) const
{
    return part_of<T>(parts_->among(), "b", parts_->rows(), on_first, where());
}

template <scalar V>
template <scalar T>
vector<T> distributed_matrix<V>::part_of_x(const vector<T>& on_first) const
{
    return part_of<T>(parts_->among(), "x", parts_->columns(), on_first, where());
}

template <scalar V>
template <scalar T>
vector<T> distributed_matrix<V>::whole_x(const vector<T>& part) const
{
    communicator& among = parts_->among();
    return ranks::together(among, [&] {
        require_part(among, "distributed_matrix", "x", part, local_columns(), where());
        const vector<T> mine = part.to(host);
        return ranks::moved<T>(among, parts_->columns(),
                               ranks::on_first_rank(columns(), among.size()), mine.view());
    });
}

template <scalar T, scalar V>
requires acts_on<T, V> std::vector<solve_report> solve(const distributed_matrix<V>& of,
                                                       const std::vector<vector<T>>& b,
                                                       std::vector<vector<T>>& x,
                                                       const solve_options& options)
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = of.parts();
    return ranks::together(a.among(), [&] {
        require_systems(a.among(), b.size(), x.size());
        check_options(a, options);
        std::vector<kept_vector<T>> kept_b, kept_x;
        std::vector<api::system_vectors<T>> all;
        for (std::size_t j = 0; j < b.size(); ++j) {
            require_part(a.among(), "solve", "b", b[j], of.local_rows(), of.where());
            require_part(a.among(), "solve", "x", x[j], of.local_columns(), of.where());
            kept_b.emplace_back(a.among(), a.rows(), a.layout().row_ranges(), b[j]);
            kept_x.emplace_back(a.among(), a.columns(), a.layout().column_ranges(), x[j]);
            all.push_back({kept_b.back().view(), kept_x.back().view()});
        }
        rank_place place(a);
        const distributed_system<T, V> system(a.kept(), place.with);
        const ranks::traffic before = *a.traffic();
        std::vector<solve_report> reports =
            api::solve_on<T>(place.here(), system, preconditioner<T>(), all,
                             watched_by_all(api::in_own_mode(options), place.with));
        const ranks_report sent = sent_since(a.among(), before, *a.traffic());
        for (std::size_t j = 0; j < b.size(); ++j) {
            reports[j].ranks = sent;
            kept_x[j].give_back(x[j]);
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
    template void distributed_matrix<V>::multiply(const vector<T>&, vector<T>&) const;             \
    template void distributed_matrix<V>::multiply_transposed(const vector<T>&, vector<T>&) const;  \
    template std::vector<solve_report> solve(const distributed_matrix<V>&,                         \
                                             const std::vector<vector<T>>&,                        \
                                             std::vector<vector<T>>&, const solve_options&);       \
    template solve_report solve(const distributed_matrix<V>&, const vector<T>&, vector<T>&,        \
                                const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE_WITH(V, T)                                                                \
    template T distributed_matrix<V>::dot(const vector<T>&, const vector<T>&) const;               \
    template T distributed_matrix<V>::nrm2(const vector<T>&) const;                                \
    template vector<T> distributed_matrix<V>::part_of_b(const vector<T>&) const;                   \
    template vector<T> distributed_matrix<V>::part_of_x(const vector<T>&) const;                   \
    template vector<T> distributed_matrix<V>::whole_x(const vector<T>&) const;
#define DDLA_INSTANTIATE(V)                                                                        \
    DDLA_INSTANTIATE_WITH(V, double)                                                               \
    DDLA_INSTANTIATE_WITH(V, dd_real)
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE
#undef DDLA_INSTANTIATE_WITH

}  // namespace ddla
