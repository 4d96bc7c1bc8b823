// Systems in lock-step: their products come together, as long as they run.
#include "catch.hpp"
#include "support/random.hpp"

#include "engine/engine.hpp"

#include "ddla/generate.hpp"

#include <algorithm>

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
    std::unique_ptr<ddla::bound_map<double>> on(ddla::engine& here) const override
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

}  // namespace

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
