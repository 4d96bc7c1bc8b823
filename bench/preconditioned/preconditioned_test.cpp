// What the benchmark says of ddla at the host, of limits and of failures.
#include "catch.hpp"

#include "measure.hpp"
#include "systems.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"

#include <thread>

using namespace bench;

namespace {

const std::vector<contender_maker>& all_at_host()
{
    static const std::vector<contender_maker> all = ddla_at(ddla::host, 1);
    return all;
}
const contender_maker& double_double()
{
    return all_at_host().at(1);
}
const contender_maker& refining()
{
    return all_at_host().at(2);
}

/// Each call of a function is one more.
struct counts {
    int builds = 0, solves = 0;
};

class fake final : public contender {
public:
    explicit fake(counts& c) : counts_(c) {}

    json about() const override { return {{"who", "a fake"}}; }
    bool has(factors_kind kind) const override { return kind == factors_kind::ilu; }
    bool can_reach(double tolerance) const override { return tolerance > 1e-16; }
    build_outcome build(factors_kind) override
    {
        ++counts_.builds;
        return {1, NAN, 0};
    }
    double apply_seconds() override { return NAN; }
    solve_outcome solve(const demand& d) override
    {
        ++counts_.solves;
        if (d.method == krylov_method::cg) throw ddla::input_error("no CG today");
        return {true, "converged", 3, 2, 1e-3};
    }

private:
    counts& counts_;
};

contender_maker fakes(counts& c)
{
    return {{{"who", "a fake"}},
            [&c](const ddla::csr_matrix<double>&) -> std::unique_ptr<contender> {
                return std::make_unique<fake>(c);
            }};
}

}  // namespace

TEST_CASE("ddla in double-double reaches both residuals with ILU(0) and IC(0)")
{
    const auto* const maker = GENERATE(&double_double(), &refining());
    const auto a = ddla::generate::poisson3d(8, 8, 8);
    const json r = measure_contender(*maker, a, true, {});
    CHECK(r["who"] == (maker == &refining() ? "ddla refining" : "ddla"));
    CHECK(r["precision"] == "double-double");
    REQUIRE(r["factors"].size() == 2);
    CHECK(r["factors"][0]["kind"] == "ILU(0)");
    CHECK(r["factors"][1]["kind"] == "IC(0)");
    for (const json& f : r["factors"]) {
        CHECK(f["seconds"].get<double>() > 0);
        CHECK(f["apply_seconds"].get<double>() > 0);
    }
    REQUIRE(r["solves"].size() == 4);
    for (const json& s : r["solves"]) {
        CHECK(s["reached"] == true);
        CHECK(s["true_relative_residual"].get<double>() <= s["tolerance"].get<double>());
        CHECK(s["iterations"].get<int>() > 3);
    }
}

TEST_CASE("FGMRES is measured if it is asked for, CG for symmetric matrices only")
{
    const auto a = ddla::generate::convection_diffusion(6, 6, 6, 1.5, 0);
    const json r =
        measure_contender(double_double(), a, false, {.tolerances = {1e-12}, .fgmres = true});
    REQUIRE(r["solves"].size() == 2);
    CHECK(r["factors"].size() == 1);
    CHECK(r["solves"][0]["method"] == "bicgstab");
    CHECK(r["solves"][1]["method"] == "fgmres");
    CHECK(measure_contender(refining(), a, false, {.tolerances = {1e-12}, .fgmres = true})["solves"]
              .size() == 1);
}

TEST_CASE("limits of time and of iterations end a solve")
{
    const auto a = ddla::generate::poisson3d(20, 20, 20);
    const json by_time =
        measure_contender(double_double(), a, false, {.tolerances = {1e-25}, .most_seconds = 1e-9});
    CHECK(by_time["solves"][0]["status"] == "time limit");
    CHECK(by_time["solves"][0]["reached"] == false);
    const json by_iterations =
        measure_contender(double_double(), a, false, {.tolerances = {1e-25}, .most_iterations = 2});
    CHECK(by_iterations["solves"][0]["status"] == "iteration_limit");
    CHECK(by_iterations["solves"][0]["iterations"] == 2);
}

TEST_CASE("failures are said, and the rest is measured")
{
    counts c;
    const json r = measure_contender(fakes(c), ddla::generate::poisson2d(3, 3), true, {});
    CHECK(c.builds == 1);              // CG takes the factors of BiCGStab
    REQUIRE(r["solves"].size() == 2);  // 1e-20 is beyond it
    CHECK(r["factors"][0]["apply_seconds"].is_null());
    CHECK(r["solves"][0]["claims"] == true);
    CHECK(r["solves"][0]["reached"] == false);  // x is not what it claims
    CHECK(r["solves"][1]["failed"] == "no CG today");

    const json indefinite =
        measure_contender(double_double(), ddla::generate::convection_diffusion(4, 4, 4), true, {});
    CHECK(indefinite["factors"][1].contains("failed"));  // not symmetric
    CHECK(indefinite["solves"].size() == 2);

    contender_maker none = fakes(c);
    none.make = [](const ddla::csr_matrix<double>&) -> std::unique_ptr<contender> {
        throw ddla::resource_error("no memory");
    };
    CHECK(measure_contender(none, ddla::generate::poisson2d(3, 3), true, {})["failed"] ==
          "no memory");
}

TEST_CASE("a call is timed by the clock on the wall")
{
    const double seconds =
        seconds_of_call([] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }, [] {});
    CHECK(seconds >= 0.03);
    CHECK(seconds < 1);
}

#if defined(DDLA_BENCH_LIS)
TEST_CASE("Lis solves, says how long its factors took, and keeps limits")
{
    const auto a = ddla::generate::poisson3d(12, 12, 12);
    const json r = measure_contender(lis(1).at(0), a, true, {.tolerances = {1e-10}});
    REQUIRE(r["factors"].size() == 1);
    CHECK(r["factors"][0]["seconds"].get<double>() > 0);
    CHECK(r["factors"][0]["apply_seconds"].get<double>() > 0);
    REQUIRE(r["solves"].size() == 2);
    for (const json& s : r["solves"]) CHECK(s["reached"] == true);
    const json limited =
        measure_contender(lis(1).at(0), a, false, {.tolerances = {1e-28}, .most_seconds = 1e-9});
    CHECK(limited["solves"][0]["status"] == "time limit");
    CHECK(limited["solves"][0]["claims"] == false);
}
#endif

TEST_CASE("the systems are those of the page")
{
    const auto all = preconditioned_systems(true, {}, 1);
    REQUIRE(all.size() == 6);
    CHECK(all[0].name == "7-point 16^3");
    CHECK(all[1].build().rows() == 32 * 32 * 32);
    CHECK(all[4].name == "elasticity 5^3");
    CHECK(preconditioned_systems(false, {}, 1)[1].name == "7-point 128^3");
}
