// Factors modulo primes, against determinants of whole numbers, and full rank that they prove.
#include "catch.hpp"
#include "definite_systems.hpp"
#include "support/everywhere.hpp"

#include "engine/host_loops.hpp"
#include "factor/rank/residue_factors.hpp"

#include "ddla/generate.hpp"

#include <gmpxx.h>

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;
using dd = ddla::dd_real;

namespace {

static_options on_threads()
{
    static_options o;
    o.common.run = {ddla::host_threads(), ddla::run_on_host, 1};
    return o;
}

template <class V>
residue_report report_of(const ddla::csr<V>& a, const static_options& o,
                         residue_modulus modulo = residue_modulus::first)
{
    return residue_factors::make(a, o, modulo).about();
}

using integers = std::vector<std::vector<long>>;

/// On the pattern of a graph, from -limit to limit; a part of the diagonal is zero.
integers integers_on(const ddla::test::edges& e, std::uint64_t seed, std::uint64_t limit)
{
    test::random_numbers random(seed);
    integers a(e.rows.size(), std::vector<long>(e.rows.size(), 0));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (const column_t j : e.rows[i]) {
            const auto v =
                static_cast<long>(random.below(2 * limit + 1)) - static_cast<long>(limit);
            a[i][as_size(j)] = i == as_size(j) && i % 3 == 1 ? 0 : v;
        }
    return a;
}

template <class T = double>
csr_matrix<T> matrix(const integers& a, const std::vector<int>& exponent = {})
{
    std::vector<index_t> begin = {0};
    std::vector<column_t> column;
    std::vector<T> value;
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < a.size(); ++j) {
            if (a[i][j] == 0) continue;
            column.push_back(static_cast<column_t>(j));
            value.push_back(
                scaled(T(static_cast<double>(a[i][j])), exponent.empty() ? 0 : exponent[i]));
        }
        begin.push_back(static_cast<index_t>(value.size()));
    }
    ddla::vector<T> values(static_cast<index_t>(value.size()));
    for (std::size_t e = 0; e < value.size(); ++e) values.set(static_cast<index_t>(e), value[e]);
    const auto n = static_cast<index_t>(a.size());
    return {n, n, begin, column, std::move(values)};
}

/// By Bareiss' elimination of whole numbers.
mpz_class determinant(const integers& of)
{
    const std::size_t n = of.size();
    std::vector<std::vector<mpz_class>> a(n, std::vector<mpz_class>(n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) a[i][j] = of[i][j];
    mpz_class last = 1;
    int sign = 1;
    for (std::size_t k = 0; k + 1 < n; ++k) {
        std::size_t pivot = k;
        while (pivot < n && a[pivot][k] == 0) ++pivot;
        if (pivot == n) return 0;
        if (pivot != k) {
            std::swap(a[pivot], a[k]);
            sign = -sign;
        }
        for (std::size_t i = k + 1; i < n; ++i)
            for (std::size_t j = k + 1; j < n; ++j)
                a[i][j] = (a[i][j] * a[k][k] - a[i][k] * a[k][j]) / last;
        last = a[k][k];
    }
    return sign * a[n - 1][n - 1];
}

/// Modulo 2^50 - 1877 or 2^50 - 3221, from 0 on.
std::int64_t modulo_prime(const mpz_class& x, residue_modulus modulo)
{
    const mpz_class prime = (mpz_class(1) << 50) - (modulo == residue_modulus::first ? 1877 : 3221);
    mpz_class r = x % prime;
    if (r < 0) r += prime;
    return r.get_si();
}

void check(const residue_report& r, const mpz_class& d,
           residue_modulus modulo = residue_modulus::first)
{
    REQUIRE(r.end == factor_end::complete);
    CHECK(r.rank.has_value() == (r.without <= most_pivots_of_zero));
    if (r.rank) CHECK(r.determinant == modulo_prime(d, modulo));
    CHECK(r.is_nonsingular() == (r.rank && modulo_prime(d, modulo) != 0));
}

}  // namespace

TEST_CASE("determinants modulo the prime are those of whole numbers", "[factor][rank]")
{
    int proved = 0;
    std::uint64_t seed = 0;
    for (const auto& e : test::graphs_of_all_shapes()) {
        if (e.rows.size() > 100) continue;
        for (const std::uint64_t limit : {3, 1000000}) {
            const integers a = integers_on(e, ++seed, limit);
            const mpz_class d = determinant(a);
            INFO(a.size() << " rows, up to " << limit);
            const auto m = matrix(a);
            test::everywhere([&] {
                for (const auto modulo : {residue_modulus::first, residue_modulus::second}) {
                    const auto r = report_of(m.view(), on_threads(), modulo);
                    if (r.end == factor_end::unsuited) return;
                    check(r, d, modulo);
                }
            });
            proved += report_of(m.view(), {}).is_nonsingular();
        }
    }
    CHECK(proved >= 5);
    // Two rows are equal: whatever is looked at, nothing is proved.
    integers a = integers_on(ddla::test::grid(6, 5, 1, true), 9, 5);
    a[17] = a[4];
    const auto r = report_of(matrix(a).view(), {});
    CHECK(r.without >= 1);
    check(r, determinant(a));
}

TEST_CASE("full rank is proved of any doubles, and of double-double", "[factor][rank]")
{
    const integers a = integers_on(ddla::test::grid(5, 4, 1, true), 5, 1000);
    const mpz_class d = determinant(a);
    REQUIRE(sgn(d) != 0);
    // Rows by powers of two whose product is 1.
    std::vector<int> exponent(a.size(), 0);
    for (std::size_t i = 0; i + 1 < exponent.size(); i += 2) {
        exponent[i] = static_cast<int>(40 * i) - 900;
        exponent[i + 1] = -exponent[i];
    }
    check(report_of(matrix(a, exponent).view(), {}), d);
    check(report_of(matrix<dd>(a, exponent).view(), {}), d);
    // 1 + 2^-80 counts: this one is singular in double.
    const csr_matrix<dd> close(2, 2, {0, 2, 4}, {0, 1, 0, 1},
                               {dd(1), dd(1), dd(1), dd(1) + dd(0x1p-80)});
    CHECK(report_of(close.view(), {}).is_nonsingular());
    const csr_matrix<dd> equal(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {dd(1), dd(1), dd(1), dd(1)});
    CHECK(report_of(equal.view(), {}).without == 1);
    CHECK_FALSE(report_of(equal.view(), {}).is_nonsingular());
}

TEST_CASE("full rank is proved where blocks are singular and the whole is not", "[factor][rank]")
{
    // Of the first panel of a full matrix some rows are equal in its columns.
    for (const long missing : {1L, 3L, 32L, 33L}) {
        integers a = integers_on(ddla::test::complete(143), 40, 1000);
        for (std::size_t i = 0; i < a.size(); ++i) a[i][i] = 5;
        const auto f = static_factors<double>::make(matrix(a).view(), {});
        const std::vector<column_t> of_panel(f.row_of().begin(),
                                             f.row_of().begin() + f.parts().first[1]);
        const std::vector<column_t> columns(f.column_of().begin(),
                                            f.column_of().begin() + f.parts().first[1]);
        for (long k = 1; k <= missing; ++k)
            for (const column_t j : columns)
                a[as_size(of_panel[as_size(k)])][as_size(j)] = a[as_size(of_panel[0])][as_size(j)];
        const mpz_class d = determinant(a);
        REQUIRE(sgn(d) != 0);
        test::everywhere([&] {
            const auto r = report_of(matrix(a).view(), on_threads());
            INFO(missing << " rows, without: " << r.without);
            CHECK(r.without == missing);
            CHECK(r.is_nonsingular() == (missing <= most_pivots_of_zero));
            check(r, d);
        });
    }
}

TEST_CASE("the largest residues do not overflow", "[factor][rank]")
{
    // All entries are p - 1 or about p / 2, which are the largest in magnitude.
    constexpr long p = (1L << 50) - 1877, q = (1L << 50) - 3221;
    for (const long largest : {p - 1, p / 2, p / 2 + 1, q - 1, q / 2, q / 2 + 1}) {
        integers a(40, std::vector<long>(40, largest));
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t j = 0; j < a.size(); ++j)
                if ((i * 7 + j * 11) % 5 == 0) a[i][j] = largest - static_cast<long>(i * j);
        const mpz_class d = determinant(a);
        test::everywhere([&] {
            for (const auto modulo : {residue_modulus::first, residue_modulus::second})
                check(report_of(matrix(a).view(), on_threads(), modulo), d, modulo);
        });
    }
}

TEST_CASE("limits and watches end proofs of full rank", "[factor][rank]")
{
    const auto a = ddla::generate::convection_diffusion(12, 12, 12);
    const auto whole = report_of(a.view(), {});
    CHECK(whole.is_nonsingular());
    CHECK(whole.done == whole.operations);
    const auto counted = residue_factors::count(a.view(), {});
    CHECK(counted.end == factor_end::complete);
    CHECK(counted.entries == whole.entries);
    CHECK(counted.operations == whole.operations);
    CHECK(counted.bytes == whole.bytes);
    CHECK(counted.has_symmetric_pattern);
    static_options o;
    o.most_operations = whole.operations - 1;
    CHECK(report_of(a.view(), o).end == factor_end::over_work);
    CHECK(residue_factors::count(a.view(), o).end == factor_end::over_work);
    o = {};
    o.common.most_bytes = whole.bytes - 1;
    CHECK(report_of(a.view(), o).end == factor_end::over_memory);
    o = {};
    o.least_operations = HUGE_VAL;
    CHECK(report_of(a.view(), o).end == factor_end::unsuited);
    o = {};
    o.common.watch = [](index_t, index_t, std::int64_t, double) { return false; };
    CHECK(report_of(a.view(), o).end == factor_end::stopped);
    const csr_matrix<double> wide(1, 2, {0, 1}, {0}, {1});
    CHECK_THROWS_AS(report_of(wide.view(), {}), ddla::input_error);
    const csr_matrix<double> infinite(1, 1, {0, 1}, {0}, {HUGE_VAL});
    CHECK(report_of(infinite.view(), {}).end == factor_end::not_finite);
}
