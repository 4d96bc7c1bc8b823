// What automatic solves iterate where LU is too large, by what the matrix is: one text for every
// place.  Each branch of the choice has a small matrix, and the stages that its plan names.
#include "catch.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"
#include "support/solve_there.hpp"
#include "support/solves.hpp"

#include "matrix/matrix_shape.hpp"

#include "ddla/generate.hpp"

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::api::nonsymmetric_method;
using ddla::api::shape_of;
using test::matrix_of;

namespace {

using names = std::vector<std::string>;

ddla::solve_options without_lu(double tolerance = 1e-12)
{
    ddla::solve_options o;
    o.tolerance = tolerance;
    o.factorisation.most_work = 1e-9;
    return o;
}

/// The stages behind the attempt to factor, b = 1; the same at every place.
names stages_of(const csr_matrix<double>& a, const ddla::solve_options& options)
{
    const ddla::vector<dd_real> b(a.rows(), dd_real(1));
    ddla::vector<dd_real> x(a.rows()), here(a.rows());
    const auto there = test::solve_there(a, b, x, options);
    const auto at_host = ddla::solve(a, b, here, options);
    test::check_same(at_host, there);
    names found, of_host;
    for (const auto& stage : there.plan)
        if (!stage.name.starts_with("factor")) found.push_back(stage.name);
    for (const auto& stage : at_host.plan)
        if (!stage.name.starts_with("factor")) of_host.push_back(stage.name);
    CHECK(found == of_host);
    CHECK((there.status == ddla::solve_status::converged) == (options.tolerance > 1e-30));
    return found;
}

/// The grid with one entry set: the rows are not sorted by column any more.
csr_matrix<double> grid_with(index_t row, index_t column, double value)
{
    const auto grid = ddla::generate::poisson2d(20, 20);
    const ddla::csr<double> view = grid.view();
    ddla::coordinates<double> c{.rows = grid.rows(), .columns = grid.columns()};
    for (index_t i = 0; i < view.rows; ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            if (i != row || view.column[k] != column) c.add(i, view.column[k], view.value.get(k));
    if (value != 0) c.add(row, column, value);
    return csr_matrix<double>(c);
}

/// d I + s (a skew-symmetric band).
csr_matrix<double> skewed(double d, double s, index_t n = 300)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        c.add(i, i, d);
        for (const index_t j : {i + 1, i + 17})
            if (j < n) {
                c.add(i, j, s);
                c.add(j, i, -s);
            }
    }
    return csr_matrix<double>(c);
}

const names by_cholesky = {"ic", "cg in double"};
const names by_ilu = {"ilu(2)", "bicgstab in double"};

}  // namespace

TEST_CASE("a symmetric matrix with a positive diagonal has CG with Cholesky factors", "[choice]")
{
    CHECK(stages_of(ddla::generate::poisson2d(20, 20), without_lu()) == by_cholesky);
}

TEST_CASE("where corrections with Cholesky factors bring little, ILU is next", "[choice]")
{
    // Indefinite, which does not show.
    const auto grid = ddla::generate::poisson2d(30, 30);
    ddla::coordinates<double> c{.rows = grid.rows(), .columns = grid.columns()};
    const ddla::csr<double> view = grid.view();
    for (index_t i = 0; i < view.rows; ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            c.add(i, view.column[k], view.column[k] == i ? 1 : -1);
    const csr_matrix<double> indefinite(c);
    CHECK(shape_of(indefinite.view()).may_be_definite);
    const ddla::vector<dd_real> b(indefinite.rows(), dd_real(1));
    ddla::vector<dd_real> x(indefinite.rows());
    auto options = without_lu();
    options.max_iterations = 1010;
    const auto report = test::solve_there(indefinite, b, x, options);
    REQUIRE(report.plan.size() >= 4);
    CHECK(report.plan[1].name == "ic");
    CHECK(report.plan[2].name == "cg in double");
    CHECK(*report.plan[2].true_relative_residual > 1e-3);
    CHECK(report.plan[2].iterations == 1000);
    CHECK(report.plan[3].name == "ilu(2)");
}

TEST_CASE("what cannot be positive definite has ILU", "[choice]")
{
    CHECK(stages_of(grid_with(5, 6, -0.75), without_lu()) == by_ilu);  // a value without its mirror
    CHECK(stages_of(grid_with(25, 5, 0), without_lu()) == by_ilu);  // an entry without its mirror
    CHECK(stages_of(grid_with(5, 300, 0.25), without_lu()) == by_ilu);
    CHECK(stages_of(grid_with(7, 7, -4), without_lu()) == by_ilu);
    CHECK(stages_of(grid_with(7, 7, 0), without_lu()) == by_ilu);
    CHECK(stages_of(ddla::generate::convection_diffusion(8, 8, 8), without_lu()) == by_ilu);
}

TEST_CASE("eigenvalues nearer to the imaginary axis have BiCGStab(2)", "[choice]")
{
    // The squares of the eigenvalues: 300 d^2 - 2 s^2 (299 + 283).
    const auto little = skewed(2, 1), much = skewed(1.5, 1);
    CHECK(shape_of(little.view()).sum_of_squares == 36);
    CHECK(shape_of(much.view()).sum_of_squares == -489);
    CHECK(stages_of(little, without_lu()) == by_ilu);
    CHECK(stages_of(much, without_lu()) == names{"ilu(2)", "bicgstabl in double"});
    CHECK(nonsymmetric_method({false, 0}) == ddla::method::bicgstab);
    CHECK(nonsymmetric_method({false, -1}) == ddla::method::bicgstabl);
}

TEST_CASE("corrections in double come before the method in the solve's precision", "[choice]")
{
    // No x in double-double has this residual: all stages are gone through.
    const names ilu = {"ilu(2)",
                       "bicgstab in double",
                       "bicgstab",
                       "ilu(6)",
                       "bicgstab in double",
                       "bicgstab",
                       "ilu(20)",
                       "bicgstab in double",
                       "bicgstab",
                       "fgmres",
                       "bicgstab"};
    names all = {"ic", "cg in double", "cg"};
    all.insert(all.end(), ilu.begin(), ilu.end());
    CHECK(stages_of(ddla::generate::poisson2d(20, 20), without_lu(1e-40)) == all);
    CHECK(stages_of(grid_with(5, 6, -0.75), without_lu(1e-40)) == ilu);
    names twice = ilu;
    for (std::string& name : twice)
        if (name.starts_with("bicgstab")) name.insert(8, "l");
    CHECK(stages_of(skewed(1.5, 1), without_lu(1e-40)) == twice);
}

TEST_CASE("factors past their limits: fewer, then the diagonal, then none", "[choice]")
{
    auto options = without_lu();
    options.preconditioner.most_fill = 0.5;
    CHECK(stages_of(ddla::generate::poisson2d(20, 20), options) ==
          names{"ic, too large", "ilu(2), too large", "ilu(0), too large", "bicgstab in double"});
    CHECK(stages_of(grid_with(7, 7, 0), options) ==
          names{"ilu(2), too large", "ilu(0), too large", "bicgstab in double"});
    options.preconditioner.most_fill = 1.01;
    CHECK(stages_of(ddla::generate::convection_diffusion(8, 8, 8), options) ==
          names{"ilu(2), too large", "ilu(0)", "bicgstab in double"});
}

TEST_CASE("a stage has 1000 products at most", "[choice]")
{
    // Without room for factors, and far from I: the diagonal brings little.
    const index_t n = 3000;
    ddla::coordinates<double> laplacian{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i)
        for (index_t j = std::max<index_t>(0, i - 1); j <= std::min(n - 1, i + 1); ++j)
            laplacian.add(i, j, i == j ? 2 : j > i ? -1 : -0.999);
    const auto most_of_stages = [](const csr_matrix<double>& a) {
        auto options = without_lu();
        options.preconditioner.most_fill = 0.5;
        options.max_iterations = 1200;
        const ddla::vector<dd_real> b(a.rows(), dd_real(1));
        ddla::vector<dd_real> x(a.rows());
        const auto report = test::solve_there(a, b, x, options);
        std::int64_t before = 0, most = 0;
        for (const auto& stage : report.plan) {
            if (stage.name != "fgmres") most = std::max(most, stage.iterations - before);
            before = stage.iterations;
        }
        return std::pair(report.plan[3].name, most);
    };
    CHECK(most_of_stages(csr_matrix<double>(laplacian)) ==
          std::pair(std::string("bicgstab in double"), std::int64_t(500)));
    CHECK(most_of_stages(skewed(0.01, 1, n)) ==
          std::pair(std::string("bicgstabl in double"), std::int64_t(250)));
}

TEMPLATE_TEST_CASE("the shape of a matrix sees every word and rows in any order", "[choice]",
                   double, dd_real)
{
    using V = TestType;
    const V low = ddla::words_of<V> == 2 ? V(1) + V(0x1p-80) : V(1) + V(0x1p-52);
    const auto of = [](V upper, V lower, V last) {
        const std::vector<index_t> begin = {0, 2, 4};
        ddla::vector<V> value(4);
        value.view().set(0, upper);
        value.view().set(1, V(3));
        value.view().set(2, last);
        value.view().set(3, lower);
        return shape_of(csr_matrix<V>(2, 2, begin, {1, 0, 1, 0}, std::move(value)).view());
    };
    CHECK(of(V(1), V(1), V(2)).may_be_definite);
    CHECK(of(low, low, V(2)).may_be_definite);
    CHECK(!of(low, V(1), V(2)).may_be_definite);
    CHECK(!of(V(1), low, V(2)).may_be_definite);
    CHECK(!of(V(1), V(1), V(-2)).may_be_definite);
    CHECK(!of(V(1), V(1), V(0)).may_be_definite);
    CHECK(of(V(5), V(-7), V(2)).sum_of_squares == 9 + 4 - 70);
}
