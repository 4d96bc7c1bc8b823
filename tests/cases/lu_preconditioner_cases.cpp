// LU factors as a preconditioner, one text for every place: the bits of factors on the host.
#include "support/operands.hpp"
#include "support/shapes.hpp"
#include "support/solves.hpp"

#include "factor/supernodal/static_factors.hpp"

#include "ddla/error.hpp"
#include "ddla/factors.hpp"
#include "ddla/generate.hpp"

#include <optional>

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::lu_factors;
using ddla::method;
using ddla::preconditioner;
using ddla::preconditioning;
using ddla::solve_options;
using ddla::solve_status;
using test::place_under_test;

namespace {

template <class T, class F>
struct numbers {
    using scalar = T;
    using value = F;
};
#define ALL_NUMBERS                                                                                \
    (numbers<double, double>), (numbers<double, dd_real>), (numbers<dd_real, double>),             \
        (numbers<dd_real, dd_real>)

/// Values of A times 1 + something below 2^-bits.
csr_matrix<double> perturbed(const csr_matrix<double>& a, int bits)
{
    const ddla::csr<double> view = a.view();
    test::random_numbers random(5);
    ddla::coordinates<double> c{.rows = a.rows(), .columns = a.columns()};
    for (index_t i = 0; i < view.rows; ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            c.add(i, view.column[k], view.value.get(k) * (1 + std::ldexp(random.real(), -bits)));
    return csr_matrix<double>(c);
}

/// By a function for the host, whatever the place is.
template <class T, class F>
preconditioner<T> by_function(const lu_factors<F>& f)
{
    return {"a function", f.about().n, [f](ddla::vec<const T> r, ddla::vec<T> z) {
                ddla::vector<T> from(r.size), to(r.size);
                for (index_t i = 0; i < r.size; ++i) from.set(i, r.get(i));
                f.solve(from, to);
                for (index_t i = 0; i < r.size; ++i) z.set(i, ddla::vec<const T>(to.view()).get(i));
            }};
}

}  // namespace

TEMPLATE_TEST_CASE("LU at a place has the bits of the factors' own solve", "[triangles]",
                   ALL_NUMBERS)
{
    using T = typename TestType::scalar;
    using F = typename TestType::value;
    const auto at = place_under_test();
    const auto grid = ddla::generate::convection_diffusion(9, 8, 7);
    const auto random = ddla::generate::random(300, 6, 0.01, 9);  // rows beyond a tile
    for (const auto* a : {&grid, &random}) {
        const lu_factors<F> f(*a);
        const auto k = preconditioner<T>::lu(f, at);
        CHECK(k.name() == "lu");
        CHECK(k.where() == at);
        CHECK(k.size() == a->rows());
        CHECK(k.built().bytes > 0);
        CHECK(k.built().smallest_pivot == f.about().smallest_pivot);
        CHECK(k.built().fill == double(f.about().entries) / double(a->nonzeros()));
        for (const auto kind : test::all_operands) {
            INFO(test::name_of(kind));
            const auto r = test::operands<T>(kind, a->rows(), 31);
            ddla::vector<T> truth(a->rows()), z(a->rows(), at);
            f.solve(r, truth);
            k.apply(r.to(at), z);
            CHECK(test::same_bits(z, truth));
        }
    }
}

TEMPLATE_TEST_CASE("LU by supernodes at a place has the bits of the factors' own solve",
                   "[triangles]", double, dd_real)
{
    using T = TestType;
    const auto at = place_under_test();
    const auto a = ddla::generate::convection_diffusion(24, 24, 24);
    const lu_factors<double> here(a), f(a.to(at));  // of so much work that they are made there
    REQUIRE(f.by_supernodes());
    CHECK(f.by_supernodes()->about().maker == (at.is_host()
                                                   ? ddla::factor::factor_maker_is::host
                                                   : ddla::factor::factor_maker_is::device));
    const auto k = preconditioner<T>::lu(f, at);
    CHECK(k.name() == "lu");
    CHECK(k.where() == at);
    CHECK(k.built().bytes > 0);
    CHECK(k.built().smallest_pivot == here.about().smallest_pivot);
    const auto r = test::random_vector<T>(a.rows(), 31);
    ddla::vector<T> truth(a.rows()), z(a.rows(), at);
    here.solve(r, truth);
    k.apply(r.to(at), z);
    CHECK(test::same_bits(z, truth));

    // Of a matrix nearby, in a solve.
    const auto near = perturbed(a, 9);
    const solve_options options{
        .method = method::fgmres, .tolerance = sizeof(T) == 8 ? 1e-11 : 1e-25, .restart = 7};
    const auto b = test::random_vector<T>(a.rows(), 32, 0);
    ddla::vector<T> x(a.rows()), y(a.rows(), at);
    const auto by_host = ddla::solve(near, by_function<T>(here), b, x, options);
    CHECK(by_host.status == solve_status::converged);
    test::check_same(by_host, ddla::solve(near.to(at), k, b.to(at), y, options));
    CHECK(test::same_bits(y, x));
}

TEMPLATE_TEST_CASE("solves with LU of a matrix nearby have the bits of a function's on the host",
                   "[triangles]", ALL_NUMBERS)
{
    using T = typename TestType::scalar;
    using F = typename TestType::value;
    const auto at = place_under_test();
    const auto a = ddla::generate::poisson2d(23, 24);
    const lu_factors<F> f(perturbed(a, 5));
    const auto b = test::random_vector<T>(a.rows(), 32, 0);
    const auto there = a.to(at);
    const auto b_there = b.to(at);
    for (const auto m : {method::fgmres, method::bicgstab, method::cg}) {
        INFO(title(m));
        solve_options options{.method = m,
                              .tolerance = sizeof(T) == 8 ? 1e-11 : 1e-25,
                              .max_iterations = 100,
                              .restart = 7,
                              .record_history = true};
        ddla::vector<T> x(a.rows());
        const auto here = ddla::solve(a, by_function<T>(f), b, x, options);
        if (m != method::cg) CHECK(here.status == solve_status::converged);
        CHECK(here.iterations > 5);
        const auto k = preconditioner<T>::lu(f, at);
        test::under_few_cuts([&] {
            for (const std::int64_t interval : test::next_intervals()) {
                options.check_every = interval;
                ddla::vector<T> y(a.rows(), at);
                test::check_same(here, ddla::solve(there, k, b_there, y, options));
                CHECK(test::same_bits(y, x));
            }
        });
    }
}

TEMPLATE_TEST_CASE("methods with their own LU converge at once", "[triangles]", double, dd_real)
{
    using T = TestType;
    const auto a = ddla::generate::convection_diffusion(12, 11, 10);
    const auto b = test::random_vector<T>(a.rows(), 33, 0);
    for (const auto m : {method::fgmres, method::bicgstab})
        for (const auto f :
             {ddla::factor_precision::automatic, ddla::factor_precision::in_double_double}) {
            ddla::vector<T> x(a.rows());
            const auto report =
                test::solve_in_every_way(a, b, x,
                                         {.method = m,
                                          .precond = preconditioning::lu,
                                          .tolerance = sizeof(T) == 8 ? 1e-13 : 1e-26,
                                          .factorisation = {.factors = f}});
            CHECK(report.status == solve_status::converged);
            CHECK(report.iterations <= 2);
            const auto plain = test::solve_in_every_way(
                a, b, x, {.method = m, .tolerance = 1e-3, .max_iterations = 2});
            CHECK(report.peak_bytes > plain.peak_bytes);
        }
    ddla::vector<T> x(a.rows());
    solve_options options{.method = method::fgmres, .precond = preconditioning::lu};
    const auto own = ddla::solve(a, b, x, options);
    const lu_factors<double> f(a);
    options.precond = preconditioning::none;
    ddla::vector<T> y(a.rows());
    const auto object = ddla::solve(a, preconditioner<T>::lu(f), b, y, options);
    test::check_same(own, object);
}

TEST_CASE("LU that cannot be says why, with numbers", "[triangles]")
{
    const auto at = place_under_test();
    ddla::coordinates<double> c{.rows = 3, .columns = 3};
    for (const index_t i : {0, 1, 2})
        for (const index_t j : {0, 1}) c.add(i, j, double(1 + i * j));
    const csr_matrix<double> singular(c);
    const ddla::vector<double> ones(3, 1.0, at);
    ddla::vector<double> x(3, at);
    solve_options options{.method = method::fgmres, .precond = preconditioning::lu};
    CHECK_THROWS_AS(ddla::solve(singular.to(at), ones, x, options), ddla::input_error);
    const auto message = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const ddla::error& e) {
            return e.what();
        }
        return "";
    };
    const lu_factors<double> f(singular);
    for (const std::string& text :
         {message([&] { ddla::solve(singular.to(at), ones, x, options); }),
          message([&] { preconditioner<double>::lu(f, at); })}) {
        INFO(text);
        CHECK(text.find("LU found a pivot in 2 of 3 columns") != text.npos);
    }
    const auto a = ddla::generate::poisson2d(20, 20);
    const ddla::vector<double> b(a.rows(), 1.0, at);
    ddla::vector<double> y(a.rows(), at);
    options.factorisation.most_work = 1e-6;
    CHECK_THROWS_AS(ddla::solve(a.to(at), b, y, options), ddla::resource_error);
    options.factorisation = {.most_memory = 1000};
    const std::string text = message([&] { ddla::solve(a.to(at), b, y, options); });
    INFO(text);
    CHECK(text.find("1000 bytes") != text.npos);
    const ddla::linear_operator<double> function(2, 2,
                                                 [](ddla::vec<const double>, ddla::vec<double>) {});
    const ddla::vector<double> two(2, 1.0);
    ddla::vector<double> z(2);
    CHECK_THROWS_WITH(ddla::solve(function, two, z, options),
                      "solve: LU needs a matrix, A is a function");
    CHECK_THROWS_WITH(
        ddla::solve(a.to(at), preconditioner<double>::lu(lu_factors<double>(a), at), b, y, options),
        "solve: lu and a preconditioner object are one preconditioner too many");
}

TEST_CASE("a watch ends the factorisation of a preconditioner", "[triangles]")
{
    const auto at = place_under_test();
    const auto a = ddla::generate::convection_diffusion(12, 11, 10).to(at);
    const ddla::vector<double> b(a.rows(), 1.0, at);
    ddla::vector<double> x(a.rows(), at);
    int looks = 0;
    const auto report = ddla::solve(a, b, x,
                                    {.method = method::fgmres,
                                     .precond = preconditioning::lu,
                                     .watch = [&](const ddla::solve_progress& p) {
                                         CHECK(p.stage == "factor");
                                         return ++looks < 3;
                                     }});
    CHECK(looks == 3);
    CHECK(report.interrupted);
    CHECK(report.iterations == 0);
    CHECK(report.true_relative_residual == 1);
}
