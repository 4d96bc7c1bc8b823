// Rank, consistency and null vectors of matrices whose rank is known.
#include "known_ranks.hpp"

#include "catch.hpp"
#include "factor/lu/modular.hpp"
#include "factor/lu/residue.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"

#include <gmp.h>

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;

namespace {

/// m 2^e modulo p by GMP's integers.
std::uint64_t residue_by_gmp(double x)
{
    int exponent;
    const double mantissa = std::ldexp(std::frexp(x, &exponent), 53);
    mpz_t p, power, base, m;
    mpz_init_set_ui(p, residue::prime);
    mpz_init_set_si(m, static_cast<long>(mantissa));
    mpz_init_set_ui(base, 2);
    mpz_init(power);
    mpz_set_si(power, exponent - 53);
    mpz_powm(power, base, power, p);  // of a negative exponent by the inverse
    mpz_mul(m, m, power);
    mpz_mod(m, m, p);
    const std::uint64_t value = mpz_get_ui(m);
    mpz_clears(p, power, base, m, nullptr);
    return value;
}

/// |A x| over |A| |x|, the largest by rows.
template <class T>
double relative_residual(const csr_matrix<double>& a, const ddla::vector<T>& x)
{
    double worst = 0;
    const auto view = a.view();
    for (index_t i = 0; i < a.rows(); ++i) {
        T sum(0);
        double size = 0;
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k) {
            const T term = x[view.column[k]] * view.value.get(k);
            sum = sum + term;
            size += magnitude(term);
        }
        if (size > 0) worst = std::max(worst, magnitude(sum) / size);
    }
    return worst;
}

template <class T>
std::vector<column_t> support_of(const ddla::vector<T>& x)
{
    std::vector<column_t> where;
    for (index_t i = 0; i < x.size(); ++i)
        if (magnitude(T(x[i])) > 1e-10) where.push_back(static_cast<column_t>(i));
    return where;
}

void check_rank(const csr_matrix<double>& a, index_t rank, index_t structural_rank)
{
    const auto m = modular_factors::make(a.view(), {});
    REQUIRE(m.about().end == factor_end::complete);
    CHECK(m.about().rank == rank);
    CHECK(m.about().structural_rank == structural_rank);
    CHECK(m.about().is_nonsingular() == (rank == a.rows()));
    CHECK(m.about().is_proved() == (rank == a.rows() || rank == structural_rank));
    CHECK(static_cast<index_t>(m.about().dependent_rows.size()) == a.rows() - rank);
    CHECK(static_cast<index_t>(m.about().dependent_columns.size()) == a.rows() - rank);
}

/// Null vectors in F, found on the pivots of the elimination modulo p.
template <class F>
void check_null_vectors(const csr_matrix<double>& a, double bound)
{
    const auto m = modular_factors::make(a.view(), {});
    const auto f = factors<F>::make(a.view(), m.with_this_rank({}));
    REQUIRE(f.about().end == factor_end::complete);
    REQUIRE(f.about().rank == m.about().rank);
    CHECK(f.about().pivotless_rows == m.about().dependent_rows);
    CHECK(f.about().pivotless_columns == m.about().dependent_columns);
    const csr_matrix<double> at = transpose(a);
    for (index_t k = 0; k < a.rows() - f.about().rank; ++k) {
        const auto x = f.template right_null_vector<F>(k);
        const auto y = f.template left_null_vector<F>(k);
        CHECK(relative_residual(a, x) < bound);
        CHECK(relative_residual(at, y) < bound);
        CHECK(support_of(x) == m.right_null_support(k));
        CHECK(support_of(y) == m.left_null_support(k));
    }
}

bool has_integers(const csr_matrix<double>& a)
{
    for (index_t k = 0; k < a.nonzeros(); ++k)
        if (std::rint(a.view().value.get(k)) != a.view().value.get(k)) return false;
    return true;
}

/// A x of integers.
ddla::vector<double> image(const csr_matrix<double>& a)
{
    ddla::vector<double> x(a.rows()), b(a.rows());
    for (index_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 7) - 3;
    ddla::spmv(1.0, a, x, 0.0, b);
    return b;
}

}  // namespace

TEST_CASE("numbers modulo the prime are those of GMP", "[factor]")
{
    test::random_numbers random(7);
    for (int k = 0; k < 2000; ++k) {
        const double x = random.real(400), y = random.real(400);
        const residue rx(x), ry(y);
        CHECK(rx.value() == residue_by_gmp(x));
        CHECK((rx * ry / ry) == rx);
        CHECK((rx + ry - ry) == rx);
        CHECK((rx * ry).value() ==
              static_cast<std::uint64_t>(static_cast<unsigned __int128>(rx.value()) * ry.value() %
                                         residue::prime));
    }
    CHECK(residue(0.0).value() == 0);
    CHECK(residue(-1.0).value() == residue::prime - 1);
    CHECK(residue(0x1p61).value() == 2373);
    CHECK((residue(0x1p-61) * residue(0x1p61)).value() == 1);
    CHECK(residue(5e-324).value() == residue_by_gmp(5e-324));
    CHECK((residue(dd_real(1.0, 0x1p-61)) * residue(0x1p61)).value() == 2374);
    // 2 is no square: its order is p - 1, for (p - 1) / 2 is a prime.
    CHECK((residue(2.0).to_the((residue::prime - 1) / 2) == residue(-1.0)));
}

TEST_CASE("rank modulo the prime", "[factor]")
{
    check_rank(csr_matrix<double>(test::dominant_integers(150, 4, 1)), 150, 150);
    check_rank(test::with_sum_of_rows(120, 2, 40, 17, 88), 119, 120);
    check_rank(test::laplacian_of_paths(1, 50), 49, 50);
    check_rank(test::laplacian_of_paths(6, 9), 48, 54);
    check_rank(test::structurally_singular(90, 12, 3), 89, 89);
    // Nonsingular with a condition of 1e41, which no elimination in double-double could tell.
    check_rank(ddla::generate::hilbert_like<double>(30, 29), 30, 30);
    check_rank(csr_matrix<double>(ddla::coordinates<double>{.rows = 5, .columns = 5}), 0, 0);
}

TEST_CASE("null vectors have the support that is found modulo the prime", "[factor]")
{
    for (const auto& a : {test::with_sum_of_rows(120, 2, 40, 17, 88),
                          test::laplacian_of_paths(6, 9), test::structurally_singular(90, 12, 3)}) {
        check_null_vectors<double>(a, 1e-12);
        check_null_vectors<dd_real>(a, 1e-28);
    }
    const auto structural =
        factors<double>::make(test::structurally_singular(90, 12, 3).view(), {});
    CHECK(structural.about().structural_rank == 89);
    CHECK(structural.about().unmatched_rows.size() == 1);
    CHECK(structural.about().unmatched_columns.size() == 1);
    const auto numerical = factors<dd_real>::make(test::laplacian_of_paths(3, 5).view(), {});
    CHECK(numerical.about().rank == 12);
    CHECK(numerical.about().structural_rank == 15);
    // Row 0 would be the pivot of column 0, if it were allowed to.
    ddla::coordinates<double> ones{.rows = 2, .columns = 2};
    for (const index_t i : {0, 1}) ones.add(i, 0, 1), ones.add(i, 1, 1);
    options excluded;
    excluded.order = ordering::natural;
    excluded.rows_without_pivot = {0};
    excluded.columns_without_pivot = {1};
    const auto second = factors<double>::make(csr_matrix<double>(ones).view(), excluded);
    CHECK(second.about().pivotless_rows == std::vector<column_t>{0});
    CHECK(second.about().pivotless_columns == std::vector<column_t>{1});
    const auto m = modular_factors::make(test::laplacian_of_paths(3, 5).view(), {});
    CHECK(m.right_null_support(1) == std::vector<column_t>{5, 6, 7, 8, 9});
    CHECK(m.left_null_support(2) == std::vector<column_t>{10, 11, 12, 13, 14});
    // Row 40 is the sum of rows 17 and 88, and no other row takes part.
    const auto sum = modular_factors::make(test::with_sum_of_rows(120, 2, 40, 17, 88).view(), {});
    CHECK(sum.left_null_support(0) == std::vector<column_t>{17, 40, 88});
}

TEST_CASE("consistency of singular systems", "[factor]")
{
    for (const auto& a : {test::with_sum_of_rows(120, 2, 40, 17, 88),
                          test::laplacian_of_paths(6, 9), test::structurally_singular(90, 12, 3)}) {
        const auto m = modular_factors::make(a.view(), {});
        const auto f = factors<dd_real>::make(a.view(), m.with_this_rank({}));
        ddla::vector<dd_real> b(a.rows()), x(a.rows()), r(a.rows());
        for (index_t i = 0; i < b.size(); ++i) b.set(i, double(image(a)[i]));
        if (has_integers(a)) {  // A x is exact
            CHECK(m.is_consistent<double>(image(a).view()));
            CHECK(f.uncovered<dd_real>(b.view()).relative < 1e-28);
            f.solve<dd_real>(b.view(), x.view());
            CHECK(ddla::true_residual(widen(a), x, b).relative < 1e-28);
        }
        const index_t row = m.left_null_support(0).front();
        b.set(row, b[row] + dd_real(0, 0x1p-80));  // half a unit of the 80th bit
        CHECK_FALSE(m.is_consistent<dd_real>(b.view()));
        b.set(row, 1e6);
        CHECK_FALSE(m.is_consistent<dd_real>(b.view()));
        CHECK(f.uncovered<dd_real>(b.view()).relative > 1e-3);
    }
    const auto m = modular_factors::make(test::laplacian_of_paths(1, 5).view(), {});
    CHECK_THROWS_AS(m.is_consistent<double>(ddla::vector<double>(4).view()), ddla::input_error);
    CHECK_THROWS_AS(m.right_null_support(1), ddla::input_error);
}

TEST_CASE("ends of an elimination modulo the prime", "[factor]")
{
    const csr_matrix<double> a(test::dominant_integers(150, 4, 1));
    options o;
    o.most_operations = 10;
    CHECK(modular_factors::make(a.view(), o).about().end == factor_end::over_work);
    o = {};
    o.most_bytes = 100;
    CHECK(modular_factors::make(a.view(), o).about().end == factor_end::over_memory);
    o = {};
    o.watch = [](index_t column, index_t, std::int64_t, double) { return column < 32; };
    const auto stopped = modular_factors::make(a.view(), o);
    CHECK(stopped.about().end == factor_end::stopped);
    CHECK_THROWS_AS(stopped.is_consistent<double>(ddla::vector<double>(150).view()),
                    ddla::input_error);
}
