// The module of Fortran gives the bits of C++.
#include "catch.hpp"

#include <ddla/ddla.hpp>
#include <ddla/plan.hpp>

#include <algorithm>
#include <limits>

extern "C" void fortran_results(double words[36][2]);

namespace {

using namespace ddla;

constexpr index_t n = 40;

struct results {
    double words[36][2];
    results() { fortran_results(words); }
    /// Result k, from 1.
    dd_real operator()(int k) const { return {words[k - 1][0], words[k - 1][1]}; }
};

csr_matrix<double> tridiagonal()
{
    coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        if (i > 0) c.add(i, i - 1, -1);
        c.add(i, i, 4);
        if (i + 1 < n) c.add(i, i + 1, -2);
    }
    return csr_matrix<double>(c);
}

vector<dd_real> right_hand_side()
{
    vector<dd_real> b(n);
    for (index_t i = 0; i < n; ++i) b[i] = dd_real(1) / dd_real(double(i + 1));
    return b;
}

}  // namespace

TEST_CASE("numbers in Fortran have the bits of C++")
{
    const results found;
    const dd_real third = dd_real(1) / dd_real(3);
    CHECK(found(1) == third);
    CHECK(found(2) == (third + dd_real(2)) * third - sqrt(dd_real(2)));
    CHECK(found(3) == abs(-third / dd_real(7)));
    // The binary128 next to 1/3 is 2^-114 / 3 below it, and fits into two doubles.
    CHECK(found(4).hi == third.hi);
    CHECK(std::abs(found(4).lo - third.lo) <= 0x1p-113);
    CHECK(std::abs(found(5).hi) <= 0x1p-106);
    CHECK(found(15) == dd_real(1, third.hi));
    CHECK(found(19) == dd_real(15, 1));
    CHECK(found(17) == dd_real(std::int64_t{9007199254740993}));
    CHECK(found(18) == dd_real(std::int64_t{-9223372036854775807}));
}

TEST_CASE("integers beside numbers, powers and limits in Fortran have the bits of C++")
{
    const results found;
    const dd_real third = dd_real(1) / dd_real(3), square = third * third;
    const dd_real seventh_power = third * square * (square * square), inverse = dd_real(1) / third;
    CHECK(found(22) == seventh_power - inverse * (inverse * inverse) + dd_real(1));
    CHECK(found(23) == (dd_real(2) * third - dd_real(1)) / dd_real(3) +
                           (third + dd_real(4)) * dd_real(5) - dd_real(6) / third -
                           (dd_real(7) - third / dd_real(8)));
    CHECK(found(24).hi == 16);
    CHECK(found(25) == -third + dd_real(2) * third);
    CHECK(found(27).hi == 1);
    CHECK(found(27).lo == std::numeric_limits<dd_real>::max().lo);
}

TEST_CASE("solves in Fortran have the bits of C++")
{
    const results found;
    const csr_matrix<double> a = tridiagonal();
    const vector<dd_real> b = right_hand_side();
    vector<dd_real> y(n), x(n);
    spmv(dd_real(1), a, b, dd_real(0), y);
    CHECK(found(6) == dot(y, b));
    CHECK(found(7) == dot(y, b));
    CHECK(found(20) == nrm2(b));
    CHECK(found(21) == dot(b, vector<dd_real>(n, dd_real(1))));
    CHECK(found(26) == *std::min_element(y.begin(), y.end()) +
                           *std::max_element(b.begin(), b.end()) * dd_real(3));
    const solve_report by_factors = solve(a, b, x);
    CHECK(found(8) == x[0]);
    CHECK(found(9) == x[n - 1]);
    CHECK(found(10) == dd_real(by_factors.true_relative_residual, 1));
    x = vector<dd_real>(n);
    const solve_report proved = solve(a, b, x, {.certify = true});
    REQUIRE(proved.bound->certified);
    CHECK(found(16).hi == *proved.bound->normwise);
    x = vector<dd_real>(n);
    const solve_report iterated =
        solve(a, b, x,
              {.method = method::bicgstab, .precond = preconditioning::jacobi, .tolerance = 1e-25});
    CHECK(found(11) == x[6]);
    CHECK(found(12) == dd_real(double(iterated.iterations), iterated.true_relative_residual));
}

TEST_CASE("plans in Fortran are those of C++")
{
    const results found;
    const csr_matrix<double> a = tridiagonal();
    const vector<dd_real> b = right_hand_side(), x(n);
    const auto automatic = plan_solve(a, b, x);
    CHECK(found(28).hi == double(automatic.size()));
    CHECK(found(28).lo == automatic[0].work.amount);
    const auto cg = plan_solve(a, b, x, {.method = method::cg, .max_iterations = 7});
    CHECK(found(29).hi == 7);
    CHECK(found(29).lo == cg[0].bytes.amount);
    const std::string json = plan_json(reported(a), method::cg, "none", {{cg, "dd"}});
    CHECK(found(30).hi == double(json.size()));
    CHECK(found(30).lo == 200);  // DDLA_INPUT, and no stage
}

TEST_CASE("options that are not numbers in Fortran: blocks, history, a watch")
{
    const results found;
    const csr_matrix<double> a = tridiagonal();
    const vector<dd_real> b = right_hand_side();
    vector<dd_real> x(n);
    const solve_report in_blocks = solve(a, b, x,
                                         {.method = method::bicgstab,
                                          .precond = preconditioning::block_jacobi,
                                          .preconditioner = {.blocks = {0, 10, n}},
                                          .record_history = true});
    CHECK(found(31) == x[2]);
    CHECK(found(32).hi == double(in_blocks.history.size()));
    CHECK(found(32).lo == in_blocks.history.back());
    int looks = 0;
    x = vector<dd_real>(n);
    const solve_report ended = solve(a, b, x,
                                     {.method = method::cg,
                                      .tolerance = 0,
                                      .check_every = 1,
                                      .watch = [&](const solve_progress&) { return ++looks < 3; }});
    CHECK(found(33).hi == looks);
    CHECK(found(33).lo == double(ended.iterations));
}

TEST_CASE("errors in Fortran are stat and errmsg")
{
    const results found;
    for (const int k : {13, 14, 34, 35, 36}) {
        CHECK(found(k).hi == 2);  // DDLA_INPUT
        CHECK(found(k).lo > 0);   // the message has the number, and counts from 1
    }
}
