// The cases of streams, one text for the host and the device: operations on views have the bits of
// the operations on vectors.
#include "support/operands.hpp"
#include "support/shapes.hpp"
#include "support/sites.hpp"

#include "ddla/generate.hpp"

#include <atomic>
#include <limits>
#include <thread>

using ddla::dd_real;
using ddla::index_t;
using ddla::scalar_operand;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::numbers;
using test::offsets;
using test::same_bits;
using test::site;
using test::spot;
using test::words;

namespace {

constexpr index_t sizes[] = {0, 1, 255, 256, 257, 65537};

/// Sums returned and left there.
template <class T>
void check_sums(site& at, const ddla::vector<T>& x, const ddla::vector<T>& y, words how)
{
    ddla::stream& on = at.on();
    const numbers<T> x_there(at, x, how), y_there(at, y, how);
    const auto v = x_there.constant();
    const auto w = y_there.view();
    const spot<T> dot(at), square(at), nrm2(at), asum(at);
    ddla::dot(on, v, w, dot.at());
    ddla::dot(on, v, v, square.at());
    ddla::nrm2(on, v, nrm2.at());
    ddla::asum(on, v, asum.at());
    CHECK(same_bits(dot.value(), ddla::dot(x, y)));
    CHECK(same_bits(square.value(), ddla::dot(x, x)));
    CHECK(same_bits(nrm2.value(), ddla::nrm2(x)));
    CHECK(same_bits(asum.value(), ddla::asum(x)));
    CHECK(same_bits(ddla::dot(on, v, w), ddla::dot(x, y)));
    CHECK(same_bits(ddla::dot(on, w, w), ddla::dot(y, y)));
    CHECK(same_bits(ddla::nrm2(on, v), ddla::nrm2(x)));
    CHECK(same_bits(ddla::asum(on, v), ddla::asum(x)));
    CHECK(same_bits(x_there.values(), x));
    CHECK(same_bits(y_there.values(), y));
}

/// The operations that write a vector, in place and not.
template <class T>
void check_updates(site& at, scalar_operand<T> operand, T a, const ddla::vector<T>& x,
                   const ddla::vector<T>& y, words how)
{
    ddla::stream& on = at.on();
    const numbers<T> x_there(at, x, how), z_there(at, y, how);
    const auto v = x_there.constant();
    const auto z = z_there.view();
    ddla::vector<T> expected = y;
    const auto check = [&](const char* what) {
        INFO(what);
        CHECK(same_bits(z_there.values(), expected));
    };
    ddla::axpy(on, operand, v, z);
    ddla::axpy(a, x, expected);
    check("axpy");
    ddla::xpay(on, v, operand, z);
    ddla::xpay(x, a, expected);
    check("xpay");
    ddla::scal(on, operand, z);
    ddla::scal(a, expected);
    check("scal");
    ddla::axpyz(on, operand, z, v, z);
    ddla::axpyz(a, ddla::vector<T>(expected), x, expected);
    check("axpyz onto its first operand");
    ddla::axpyz(on, operand, v, z, z);
    ddla::axpyz(a, x, ddla::vector<T>(expected), expected);
    check("axpyz onto its second operand");
    ddla::axpy(on, operand, z, z);
    ddla::axpy(a, ddla::vector<T>(expected), expected);
    check("axpy with itself");
    ddla::copy(on, v, z);
    ddla::copy(x, expected);
    check("copy");
    CHECK(same_bits(x_there.values(), x));
}

template <class T>
void check_axpyz(site& at, T a, const ddla::vector<T>& x, const ddla::vector<T>& y, words how)
{
    const numbers<T> x_there(at, x, how), y_there(at, y, how), z_there(at, y, how);
    const spot<T> a_there(at, a);
    ddla::vector<T> expected(x.size());
    ddla::axpyz(a, x, y, expected);
    ddla::axpyz(at.on(), a_there.at(), x_there.constant(), y_there.view(), z_there.view());
    CHECK(same_bits(z_there.values(), expected));
    CHECK(same_bits(y_there.values(), y));
    CHECK(same_bits(a_there.value(), a));
}

/// Everything that reads and writes vectors.
template <class T>
void check_vectors(site& at, T a, const ddla::vector<T>& x, const ddla::vector<T>& y, words how)
{
    check_sums(at, x, y, how);
    check_updates<T>(at, a, a, x, y, how);
    const spot<T> a_there(at, a);
    check_updates<T>(at, a_there.at(), a, x, y, how);
    check_axpyz(at, a, x, y, how);
}

/// y = alpha A x + beta y by value and by address, and the residual.
template <class T, class V>
void check_products(site& at, const ddla::csr_matrix<V>& a, offsets how)
{
    ddla::stream& on = at.on();
    const auto x = test::random_vector<T>(a.columns(), 11),
               y = test::random_vector<T>(a.rows(), 12);
    const auto scalars = test::random_vector<T>(2, 13);
    const words in = how == offsets::wide ? words::together : words::apart;
    const test::matrix_there<V> a_there(at, a, how, in);
    const numbers<T> x_there(at, x, in), z_there(at, y, in), b_there(at, y, in);
    const spot<T> alpha(at, scalars[0]), beta(at, scalars[1]), zero(at, T(0));
    auto z = y;
    ddla::spmv(scalars[0], a, x, scalars[1], z);
    ddla::spmv(on, scalars[0], a_there.view(), x_there.constant(), scalars[1], z_there.view());
    CHECK(same_bits(z_there.values(), z));
    z_there.put(y);
    ddla::spmv(on, alpha.at(), a_there.view(), x_there.view(), beta.at(), z_there.view());
    CHECK(same_bits(z_there.values(), z));
    for (const scalar_operand<T> nothing : {scalar_operand<T>(0), scalar_operand<T>(zero.at())}) {
        z_there.put(ddla::vector<T>(a.rows(), T(std::nan(""))));
        ddla::spmv(scalars[0], a, x, T(0), z);
        ddla::spmv(on, alpha.at(), a_there.view(), x_there.view(), nothing, z_there.view());
        CHECK(same_bits(z_there.values(), z));
    }
    ddla::residual(a, x, y, z);
    ddla::residual(on, a_there.view(), x_there.view(), b_there.constant(), z_there.view());
    CHECK(same_bits(z_there.values(), z));
    ddla::residual(on, a_there.view(), x_there.view(), b_there.view(), b_there.view());
    CHECK(same_bits(b_there.values(), z));
    CHECK(same_bits(x_there.values(), x));
}

template <class T, class V>
void check_solve(site& at, const ddla::csr_matrix<V>& a, const ddla::solve_options& options,
                 offsets how)
{
    const auto b = test::random_vector<T>(a.rows(), 21, 0),
               guess = test::random_vector<T>(a.rows(), 22);
    auto x = guess;
    const auto expected = ddla::solve(a, b, x, options);
    const test::matrix_there<V> a_there(at, a, how);
    const numbers<T> b_there(at, b), x_there(at, guess, words::apart);
    const auto report =
        ddla::solve(at.on(), a_there.view(), b_there.constant(), x_there.view(), options);
    CHECK(same_bits(x_there.values(), x));
    CHECK(same_bits(b_there.values(), b));
    CHECK(report.status == expected.status);
    CHECK(report.iterations == expected.iterations);
    CHECK(same_bits(report.relative_residual, expected.relative_residual));
    CHECK(same_bits(report.true_relative_residual, expected.true_relative_residual));
    CHECK(report.solution_hash == expected.solution_hash);
    CHECK(report.history == expected.history);
    CHECK(report.where == at.on().where());
}

}  // namespace

TEMPLATE_TEST_CASE("operations on views of vectors", "[streams]", double, dd_real)
{
    const TestType a = test::random_vector<TestType>(1, 1)[0];
    test::at_every_site([&](site& at) {
        for (const index_t n : sizes)
            for (const words how : {words::together, words::apart}) {
                INFO("n = " << n);
                check_vectors(at, a, test::random_vector<TestType>(n, 2),
                              test::random_vector<TestType>(n, 3), how);
            }
    });
}

TEMPLATE_TEST_CASE("operations on views of every kind of number", "[streams]", double, dd_real)
{
    test::at_every_site([&](site& at) {
        for (const test::operand kind : test::all_operands)
            for (const index_t n : {1, 300}) {
                INFO(test::name_of(kind) << ", n = " << n);
                const auto x = test::operands<TestType>(kind, n, 4);
                check_vectors(at, x[0], x, test::operands<TestType>(kind, n, 5), words::apart);
            }
    });
}

TEMPLATE_TEST_CASE("norms left where the data is, at the ends of the range", "[streams]", double,
                   dd_real)
{
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    test::at_every_site([&](site& at) {
        const auto check = [&](const ddla::vector<TestType>& x) {
            const numbers<TestType> there(at, x);
            const spot<TestType> norm(at);
            ddla::nrm2(at.on(), there.constant(), norm.at());
            CHECK(same_bits(norm.value(), ddla::nrm2(x)));
        };
        for (const index_t n : {1, 257, 65537}) {
            const auto x = test::random_vector<TestType>(n, 6, 0);
            for (const int e : {1000, 449, 0, -349, -600, -1060}) check(test::scaled(x, e));
            for (const double one : {inf, -inf, nan, 0x1p1023, 0x1p-1074}) {
                auto y = test::scaled(x, -400);
                y.set(n / 2, TestType(one));
                check(y);
            }
            check(ddla::vector<TestType>(n, TestType(-0.0)));
        }
        check({});
    });
}

TEMPLATE_TEST_CASE("products and residuals on views", "[streams]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    test::at_every_site([&](site& at) {
        for (const auto& a : test::shapes<typename TestType::value>())
            for (const offsets how : {offsets::wide, offsets::narrow}) {
                INFO(a.rows() << " x " << a.columns());
                check_products<T>(at, a, how);
            }
    });
}

TEMPLATE_TEST_CASE("solves on views", "[streams]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto general = test::with_values<V>(
        test::with_uneven_diagonal(ddla::generate::convection_diffusion(9, 8, 7)));
    const auto symmetric =
        test::with_values<V>(test::with_uneven_diagonal(ddla::generate::poisson2d(23, 19)));
    test::at_every_site([&](site& at) {
        for (const auto p : {ddla::preconditioning::none, ddla::preconditioning::jacobi})
            for (const offsets how : {offsets::wide, offsets::narrow}) {
                check_solve<T>(
                    at, general,
                    {.method = ddla::method::bicgstab, .precond = p, .record_history = true}, how);
                check_solve<T>(at, symmetric, {.method = ddla::method::cg, .precond = p}, how);
            }
        check_solve<T>(at, general, {.method = ddla::method::bicgstab, .max_iterations = 0},
                       offsets::narrow);
    });
}

TEMPLATE_TEST_CASE("arguments of every kind", "[streams]", double, dd_real)
{
    test::at_every_site([&](site& at) {
        ddla::stream& on = at.on();
        const numbers<TestType> x(at, ddla::vector<TestType>{1, 2}), y(at, {3, 4});
        ddla::axpy(on, 2, x.view(), y.view());
        ddla::axpy(on, 0.5, x.constant(), y.view());
        ddla::axpyz(on, TestType(1), y.constant(), x.view(), y.view());
        CHECK(same_bits(y.values(), ddla::vector<TestType>{6.5, 11}));
        const spot<TestType> two(at, TestType(2));
        const TestType* const constant = two.at();
        ddla::scal(on, constant, y.view());
        CHECK(same_bits(y.values(), ddla::vector<TestType>{13, 22}));
        // Nothing needs no memory.
        const ddla::vec<TestType> none;
        CHECK(ddla::dot(on, none, none) == TestType(0));
        CHECK(ddla::asum(on, none) == TestType(0));
        ddla::nrm2(on, none, two.at());
        CHECK(same_bits(two.value(), TestType(0)));
        ddla::axpy(on, 2, none, none);
        ddla::scal(on, 2, none);
        ddla::copy(on, none, none);
        on.wait();
    });
}

TEMPLATE_TEST_CASE("what one call leaves the next one reads", "[streams]", double, dd_real)
{
    test::at_every_site([&](site& at) {
        ddla::stream& on = at.on();
        for (const index_t n : {1000, 65537}) {
            const auto x = test::random_vector<TestType>(n, 31, 0),
                       y = test::random_vector<TestType>(n, 32, 0);
            const numbers<TestType> x_there(at, x), y_there(at, y);
            const spot<TestType> sum(at), norm(at);
            ddla::dot(on, x_there.constant(), y_there.constant(), sum.at());
            ddla::axpy(on, sum.at(), x_there.constant(), y_there.view());
            ddla::nrm2(on, y_there.constant(), norm.at());
            ddla::scal(on, norm.at(), y_there.view());
            auto z = y;
            ddla::axpy(ddla::dot(x, y), x, z);
            CHECK(same_bits(norm.value(), ddla::nrm2(z)));
            ddla::scal(ddla::nrm2(z), z);
            CHECK(same_bits(y_there.values(), z));
        }
    });
}

TEST_CASE("two streams and four threads at once", "[streams]")
{
    const index_t n = 65537;
    const auto x = test::random_vector<dd_real>(n, 41), y = test::random_vector<dd_real>(n, 42);
    const dd_real dot = ddla::dot(x, y), norm = ddla::nrm2(y);
    const auto sites = test::every_site(), others = test::every_site();
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    std::vector<numbers<dd_real>> vectors;  // of two threads a stream
    for (const auto& at : {sites[0].get(), others[0].get()}) {
        vectors.emplace_back(*at, x);
        vectors.emplace_back(*at, y);
    }
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([&, thread] {
            ddla::stream& on = (thread < 2 ? sites : others)[0]->on();
            const auto v = vectors[thread < 2 ? 0 : 2].constant();
            const auto w = vectors[thread < 2 ? 1 : 3].constant();
            for (int repeat = 0; repeat < 50; ++repeat) {
                if (!same_bits(ddla::dot(on, v, w), dot)) ++wrong;
                if (!same_bits(ddla::nrm2(on, w), norm)) ++wrong;
            }
        });
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
}

TEST_CASE("a stream can be moved", "[streams]")
{
    test::at_every_site([](site& at) {
        const numbers<double> x(at, ddla::vector<double>{3, 4});
        const ddla::place where = at.on().where();
        ddla::stream moved = std::move(at.on());
        CHECK(moved.where() == where);
        CHECK(ddla::nrm2(moved, x.view()) == 5);
        at.on() = std::move(moved);
        CHECK(ddla::nrm2(at.on(), x.view()) == 5);
    });
}
