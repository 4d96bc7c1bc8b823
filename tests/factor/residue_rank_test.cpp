// Rank, consistency, null vectors and zeros from factors modulo primes, against rational numbers.
#include "catch.hpp"
#include "known_ranks.hpp"
#include "support/exact_solve.hpp"

#include "factor/rank/residue_factors.hpp"

#include "ddla/generate.hpp"

#include <numeric>

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;
using dd = ddla::dd_real;

namespace {

test::rational_rows rows_of(const csr_matrix<double>& a)
{
    test::rational_rows q(as_size(a.rows()), test::rational_vector(as_size(a.columns()), 0));
    const auto view = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t e = view.row_begin[i]; e < view.row_begin[i + 1]; ++e)
            q[as_size(i)][as_size(view.column[e])] +=
                test::exact_number(double(view.value.get(e))).rational();
    return q;
}

test::rational_rows transposed(const test::rational_rows& a)
{
    test::rational_rows t(a.empty() ? 0 : a[0].size(), test::rational_vector(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < t.size(); ++j) t[j][i] = a[i][j];
    return t;
}

index_t rank_of(test::rational_rows a)
{
    std::size_t rank = 0;
    for (std::size_t c = 0; !a.empty() && c < a[0].size() && rank < a.size(); ++c) {
        std::size_t p = rank;
        while (p < a.size() && a[p][c] == 0) ++p;
        if (p == a.size()) continue;
        std::swap(a[p], a[rank]);
        for (std::size_t i = rank + 1; i < a.size(); ++i) {
            const mpq_class factor = a[i][c] / a[rank][c];
            if (factor == 0) continue;
            for (std::size_t j = c; j < a[i].size(); ++j) a[i][j] -= factor * a[rank][j];
        }
        ++rank;
    }
    return static_cast<index_t>(rank);
}

test::rational_rows picked(const test::rational_rows& a, const std::vector<column_t>& rows)
{
    test::rational_rows some;
    for (const column_t i : rows) some.push_back(a[as_size(i)]);
    return some;
}

/// Each row that depends on others does so by those of its null vector, all of them; and by none
/// of the other dependent rows.
void check_dependences(const test::rational_rows& a, const std::vector<column_t>& dependent,
                       const std::function<std::vector<column_t>(index_t)>& support)
{
    CHECK(std::is_sorted(dependent.begin(), dependent.end()));
    std::vector<column_t> others;
    for (column_t i = 0; as_size(i) < a.size(); ++i)
        if (!std::binary_search(dependent.begin(), dependent.end(), i)) others.push_back(i);
    CHECK(rank_of(picked(a, others)) == std::ssize(others));
    for (index_t k = 0; k < std::ssize(dependent); ++k) {
        const std::vector<column_t> rows = support(k);
        CHECK(rank_of(picked(a, rows)) == std::ssize(rows) - 1);
        for (const column_t i : dependent)
            CHECK(std::binary_search(rows.begin(), rows.end(), i) == (i == dependent[as_size(k)]));
        for (std::size_t left = 0; left < rows.size(); ++left) {
            std::vector<column_t> rest = rows;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left));
            CHECK(rank_of(picked(a, rest)) == std::ssize(rest));
        }
    }
}

ddla::vector<dd> vector_of(const test::rational_vector& q)
{
    ddla::vector<dd> v(std::ssize(q));
    for (index_t i = 0; i < v.size(); ++i) v.set(i, dd(q[as_size(i)].get_d()));
    return v;
}

/// A x of integers.
test::rational_vector image(const test::rational_rows& a)
{
    test::rational_vector b(a.size(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a[i].size(); ++j)
            b[i] += a[i][j] * (static_cast<long>(j % 7) - 3);
    return b;
}

/// Whether b makes the rank of [A, b] no larger.
bool is_consistent(const test::rational_rows& a, const test::rational_vector& b)
{
    test::rational_rows with_b = a;
    for (std::size_t i = 0; i < a.size(); ++i) with_b[i].push_back(b[i]);
    return rank_of(with_b) == rank_of(a);
}

/// By supernodes, however few operations they take.
residue_factors factors_of(const csr_matrix<double>& a,
                           residue_modulus modulo = residue_modulus::first)
{
    static_options o;
    o.common.order = ordering::amd;
    return residue_factors::make(a.view(), o, modulo);
}

void check_singular(const csr_matrix<double>& a, residue_modulus modulo)
{
    const auto f = factors_of(a, modulo);
    REQUIRE(f.about().end == factor_end::complete);
    const test::rational_rows q = rows_of(a);
    CHECK(f.about().rank == rank_of(q));
    CHECK(f.about().determinant == 0);
    const index_t missing = a.rows() - *f.about().rank;
    CHECK(missing > 0);
    CHECK(std::ssize(f.about().dependent_columns) == missing);
    check_dependences(q, f.about().dependent_rows,
                      [&](index_t k) { return f.left_null_support(k); });
    check_dependences(transposed(q), f.about().dependent_columns,
                      [&](index_t k) { return f.right_null_support(k); });
    const test::rational_vector b = image(q);
    CHECK(f.is_consistent(vector_of(b).view()));
    for (std::size_t i = 0; i < b.size(); ++i) {
        test::rational_vector other = b;
        other[i] += mpq_class(1, 1024);
        CHECK(f.is_consistent(vector_of(other).view()) == is_consistent(q, other));
    }
    CHECK_THROWS_AS(f.zeros_of_solution(vector_of(b).view()), ddla::input_error);
}

/// Those of A x = b for an x with zeros.
void check_zeros(const csr_matrix<double>& a, residue_modulus modulo, index_t without)
{
    const auto f = factors_of(a, modulo);
    REQUIRE(f.about().is_nonsingular());
    CHECK(f.about().without >= without);
    CHECK(f.about().dependent_rows.empty());
    const test::rational_rows q = rows_of(a);
    for (const std::size_t seed : {0u, 5u}) {
        test::rational_vector b = image(q);
        if (seed > 0) b[seed] += 1;
        const auto x = test::solve_exactly(q, b);
        REQUIRE(x);
        std::vector<bool> expected;
        for (const mpq_class& value : *x) expected.push_back(value == 0);
        CHECK(f.zeros_of_solution(vector_of(b).view()) == expected);
        CHECK(f.is_consistent(vector_of(b).view()));
    }
}

/// [D, B^T; B, 0] with B of random integers and a D that is zero in every third one of the first m
/// rows.
csr_matrix<double> saddle_point(index_t n, index_t m)
{
    test::random_numbers random(11);
    ddla::coordinates<double> c{.rows = n + m, .columns = n + m};
    for (index_t i = 0; i < n; ++i) c.add(i, i, i < m && i % 3 == 0 ? 0 : 3);
    for (index_t i = 0; i < m; ++i)
        for (int k = 0; k < 4; ++k) {
            const index_t j = k == 0 ? i : random.below(n);
            const double v = static_cast<double>(random.below(9)) + 1;
            c.add(n + i, j, v), c.add(j, n + i, v);
        }
    return csr_matrix<double>(c);
}

/// A ring of -1, 0 and 1 without a diagonal, and a few more entries.
csr_matrix<double> integers_without_pivots(index_t n, std::uint64_t seed)
{
    test::random_numbers random(seed);
    ddla::coordinates<double> c{.rows = n, .columns = n};
    const auto value = [&] { return static_cast<double>(random.below(3)) - 1; };
    for (index_t i = 0; i < n; ++i) {
        c.add(i, i, 0), c.add(i, (i + 1) % n, value()), c.add((i + 1) % n, i, value());
        const index_t j = (i + n / 3) % n;
        c.add(i, j, value()), c.add(j, i, value());
    }
    return csr_matrix<double>(c);
}

constexpr residue_modulus both[] = {residue_modulus::first, residue_modulus::second};

}  // namespace

TEST_CASE("rank, consistency and null vectors of singular systems modulo primes", "[factor][rank]")
{
    for (const residue_modulus modulo : both) {
        check_singular(test::with_sum_of_rows(40, 2, 20, 7, 38), modulo);
        check_singular(test::laplacian_of_paths(1, 30), modulo);
        check_singular(test::laplacian_of_paths(5, 8), modulo);
    }
    // Pivots of 0 are more than the rank lacks.
    for (const auto& a : {integers_without_pivots(40, 4), integers_without_pivots(50, 3),
                          integers_without_pivots(40, 10)}) {
        const auto f = factors_of(a);
        CHECK(f.about().without > a.rows() - f.about().rank.value_or(0));
        check_singular(a, residue_modulus::first);
    }
    // Each path is a null vector of its own.
    const auto f = residue_factors::make(test::laplacian_of_paths(3, 5).view(), {});
    CHECK(f.right_null_support(1) == std::vector<column_t>{5, 6, 7, 8, 9});
    CHECK(f.left_null_support(2) == std::vector<column_t>{10, 11, 12, 13, 14});
}

TEST_CASE("zeros of solutions modulo primes, also where blocks are singular", "[factor][rank]")
{
    for (const residue_modulus modulo : both) {
        check_zeros(csr_matrix<double>(test::dominant_integers(40, 3, 4)), modulo, 0);
        check_zeros(saddle_point(24, 12), modulo, 0);
        check_zeros(integers_without_pivots(30, 7), modulo, 5);
        check_zeros(integers_without_pivots(40, 6), modulo, 5);
    }
}

TEST_CASE("the rank is not known where too many pivots are 0", "[factor][rank]")
{
    const index_t most = most_pivots_of_zero;
    const auto few = residue_factors::make(test::laplacian_of_paths(most, 2).view(), {});
    CHECK(few.about().rank == most);
    const auto a = test::laplacian_of_paths(most + 1, 2);
    const auto f = residue_factors::make(a.view(), {});
    CHECK(f.about().end == factor_end::complete);
    CHECK(f.about().without == most + 1);
    CHECK_FALSE(f.about().rank);
    CHECK_FALSE(f.about().is_nonsingular());
    const ddla::vector<dd> b(a.rows());
    CHECK_THROWS_AS(f.is_consistent(b.view()), ddla::input_error);
    CHECK_THROWS_AS(f.zeros_of_solution(b.view()), ddla::input_error);
    CHECK_THROWS_AS(f.left_null_support(0), ddla::input_error);
}

TEST_CASE("questions that factors modulo primes refuse", "[factor][rank]")
{
    const auto f = residue_factors::make(test::laplacian_of_paths(1, 5).view(), {});
    CHECK_THROWS_AS(f.is_consistent(ddla::vector<dd>(4).view()), ddla::input_error);
    CHECK_THROWS_AS(f.is_consistent(ddla::vector<dd>(5, dd(HUGE_VAL)).view()), ddla::input_error);
    CHECK_THROWS_AS(f.right_null_support(1), ddla::input_error);
    CHECK_THROWS_AS(f.right_null_support(-1), ddla::input_error);
    static_options o;
    o.most_operations = 0;
    const auto none = residue_factors::make(test::laplacian_of_paths(1, 5).view(), o);
    CHECK(none.about().end == factor_end::over_work);
    CHECK_THROWS_AS(none.is_consistent(ddla::vector<dd>(5).view()), ddla::input_error);
    CHECK_THROWS_AS(none.right_null_support(0), ddla::input_error);
}
