// Scaling, matching and orderings.
#include "known_ranks.hpp"

#include "catch.hpp"
#include "factor/lu/factors.hpp"
#include "factor/lu/modular.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <mpfr.h>

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;

namespace {

bool is_permutation(std::vector<column_t> p, index_t n)
{
    std::sort(p.begin(), p.end());
    bool all = static_cast<index_t>(p.size()) == n;
    for (std::size_t k = 0; k < p.size(); ++k) all = all && p[k] == static_cast<column_t>(k);
    return all;
}

/// 2^24 log2 |x|, rounded down, by MPFR.
long log2_by_mpfr(double x)
{
    mpfr_t y;
    mpfr_init2(y, 200);
    mpfr_set_d(y, std::fabs(x), MPFR_RNDN);
    mpfr_log2(y, y, MPFR_RNDN);
    mpfr_mul_2si(y, y, 24, MPFR_RNDN);
    const long value = mpfr_get_si(y, MPFR_RNDD);
    mpfr_clear(y);
    return value;
}

/// The largest sum of logarithms over all perfect matchings, by the best one of the first columns
/// with each set of rows; INT64_MIN if there is none.
std::int64_t best_of_all(const sparse_columns<double>& a)
{
    const std::size_t sets = std::size_t{1} << a.rows;
    std::vector<std::int64_t> best(sets, INT64_MIN);
    best[0] = 0;
    for (std::size_t set = 0; set + 1 < sets; ++set) {
        if (best[set] == INT64_MIN) continue;
        const auto j = as_size(std::popcount(set));
        for (index_t k = a.begin[j]; k < a.begin[j + 1]; ++k) {
            const std::size_t row = std::size_t{1} << a.row[as_size(k)];
            if ((set & row) != 0) continue;
            std::int64_t& with = best[set | row];
            with = std::max(with, best[set] + log2_fixed(a.value.get(k)));
        }
    }
    return best.back();
}

std::int64_t sum_of(const sparse_columns<double>& a, const matching& m)
{
    std::int64_t sum = 0;
    for (index_t j = 0; j < a.columns; ++j)
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k)
            if (a.row[as_size(k)] == m.row_of_column[as_size(j)]) sum += log2_fixed(a.value.get(k));
    return sum;
}

/// Each column has its own row, which is an entry.
void check_matching(const sparse_columns<double>& a, const matching& m)
{
    index_t size = 0;
    for (index_t j = 0; j < a.columns; ++j) {
        const column_t i = m.row_of_column[as_size(j)];
        if (i < 0) continue;
        ++size;
        CHECK(m.column_of_row[as_size(i)] == j);
        const auto begin = a.row.begin() + a.begin[as_size(j)],
                   end = a.row.begin() + a.begin[as_size(j) + 1];
        CHECK(std::find(begin, end, i) != end);
    }
    CHECK(size == m.size);
    CHECK(static_cast<index_t>(m.free_rows().size()) == a.rows - size);
    CHECK(static_cast<index_t>(m.free_columns().size()) == a.columns - size);
    if (a.rows == a.columns) CHECK(is_permutation(m.completed(), a.rows));
}

csr_matrix<double> random_square(index_t n, index_t per_row, std::uint64_t seed)
{
    return test::random_matrix<double>(n, n, seed, [&](index_t) { return per_row; });
}

}  // namespace

TEST_CASE("logarithms in fixed point are right to some units", "[factor]")
{
    test::random_numbers random(11);
    for (int k = 0; k < 3000; ++k) {
        const double x = random.real(900);
        CHECK(std::abs(log2_fixed(x) - log2_by_mpfr(x)) <= 1);
    }
    CHECK(log2_fixed(1) == 0);
    CHECK(log2_fixed(-0x1p-1074) == -1074LL * (1 << 24));
    CHECK(log2_fixed(0x1p1023) == 1023LL * (1 << 24));
}

TEST_CASE("a matching has the largest product", "[factor]")
{
    int perfect = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const auto a =
            columns_of(random_square(2 + static_cast<index_t>(seed % 12), 4, seed).view());
        const matching m = largest_product(a);
        check_matching(a, m);
        const std::int64_t best = best_of_all(a);
        CHECK((best == INT64_MIN) == (m.size < a.rows));
        if (m.size < a.rows) continue;
        CHECK(sum_of(a, m) == best);
        ++perfect;
    }
    CHECK(perfect > 100);
}

TEST_CASE("the structural rank is the rank of random values", "[factor]")
{
    int deficient = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const auto a = random_square(60, 2, seed);  // random values
        const auto columns = columns_of(a.view());
        const matching m = largest_matching(columns);
        check_matching(columns, m);
        CHECK(m.size == modular_factors::make(a.view(), {}).about().rank);
        CHECK(m.size == largest_product(columns).size);
        deficient += m.size < 60;
    }
    CHECK(deficient > 5);
    // Not square: 3 rows, 5 columns.
    const auto wide =
        columns_of(test::random_matrix<double>(3, 5, 1, [](index_t) { return 4; }).view());
    CHECK(largest_matching(wide).size == 3);
}

TEST_CASE("scaled columns have a largest entry in [1/2, 1)", "[factor]")
{
    for (const std::uint64_t seed : {1, 2, 3}) {
        const auto a = columns_of(
            test::random_matrix<double>(80, 80, seed, [](index_t i) { return 1 + i % 6; }).view());
        const exponents s = scaling_of(a, true);
        for (index_t j = 0; j < 80; ++j) {
            double largest = 0;
            for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k)
                largest = std::max(
                    largest, std::ldexp(std::fabs(a.value.get(k)),
                                        s.row[as_size(a.row[as_size(k)])] + s.column[as_size(j)]));
            if (a.begin[as_size(j)] < a.begin[as_size(j) + 1])
                CHECK((largest >= 0.5 && largest < 1));
        }
        const exponents none = scaling_of(a, false);
        CHECK(std::all_of(none.row.begin(), none.row.end(), [](int e) { return e == 0; }));
    }
}

TEST_CASE("columns of jumbled rows with duplicates and zeros", "[factor]")
{
    // Row 0: columns 2, 0, 2, 2 with 1e17, 5, 1, -1e17; stored order: (1e17 + -1e17) + 1 by the
    // rule.
    const csr_matrix<double> a(2, 3, {0, 4, 6}, {2, 0, 2, 2, 1, 1},
                               ddla::vector<double>{1e17, 5, 1, -1e17, 3, -3});
    const auto c = columns_of(a.view());
    CHECK(c.begin == std::vector<index_t>{0, 1, 1, 2});
    CHECK(c.row == std::vector<column_t>{0, 0});
    CHECK(c.value.get(0) == 5);
    CHECK(c.value.get(1) == 1);
}

TEST_CASE("auto takes AMD for patterns that are nearly symmetric", "[factor]")
{
    const auto used = [](const csr_matrix<double>& a, options o = {}) {
        const auto f = factors<double>::make(a.view(), o);
        CHECK(is_permutation(f.row_of(), a.rows()));
        CHECK(is_permutation(f.column_of(), a.rows()));
        return f.about().ordering;
    };
    const auto grid = ddla::generate::convection_diffusion(6, 5, 4);
    CHECK(used(grid) == ordering::amd);
    CHECK(used(ddla::generate::random(100, 5, 1, 1)) == ordering::colamd);
    // Rows of the grid in reverse order: no diagonal, until a matching brings it back.
    ddla::coordinates<double> reversed{.rows = grid.rows(), .columns = grid.rows()};
    const auto view = grid.view();
    for (index_t i = 0; i < grid.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            reversed.add(grid.rows() - 1 - i, view.column[k], view.value.get(k));
    const csr_matrix<double> backwards(reversed);
    options no_match, match;
    no_match.match = match_rows::none;
    match.match = match_rows::always;
    CHECK(used(backwards, no_match) == ordering::colamd);
    CHECK(used(backwards, match) == ordering::amd);
    CHECK(used(backwards) == ordering::amd);
    const auto f = factors<double>::make(grid.view(), {}),
               g = factors<double>::make(backwards.view(), match);
    CHECK(f.column_of() == g.column_of());
    CHECK(f.about().entries == g.about().entries);
    options natural;
    natural.order = ordering::natural;
    CHECK(used(grid, natural) == ordering::natural);
    const auto in_order = factors<double>::make(grid.view(), natural);
    CHECK(std::is_sorted(in_order.column_of().begin(), in_order.column_of().end()));
}

TEST_CASE("patterns without entries are ordered", "[factor]")
{
    const csr_matrix<double> a(ddla::coordinates<double>{.rows = 3, .columns = 3});
    for (const ordering order : {ordering::natural, ordering::amd, ordering::colamd, ordering::rcm,
                                 ordering::multicolour, ordering::dissection}) {
        options o;
        o.order = order;
        const auto f = factors<double>::make(a.view(), o);
        CHECK(f.about().ordering == order);
        CHECK(is_permutation(f.row_of(), 3));
        CHECK(is_permutation(f.column_of(), 3));
    }
}
