// Systems in lock-step: their products come together, as long as they run.
#include "catch.hpp"
#include "support/random.hpp"

#include "support/same_bits.hpp"

#include "engine/engine.hpp"
#include "host/programs.hpp"
#include "steps/methods/bicgstab.hpp"
#include "steps/methods/bicgstabl.hpp"
#include "steps/methods/fgmres.hpp"

#include "ddla/generate.hpp"

#include <algorithm>
#include <set>

namespace {

/// A matrix that notes how many vectors each product has.
class counting_map final : public ddla::linear_map<double> {
public:
    explicit counting_map(const ddla::csr_matrix<double>& a) : a_(a) {}

    std::vector<std::size_t> counts() const { return counts_; }

    ddla::index_t rows() const override { return a_.rows(); }
    ddla::index_t columns() const override { return a_.columns(); }
    ddla::place where() const override { return ddla::host; }
    bool is_recordable() const override { return true; }
    std::unique_ptr<ddla::bound_map<double>> bind(ddla::engine& here) const override
    {
        return std::make_unique<bound>(here.matrices<double, double>().product(a_.view()), counts_);
    }

private:
    class bound final : public ddla::bound_map<double> {
    public:
        bound(std::unique_ptr<ddla::bound_map<double>> of, std::vector<std::size_t>& counts)
            : of_(std::move(of)), counts_(counts)
        {
        }
        void apply(ddla::vec<const double> x, double power, ddla::vec<double> y) override
        {
            counts_.push_back(1);
            of_->apply(x, power, y);
        }
        void apply_to_all(std::span<const ddla::map_product<double>> all) override
        {
            counts_.push_back(all.size());
            of_->apply_to_all(all);
        }

    private:
        std::unique_ptr<ddla::bound_map<double>> of_;
        std::vector<std::size_t>& counts_;
    };

    const ddla::csr_matrix<double>& a_;
    mutable std::vector<std::size_t> counts_;
};

/// As on a device, where reading waits: systems run on between two looks, also behind their end.
class machine_as_on_device : public ddla::host_backend::machine<double> {
public:
    using machine::machine;
    static constexpr bool reads_freely = false;
    template <class IsIdle>
    void repeat(std::span<const list* const> all, ddla::index_t times, const IsIdle&)
    {
        for (ddla::index_t k = 0; k < times; ++k) run(all);
    }
    static ddla::index_t usual_interval() { return 32; }
};

struct outcome {
    std::vector<ddla::steps::ending> endings;
    std::vector<ddla::vector<double>> x;
    std::vector<std::vector<double>> histories;
};

/// Systems of unlike numbers of iterations, one of which is solved already.
template <class Machine, class Solver>
outcome solve_together(const ddla::csr_matrix<double>& a, ddla::index_t interval)
{
    namespace steps = ddla::steps;
    constexpr std::size_t count = 4;
    const counting_map map(a);
    outcome o{{}, std::vector(count, ddla::vector<double>(a.rows())), {}};
    o.histories.resize(count);
    std::vector<ddla::vector<double>> b;
    for (std::uint64_t j = 0; j < count; ++j)
        b.push_back(test::random_vector<double>(a.rows(), 7 + j, 0));
    b[1] = ddla::vector<double>(a.rows(), 1.0);
    ddla::vector<double> ones(a.rows(), 1.0);
    ddla::spmv(1.0, a, ones, 0.0, b[2]);
    o.x[2] = ones;
    ddla::host_backend::call c;
    ddla::program_request<double> q{};
    q.b = std::as_const(b[0]).view();
    q.system = &map;
    using running = steps::running_solver<double, ddla::host_backend::backend>;
    std::vector<std::unique_ptr<running>> solvers;
    std::vector<std::vector<double>*> histories;
    for (std::size_t j = 0; j < count; ++j) {
        const steps::problem<double> p{
            std::as_const(b[j]).view(), o.x[j].view(), steps::scale_for(4, 1), 7, 60, 2, 4, 0};
        solvers.push_back(
            std::make_unique<steps::running_as<Solver, double, ddla::host_backend::backend>>(
                Solver(c.memory, p, steps::identity<double>{})));
        histories.push_back(&o.histories[j]);
    }
    Machine machine(ddla::host_backend::context(), c, q);
    o.endings = steps::run_programs(
        machine, c.memory, solvers, {1e-9, 60, interval}, histories,
        {[](auto...) { return true; }, [](std::size_t systems) { return 8.0 / double(systems); }});
    return o;
}

template <class Solver>
void check_running_on()
{
    const auto a = ddla::generate::convection_diffusion(9, 8, 7);
    const outcome asked = solve_together<ddla::host_backend::machine<double>, Solver>(a, 0);
    std::set<ddla::index_t> iterations;
    for (const auto& e : asked.endings) iterations.insert(e.iterations);
    CHECK(iterations.size() > 1);
    for (const ddla::index_t interval : {0, 1, 3, 64, 1000}) {
        INFO("looking after " << interval);
        const outcome unasked = solve_together<machine_as_on_device, Solver>(a, interval);
        for (std::size_t j = 0; j < asked.x.size(); ++j) {
            INFO("system " << j);
            CHECK(unasked.endings[j].end == asked.endings[j].end);
            CHECK(unasked.endings[j].iterations == asked.endings[j].iterations);
            CHECK(test::same_bits(unasked.endings[j].relative_residual,
                                  asked.endings[j].relative_residual));
            CHECK(test::same_bits(unasked.x[j], asked.x[j]));
            CHECK(unasked.histories[j] == asked.histories[j]);
        }
    }
}

}  // namespace

TEST_CASE("systems that run on behind their end have the same bits", "[columns]")
{
    using identity = ddla::steps::identity<double>;
    check_running_on<ddla::steps::bicgstab::solver<double, identity>>();
    check_running_on<ddla::steps::fgmres::solver<double, identity>>();
    check_running_on<ddla::steps::bicgstabl::solver<double, identity>>();
}

TEST_CASE("products of systems in lock-step come together", "[columns]")
{
    const auto a = ddla::generate::poisson2d(20, 20);
    const counting_map map(a);
    for (const auto m : {ddla::method::cg, ddla::method::bicgstab, ddla::method::fgmres}) {
        std::vector<ddla::vector<double>> b, x(3, ddla::vector<double>(a.rows()));
        for (std::uint64_t j = 0; j < 3; ++j) b.push_back(test::random_vector<double>(400, j, 0));
        std::vector<ddla::program_request<double>> all;
        for (std::size_t j = 0; j < 3; ++j) {
            ddla::program_request<double> q{};
            q.b = std::as_const(b[j]).view();
            q.x = x[j].view();
            q.method = m;
            q.restart = 50, q.l = 2, q.s = 4;
            q.rule = {1e-10, 400, 0};
            // Ended by the caller: two iterations after the one before.
            q.look = [j](ddla::index_t k, double) { return k < 4 + 2 * ddla::index_t(j); };
            q.system = &map;
            q.largest_a = 4;
            all.push_back(std::move(q));
        }
        const std::size_t before = map.counts().size();
        const auto results = ddla::host_engine().programs<double>().solve(all);
        std::vector<std::size_t> counts = map.counts();
        counts.erase(counts.begin(), counts.begin() + std::ptrdiff_t(before));
        for (std::size_t j = 0; j < 3; ++j)
            CHECK(results[j].ending.iterations == 4 + 2 * std::int64_t(j));
        // One for each part of a program, not for each system.
        const auto together = std::count(counts.begin(), counts.end(), 3u);
        const ddla::index_t each = m == ddla::method::bicgstab ? 2 : 1;
        CHECK(together == 1 + 4 * each);
        CHECK(std::count(counts.begin(), counts.end(), 2u) == 2 * each);
    }
}
