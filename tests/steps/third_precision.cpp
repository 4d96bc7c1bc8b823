// One more precision is one more number_traits: with it alone the steps and the host backend work
// on numbers of three words, and solve to three times the digits of double.
#include "catch.hpp"
#include "triple.hpp"

#include "ddla/generate.hpp"
#include "engine/workspace.hpp"
#include "host/backend.hpp"
#include "host/simd/folds.hpp"
#include "steps/solver.hpp"

#include <vector>

using ddla::index_t;
using ddla::vec;
using test::triple;
namespace steps = ddla::steps;

namespace {

/// n numbers, words apart.
template <class T>
class array {
public:
    explicit array(index_t n) : words_(static_cast<std::size_t>(n * ddla::words_of<T>)), size_(n) {}
    vec<T> view() { return vec<T>::in_memory(words_.data(), size_); }

private:
    std::vector<double> words_;
    index_t size_;
};

struct machine {
    ddla::host_backend::thread_pool pool{2};
    ddla::host_backend::backend backend{pool};
    ddla::workspace memory{ddla::host_memory()};
};

/// No two words of it hold the same bits.
const triple one_and_little{1, 0x1p-60, 0x1p-120};

/// 1/3, 1/4, …
array<triple> thirds(index_t n)
{
    array<triple> x(n);
    for (index_t i = 0; i < n; ++i) x.view().set(i, triple(1) / triple(double(i + 3)));
    return x;
}

template <class V>
array<triple> product(machine& m, const ddla::csr<V>& a, vec<const triple> x)
{
    array<triple> y(a.rows);
    m.backend.run(steps::spmv<triple>{{}, x, y.view(), triple(1), triple(0)}, a);
    return y;
}

double largest_difference(vec<triple> x, vec<triple> y)
{
    double most = 0;
    for (index_t i = 0; i < x.size; ++i)
        most = std::max(most, std::fabs((x.get(i) - y.get(i)).word[0]));
    return most;
}

const steps::stopping to_the_end{1e-44, 1000, 0};
const auto no_look = [](const auto&) { return true; };

/// The same rows with values V.
template <class V>
struct wide_matrix {
    explicit wide_matrix(ddla::csr_matrix<double> a)
        : narrow(std::move(a)), value(narrow.nonzeros())
    {
        const ddla::csr<double> from = narrow.view();
        for (index_t k = 0; k < narrow.nonzeros(); ++k) value.view().set(k, V(from.value.get(k)));
        view.rows = from.rows, view.columns = from.columns;
        view.row_begin = from.row_begin, view.column = from.column;
        view.value = value.view();
        view.longest_row = from.longest_row;
    }
    ddla::csr_matrix<double> narrow;
    array<V> value;
    ddla::csr<V> view;
};

}  // namespace

TEST_CASE("a number of three words keeps three times 53 bits", "[steps]")
{
    STATIC_REQUIRE(ddla::words_of<triple> == 3);
    STATIC_REQUIRE(ddla::acts_on<triple, ddla::dd_real>);
    STATIC_REQUIRE(!ddla::acts_on<ddla::dd_real, triple>);
    const triple third = triple(1) / triple(3);
    CHECK(std::fabs((third * triple(3) - triple(1)).word[0]) < 0x1p-156);
    const triple root = sqrt(triple(2));
    CHECK(std::fabs((root * root - triple(2)).word[0]) < 0x1p-154);
}

TEST_CASE("vector operations on numbers of three words", "[steps]")
{
    machine m;
    const index_t n = 2500;  // more than eight full tiles
    array<triple> x(n), y(n), z(n);
    for (index_t i = 0; i < n; ++i) x.view().set(i, one_and_little), y.view().set(i, triple(2));
    triple sum(0);
    m.backend.run(steps::dot<triple>{{{}, &sum}, x.view(), y.view()}, n);
    CHECK(sum == triple(5000, 5000 * 0x1p-60, 5000 * 0x1p-120));
    m.backend.run(steps::axpyz<triple>{{{}, triple(3)}, x.view(), y.view(), z.view()}, n);
    CHECK(z.view().get(n - 1) == triple(5, 3 * 0x1p-60, 3 * 0x1p-120));
    triple norm(0);
    steps::nrm2<ddla::host_backend::backend, triple>(m.backend, y.view(), &norm,
                                                     m.backend.small<steps::norm_state>());
    CHECK(norm == triple(100));
}

TEST_CASE("a product with numbers of three words", "[steps]")
{
    machine m;
    const auto a = ddla::generate::poisson2d(40, 30);
    array<triple> x(a.rows());
    for (index_t i = 0; i < a.rows(); ++i) x.view().set(i, one_and_little);
    const auto check = [&](array<triple> y) {
        const ddla::csr<double> rows = a.view();
        for (index_t i = 0; i < a.rows(); ++i) {
            double sum = 0;  // of small integers
            for (index_t k = rows.row_begin[i]; k < rows.row_begin[i + 1]; ++k)
                sum += rows.value.get(k);
            REQUIRE(y.view().get(i) == triple(sum, sum * 0x1p-60, sum * 0x1p-120));
        }
    };
    check(product<double>(m, a.view(), x.view()));
    check(product(m, wide_matrix<ddla::dd_real>(a).view, vec<const triple>(x.view())));
    check(product(m, wide_matrix<triple>(a).view, vec<const triple>(x.view())));
}

TEST_CASE("BiCGStab solves to the digits of three words", "[steps]")
{
    machine m;
    const auto a = ddla::generate::convection_diffusion(8, 8, 8, 0.3, 0);
    array<triple> truth = thirds(a.rows()), x(a.rows());
    array<triple> b = product<double>(m, a.view(), truth.view());
    const steps::ending end =
        steps::run_bicgstab(m.backend, m.memory, a.view(), vec<const triple>(b.view()), x.view(),
                            steps::identity<triple>{}, to_the_end, nullptr, no_look);
    CHECK(end.end == steps::end_of_solve::recurrence_met);
    CHECK(largest_difference(x.view(), truth.view()) < 1e-40);
}

TEST_CASE("CG solves with a matrix of three words and its diagonal", "[steps]")
{
    machine m;
    const wide_matrix<triple> a(ddla::generate::poisson2d(20, 15));
    array<triple> truth = thirds(a.view.rows), x(a.view.rows), d(a.view.rows);
    array<triple> b = product(m, a.view, vec<const triple>(truth.view()));
    steps::first_index bad;
    m.backend.run(steps::invert_diagonal<triple, triple>{{}, a.view, d.view(), &bad}, a.view.rows);
    CHECK(bad.value == steps::first_index::none);
    const steps::ending end =
        steps::run_cg(m.backend, m.memory, a.view, vec<const triple>(b.view()), x.view(),
                      steps::jacobi<triple>{d.view()}, to_the_end, nullptr, no_look);
    CHECK(end.end == steps::end_of_solve::recurrence_met);
    CHECK(largest_difference(x.view(), truth.view()) < 1e-40);
}
