// The steps of BiCGStab on the host against the serial program over QD: every iterate and every
// scalar, bit for bit.
#include "catch.hpp"
#include "support/random.hpp"
#include "support/serial_solvers.hpp"

#include "ddla/generate.hpp"
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
        q.control.max_iterations = 1000;
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
        CHECK(::same_bits(ours.q.control.residual2, oracle::from(theirs.rr)));
    }
}

}  // namespace

TEMPLATE_TEST_CASE("BiCGStab, every iterate and every scalar", "[solvers]", double, dd)
{
    compare_bicgstab<TestType>(nonsymmetric(), steps::identity<TestType>{},
                               ddla::vector<TestType>());
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
    const auto d = oracle::inverse_diagonal<TestType>(dominant);
    compare_bicgstab<TestType>(dominant, steps::jacobi<TestType>{d.view()}, d);
}
