// Proved bounds: of inverses and of errors, against exact ones; what must not be certified.
#include "catch.hpp"
#include "support/exact_numbers.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"

#include "errors/certify.hpp"
#include "errors/definite_bound.hpp"
#include "errors/exact_residual.hpp"

#include "ddla/check.hpp"
#include "ddla/solve.hpp"

#include <cmath>

using namespace ddla::refine;
using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::vec;
using test::matrix_of;

namespace {

using rows = std::vector<std::vector<double>>;

rows random_integers(std::size_t n, std::uint64_t seed)
{
    test::random_numbers random(seed);
    rows a(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (i == j || std::fabs(random.real()) < 0.4)
                a[i][j] = static_cast<double>(random.below(41) - 20);
    return a;
}

/// Corrections that say that A^-1 is the identity over this.  Refined solves with it stall, unless
/// A is.
approximate_inverse liar(double scale)
{
    const correction c = [scale](vec<const dd_real> r, vec<dd_real> d) {
        for (index_t i = 0; i < r.size; ++i) d.set(i, r.get(i) * scale);
    };
    return {c, c, {}, 0x1p-52, {}};
}

using rationals = std::vector<std::vector<mpq_class>>;

rationals exact(const csr_matrix<double>& a)
{
    rationals q(static_cast<std::size_t>(a.rows()),
                std::vector<mpq_class>(static_cast<std::size_t>(a.rows())));
    const auto v = a.view();
    for (index_t i = 0; i < v.rows; ++i)
        for (index_t e = v.row_begin[i]; e < v.row_begin[i + 1]; ++e)
            q[static_cast<std::size_t>(i)][static_cast<std::size_t>(v.column[e])] = v.value.get(e);
    return q;
}

/// Nothing if A is singular.
std::optional<rationals> inverse(rationals a)
{
    const std::size_t n = a.size();
    rationals b(n, std::vector<mpq_class>(n));
    for (std::size_t i = 0; i < n; ++i) b[i][i] = 1;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t p = k;
        while (p < n && a[p][k] == 0) ++p;
        if (p == n) return std::nullopt;
        std::swap(a[p], a[k]);
        std::swap(b[p], b[k]);
        const mpq_class pivot = a[k][k];
        for (std::size_t j = 0; j < n; ++j) {
            a[k][j] /= pivot;
            b[k][j] /= pivot;
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k || a[i][k] == 0) continue;
            const mpq_class factor = a[i][k];
            for (std::size_t j = 0; j < n; ++j) {
                a[i][j] -= factor * a[k][j];
                b[i][j] -= factor * b[k][j];
            }
        }
    }
    return b;
}

/// The largest 2-norm of a column of (R A C)^-1, which is at most its norm, and that of Frobenius,
/// which is at least.
struct norms {
    double least = 0, most = 0;
};
norms scaled_norms(const rationals& inverse, const ddla::factor::exponents& s)
{
    norms found;
    for (std::size_t j = 0; j < inverse.size(); ++j) {
        double column = 0;
        for (std::size_t i = 0; i < inverse.size(); ++i)
            column += std::pow(std::ldexp(inverse[i][j].get_d(), -s.column[i] - s.row[j]), 2);
        found.least = std::max(found.least, std::sqrt(column));
        found.most += column;
    }
    found.most = std::sqrt(found.most);
    return found;
}

/// Solves with the exact inverse, in double.
approximate_inverse solves_with(const rationals& inverse)
{
    const auto by = [&inverse](bool transposed) -> correction {
        return [&inverse, transposed](vec<const dd_real> r, vec<dd_real> d) {
            for (index_t i = 0; i < r.size; ++i) {
                dd_real sum(0);
                for (index_t j = 0; j < r.size; ++j) {
                    const auto x = static_cast<std::size_t>(transposed ? j : i);
                    const auto y = static_cast<std::size_t>(transposed ? i : j);
                    sum = sum + r.get(j) * inverse[x][y].get_d();
                }
                d.set(i, sum);
            }
        };
    };
    return {by(false), by(true), {}, 0x1p-52, {}};
}

const factor_watch goes_on = [](double) { return true; };

/// B^T B of integers, B with this many rows, and `more` on the diagonal.
rows gram(std::size_t n, std::size_t of_rows, std::uint64_t seed, double more)
{
    const rows b = random_integers(std::max(n, of_rows), seed);
    rows a(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t k = 0; k < of_rows; ++k) a[i][j] += b[k][i] * b[k][j];
            if (i == j) a[i][j] += more;
        }
    return a;
}

}  // namespace

TEST_CASE("proved norms of inverses are between the exact ones", "[certify]")
{
    int certified = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const auto a = matrix_of(random_integers(2 + seed / 3, seed));
        const auto truth = inverse(exact(a));
        if (!truth) continue;
        const ddla::vector<dd_real> b(a.rows(), dd_real(1));
        const host_system<double> system(a.view(), b.view());
        const inverse_bound found = bound_inverse(system, solves_with(*truth), {}, goes_on);
        INFO("seed " << seed << ", " << found.why);
        REQUIRE(found.why.empty());
        ++certified;
        const norms known = scaled_norms(*truth, found.scaling);
        CHECK(found.norm >= known.least);
        CHECK(found.norm <= 100 * known.most);
    }
    CHECK(certified >= 30);
}

TEST_CASE("proved norms of inverses of definite matrices are between the exact ones", "[certify]")
{
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const std::size_t n = 2 + seed / 3;
        const auto a = matrix_of(gram(n, n, seed, static_cast<double>(seed % 3)));
        const auto truth = inverse(exact(a));
        if (!truth) continue;
        const ddla::vector<dd_real> b(a.rows(), dd_real(1));
        const host_system<double> system(a.view(), b.view());
        const inverse_bound found =
            bound_definite_inverse(system, solves_with(*truth), {}, goes_on);
        INFO("seed " << seed << ", " << found.why);
        REQUIRE(found.why.empty());
        CHECK(found.scaling.row == found.scaling.column);
        const norms known = scaled_norms(*truth, found.scaling);
        CHECK(found.norm >= known.least);
        CHECK(found.norm <= 100 * known.most);
    }
}

TEST_CASE("matrices that are semidefinite only are never certified as definite", "[certify]")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const std::size_t n = 3 + seed / 3;
        const auto a = matrix_of(gram(n, n - 1, seed, 0));
        const ddla::vector<dd_real> b(a.rows(), dd_real(1));
        const host_system<double> system(a.view(), b.view());
        for (const double scale : {1.0, 0x1p20, 0x1p60, 0x1p110, 0x1p300}) {
            INFO("seed " << seed << ", " << scale);
            CHECK_FALSE(bound_definite_inverse(system, liar(scale), {}, goes_on).why.empty());
        }
    }
    // Solves that tell a norm of 1, of one that is indefinite by little and of one that is not.
    const ddla::vector<dd_real> b(2, dd_real(1));
    for (const double s : {-0x1p-30, -0x1p-50, 0.0, 0x1p-52}) {
        const auto a = matrix_of({{1, 1}, {1, 1 + s}});
        const host_system<double> system(a.view(), b.view());
        CHECK_FALSE(bound_definite_inverse(system, liar(1), {}, goes_on).why.empty());
    }
}

TEST_CASE("definite matrices beyond double are certified in double-double", "[certify]")
{
    const double s = 0x1p-50;
    const auto a = matrix_of({{1, 1}, {1, 1 + s}});
    const correction inverse = [s](vec<const dd_real> r, vec<dd_real> d) {
        const dd_real second = (r.get(1) - r.get(0)) / s;
        d.set(0, r.get(0) - second);
        d.set(1, second);
    };
    const ddla::vector<dd_real> b(2, dd_real(1));
    const host_system<double> system(a.view(), b.view());
    const inverse_bound found =
        bound_definite_inverse(system, {inverse, inverse, {}, 0x1p-104, {}}, {}, goes_on);
    REQUIRE(found.why.empty());
    CHECK(found.norm >= 2 / s);
    CHECK(found.norm <= 100 / s);
}

TEST_CASE("a proof for a definite matrix says what it needs beyond a limit", "[certify]")
{
    const auto a = matrix_of(gram(20, 20, 3, 1));
    const auto truth = inverse(exact(a));
    const ddla::vector<dd_real> b(a.rows(), dd_real(1));
    const host_system<double> system(a.view(), b.view());
    const auto why = [&](const ddla::factorisation_options& limits) {
        return bound_inverse(system, solves_with(*truth), limits, goes_on).why;
    };
    CHECK_THAT(why({.most_work = 1e-8}),
               Catch::Contains("most_work") && Catch::Contains("counted"));
    CHECK_THAT(why({.most_memory = 100}),
               Catch::Contains("most_memory") && Catch::Contains("counted"));
}

TEST_CASE("singular matrices are never certified, whatever the corrections say", "[certify]")
{
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        rows a = random_integers(3 + seed / 2, seed);
        const std::size_t n = a.size();
        for (std::size_t j = 0; j < n; ++j) a[n - 1][j] = a[0][j] + 2 * a[n / 2][j];
        const auto singular = matrix_of(a);
        // Corrections of a matrix that has an inverse: its last row is another one.
        rows other = a;
        other[n - 1][n - 1] += 1 + static_cast<double>(seed % 3);
        const auto near = inverse(exact(matrix_of(other)));
        const ddla::vector<dd_real> b(singular.rows(), dd_real(1));
        const host_system<double> system(singular.view(), b.view());
        INFO("seed " << seed);
        if (near) CHECK_FALSE(bound_inverse(system, solves_with(*near), {}, goes_on).why.empty());
        for (const double scale : {1e-3, 1.0, 1e12, 1e25})
            CHECK_FALSE(bound_inverse(system, liar(scale), {}, goes_on).why.empty());
        ddla::vector<dd_real> x(singular.rows());
        const auto report = ddla::solve(singular, b, x, {.certify = true});
        CHECK_FALSE(report.bound->certified);
        CHECK_FALSE(report.bound->normwise.has_value());
    }
}

TEST_CASE("a shift above the smallest singular value proves nothing", "[certify]")
{
    // Corrections that never look at the second row: refined solves with them end at once, and the
    // norm of the inverse seems to be 1.
    const correction blind = [](vec<const dd_real> r, vec<dd_real> d) {
        d.set(0, r.get(0));
        d.set(1, dd_real(0));
    };
    const approximate_inverse approximate{blind, blind, {}, 0x1p-52, {}};
    const ddla::vector<dd_real> b(2, dd_real(1));
    for (const double s : {0.0, 0x1p-50, 0x1p-30, 0x1p-12}) {
        const auto a = matrix_of({{1, 1}, {1, 1 + s}});
        const host_system<double> system(a.view(), b.view());
        const inverse_bound found = bound_inverse(system, approximate, {}, goes_on);
        INFO("s = " << s << ": " << found.why);
        CHECK_THAT(found.why, Catch::Contains("signs of eigenvalues"));
        CHECK(found.norm == HUGE_VAL);
    }
    // Here the third shift is below: the norm is known, not well.
    const auto a = matrix_of({{1, 1}, {1, 1 + 0x1p-7}});
    const host_system<double> system(a.view(), b.view());
    const inverse_bound found = bound_inverse(system, approximate, {}, goes_on);
    REQUIRE(found.why.empty());
    CHECK(found.norm >= scaled_norms(*inverse(exact(a)), found.scaling).least);
}

TEST_CASE("an inverse too large for the proof's factors has no bound, never a wrong one",
          "[certify]")
{
    const ddla::vector<dd_real> b(2, dd_real(1));
    int proved = 0;
    for (int digits = 40; digits <= 104; digits += 4) {
        // || A^-1 ||_2 is 2 / s and little more.
        const double s = std::ldexp(1, -digits);
        const csr_matrix<dd_real> a(2, 2, {0, 2, 4}, {0, 1, 0, 1},
                                    {dd_real(1), dd_real(1), dd_real(1), dd_real(1) + dd_real(s)});
        const correction inverse = [s](vec<const dd_real> r, vec<dd_real> d) {
            const dd_real second = (r.get(1) - r.get(0)) / s;
            d.set(0, r.get(0) - second);
            d.set(1, second);
        };
        const host_system<dd_real> system(a.view(), b.view());
        const inverse_bound found =
            bound_inverse(system, {inverse, inverse, {}, 0x1p-104, {}}, {}, goes_on);
        INFO("s = 2^-" << digits << ": " << found.why);
        CHECK(found.scaling.row == std::vector<int>{0, 0});
        CHECK(found.scaling.column == std::vector<int>{0, 0});
        CHECK(found.norm >= 2 / s);
        if (found.why.empty()) ++proved;
        if (digits <= 80) CHECK(found.why.empty());
        if (digits >= 100) CHECK_THAT(found.why, Catch::Contains("too large for factors"));
    }
    CHECK(proved >= 11);
}

TEST_CASE("what is not exact is refused, with the reason", "[certify]")
{
    const auto reason = [](const auto& a, const ddla::factorisation_options& limits) {
        const ddla::vector<dd_real> b(a.rows(), dd_real(1));
        const host_system system(a.view(), b.view());
        return bound_inverse(system, liar(1), limits, goes_on).why;
    };
    const csr_matrix<double> twice(1, 1, {0, 2}, {0, 0}, {1, 0x1p-60});
    CHECK_THAT(reason(twice, {}), Catch::Contains("share a place"));
    const csr_matrix<dd_real> by_hand(1, 1, {0, 1}, {0}, {dd_real(1, 1)});
    CHECK_THAT(reason(by_hand, {}), Catch::Contains("range"));
    const csr_matrix<dd_real> far(2, 2, {0, 2, 4}, {0, 1, 0, 1},
                                  {dd_real(1), dd_real(0x1p-1000), dd_real(1), dd_real(0x1p+500)});
    CHECK_THAT(reason(far, {}), Catch::Contains("range"));
    const auto structural = matrix_of({{1, 1}, {0, 0}});
    CHECK_THAT(reason(structural, {}), Catch::Contains("pattern"));
    const auto full = matrix_of(random_integers(30, 3));
    CHECK_THAT(reason(full, {.most_work = 1e-9}),
               Catch::Contains("than most_work allows, 1 multiplications with a subtraction"));
    CHECK_THAT(reason(full, {.most_work = 1e-6}),
               Catch::Contains("than most_work allows, 1000 multiplications with a subtraction"));
    CHECK_THAT(reason(full, {.most_memory = 100}), Catch::Contains("most_memory"));
}

TEST_CASE("bounds of errors hold for any x and any corrections", "[certify]")
{
    // A = I / 2 with b = 1: x* = 2.
    const auto a = matrix_of({{0.5, 0}, {0, 0.5}});
    const ddla::vector<dd_real> b(2, dd_real(1));
    const host_system<double> system(a.view(), b.view());
    const inverse_bound inverse = bound_inverse(system, liar(2), {}, goes_on);
    REQUIRE(inverse.why.empty());
    for (const double scale : {2.0, 1.5, 0.0, -3.0, 1e200}) {
        INFO("corrections times " << scale);
        for (const double off : {0.0, 1e-300, 1e-40, 1e-20, 1e-3}) {
            const ddla::vector<dd_real> x{dd_real(2) + dd_real(off), dd_real(2, -off / 4)};
            const ddla::error_bound found =
                bound_error<double>(system, x.view(), liar(scale), inverse);
            REQUIRE(found.certified);
            const double e = off > 1e-35 ? off : off / 4;
            CHECK(*found.normwise >= e / 2);
            CHECK(*found.componentwise >= e / 2);
            CHECK(*found.componentwise <= 100 * std::max(e, 1e-300));
        }
    }
    const ddla::vector<dd_real> zero(2);
    CHECK_FALSE(bound_error<double>(system, zero.view(), liar(2), inverse).certified);
    const ddla::vector<dd_real> nan{dd_real(NAN), dd_real(1)};
    CHECK_FALSE(bound_error<double>(system, nan.view(), liar(2), inverse).certified);
}

TEST_CASE("a residual that overflows proves nothing", "[certify]")
{
    const auto a = matrix_of({{4, 0}, {0, 4}});
    const ddla::vector<dd_real> b(2, dd_real(1));
    const host_system<double> system(a.view(), b.view());
    const inverse_bound inverse = bound_inverse(system, liar(0.25), {}, goes_on);
    REQUIRE(inverse.why.empty());
    for (const std::size_t at : {0, 1}) {
        ddla::vector<dd_real> x(2, dd_real(0.25));
        x.set(static_cast<index_t>(at), dd_real(0x1p+1023));
        const ddla::error_bound found = bound_error<double>(system, x.view(), liar(0.25), inverse);
        CHECK_FALSE(found.certified);
        CHECK_FALSE(found.normwise.has_value());
        CHECK_THAT(found.why, Catch::Contains("out of range"));
    }
}

TEST_CASE("the low half of an x in four words counts", "[certify]")
{
    // x* = 2 + 2^-119.
    const csr_matrix<dd_real> a(1, 1, {0, 1}, {0}, {dd_real(0.5)});
    const ddla::vector<dd_real> b{dd_real(1, 0x1p-120)}, x{dd_real(2)}, none{dd_real(0)},
        right{dd_real(0x1p-119)}, wrong{dd_real(0x1p-119 + 0x1p-150)};
    const host_system<dd_real> system(a.view(), b.view());
    const inverse_bound inverse = bound_inverse(system, liar(2), {}, goes_on);
    const auto error = [&](const ddla::vector<dd_real>& low) {
        const const_solution_view all(x.view(), low.view());
        return *bound_error<dd_real>(system, all, liar(2), inverse).normwise;
    };
    const auto is_about = [](double bound, double e) { return bound >= e && bound <= 2 * e; };
    CHECK(error(right) < 0x1p-200);
    CHECK(is_about(error(wrong), 0x1p-151 * (1 - 0x1p-50)));
    CHECK(is_about(error(none), 0x1p-120 * (1 - 0x1p-50)));
}

TEST_CASE("low words of A, b and x count", "[certify]")
{
    const dd_real more(1, 0x1p-80);
    const csr_matrix<dd_real> plain(1, 1, {0, 1}, {0}, {dd_real(1)}),
        longer(1, 1, {0, 1}, {0}, {more});
    const ddla::vector<dd_real> one{dd_real(1)}, b{more};
    const auto error = [](const auto& a, const auto& of_b, const auto& x) {
        const host_system<dd_real> system(a.view(), of_b.view());
        const inverse_bound inverse = bound_inverse(system, liar(1), {}, goes_on);
        return *bound_error<dd_real>(system, x.view(), liar(1), inverse).normwise;
    };
    CHECK(error(plain, one, one) < 1e-100);
    for (const double e : {error(plain, b, one), error(longer, one, one), error(plain, one, b)}) {
        CHECK(e >= 0x1p-80 * (1 - 0x1p-70));
        CHECK(e <= 0x1p-79);
    }
    CHECK(error(longer, b, one) < 1e-100);
}

TEST_CASE("expansions are exact", "[certify]")
{
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        test::random_numbers random(seed);
        expansion mine;
        mine.clear();
        test::exact_number truth;
        for (int k = 0; k < 60; ++k) {
            const double x = random.real(100), y = random.real(100);
            mine.subtract_product(x, y);
            truth = truth - test::exact_number(x) * test::exact_number(y);
            if (k % 3 == 0) mine.add(x);
            if (k % 3 == 0) truth = truth + test::exact_number(x);
        }
        CHECK(abs(truth) <= test::exact_number(mine.at_most()));
        CHECK(ratio(test::exact_number(mine.at_most()) - abs(truth), truth) < 0x1p-35);
        CHECK(ratio(test::exact_number(mine.rounded()) - truth, truth) < 0x1p-100);
    }
}

TEST_CASE("a certified solve has the bits of any other", "[certify]")
{
    const auto a = matrix_of(random_integers(25, 7));
    const ddla::vector<double> b(25, 1);
    ddla::vector<double> x(25), y(25);
    const auto with = ddla::solve(a, b, x, {.certify = true}), without = ddla::solve(a, b, y);
    CHECK(with.solution_hash == without.solution_hash);
    CHECK(with.status == without.status);
    CHECK_FALSE(without.bound.has_value());
    REQUIRE(with.bound.has_value());
    CHECK(with.bound->certified);
    CHECK(*with.bound->normwise >= 0x1p-60);  // x is in double
    CHECK(*with.bound->normwise <= 0x1p-52);
    CHECK_THROWS_AS(ddla::solve(a, b, x, {.method = ddla::method::bicgstab, .certify = true}),
                    ddla::input_error);
}

TEST_CASE("a bound below the normal range is not called 0", "[certify]")
{
    const auto a = matrix_of({{1, -1}, {0, 1}});
    const ddla::vector<double> b{0x1p500, 0x1p-600};
    ddla::vector<double> x(2);
    const auto report = ddla::solve(a, b, x, {.certify = true});
    REQUIRE(report.bound.has_value());
    REQUIRE(report.bound->certified);
    CHECK(*report.bound->normwise >= 0x1p-1022);  // x_1 is 2^-600 too small
}

TEST_CASE("words that cancel do not feign a large x", "[certify]")
{
    const auto a = matrix_of({{1}});
    const ddla::vector<dd_real> b{dd_real(0x1p-104)},
        x{dd_real(1 + 0x1p-52, -(0x1p-53 - 0x1p-106))}, low{dd_real(-1, -(0x1p-53 - 0x1p-105))};
    const auto found = ddla::check(a, b, x, low, {.certify = true});  // x is 0.75 b
    REQUIRE(found.bound.has_value());
    if (found.bound->certified) CHECK(*found.bound->normwise >= 0.25);
}
