// Iterations of solvers: the time of a long solve less that of a short one, by their difference.
#include "dd_rivals.hpp"
#include "solver_bench.hpp"

#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"

#include <cstdio>

namespace bench {

namespace {

using ddla::dd_real;
using ddla::index_t;

struct grid {
    std::string name;
    krylov method;
    ddla::csr_matrix<double> a;
};

const char* title(krylov m)
{
    return m == krylov::cg ? "CG" : "BiCGStab";
}

/// One who solves: a short and a long solve, and what an iteration must move.
struct solver {
    std::string name;
    std::function<void(int)> solve;
    std::function<void(int)> set_threads;
    std::size_t bytes;  ///< an iteration; 0: unknown
};

template <class T>
class own_solver {
public:
    own_solver(const ddla::csr_matrix<double>& a, krylov m)
        : a_(a), method_(m == krylov::cg ? ddla::method::cg : ddla::method::bicgstab),
          b_(a.rows(), T(1)), x_(a.rows())
    {
    }
    ddla::solve_report solve(int iterations)
    {
        ddla::scal(T(0), x_);
        return ddla::solve(a_, b_, x_,
                           {.method = method_, .tolerance = 0, .max_iterations = iterations});
    }
    const ddla::vector<T>& x() const { return x_; }

private:
    const ddla::csr_matrix<double>& a_;
    ddla::method method_;
    ddla::vector<T> b_, x_;
};

/// |x - y| / |x|: the rival rounds its solution to double.
double difference(const ddla::vector<dd_real>& x, ddla::vector<dd_real> y)
{
    ddla::axpy(dd_real(-1), x, y);
    return (ddla::nrm2(y) / ddla::nrm2(x)).hi;
}

class measurement {
public:
    measurement(const grid& g, const solver_options& o)
        : grid_(g), options_(o), in_double_(g.a, g.method), in_dd_(g.a, g.method),
          rival_(solving_rival_of(g.a)),
          more_(static_cast<int>(std::clamp<index_t>(10'000'000 / g.a.rows(), 12, 40)))
    {
        const auto own = [](int threads) { ddla::set_host_threads(threads); };
        const auto bytes = [](auto& s) { return s.solve(1).bytes_per_iteration; };
        all_.push_back(
            {"ddla double-double", [this](int n) { in_dd_.solve(n); }, own, bytes(in_dd_)});
        all_.push_back(
            {"ddla double", [this](int n) { in_double_.solve(n); }, own, bytes(in_double_)});
        if (rival_)
            all_.push_back({"Lis quad", [this](int n) { rival_->solve(grid_.method, n); },
                            [this](int threads) { rival_->set_threads(threads); }, 0});
    }

    int run(int threads, double copy, json& results)
    {
        std::vector<std::function<void()>> turns;
        for (const solver& s : all_) {
            s.set_threads(threads);
            turns.push_back([&s] { s.solve(few); });
            turns.push_back([&s, this] { s.solve(few + more_); });
        }
        const auto seconds = take_turns(turns, options_.rounds, options_.turn);
        std::printf("\n%s, %s, threads: %d\n  %-20s %10s %8s %8s  %s\n", grid_.name.c_str(),
                    title(grid_.method), threads, "", "us", "MB", "of copy",
                    "its time / ddla's in double-double");
        for (std::size_t s = 0; s < all_.size(); ++s)
            results.push_back(record(s, seconds, threads, copy));
        return disagreement();
    }

private:
    static constexpr int few = 2;

    json record(std::size_t s, const std::vector<std::vector<double>>& seconds, int threads,
                double copy) const
    {
        const auto iteration = [&](std::size_t who, std::size_t k) {
            return (seconds[2 * who + 1][k] - seconds[2 * who][k]) / more_;
        };
        const auto rounds = options_.rounds;
        const double time = median_of_rounds(rounds, [&](auto k) { return iteration(s, k); });
        const double ratio =
            median_of_rounds(rounds, [&](auto k) { return iteration(s, k) / iteration(0, k); });
        const auto bytes = static_cast<double>(all_[s].bytes);
        std::printf("  %-20s %10.1f %8.1f %8.2f  %.2f\n", all_[s].name.c_str(), time * 1e6,
                    bytes * 1e-6, bytes / time / copy, ratio);
        json r{{"matrix", grid_.name},
               {"rows", grid_.a.rows()},
               {"method", title(grid_.method)},
               {"stored", std::string(to_string(ddla::format_of(grid_.a).format))},
               {"threads", threads},
               {"who", all_[s].name},
               {"microseconds", time * 1e6},
               {"time_to_ddla", ratio},
               {"iterations", few + more_}};
        if (bytes > 0) {
            r["bytes"] = all_[s].bytes;
            r["share_of_copy"] = bytes / time / copy;
        }
        return r;
    }

    /// After as many iterations as the long solves had.
    int disagreement()
    {
        if (!rival_) return 0;
        in_dd_.solve(few + more_);
        rival_->solve(grid_.method, few + more_);
        const double by = difference(in_dd_.x(), rival_->solution());
        if (by <= 1e-12) return 0;
        std::printf("DISAGREEMENT: Lis differs by %.1e\n", by);
        return 1;
    }

    const grid& grid_;
    const solver_options& options_;
    own_solver<double> in_double_;
    own_solver<dd_real> in_dd_;
    std::unique_ptr<solving_rival> rival_;
    int more_;
    std::vector<solver> all_;
};

}  // namespace

int measure_solvers(const solver_options& o, json& results)
{
    std::vector<double> copy;
    for (const int threads : o.threads) {
        copy.push_back(copy_speed(threads));
        std::printf("copy, threads: %d: %.1f GB/s\n", threads, copy.back() * 1e-9);
        results["copy"].push_back({{"threads", threads}, {"bytes_a_second", copy.back()}});
    }
    int disagreements = 0;
    const auto measure = [&](grid g) {
        const ddla::format_report stored = ddla::set_format(g.a);
        std::printf("\n%s: %s, %s\n", g.name.c_str(), to_string(stored.format).data(),
                    stored.reason.c_str());
        measurement of_it(g, o);
        for (std::size_t k = 0; k < o.threads.size(); ++k)
            disagreements += of_it.run(o.threads[k], copy[k], results["iterations"]);
    };
    for (const int n : o.cubes) {
        const std::string size = std::to_string(n) + "^3";
        measure({"7-point convection-diffusion " + size, krylov::bicgstab,
                 ddla::generate::convection_diffusion(n, n, n)});
        measure({"7-point Poisson " + size, krylov::cg, ddla::generate::poisson3d(n, n, n)});
    }
    return disagreements;
}

}  // namespace bench
