#include "solve_on_ranks.hpp"

#include "dry_run.hpp"
#include "sides.hpp"
#include "solve_outputs.hpp"
#include "watched_solve.hpp"

#include "cli/shell/ranks.hpp"

#include "ddla/devices.hpp"
#include "ddla/distributed.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/summation.hpp"
#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <span>
#include <vector>

namespace ddla::cli {
namespace {

void check_for_ranks(const solve_request& r)
{
    const auto refuse = [](const std::string& what) {
        throw input_error("with several ranks there is no " + what);
    };
    if (r.certify) refuse("--certify");
    if (r.solution_words == 4) refuse("--solution-words 4");
}

/// So that the ranks of one machine do not take more processors than there are.
void share_processors(const solve_request& r, communicator& ranks)
{
    const int count = neighbours_of(ranks, false).count;
    if (r.threads > 0 || std::getenv("DDLA_NUM_THREADS")) return;
    set_host_threads(std::max(1, host_threads() / count));
}

/// Where this rank computes: ranks of one machine take its devices in turn.  Where each has one of
/// its own, messages go between them without the host, if that can be.
place place_for_rank(const solve_request& r, std::shared_ptr<communicator>& ranks)
{
    if (r.place != place_choice::device) return host;
    int count = 0;
    bool is_shared = false;
    const neighbours here = neighbours_of(*ranks, true);
    agreed(*ranks, [&] {
        count = static_cast<int>(devices().size());
        if (count == 0) throw resource_error(why_no_device());
    });
    for (int rank = 0; rank < ranks->size(); ++rank) {
        bool shares = here.count > count;
        broadcast(*ranks, rank, std::as_writable_bytes(std::span(&shares, 1)));
        is_shared = is_shared || shares;
    }
    const place mine = device(here.rank % count);
    if (!is_shared && ranks->size() > 1 && messages_of_devices())
        ranks = messages_of_devices()(ranks, mine.device_index);
    return mine;
}

/// Where ranks begin: between the blocks of a preconditioner.
index_t alignment_of(const solve_request& r)
{
    return r.used_precond() == preconditioning::block_jacobi ? r.preconditioner.block_rows
                                                             : index_t{tile_size};
}

/// A solve in the values V, for all precisions of the request.
template <scalar V>
class solves_of_ranks {
public:
    solves_of_ranks(const solve_request& r, const std::shared_ptr<communicator>& ranks, place where,
                    const interrupt_guard& interrupt)
        : r_(r), ranks_(ranks), where_(where), interrupt_(interrupt), is_first_(ranks->rank() == 0)
    {
    }

    solve_results run()
    {
        const distributed_matrix<V> a = where_.is_host() ? read() : read().to(where_);
        if (is_first_) results_.matrix = reported_of(r_.matrix, a_);
        results_.matrix.nonzeros = a.nonzeros();
        for (const precision in : r_.precisions) {
            in_precision(in, [&]<scalar T>() {
                if constexpr (acts_on<T, V>) solve_in<T>(a);
            });
            if (!r_.dry_run && results_.solves.back().report.interrupted) break;
        }
        results_.matrix.read = std::move(results_.read);
        return std::move(results_);
    }
    /// With --dry-run, on rank 0.
    const std::vector<told_plan>& plans() const { return plans_; }

private:
    /// What rank 0 does alone: where it throws, all do.
    template <class Work>
    void on_first(const Work& work)
    {
        agreed(*ranks_, [&] {
            if (is_first_) work();
        });
    }
    /// In parts where the file allows that; else by rank 0.
    distributed_matrix<V> read()
    {
        read_losses lost;
        auto shared = read_distributed_matrix<V>(ranks_, r_.matrix, &lost, alignment_of(r_));
        if (!shared) {
            on_first([&] { a_ = read_alone(); });
            return distributed_matrix<V>(ranks_, a_.numbers, alignment_of(r_));
        }
        is_in_parts_ = true;
        if (is_first_) a_ = {empty_rows(shared->rows(), shared->columns())};
        on_first([&] {
            noted(&results_.read, "matrix", r_.matrix, [&](read_losses* kept) {
                *kept = lost;
                return 0;
            });
            if (!r_.takes_any_matrix()) require_square(r_, a_);
        });
        return *std::move(shared);
    }
    /// Of the shape of A, for what reads b and x; A itself is in parts.
    static csr_matrix<V> empty_rows(index_t rows, index_t columns)
    {
        return {rows, columns, std::vector<index_t>(static_cast<std::size_t>(rows) + 1),
                std::vector<column_t>(), vector<V>()};
    }
    any_matrix<V> read_alone()
    {
        const watched_work reading("reading " + r_.matrix.string(), interrupt_, r_.quiet);
        return r_.takes_any_matrix() ? read_noted<V>(r_, &results_.read)
                                     : read_square<V>(r_, &results_.read);
    }
    /// The columns of b that rank 0 has, in the parts of the ranks.
    template <scalar T>
    void share(const distributed_matrix<V>& a, const sides<T>& all, std::vector<vector<T>>& b,
               std::vector<vector<T>>& x) const
    {
        std::size_t columns = all.b.numbers.size();
        broadcast(*ranks_, 0, std::as_writable_bytes(std::span(&columns, 1)));
        for (std::size_t j = 0; j < columns; ++j) {
            b.push_back(a.part_of_b(is_first_ ? all.b.numbers[j] : vector<T>()));
            x.push_back(a.part_of_x(is_first_ ? all.x.numbers[j] : vector<T>()));
        }
        if (is_in_parts_ && r_.right_hand_side == "A*ones")
            a.multiply(vector<T>(a.local_columns(), T(1), where_), b.front());
    }
    template <scalar T>
    void solve_in(const distributed_matrix<V>& a)
    {
        sides<T> all;
        solve_request sides_of = r_;
        if (is_in_parts_ && r_.right_hand_side == "A*ones") sides_of.right_hand_side = "ones";
        on_first([&] { all = read_sides<T>(sides_of, a_, &results_.read); });
        std::vector<vector<T>> b, x;
        share(a, all, b, x);
        if (r_.dry_run)
            plans_.push_back({precision_of<T>, plan_of(a, b, x)});
        else
            solve_for(a, b, x, all);
    }
    template <scalar T>
    std::vector<planned_stage> plan_of(const distributed_matrix<V>& a,
                                       const std::vector<vector<T>>& b,
                                       const std::vector<vector<T>>& x) const
    {
        return naming_the_file(r_, [&] {
            const watched_scope ended([&] { return !interrupt_.requested(); });
            return plan_solve(a, b, x, options_of(r_, host, a.rows(), a.nonzeros()));
        });
    }
    template <scalar T>
    void solve_for(const distributed_matrix<V>& a, const std::vector<vector<T>>& b,
                   std::vector<vector<T>>& x, sides<T>& all)
    {
        std::vector<solve_report> reports;
        const auto began = std::chrono::steady_clock::now();
        const solve_report report = watched<T>(r_, options_of(r_, host, a.rows(), a.nonzeros()),
                                               !r_.history.empty() || !r_.plot.empty(), interrupt_,
                                               {}, [&](const solve_options& options) {
                                                   reports = solve(a, b, x, options);
                                                   return reports[deciding_column(reports)];
                                               });
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
        results_.solves.push_back({precision_of<T>, {}, report});
        if (b.size() > 1) {
            results_.solves.back().columns = reports;
            results_.solves.back().seconds = taken.count();
        }
        for (std::size_t j = 0; j < x.size(); ++j) {
            vector<T> whole = a.whole_x(x[j]);
            if (is_first_) all.x.numbers[j] = std::move(whole);
        }
        const bool writes = precision_of<T> == r_.precisions.back() || report.interrupted;
        if (is_first_ && !r_.output.empty() && writes)
            write_solution(r_, results_, writer_of(r_, all.x));
    }

    const solve_request& r_;
    std::shared_ptr<communicator> ranks_;
    place where_;
    const interrupt_guard& interrupt_;
    bool is_first_;
    any_matrix<V> a_;           ///< of rank 0
    bool is_in_parts_ = false;  ///< then a_ has no entries
    solve_results results_;
    std::vector<told_plan> plans_;
};

}  // namespace

exit_status solve_on_ranks(const solve_request& asked, std::shared_ptr<communicator> ranks)
{
    check_for_ranks(asked);
    const place where = place_for_rank(asked, ranks);
    solve_request r = asked;
    r.place = place_choice::host;  // of what rank 0 does alone
    r.quiet = r.quiet || ranks->rank() != 0;
    const interrupt_guard interrupt;
    set_up(r);
    share_processors(r, *ranks);
    solve_results results;
    std::vector<told_plan> plans;
    try {
        in_precision(r.values, [&]<scalar V>() {
            solves_of_ranks<V> all(r, ranks, where, interrupt);
            results = all.run();
            plans = all.plans();
        });
    } catch (const limit_error& e) {
        throw advised_error(e.what(), next_try_after(r, e));
    }
    int status = exit_converged;
    agreed(*ranks, [&] {
        if (ranks->rank() != 0) return;
        if (r.dry_run)
            print_plans(r, results.matrix, plans);
        else
            status = status_of(r, results, write_reports(r, results));
    });
    broadcast(*ranks, 0, std::as_writable_bytes(std::span(&status, 1)));
    return static_cast<exit_status>(status);
}

}  // namespace ddla::cli
