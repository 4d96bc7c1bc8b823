// Every bit of incomplete factors against the serial program over QD; where they are exact; bad
// pivots.
#include "incomplete_cases.hpp"
#include "serial_incomplete.hpp"

#include "catch.hpp"
#include "factor/incomplete/incomplete.hpp"
#include "support/everywhere.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;

namespace {

/// A in the order of pivots, scaled, and where it has entries.
template <class F>
struct ordered_matrix {
    oracle::dense<oracle::type<F>> value;
    std::vector<std::vector<bool>> has;
};

template <class F, class V>
ordered_matrix<F> ordered_as(const factors<F>& f, const csr_matrix<V>& a)
{
    using Q = oracle::type<F>;
    const auto n = as_size(a.rows());
    std::vector<std::size_t> row_place(n), column_place(n);
    for (std::size_t k = 0; k < n; ++k) {
        row_place[as_size(f.row_of()[k])] = k;
        column_place[as_size(f.column_of()[k])] = k;
    }
    ordered_matrix<F> m{oracle::dense<Q>(n, std::vector<Q>(n, Q(0.0))),
                        std::vector<std::vector<bool>>(n, std::vector<bool>(n, false))};
    const auto view = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k) {
            const auto j = as_size(view.column[k]);
            m.value[row_place[as_size(i)]][column_place[j]] =
                oracle::scaled(oracle::to(rounded<F>(view.value.get(k))),
                               f.scaling().row[as_size(i)] + f.scaling().column[j]);
            m.has[row_place[as_size(i)]][column_place[j]] = true;
        }
    return m;
}

/// Entries of a triangle that differ in place or bits.
template <class F, class Q>
int differences(const triangle<F>& t, const oracle::dense<Q>& value,
                const std::vector<std::vector<bool>>& has)
{
    int wrong = 0;
    for (std::size_t i = 0; i < as_size(t.rows()); ++i) {
        std::size_t entries = 0;
        for (std::size_t j = 0; j < has[i].size(); ++j) entries += has[i][j] && i != j;
        const auto& r = t.off_diagonal;
        wrong += static_cast<std::size_t>(r.length(index_t(i))) != entries;
        for (index_t k = r.begin[i]; k < r.begin[i + 1]; ++k) {
            const auto j = as_size(r.column[as_size(k)]);
            wrong += !has[i][j] || !(oracle::to(r.value.get(k)) == value[i][j]);
        }
        if (!t.has_unit_diagonal()) wrong += !(oracle::to(t.pivot.get(index_t(i))) == value[i][i]);
    }
    return wrong;
}

template <class F, class V>
void check_bits(const csr_matrix<V>& a, const incomplete_options& o)
{
    const auto k = incomplete_factors<F>::make(a.view(), o);
    REQUIRE(k.about().end == factor_end::complete);
    const factors<F>& f = k.triangles();
    const auto m = ordered_as<F>(f, a);
    const auto truth = o.kind == incomplete_kind::ilut
                           ? oracle::ilut(m.value, m.has, o.drop, o.fill)
                       : o.kind == incomplete_kind::ic ? oracle::ic(m.value, m.has)
                                                       : oracle::ilu(m.value, m.has, o.fill);
    CHECK(differences(f.part(factor_part::lower), truth.l, truth.in_l) == 0);
    if (o.kind != incomplete_kind::ic)
        CHECK(differences(f.part(factor_part::upper), truth.u, truth.in_u) == 0);
    CHECK(k.about().shifts == truth.shifts);
    CHECK(k.about().bad_row ==
          (truth.bad_row < 0 ? index_t(-1) : index_t(f.row_of()[as_size(truth.bad_row)])));
}

template <class F, class V>
void check_scattered(const incomplete_options& o)
{
    for (const index_t n : {1, 2, 7, 60, 121})
        for (const index_t per_row : {2, 4, 9}) {
            INFO(n << " rows, up to " << per_row);
            check_bits<F>(test::scattered<V>(n, per_row, static_cast<std::uint64_t>(n + per_row)),
                          o);
        }
}

void check_scattered_in_all(const incomplete_options& o)
{
    check_scattered<double, double>(o);
    check_scattered<ddla::dd_real, double>(o);
    check_scattered<ddla::dd_real, ddla::dd_real>(o);
}

csr_matrix<double> tridiagonal(index_t n)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        if (i > 0) c.add(i, i - 1, -1.0 - 1.0 / static_cast<double>(i + 1));
        c.add(i, i, 3.0 + 0.1 * static_cast<double>(i % 7));
        if (i + 1 < n) c.add(i, i + 1, -1.0 + 1.0 / static_cast<double>(i + 3));
    }
    return csr_matrix<double>(c);
}

/// All fill, and AMD with its diagonal whatever its size: LU without a choice of pivots.
template <class F>
void check_equals_lu(const csr_matrix<double>& a, int fill)
{
    options complete;
    complete.order = ordering::amd;
    complete.match = match_rows::none;
    complete.preferred_threshold = 0;
    const auto lu = factors<F>::make(a.view(), complete);
    incomplete_options o;
    o.order = ordering::amd;
    o.match = match_rows::none;
    o.fill = fill;
    const auto ilu = incomplete_factors<F>::make(a.view(), o);
    REQUIRE(ilu.about().end == factor_end::complete);
    CHECK(ilu.about().entries == lu.about().entries);
    CHECK(ilu.about().operations == lu.about().operations);
    const factors<F>& f = ilu.triangles();
    CHECK(f.row_of() == lu.row_of());
    CHECK(f.column_of() == lu.column_of());
    CHECK(test::same_triangle(f.part(factor_part::lower), lu.part(factor_part::lower)));
    CHECK(test::same_triangle(f.part(factor_part::upper), lu.part(factor_part::upper)));
}

}  // namespace

TEST_CASE("ILU(k) has the bits of the serial program", "[factor]")
{
    for (const int fill : {0, 1, 2, 5})
        for (const match_rows match : {match_rows::none, match_rows::always}) {
            INFO("ILU(" << fill << ")");
            incomplete_options o;
            o.fill = fill;
            o.match = match;
            check_scattered_in_all(o);
        }
    const auto grid = ddla::generate::convection_diffusion(7, 6, 5);
    for (const ordering order : {ordering::natural, ordering::amd, ordering::colamd, ordering::rcm,
                                 ordering::multicolour, ordering::dissection}) {
        INFO(name_of(order));
        incomplete_options o;
        o.fill = 1;
        o.order = order;
        test::everywhere([&] { check_bits<ddla::dd_real>(grid, o); });
        CHECK(incomplete_factors<double>::make(grid.view(), o).about().shifts == 0);
    }
}

TEST_CASE("ILUT has the bits of the serial program", "[factor]")
{
    for (const double drop : {0.0, 1e-3, 0.2})
        for (const int fill : {0, 1, 10}) {
            INFO("drop " << drop << ", fill " << fill);
            incomplete_options o;
            o.kind = incomplete_kind::ilut;
            o.drop = drop;
            o.fill = fill;
            check_scattered_in_all(o);
        }
}

TEST_CASE("of equal entries ILUT keeps those of lower columns", "[factor]")
{
    // The first pivot brings equal entries into columns 2, 3 and 4 of row 1, and one may stay.
    ddla::coordinates<double> c{.rows = 5, .columns = 5};
    for (index_t i = 0; i < 5; ++i) c.add(i, i, 4);
    for (index_t j = 1; j < 5; ++j) c.add(0, j, 1);
    c.add(1, 0, 1);
    incomplete_options o;
    o.kind = incomplete_kind::ilut;
    o.drop = 0;
    o.fill = 1;
    check_bits<double>(csr_matrix<double>(c), o);
}

TEST_CASE("IC(0) has the bits of the serial program", "[factor]")
{
    incomplete_options o;
    o.kind = incomplete_kind::ic;
    for (const ordering order : {ordering::natural, ordering::rcm, ordering::multicolour}) {
        o.order = order;
        check_bits<double>(ddla::generate::poisson2d(13, 9), o);
        check_bits<ddla::dd_real>(ddla::generate::poisson3d(5, 6, 4), o);
    }
    check_bits<double>(ddla::read_matrix<double>(DDLA_EXAMPLES "/494_bus.mtx"), o);
}

TEST_CASE("ILU with all fill is LU, bit for bit", "[factor]")
{
    check_equals_lu<double>(ddla::generate::convection_diffusion(7, 6, 5), 1000);
    check_equals_lu<ddla::dd_real>(ddla::generate::convection_diffusion(7, 6, 5), 1000);
    check_equals_lu<double>(ddla::read_matrix<double>(DDLA_EXAMPLES "/494_bus.mtx"), 1000);
}

TEST_CASE("ILU(0) of a tridiagonal matrix is LU, bit for bit", "[factor]")
{
    check_equals_lu<double>(tridiagonal(300), 0);
    check_equals_lu<ddla::dd_real>(tridiagonal(300), 0);
}

TEST_CASE("IC(0) of a tridiagonal matrix is exact, of an M-matrix needs no shift", "[factor]")
{
    incomplete_options o;
    o.kind = incomplete_kind::ic;
    const auto line = ddla::generate::poisson2d(50, 1);
    const auto k = incomplete_factors<ddla::dd_real>::make(line.view(), o);
    ddla::vector<ddla::dd_real> b(50, ddla::dd_real(1)), x(50);
    k.triangles().solve<ddla::dd_real>(std::as_const(b).view(), x.view());
    CHECK(ddla::true_residual(line, x, b).relative < 1e-29);
    const auto grid =
        incomplete_factors<double>::make(ddla::generate::poisson3d(9, 8, 7).view(), o);
    CHECK(grid.about().shifts == 0);
    CHECK(grid.about().diagonal_shift == 0);
    CHECK_THROWS_AS(
        incomplete_factors<double>::make(ddla::generate::convection_diffusion(4, 4, 4).view(), o),
        ddla::input_error);
}

/// Zeros are not stored.
csr_matrix<double> two_by_two(double a00, double a01, double a10, double a11)
{
    ddla::coordinates<double> c{.rows = 2, .columns = 2};
    const double value[2][2] = {{a00, a01}, {a10, a11}};
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (value[i][j] != 0) c.add(i, j, value[i][j]);
    return csr_matrix<double>(c);
}

TEST_CASE("IC(0) of an indefinite matrix shifts its diagonal, or is refused", "[factor]")
{
    // The second pivot is 1 - 2^2; with s = 1 it is 2 - 4 / 2 = 0, with s = 2 it is 3 - 4 / 3.
    const auto a = two_by_two(1, 2, 2, 1);
    incomplete_options o;
    o.kind = incomplete_kind::ic;
    const auto k = incomplete_factors<double>::make(a.view(), o);
    CHECK(k.about().end == factor_end::complete);
    CHECK(k.about().diagonal_shift == 2);
    CHECK(k.about().shifts == 12);
    CHECK(k.about().bad_row == 1);
    CHECK(k.about().operations == 13);  // l^2 is subtracted in each attempt
    incomplete_options limited = o;
    limited.most_operations = 13;
    CHECK(incomplete_factors<double>::make(a.view(), limited).about().end == factor_end::complete);
    limited.most_operations = 12;
    CHECK(incomplete_factors<double>::make(a.view(), limited).about().end == factor_end::over_work);
    // Each diagonal entry grows by its own size: 1.9 (1 + s)^2 is above 2.5^2 from s = 1 on, and
    // (1 + s) (1.9 + s) would not be.
    const auto uneven = incomplete_factors<double>::make(two_by_two(1, 2.5, 2.5, 1.9).view(), o);
    CHECK(uneven.about().end == factor_end::complete);
    CHECK(uneven.about().diagonal_shift == 1);
    o.pivots = bad_pivots::refuse;
    const auto refused = incomplete_factors<double>::make(a.view(), o);
    CHECK(refused.about().end == factor_end::bad_pivot);
    CHECK(refused.about().bad_row == 1);
    CHECK(refused.about().bad_part == -3.0 / 2);
    CHECK(k.about().bad_part == -3.0 / 2);
}

TEST_CASE("a zero pivot is shifted, or refused with its row", "[factor]")
{
    // Row 2 (from 0) becomes zero: it is the sum of the others.
    ddla::coordinates<double> c{.rows = 3, .columns = 3};
    const double value[3][3] = {{4, 1, 2}, {2, 5, 1}, {6, 6, 3}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) c.add(i, j, value[i][j]);
    const csr_matrix<double> a(c);
    incomplete_options o;
    o.scale = false;
    o.match = match_rows::none;
    const auto k = incomplete_factors<double>::make(a.view(), o);
    CHECK(k.about().end == factor_end::complete);
    CHECK(k.about().shifts == 1);
    CHECK(k.about().bad_row == 2);
    CHECK(k.about().smallest_pivot == 8 * 0x1p-17);
    CHECK(k.about().smallest_pivot_row == 2);
    o.pivots = bad_pivots::refuse;
    const auto refused = incomplete_factors<double>::make(a.view(), o);
    CHECK(refused.about().end == factor_end::bad_pivot);
    CHECK(refused.about().bad_row == 2);
    CHECK(refused.about().bad_part == 0);
}

TEST_CASE("incomplete factors that overflow are told from complete ones", "[factor]")
{
    // l = 1e300 / 1e-300; no pivot comes from it.
    const auto a = two_by_two(1e-300, 0, 1e300, 1);
    incomplete_options o;
    o.scale = false;
    o.match = match_rows::none;
    CHECK(incomplete_factors<double>::make(a.view(), o).about().end == factor_end::not_finite);
}

TEST_CASE("rows are matched where the diagonal is below 2^-7 of a row", "[factor]")
{
    const auto is_matched = [](double diagonal) {
        const auto a = two_by_two(diagonal, 1, 1, diagonal);
        return incomplete_factors<double>::make(a.view(), {}).about().matched;
    };
    CHECK(is_matched(0x1p-8));
    CHECK_FALSE(is_matched(0x1p-7));
}

TEST_CASE("incomplete factors keep their limits", "[factor]")
{
    const auto a = ddla::generate::poisson3d(8, 8, 8);
    incomplete_options o;
    o.fill = 3;
    const auto whole = incomplete_factors<double>::make(a.view(), o).about();
    o.most_bytes = whole.bytes;
    o.most_operations = whole.operations;
    CHECK(incomplete_factors<double>::make(a.view(), o).about().end == factor_end::complete);
    o.most_bytes = whole.bytes - 1;
    CHECK(incomplete_factors<double>::make(a.view(), o).about().end == factor_end::over_memory);
    o.most_bytes = whole.bytes;
    o.most_operations = whole.operations - 1;
    CHECK(incomplete_factors<double>::make(a.view(), o).about().end == factor_end::over_work);
}
