// New values with old pivots.
#include "known_ranks.hpp"

#include "catch.hpp"
#include "factor/lu/factors.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;
using dd = ddla::dd_real;

namespace {

template <class F>
bool same_factors(const factors<F>& f, const factors<F>& g)
{
    bool same = f.row_of() == g.row_of() && f.column_of() == g.column_of() &&
                f.about().growth == g.about().growth &&
                f.about().smallest_pivot == g.about().smallest_pivot;
    for (const factor_part p : {factor_part::lower, factor_part::upper,
                                factor_part::upper_transposed, factor_part::lower_transposed}) {
        const auto &a = f.part(p).off_diagonal, &b = g.part(p).off_diagonal;
        same = same && a.begin == b.begin && a.column == b.column;
        for (index_t k = 0; same && k < a.entries(); ++k) same = a.value.get(k) == b.value.get(k);
        const auto &u = f.part(p).pivot, &v = g.part(p).pivot;
        for (index_t k = 0; same && k < u.size(); ++k) same = u.get(k) == v.get(k);
    }
    return same;
}

/// The same pattern with value(k, v) for entry k.
template <class Value>
csr_matrix<double> changed(const csr_matrix<double>& a, const Value& value)
{
    ddla::coordinates<double> c{.rows = a.rows(), .columns = a.columns()};
    const auto view = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            c.add(i, view.column[k], value(k, view.value.get(k)));
    return csr_matrix<double>(c);
}

template <class F>
double residual(const csr_matrix<double>& a, const factors<F>& f)
{
    const ddla::vector<F> b(a.rows(), F(1));
    ddla::vector<F> x(a.rows());
    f.template solve<F>(b.view(), x.view());
    return ddla::true_residual(a, x, b).relative;
}

template <class F>
void check_refactoring(const csr_matrix<double>& a, double bound)
{
    const auto first = factors<F>::make(a.view(), {});
    factors<F> f = first;
    REQUIRE(f.refactor(a.view()));
    CHECK(same_factors(f, first));
    test::random_numbers random(5);
    const auto near = changed(a, [&](index_t, double v) { return v * (1 + random.real() / 8); });
    REQUIRE(f.refactor(near.view()));
    CHECK(residual(near, f) < bound);
    CHECK_FALSE(same_factors(f, first));  // `first` is another object
    CHECK(residual(a, first) < bound);
    // The same pivots, so that a new factorisation that picks them has the same bits.
    const auto anew = factors<F>::make(near.view(), {});
    if (anew.row_of() == f.row_of()) CHECK(same_factors(f, anew));
}

}  // namespace

TEST_CASE("refactoring keeps the pivots and the rule", "[factor]")
{
    for (const auto& a :
         {ddla::generate::convection_diffusion(8, 7, 6), ddla::generate::random(200, 5, 0.1, 4),
          csr_matrix<double>(test::dominant_integers(100, 4, 6))}) {
        check_refactoring<double>(a, 1e-13);
        check_refactoring<dd>(a, 1e-28);
    }
}

TEST_CASE("refactoring refuses pivots that no longer serve", "[factor]")
{
    const auto a = ddla::generate::convection_diffusion(6, 5, 4);
    const auto first = factors<double>::make(a.view(), {});
    factors<double> f = first;
    // Off-diagonals that outweigh the diagonal by far more than most_growth.
    index_t entry = -1;
    const auto view = a.view();
    const index_t row = first.row_of()[0];
    const auto tiny = changed(a, [&](index_t k, double v) {
        const bool in_row = k >= view.row_begin[row] && k < view.row_begin[row + 1];
        if (in_row && view.column[k] == first.column_of()[0]) entry = k;
        return entry == k ? 0x1p-60 : v;
    });
    CHECK_FALSE(f.refactor(tiny.view()));
    CHECK(same_factors(f, first));
    const auto zero = changed(a, [&](index_t k, double v) { return entry == k ? 0 : v; });
    CHECK_FALSE(f.refactor(zero.view()));
    const auto infinite = changed(a, [&](index_t k, double v) { return k == 7 ? INFINITY : v; });
    CHECK_FALSE(f.refactor(infinite.view()));
    CHECK(same_factors(f, first));
    CHECK(residual(a, f) < 1e-13);
    // A multiplier of 2^30 that makes nothing grow.
    const auto two = [](double pivot) {
        ddla::coordinates<double> c{.rows = 2, .columns = 2};
        c.add(0, 0, pivot), c.add(1, 0, 1), c.add(1, 1, 1);
        return csr_matrix<double>(c);
    };
    options plain;
    plain.scale = false;
    plain.order = ordering::natural;
    factors<double> small = factors<double>::make(two(1).view(), plain);
    CHECK(small.refactor(two(0x1p-10).view()));
    CHECK_FALSE(small.refactor(two(0x1p-30).view()));
    // An entry where the factors have no place for it.
    const auto diagonal = factors<double>::make(
        changed(a, [&](index_t k, double v) { return v > 1 ? v : 0 * double(k); }).view(), {});
    factors<double> g = diagonal;
    CHECK_FALSE(g.refactor(a.view()));
    CHECK_THROWS_AS(g.refactor(ddla::generate::random(7, 2, 1, 1).view()), ddla::input_error);
    // Singular factors keep no pivots to go on with.
    factors<double> singular = factors<double>::make(test::laplacian_of_paths(3, 4).view(), {});
    CHECK_FALSE(singular.refactor(test::laplacian_of_paths(3, 4).view()));
}
