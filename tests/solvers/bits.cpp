// Solvers against the serial program over QD: every iterate and every scalar, bit for bit.
#include "catch.hpp"
#include "serial_solvers.hpp"
#include "support/everywhere.hpp"
#include "support/random.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "host/backend.hpp"
#include "steps/solver.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;
namespace steps = ddla::steps;

namespace {

ddla::csr_matrix<double> nonsymmetric()
{
    return ddla::generate::convection_diffusion(9, 8, 7);
}
ddla::csr_matrix<double> symmetric()
{
    return ddla::generate::poisson2d(23, 19);
}

template <class T>
ddla::vector<T> inverse_diagonal(const ddla::csr_matrix<double>& a)
{
    auto d = ddla::diagonal(a);
    ddla::vector<T> inverse(d.size());
    for (index_t i = 0; i < d.size(); ++i)
        inverse.set(i, oracle::from(oracle::divide(oracle::to(T(1)), oracle::to(T(d[i])))));
    return inverse;
}

/// The steps of BiCGStab on the host backend, one iteration at a time.
template <class T, class K>
class stepwise {
public:
    stepwise(const ddla::csr_matrix<double>& a, const ddla::vector<T>& b, K k) : a_(a), b_(b), k_(k)
    {
        for (auto& m : memory_) m = ddla::vector<T>(a.rows());
        w = {b_.view(),         memory_[0].view(), memory_[1].view(), memory_[2].view(),
             memory_[3].view(), memory_[4].view(), memory_[5].view(), memory_[6].view(),
             memory_[7].view(), memory_[8].view()};
        if (K::is_identity) w.p_hat = w.p, w.s_hat = w.s;
        q.at.max_iterations = 1000;
        on_.run(steps::bicgstab::starting(&q, w, k_, {}), a_.view());
    }
    void iterate() { on_.run(steps::bicgstab::iteration(&q, w, k_, {}), a_.view(), 1); }

    steps::bicgstab::vectors<T> w;
    steps::bicgstab::scalars<T> q{};

private:
    const ddla::csr_matrix<double>& a_;
    ddla::vector<T> b_;
    ddla::vector<T> memory_[9];
    K k_;
    ddla::host_backend::thread_pool pool_{2};
    ddla::host_backend::backend on_{pool_};
};

template <class T, class Q>
bool same_bits(ddla::vec<T> x, const std::vector<Q>& y)
{
    for (index_t i = 0; i < x.size; ++i)
        if (!::same_bits(x.get(i), oracle::from(y[std::size_t(i)]))) return false;
    return true;
}

template <class T, class K>
void compare_bicgstab(const ddla::csr_matrix<double>& a, K k, const ddla::vector<T>& d)
{
    const auto b = test::random_vector<T>(a.rows(), 31, 0);
    stepwise<T, K> ours(a, b, k);
    oracle::bicgstab<oracle::type<T>> theirs(a, oracle::to(b),
                                             oracle::to(ddla::vector<T>(a.rows())));
    const auto qd = oracle::to(d);
    for (int iteration = 1; iteration <= 40; ++iteration) {
        ours.iterate();
        theirs.iterate(a, qd);
        INFO("iteration " << iteration);
        CHECK(same_bits(ours.w.x, theirs.x));
        CHECK(same_bits(ours.w.r, theirs.r));
        CHECK(same_bits(ours.w.p, theirs.p));
        CHECK(same_bits(ours.w.v, theirs.v));
        CHECK(same_bits(ours.w.s, theirs.s));
        CHECK(same_bits(ours.w.t, theirs.t));
        CHECK(::same_bits(ours.q.rho, oracle::from(theirs.rho)));
        CHECK(::same_bits(ours.q.alpha, oracle::from(theirs.alpha)));
        CHECK(::same_bits(ours.q.omega, oracle::from(theirs.omega)));
        CHECK(::same_bits(ours.q.beta, oracle::from(theirs.beta)));
        CHECK(::same_bits(ours.q.at.residual2, oracle::from(theirs.rr)));
    }
}

}  // namespace

TEMPLATE_TEST_CASE("BiCGStab, every iterate and every scalar", "[solvers]", double, dd)
{
    compare_bicgstab<TestType>(nonsymmetric(), steps::identity<TestType>{},
                               ddla::vector<TestType>());
}

TEMPLATE_TEST_CASE("BiCGStab on threads, with three levels of sums", "[solvers]", double, dd)
{
    // 75,264 rows: enough that every sweep is shared, and that tile sums need tiles themselves.
    const auto a = ddla::generate::convection_diffusion(64, 49, 24);
    const auto b = test::random_vector<TestType>(a.rows(), 37, 0);
    oracle::bicgstab<oracle::type<TestType>> serial(a, oracle::to(b),
                                                    oracle::to(ddla::vector<TestType>(a.rows())));
    for (int k = 0; k < 3; ++k) serial.iterate(a, {});
    test::everywhere([&] {
        ddla::vector<TestType> x(a.rows());
        ddla::solve(a, b, x, {.tolerance = 0, .max_iterations = 3});
        CHECK(same_bits(x, serial.x));
    });
}

TEMPLATE_TEST_CASE("BiCGStab with Jacobi, every iterate and every scalar", "[solvers]", double, dd)
{
    const auto a = test::random_matrix<double>(500, 500, 32, [](index_t) { return 6; });
    ddla::coordinates<double> c{.rows = 500, .columns = 500};
    for (index_t i = 0; i < 500; ++i) {
        for (index_t k = a.view().row_begin[i]; k < a.view().row_begin[i + 1]; ++k)
            c.add(i, a.view().column[k], a.view().value.get(k));
        c.add(i, i, 3000.0 + double(i));
    }
    const ddla::csr_matrix<double> dominant(c);
    const auto d = inverse_diagonal<TestType>(dominant);
    compare_bicgstab<TestType>(dominant, steps::jacobi<TestType>{d.view()}, d);
}

TEMPLATE_TEST_CASE("BiCGStab by the public call, from a guess", "[solvers]", double, dd)
{
    const auto a = nonsymmetric();
    const auto b = test::random_vector<TestType>(a.rows(), 33, 0);
    const auto guess = test::random_vector<TestType>(a.rows(), 34, 0);
    oracle::bicgstab<oracle::type<TestType>> serial(a, oracle::to(b), oracle::to(guess));
    for (int k = 0; k < 17; ++k) serial.iterate(a, {});
    test::everywhere([&] {
        for (const int check_every : {1, 5, 1000}) {
            auto x = guess;
            ddla::solve_options options;
            options.tolerance = 0;
            options.max_iterations = 17;
            options.check_every = check_every;
            const auto report = ddla::solve(a, b, x, options);
            CHECK(report.iterations == 17);
            CHECK(same_bits(x, serial.x));
        }
    });
}

TEMPLATE_TEST_CASE("CG by the public call, every iterate", "[solvers]", double, dd)
{
    const auto a = symmetric();
    const auto b = test::random_vector<TestType>(a.rows(), 35, 0);
    for (const bool jacobi : {false, true}) {
        const auto d = jacobi ? inverse_diagonal<TestType>(a) : ddla::vector<TestType>();
        const auto qd = oracle::to(d);
        oracle::cg<oracle::type<TestType>> serial(a, oracle::to(b),
                                                  oracle::to(ddla::vector<TestType>(a.rows())), qd);
        for (int k = 1; k <= 30; ++k) {
            serial.iterate(a, qd);
            ddla::vector<TestType> x(a.rows());
            ddla::solve_options options;
            options.method = ddla::method::cg;
            options.precond = jacobi ? ddla::preconditioner::jacobi : ddla::preconditioner::none;
            options.tolerance = 0;
            options.max_iterations = k;
            options.record_history = true;
            const auto report = ddla::solve(a, b, x, options);
            INFO("iteration " << k);
            CHECK(same_bits(x, serial.x));
            REQUIRE(report.history.size() == std::size_t(k) + 1);
            CHECK(report.history.back() == report.relative_residual);
        }
    }
}

TEMPLATE_TEST_CASE("a double-double matrix with double values solves the same", "[solvers]", dd)
{
    const auto a = nonsymmetric();
    const auto b = test::random_vector<dd>(a.rows(), 36, 0);
    ddla::vector<dd> x(a.rows()), y(a.rows());
    const auto narrow = ddla::solve(a, b, x);
    const auto wide = ddla::solve(ddla::widen(a), b, y);
    CHECK(narrow.status == ddla::solve_status::converged);
    CHECK(wide.status == ddla::solve_status::converged);
    CHECK(narrow.iterations == wide.iterations);
}
