// Matchings where costs tie, where there is no perfect one, and where a limit or a watch ends them.
#include "known_ranks.hpp"

#include "catch.hpp"
#include "factor/lu/factors_data.hpp"
#include "factor/supernodal/symmetric.hpp"

#include "ddla/watched_scope.hpp"

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;

namespace {

using builder = std::vector<std::vector<std::pair<index_t, double>>>;

csr_matrix<double> built(const builder& rows)
{
    const auto n = static_cast<index_t>(rows.size());
    ddla::coordinates<double> all{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i)
        for (const auto& [j, v] : rows[as_size(i)]) all.add(i, j, v);
    return csr_matrix<double>(all);
}

void add_both(builder& rows, index_t i, index_t j, double v)
{
    rows[as_size(i)].emplace_back(j, v);
    rows[as_size(j)].emplace_back(i, v);
}

/// Stokes on a staggered grid of n x n cells: two Laplacians, the gradient, its transpose, and no
/// diagonal for the pressures.  Costs tie nearly everywhere.
csr_matrix<double> stokes(index_t n)
{
    const index_t cells = n * n;
    const auto scale = static_cast<double>(n);
    builder rows(as_size(3 * cells));
    for (index_t d = 0; d < 2; ++d)
        for (index_t y = 0; y < n; ++y)
            for (index_t x = 0; x < n; ++x) {
                const index_t k = y * n + x, i = d * cells + k;
                rows[as_size(i)].emplace_back(i, 4 * scale * scale);
                if (x > 0) add_both(rows, i, i - 1, -scale * scale);
                if (y > 0) add_both(rows, i, i - n, -scale * scale);
                add_both(rows, i, 2 * cells + k, scale);
                const bool has_before = d == 0 ? x > 0 : y > 0;
                if (has_before) add_both(rows, i, 2 * cells + k - (d == 0 ? 1 : n), -scale);
            }
    return built(rows);
}

/// Six entries a row, each 1, 2 or 4; only every third place of the columns is used where `gaps`.
csr_matrix<double> with_ties(index_t n, std::uint64_t seed, bool gaps)
{
    test::random_numbers random(seed);
    builder rows(as_size(n));
    for (auto& row : rows)
        for (int k = 0; k < 6; ++k) {
            const auto place = static_cast<index_t>(random.below(n));
            const index_t j = gaps ? place / 3 * 3 : place;
            row.emplace_back(j, std::ldexp(1.0, static_cast<int>(random.below(3))));
        }
    return built(rows);
}

/// Weak duality: no matching has a larger sum of logarithms than minus the sum of duals that are
/// feasible, and this one has it.
void check_optimal(const sparse_columns<double>& a, const matching& m)
{
    index_t infeasible = 0, loose = 0;
    std::int64_t sum = 0, duals = 0;
    for (index_t j = 0; j < a.columns; ++j)
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k) {
            const column_t i = a.row[as_size(k)];
            const std::int64_t log = log2_fixed(a.value.get(k));
            const std::int64_t left = log + m.row_dual[as_size(i)] + m.column_dual[as_size(j)];
            infeasible += left > 0;
            if (m.row_of_column[as_size(j)] != i) continue;
            loose += left != 0;
            sum += log;
        }
    for (const std::int64_t d : m.row_dual) duals += d;
    for (const std::int64_t d : m.column_dual) duals += d;
    CHECK(infeasible == 0);
    CHECK(loose == 0);
    if (m.size == a.columns) CHECK(sum == -duals);
}

/// Hall: columns that alternating paths reach from the free ones have entries in matched rows
/// only, which are as many as these columns less the free ones.  So no matching is larger.
void check_largest(const sparse_columns<double>& a, const matching& m)
{
    std::vector<column_t> reached = m.free_columns();
    const std::size_t free = reached.size();
    std::vector<char> met(as_size(a.rows), 0);
    index_t free_rows_met = 0, rows_met = 0;
    for (std::size_t c = 0; c < reached.size(); ++c)
        for (index_t k = a.begin[as_size(reached[c])]; k < a.begin[as_size(reached[c]) + 1]; ++k) {
            const column_t i = a.row[as_size(k)];
            if (met[as_size(i)] != 0) continue;
            met[as_size(i)] = 1;
            ++rows_met;
            const column_t j = m.column_of_row[as_size(i)];
            if (j < 0)
                ++free_rows_met;
            else
                reached.push_back(j);
        }
    CHECK(free_rows_met == 0);
    CHECK(rows_met == static_cast<index_t>(reached.size() - free));
}

std::int64_t pass_of(const sparse_columns<double>& a)
{
    return a.entries() + a.columns;
}

/// Ones in k rows from i and l columns from j.
void add_block(builder& rows, index_t i, index_t k, index_t j, index_t l)
{
    for (index_t r = i; r < i + k; ++r)
        for (index_t c = j; c < j + l; ++c) rows[as_size(r)].emplace_back(c, 1.0);
}

/// 2 m columns for which searches cost m^2 looks each: m columns that have their rows at once and
/// could have one of m free rows instead, which come last; and m columns that need the former.
void add_crowd(builder& rows, index_t m)
{
    add_block(rows, 0, m, 0, 2 * m);
    for (index_t i = 0; i < m; ++i) rows[as_size(m + i)].emplace_back(i, 1.0);
}

/// From a row and column on: a column whose row is another one's, which could have the next one's,
/// and so on to a free row.
void add_chain(builder& rows, index_t from, index_t length)
{
    for (index_t k = 0; k < length; ++k) {
        rows[as_size(from + k)].emplace_back(from + k, 1.0);
        rows[as_size(from + k + 1)].emplace_back(from + k, 1.0);
    }
    rows[as_size(from)].emplace_back(from + length, 1.0);
}

/// What a matching does before it looks for tight entries.
std::int64_t before_passes(const sparse_columns<double>& a)
{
    return 3 * a.entries();
}

}  // namespace

TEST_CASE("a matching where costs tie takes some passes", "[factor]")
{
    for (const index_t n : {8, 30, 60, 100}) {
        const auto a = columns_of(stokes(n).view());
        INFO(n);
        const matching m = largest_product(a);
        CHECK(m.size == a.columns);
        check_optimal(a, m);
        CHECK(m.operations < 8 * pass_of(a));
        const matching most = largest_matching(a);
        CHECK(most.size == a.columns);
        CHECK(most.operations < 24 * pass_of(a));
    }
}

TEST_CASE("a matching of random ties is optimal", "[factor]")
{
    int singular = 0;
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        const auto a = columns_of(with_ties(600, seed, seed % 3 == 2).view());
        INFO(seed);
        const matching m = largest_product(a);
        check_optimal(a, m);
        check_largest(a, m);
        check_largest(a, largest_matching(a));
        singular += m.size < a.columns;
    }
    CHECK(singular > 3);
}

TEST_CASE("a matching without perfect one in a Stokes system", "[factor]")
{
    // Pressure 2 k + 1 loses its rows' and columns' entries but those of pressure 2 k.
    csr_matrix<double> whole = stokes(40);
    auto a = columns_of(whole.view());
    for (column_t& i : a.row)
        if (i >= 3200 && i % 8 == 1) --i;
    const auto cleaned = [&] {
        builder rows(as_size(a.rows));
        for (index_t j = 0; j < a.columns; ++j)
            for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k)
                rows[as_size(a.row[as_size(k)])].emplace_back(j, a.value.get(k));
        return columns_of(built(rows).view());
    }();
    const matching m = largest_product(cleaned);
    CHECK(m.size == a.columns - 200);
    check_largest(cleaned, m);
    check_optimal(cleaned, m);
    CHECK(m.operations < 40 * pass_of(cleaned));
}

TEST_CASE("a matching that looks at too many entries ends by their count", "[factor]")
{
    const csr_matrix<double> whole = stokes(30);
    const auto a = columns_of(whole.view());
    const std::int64_t needed = largest_product(a).operations;
    for (const std::int64_t most : {std::int64_t{10}, needed / 2, needed - 1}) {
        const matching m = largest_product(a, static_cast<double>(most));
        CHECK_FALSE(m.complete);
        CHECK(m.size == 0);
        CHECK(m.row_of_column.empty());
        CHECK(m.operations > most);
        CHECK(m.operations <= std::min(needed, most + 4 * pass_of(a)));
    }
    CHECK(largest_product(a, static_cast<double>(needed)).complete);
    // Factors go on without, L D L^T says that it would take too much, or leaves it to LU.
    symmetric_options limits{.most_operations = 1e6,
                             .most_matching_operations = double(needed) / 2};
    const auto limited = symmetric_factors<double>::make(whole.view(), limits);
    CHECK(limited.about().end == factor_end::over_work);
    CHECK(limited.about().operations > 1e6);
    limits.is_wanted = [](double) { return true; };
    CHECK(symmetric_factors<double>::make(whole.view(), limits).about().end ==
          factor_end::unsuited);
    using ddla::factor::detail::match_diagonal;
    CHECK(match_diagonal(a, scaling_of(a, true), 1000.0).rows.empty());
    CHECK(match_diagonal(a, scaling_of(a, true), 1e9).rows.size() == as_size(a.columns));
}

TEST_CASE("looks of passes over tight entries are counted", "[factor]")
{
    const index_t m = 120, length = 100, chains = 250;
    builder rows(as_size(2 * m + chains * (length + 1)));
    add_crowd(rows, m);
    for (index_t c = 0; c < chains; ++c) add_chain(rows, 2 * m + c * (length + 1), length);
    const auto a = columns_of(built(rows).view());
    const matching found = largest_product(a);
    CHECK(found.size == a.columns);
    // A pass looks at each entry of each chain but the last: these alone are more than a search.
    const std::int64_t looks = chains * 2 * length;
    REQUIRE(looks > m * m + 6 * m);
    CHECK(found.operations >= before_passes(a) + looks);
}

TEST_CASE("a watch sees a matching and can end it", "[factor]")
{
    const auto a = columns_of(stokes(60).view());
    int looks = 0;
    matching watched;
    {
        const ddla::watched_scope scope([&] { return ++looks > 0; });
        watched = largest_product(a);
    }
    CHECK(watched.row_of_column == largest_product(a).row_of_column);
    CHECK(looks >= watched.operations / ddla::operations_between_looks);
    for (const int last : {1, 5}) {
        int seen = 0;
        const ddla::watched_scope scope([&] { return ++seen < last; });
        CHECK_THROWS_AS(largest_product(a), ddla::interrupted_error);
        CHECK(seen == last);
    }
}

TEST_CASE("all passes of a matching are work, and what its searches drop", "[factor]")
{
    for (const auto& matrix :
         {stokes(60), with_ties(30'000, 3, false), with_ties(30'000, 4, true)}) {
        const auto a = columns_of(matrix.view());
        int looks = 0;
        matching found;
        {
            const ddla::watched_scope scope([&] { return ++looks > 0; });
            found = largest_product(a);
        }
        // Logarithms, costs and the duals of rows; then 10 an operation.
        const std::int64_t work = (20 + 2 + 10) * a.entries() + 10 * found.operations;
        CHECK((looks + 1) * ddla::operations_between_looks >= work);
    }
}

TEST_CASE("duals after dead ends are work, too", "[factor]")
{
    // Two thirds of the columns end a search each.
    const auto a = columns_of(with_ties(30'000, 4, true).view());
    int looks = 0;
    const auto run = [&] { return largest_product(a); };
    const matching found = run();
    REQUIRE(found.size < a.columns);
    {
        const ddla::watched_scope scope([&] { return ++looks > 0; });
        run();
    }
    // Each column once more, whether of a dead end or not.
    CHECK((looks + 1) * ddla::operations_between_looks >=
          (20 + 2 + 10 + 10) * a.entries() + 10 * found.operations);
}
