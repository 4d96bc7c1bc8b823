// Every bit of L, U and the pivots against the serial program over QD.
#include "serial_lu.hpp"

#include "catch.hpp"
#include "factor/lu/factors.hpp"
#include "factor/order/matching.hpp"
#include "support/everywhere.hpp"
#include "support/random.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;

namespace {

template <class F, class V>
oracle::dense<oracle::type<F>> dense_of(const csr_matrix<V>& a, const exponents& s)
{
    const auto n = static_cast<std::size_t>(a.rows());
    oracle::dense<oracle::type<F>> d(n, std::vector<oracle::type<F>>(n, oracle::type<F>(0.0)));
    const auto view = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k) {
            const auto j = as_size(view.column[k]);
            d[as_size(i)][j] = d[as_size(i)][j] + oracle::scaled(oracle::to(F(view.value.get(k))),
                                                                 s.row[as_size(i)] + s.column[j]);
        }
    return d;
}

template <class Q>
bool same(const Q& x, const Q& y)
{
    return x == y;  // signs of zeros are not the rule's
}

/// Entries of a triangle that differ from expected(row, column), the number of entries not zero
/// that it lacks included.
template <class F, class Expected>
int differences(const triangle<F>& t, const Expected& expected, index_t nonzeros)
{
    int wrong = 0;
    const sparse_rows<F>& r = t.off_diagonal;
    for (index_t i = 0; i < r.rows(); ++i)
        for (index_t k = r.begin[as_size(i)]; k < r.begin[as_size(i) + 1]; ++k) {
            if (k > r.begin[as_size(i)] && r.column[as_size(k - 1)] >= r.column[as_size(k)])
                ++wrong;
            const auto value = oracle::to(r.value.get(k));
            wrong += !same(value, expected(as_size(i), as_size(r.column[as_size(k)])));
            nonzeros -= oracle::magnitude(value) != 0;
        }
    return wrong + static_cast<int>(std::abs(nonzeros));
}

template <class Q>
index_t nonzeros_of(const oracle::dense<Q>& columns)
{
    index_t n = 0;
    for (const auto& column : columns)
        for (const auto& value : column) n += oracle::magnitude(value) != 0;
    return n;
}

/// The high words.
template <class V>
csr_matrix<double> high_words(const csr_matrix<V>& a)
{
    ddla::coordinates<double> c{.rows = a.rows(), .columns = a.columns()};
    const auto view = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            c.add(i, view.column[k], ddla::word<0>(view.value.get(k)));
    return csr_matrix<double>(c);
}

/// The diagonal where AMD suits it, else the rows of a matching.
template <class F, class V>
std::vector<int> preferred_rows(const csr_matrix<V>& a, const factors<F>& f)
{
    if (f.about().ordering != ordering::amd) return {};
    const auto columns = columns_of(a.view());
    std::vector<int> rows(as_size(a.rows()));
    std::iota(rows.begin(), rows.end(), 0);
    const symmetry_counts natural = count_symmetry(pattern_of(columns), {});
    if (suits_amd(natural, a.rows(), false) || 4 * natural.matched < natural.off_diagonal)
        return rows;
    auto scaled = columns_of(high_words(a).view());
    for (index_t j = 0; j < a.rows(); ++j)
        for (index_t k = scaled.begin[as_size(j)]; k < scaled.begin[as_size(j) + 1]; ++k)
            scaled.value.set(k, std::ldexp(scaled.value.get(k),
                                           f.scaling().row[as_size(scaled.row[as_size(k)])] +
                                               f.scaling().column[as_size(j)]));
    const auto matched = largest_product(scaled).completed();
    const bool wanted = suits_amd(count_symmetry(pattern_of(columns), matched), a.rows(), true);
    return wanted ? std::vector<int>(matched.begin(), matched.end()) : rows;
}

template <class F, class V>
void check_bits(const csr_matrix<V>& a, const options& o)
{
    const auto f = factors<F>::make(a.view(), o);
    REQUIRE(f.about().end == factor_end::complete);
    const auto rank = static_cast<std::size_t>(f.about().rank);
    // The order of the columns is the factorisation's own; ordering_test.cpp looks at it.
    const std::vector<int> order(f.column_of().begin(), f.column_of().end());
    const auto truth =
        oracle::factorise(dense_of<F>(a, f.scaling()), order,
                          {o.threshold, o.preferred_threshold, o.negligible < 0 ? 0 : o.negligible,
                           preferred_rows(a, f)});
    REQUIRE(truth.row_of.size() == rank);
    CHECK(std::equal(truth.row_of.begin(), truth.row_of.end(), f.row_of().begin()));
    CHECK(std::equal(truth.column_of.begin(), truth.column_of.end(), f.column_of().begin()));
    index_t in_square = 0;
    for (const auto& column : truth.l)
        for (std::size_t k = 0; k < rank; ++k)
            in_square += oracle::magnitude(column[as_size(f.row_of()[k])]) != 0;
    const auto l = [&](std::size_t i, std::size_t k) { return truth.l[k][as_size(f.row_of()[i])]; };
    const auto u = [&](std::size_t p, std::size_t k) { return truth.u[k][p]; };
    CHECK(differences(f.part(factor_part::lower), l, in_square) == 0);
    CHECK(differences(f.part(factor_part::upper), u,
                      nonzeros_of(truth.u) - static_cast<index_t>(rank)) == 0);
    int wrong_pivots = 0;
    for (std::size_t k = 0; k < rank; ++k)
        wrong_pivots +=
            !same(oracle::to(f.part(factor_part::upper).pivot.get(index_t(k))), truth.u[k][k]);
    CHECK(wrong_pivots == 0);
}

template <class V>
csr_matrix<V> scattered(index_t n, index_t per_row, std::uint64_t seed)
{
    auto a = test::random_matrix<V>(n, n, seed, [&](index_t i) { return 1 + (i * 7) % per_row; });
    ddla::coordinates<V> c{.rows = n, .columns = n};
    const auto view = a.view();
    for (index_t i = 0; i < n; ++i) {
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            c.add(i, view.column[k], view.value.get(k));
        c.add(i, (i * 5 + 3) % n, V(0.5));
    }
    return csr_matrix<V>(c);
}

template <class F, class V>
void check_matrices(const options& o)
{
    for (const index_t n : {1, 2, 7, 60, 241})
        for (const index_t per_row : {2, 4, 9}) {
            INFO(n << " rows, up to " << per_row);
            check_bits<F>(scattered<V>(n, per_row, static_cast<std::uint64_t>(n + per_row)), o);
        }
}

}  // namespace

TEST_CASE("lu has the bits of the serial program", "[factor]")
{
    for (const ordering order :
         {ordering::natural, ordering::amd, ordering::colamd, ordering::automatic}) {
        INFO(name_of(order));
        options o;
        o.order = order;
        check_matrices<double, double>(o);
        check_matrices<ddla::dd_real, double>(o);
        check_matrices<ddla::dd_real, ddla::dd_real>(o);
    }
}

TEST_CASE("lu of known matrices has the bits of the serial program", "[factor]")
{
    const auto grid = ddla::generate::convection_diffusion(7, 6, 5);
    test::everywhere([&] {
        check_bits<double>(grid, {});
        check_bits<ddla::dd_real>(grid, {});
    });
    const auto network = ddla::read_matrix<double>(DDLA_EXAMPLES "/494_bus.mtx");
    check_bits<double>(network, {});
    check_bits<ddla::dd_real>(network, {});
    check_bits<double>(ddla::generate::hilbert_like<double>(30, 29), {});
    options o;
    o.match = match_rows::none;
    o.threshold = 1;
    check_bits<double>(ddla::generate::random(200, 5, 0.01, 3), o);
}
