// BiCGStab(l), MINRES, IDR(s) and LSMR by the public call against the serial programs over QD; one
// text for every place.
#include "support/both_ways.hpp"
#include "support/methods.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;
using ddla::method;
using test::both_ways;
using test::every_kind;
using test::kind;

namespace {

/// Poisson's matrix less a number between its eigenvalues: symmetric, not definite.
ddla::csr_matrix<double> indefinite(index_t nx, index_t ny)
{
    const auto a = ddla::generate::poisson2d(nx, ny);
    ddla::coordinates<double> c{.rows = a.rows(), .columns = a.columns()};
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = a.view().row_begin[i]; k < a.view().row_begin[i + 1]; ++k) {
            const index_t j = a.view().column[k];
            c.add(i, j, a.view().value.get(k) - (i == j ? 0.7 : 0.0));
        }
    return ddla::csr_matrix<double>(c);
}

}  // namespace

TEMPLATE_TEST_CASE("BiCGStab(l), every iterate", "[solvers]", double, dd)
{
    const both_ways<TestType> system{ddla::generate::convection_diffusion(7, 8, 9)};
    for (const kind k : every_kind)
        for (const int l : {1, 2, 4})
            for (int iterations = 1; iterations <= 6; ++iterations)
                system.check(k,
                             {.method = method::bicgstabl, .max_iterations = iterations, .l = l});
}

TEMPLATE_TEST_CASE("MINRES, every iterate", "[solvers]", double, dd)
{
    const both_ways<TestType> system{indefinite(19, 23)};
    for (const kind k : every_kind)
        for (int iterations = 1; iterations <= 14; ++iterations)
            system.check(k, {.method = method::minres, .max_iterations = iterations});
}

TEMPLATE_TEST_CASE("IDR(s), every iterate", "[solvers]", double, dd)
{
    const both_ways<TestType> system{ddla::generate::convection_diffusion(7, 8, 9)};
    for (const kind k : every_kind)
        for (const int s : {1, 2, 4, 9})
            for (int iterations = 1; iterations <= 5; ++iterations)
                system.check(k, {.method = method::idr, .max_iterations = iterations, .s = s});
}

TEMPLATE_TEST_CASE("LSMR, every iterate", "[solvers]", double, dd)
{
    const auto lengths = [](index_t i) { return 1 + i % 6; };
    for (const auto& [rows, columns] :
         {std::pair<index_t, index_t>{900, 400}, {400, 400}, {300, 700}}) {
        const both_ways<TestType> system{test::random_matrix<double>(rows, columns, 153, lengths)};
        for (int iterations = 1; iterations <= 9; ++iterations)
            system.check(kind::none, {.method = method::lsmr, .max_iterations = iterations});
    }
}

TEMPLATE_TEST_CASE("methods with three levels of sums, under every cut", "[solvers]", double, dd)
{
    // 65,600 rows: enough that sweeps are shared, and that tile sums need tiles themselves.
    const both_ways<TestType> system{ddla::generate::poisson3d(41, 40, 40)};
    for (const method m : test::methods_tested_together())
        for (const kind k : {kind::none, kind::function}) {
            if (test::takes_any_shape(m) && k != kind::none) continue;
            const ddla::solve_options options{.method = m, .max_iterations = 2, .l = 2, .s = 3};
            const auto serial = system.serial(k, options);
            test::under_every_cut([&] { CHECK(same_bits(system.solved(k, options), serial)); });
        }
}

TEMPLATE_TEST_CASE("methods however often the host looks", "[solvers]", double, dd)
{
    const both_ways<TestType> system{ddla::generate::poisson2d(23, 19)};
    for (const method m : test::methods_tested_together()) {
        ddla::solve_options options{.method = m, .max_iterations = 7, .l = 3, .s = 2};
        const auto serial = system.serial(kind::none, options);
        for (const std::int64_t every : {1, 2, 7, 1000}) {
            options.check_every = every;
            CHECK(same_bits(system.solved(kind::none, options), serial));
        }
    }
}
