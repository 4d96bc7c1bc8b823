// Solvers by the public call against the serial program over QD, one text for every place: every
// iterate, bit for bit, however the work is cut.
#include "support/place.hpp"
#include "support/random.hpp"
#include "support/serial_solvers.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;
using test::place_under_test;

namespace {

ddla::csr_matrix<double> nonsymmetric()
{
    return ddla::generate::convection_diffusion(9, 8, 7);
}

/// x that the place under test finds from a guess.
template <class T, class V>
ddla::solve_report solve_there(const ddla::csr_matrix<V>& a, const ddla::vector<T>& b,
                               ddla::vector<T>& x, const ddla::solve_options& options)
{
    auto x_there = x.to(place_under_test());
    const auto report =
        ddla::solve(a.to(place_under_test()), b.to(place_under_test()), x_there, options);
    x = x_there.to(ddla::host);
    return report;
}

}  // namespace

TEMPLATE_TEST_CASE("BiCGStab with three levels of sums", "[solvers]", double, dd)
{
    // 75,264 rows: enough that every sweep is shared, and that tile sums need tiles themselves.
    const auto a = ddla::generate::convection_diffusion(64, 49, 24);
    const auto b = test::random_vector<TestType>(a.rows(), 37, 0);
    oracle::bicgstab<oracle::type<TestType>> serial(a, oracle::to(b),
                                                    oracle::to(ddla::vector<TestType>(a.rows())));
    for (int k = 0; k < 3; ++k) serial.iterate(a, {});
    test::under_every_cut([&] {
        ddla::vector<TestType> x(a.rows());
        solve_there(a, b, x,
                    {.method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 3});
        CHECK(same_bits(x, serial.x));
    });
}

TEMPLATE_TEST_CASE("BiCGStab from a guess", "[solvers]", double, dd)
{
    const auto a = nonsymmetric();
    const auto b = test::random_vector<TestType>(a.rows(), 33, 0);
    const auto guess = test::random_vector<TestType>(a.rows(), 34, 0);
    oracle::bicgstab<oracle::type<TestType>> serial(a, oracle::to(b), oracle::to(guess));
    for (int k = 0; k < 17; ++k) serial.iterate(a, {});
    test::under_every_cut([&] {
        for (const int check_every : {1, 5, 1000}) {
            auto x = guess;
            const auto report = solve_there(a, b, x,
                                            {.method = ddla::method::bicgstab,
                                             .tolerance = 0,
                                             .max_iterations = 17,
                                             .check_every = check_every});
            CHECK(report.iterations == 17);
            CHECK(same_bits(x, serial.x));
        }
    });
}

TEMPLATE_TEST_CASE("CG, every iterate", "[solvers]", double, dd)
{
    const auto a = ddla::generate::poisson2d(23, 19);
    const auto b = test::random_vector<TestType>(a.rows(), 35, 0);
    for (const bool jacobi : {false, true}) {
        const auto d = jacobi ? oracle::inverse_diagonal<TestType>(a) : ddla::vector<TestType>();
        const auto qd = oracle::to(d);
        oracle::cg<oracle::type<TestType>> serial(a, oracle::to(b),
                                                  oracle::to(ddla::vector<TestType>(a.rows())), qd);
        ddla::solve_options options{.method = ddla::method::cg, .tolerance = 0};
        options.precond = jacobi ? ddla::preconditioning::jacobi : ddla::preconditioning::none;
        options.record_history = true;
        for (int k = 1; k <= 30; ++k) {
            serial.iterate(a, qd);
            ddla::vector<TestType> x(a.rows());
            options.max_iterations = k;
            const auto report = solve_there(a, b, x, options);
            INFO("iteration " << k);
            CHECK(same_bits(x, serial.x));
            REQUIRE(report.history.size() == std::size_t(k) + 1);
            CHECK(report.history.back() == report.relative_residual);
        }
    }
}

TEST_CASE("a double-double matrix with double values solves the same", "[solvers]")
{
    const auto a = nonsymmetric();
    const auto b = test::random_vector<dd>(a.rows(), 36, 0);
    ddla::vector<dd> x(a.rows()), y(a.rows());
    const auto narrow = solve_there(a, b, x, {});
    const auto wide = solve_there(ddla::widen(a), b, y, {});
    CHECK(narrow.status == ddla::solve_status::converged);
    CHECK(wide.status == ddla::solve_status::converged);
    CHECK(narrow.iterations == wide.iterations);
}
