// What building a preconditioner took, which pivots were bad, and what is refused; one text for
// every place.
#include "catch.hpp"
#include "support/place.hpp"
#include "support/refusal.hpp"
#include "support/solve_there.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"

#include <string>

using ddla::csr_matrix;
using ddla::index_t;
using ddla::method;
using ddla::preconditioner;
using ddla::preconditioner_options;
using ddla::preconditioning;
using test::place_under_test;
using test::refusal;
using test::solve_there;
using dd = ddla::dd_real;

namespace {

csr_matrix<double> with_zero_pivot()
{
    ddla::coordinates<double> c{.rows = 3, .columns = 3};
    const double value[3][3] = {{4, 1, 2}, {2, 5, 1}, {6, 6, 3}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) c.add(i, j, value[i][j]);
    return csr_matrix<double>(c);
}

}  // namespace

TEST_CASE("built() says what factors took, and which pivot was bad", "[solvers]")
{
    const auto grid = ddla::generate::poisson2d(20, 20);
    const auto k = preconditioner<dd>::ilu(grid);
    const auto there = preconditioner<dd>::ilu(grid.to(place_under_test()));
    CHECK(there.where() == place_under_test());
    CHECK(there.built().fill == 1);
    CHECK(there.built().operations == k.built().operations);
    CHECK(there.built().smallest_pivot == k.built().smallest_pivot);
    CHECK(there.built().bytes >= k.built().bytes);
    CHECK(k.name() == "ilu");
    CHECK(k.built().fill == 1);
    CHECK(k.built().shifts == 0);
    CHECK(k.built().bad_row == -1);
    // 12 bytes an entry; and for each row of L and of U 20 bytes, an unknown, and permutations.
    const std::size_t entries = 12 * std::size_t(grid.nonzeros()), rows = std::size_t(grid.rows());
    CHECK(k.built().bytes > entries + 2 * rows * (20 + sizeof(dd)));
    CHECK(k.built().bytes < entries + 2 * rows * (20 + sizeof(dd)) + 2 * rows * 32);
    CHECK(preconditioner<dd>::ilu(grid, {.fill = 3}).built().fill > 1.5);
    const auto a = with_zero_pivot();
    preconditioner_options o{.scale = false, .match = false};
    const auto shifted = preconditioner<double>::ilu(a, o);
    CHECK(shifted.built().shifts == 1);
    CHECK(shifted.built().bad_row == 2);
}

TEST_CASE("a row without a usable pivot is named", "[solvers]")
{
    const auto row_of = [](const auto& make) {
        try {
            make();
        } catch (const ddla::pivot_error& e) {
            CHECK(std::string(e.what()).find("row " + std::to_string(e.row() + 1)) !=
                  std::string::npos);
            return std::pair(e.row(), e.may_shift());
        }
        return std::pair(index_t(-1), false);
    };
    using is = std::pair<index_t, bool>;
    const auto a = with_zero_pivot();
    preconditioner_options o{.scale = false, .match = false, .pivots = ddla::bad_pivot::refuse};
    CHECK(row_of([&] { preconditioner<double>::ilu(a, o); }) == is(2, true));
    CHECK(row_of([&] { preconditioner<dd>::ilut(a, o); }) == is(2, true));
    ddla::vector<dd> x(3);
    CHECK(row_of([&] {
              ddla::solve(
                  a, ddla::vector<dd>(3, dd(1)), x,
                  {.method = method::fgmres, .precond = preconditioning::ilu, .preconditioner = o});
          }) == is(2, true));
    // Reordered: the row is that of A.
    o.ordering = ddla::column_ordering::rcm;
    CHECK(row_of([&] { preconditioner<double>::ilu(a, o); }).first >= 0);
    // IC: no root; a diagonal entry that no shift makes positive; far too large entries beside it.
    const auto symmetric = [](double a00, double a01, double a11) {
        ddla::coordinates<double> c{.rows = 2, .columns = 2};
        c.add(0, 0, a00), c.add(0, 1, a01), c.add(1, 0, a01), c.add(1, 1, a11);
        return csr_matrix<double>(c);
    };
    const auto ic = [&](const csr_matrix<double>& m, ddla::bad_pivot pivots) {
        return row_of([&] { preconditioner<dd>::ic(m, {.pivots = pivots}); });
    };
    CHECK(ic(symmetric(1, 2, 1), ddla::bad_pivot::refuse) == is(1, true));
    CHECK(ic(symmetric(1, 2, 1), ddla::bad_pivot::shift) == is(-1, false));
    for (const auto pivots : {ddla::bad_pivot::shift, ddla::bad_pivot::refuse})
        CHECK(ic(symmetric(2, 1, -1), pivots) == is(1, false));
    CHECK(ic(symmetric(1, 1e6, 1), ddla::bad_pivot::shift) == is(1, false));
    CHECK(refusal([&] {
              preconditioner<dd>::ic(ddla::generate::convection_diffusion(3, 3, 3));
          }).find("entry (2, 1) differs from entry (1, 2)") != std::string::npos);
}

TEST_CASE("solves report the preconditioner that they had", "[solvers]")
{
    const auto a = ddla::generate::poisson2d(20, 20);
    const ddla::vector<dd> b(a.rows(), dd(1));
    const auto used = [&](preconditioning p, const preconditioner<dd>& k = {}) {
        ddla::vector<dd> x(a.rows());
        return solve_there(a, b, x, {.method = method::fgmres, .precond = p}, k).preconditioner;
    };
    CHECK(!used(preconditioning::none));
    CHECK(!used(preconditioning::jacobi));
    const auto ilu = used(preconditioning::ilu);
    REQUIRE(ilu);
    const auto object = preconditioner<dd>::ilu(a.to(place_under_test()));
    CHECK(ilu->name == "ilu");
    CHECK(ilu->built.fill == 1);
    CHECK(ilu->built.seconds > 0);
    CHECK(ilu->built.bytes == object.built().bytes);
    CHECK(ilu->built.smallest_pivot == object.built().smallest_pivot);
    CHECK(ilu->built.smallest_pivot_row == object.built().smallest_pivot_row);
    CHECK(used(preconditioning::none, object)->built.seconds == object.built().seconds);
    const auto lu = used(preconditioning::lu);
    REQUIRE(lu);
    CHECK(lu->name == "lu");
    CHECK(lu->built.smallest_pivot_row >= 0);
    CHECK(lu->built.operations > ilu->built.operations);
}

TEST_CASE("preconditioners that would take too much name the limit", "[solvers]")
{
    const auto a = ddla::generate::convection_diffusion(5, 5, 5);
    const auto passed = [&](auto make, const preconditioner_options& o) {
        try {
            make(a, o);
        } catch (const ddla::limit_error& e) {
            const std::string kind = to_string(e.kind());
            CHECK(std::string(e.what()).find("(most_" + kind + ")") != std::string::npos);
            return kind;
        }
        return std::string("none");
    };
    const auto ilu = [](const auto& m, const auto& o) { preconditioner<dd>::ilu(m, o); };
    CHECK(passed(ilu, {.fill = 4}) == "none");
    CHECK(passed(ilu, {.fill = 4, .most_work = 1e-9}) == "work");
    CHECK(passed(ilu, {.fill = 4, .most_memory = 1000}) == "memory");
    CHECK(passed(ilu, {.fill = 4, .most_fill = 1.1}) == "fill");
    CHECK(passed(ilu, {.fill = 4, .most_fill = 1.1, .most_memory = 1000}) == "memory");
    CHECK(passed(ilu, {.fill = 4, .most_fill = 0.1, .most_memory = 1000}) == "fill");
    const auto ilut = [](const auto& m, const auto& o) { preconditioner<double>::ilut(m, o); };
    CHECK(passed(ilut, {.drop = 0, .most_fill = 1.1}) == "fill");
}

TEST_CASE("preconditioners that cannot be built are refused", "[solvers]")
{
    const auto a = ddla::generate::convection_diffusion(5, 5, 5);
    CHECK_THROWS_AS(preconditioner<dd>::ic(a), ddla::input_error);
    CHECK_THROWS_AS(preconditioner<dd>::ilu(a, {.fill = -1}), ddla::input_error);
    const ddla::linear_operator<dd> function(5, 5, [](ddla::vec<const dd> x, ddla::vec<dd> y) {
        for (index_t i = 0; i < x.size; ++i) y.set(i, x.get(i));
    });
    const ddla::vector<dd> b(5, dd(1));
    ddla::vector<dd> x(5);
    CHECK_THROWS_AS(
        ddla::solve(function, b, x, {.method = method::fgmres, .precond = preconditioning::ilu}),
        ddla::input_error);
}
