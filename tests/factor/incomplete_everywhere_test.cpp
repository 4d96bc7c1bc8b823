// Incomplete factors under every instruction set and number of threads: bits, reports, errors.
#include "incomplete_cases.hpp"

#include "catch.hpp"
#include "engine/host_loops.hpp"
#include "support/everywhere.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <cmath>
#include <optional>

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;

namespace {

template <class F>
bool same_factors(const incomplete_factors<F>& x, const incomplete_factors<F>& y)
{
    const incomplete_report &r = x.about(), &q = y.about();
    if (r.end != q.end || r.operations != q.operations || r.bytes != q.bytes ||
        r.entries != q.entries || r.nonzeros != q.nonzeros || r.shifts != q.shifts ||
        r.bad_row != q.bad_row || r.bad_part != q.bad_part || r.matched != q.matched ||
        r.diagonal_shift != q.diagonal_shift || r.smallest_pivot != q.smallest_pivot ||
        r.smallest_pivot_row != q.smallest_pivot_row)
        return false;
    if (r.end != factor_end::complete) return true;
    const factors<F>&f = x.triangles(), &g = y.triangles();
    const auto same_levels = [&](factor_part part) {
        const level_sets &one = f.levels(part), &other = g.levels(part);
        return one.begin == other.begin && one.row == other.row;
    };
    return test::same_triangle(f.part(factor_part::lower), g.part(factor_part::lower)) &&
           test::same_triangle(f.part(factor_part::upper), g.part(factor_part::upper)) &&
           same_levels(factor_part::lower) && same_levels(factor_part::upper) &&
           f.row_of() == g.row_of() && f.scaling().row == g.scaling().row &&
           f.scaling().column == g.scaling().column;
}

/// Threads share all that they can: a row is work enough.
chunk_runner shared()
{
    return {ddla::host_threads(), ddla::run_on_host, 1};
}

/// The factors that one thread makes, with or without loops that could be shared; others the same.
template <class F, class V>
incomplete_report same_everywhere(const csr_matrix<V>& a, incomplete_options o)
{
    std::optional<incomplete_factors<F>> first;
    test::on_threads(ddla::host_backend::isa::baseline, 1,
                     [&] { first = incomplete_factors<F>::make(a.view(), o); });
    test::everywhere([&] {
        o.run = shared();
        CHECK(same_factors(incomplete_factors<F>::make(a.view(), o), *first));
    });
    return first->about();
}

template <class F>
void check_everywhere(const csr_matrix<double>& a, incomplete_options o, factor_end end)
{
    const incomplete_report whole = same_everywhere<F>(a, o);
    CHECK(whole.end == end);
    if (end != factor_end::complete) return;
    for (const double part : {0.01, 0.5, 0.99}) {
        o.most_operations = std::floor(part * whole.operations);
        CHECK(same_everywhere<F>(a, o).end == factor_end::over_work);
    }
    o.most_operations = whole.operations;
    o.most_bytes = whole.bytes - 1;
    CHECK(same_everywhere<F>(a, o).end == factor_end::over_memory);
    o.most_bytes = whole.bytes / 3;
    CHECK(same_everywhere<F>(a, o).end == factor_end::over_memory);
    o.most_operations = std::floor(0.2 * whole.operations);
    CHECK(same_everywhere<F>(a, o).end != factor_end::complete);
}

/// Rows in any order, entries at one place, zeros; some of the diagonal are missing.
csr_matrix<double> jumbled(index_t n, std::uint64_t seed)
{
    test::random_numbers random(seed);
    std::vector<index_t> begin = {0};
    std::vector<ddla::column_t> column;
    std::vector<double> value;
    const auto add = [&](index_t j, double v) {
        column.push_back(static_cast<ddla::column_t>(j));
        value.push_back(v);
    };
    for (index_t i = 0; i < n; ++i) {
        for (int k = 0; k < 5; ++k) add(random.below(n), static_cast<double>(random.below(9) - 4));
        if (i % 7 != 3) add(i, 20), add(i, 0.5);
        if (i % 11 == 0) add((i + 1) % n, 1), add((i + 1) % n, -1);
        begin.push_back(static_cast<index_t>(column.size()));
    }
    return {n, n, begin, column, ddla::vector<double>(value)};
}

/// A symmetric grid, and a row and a column of many entries in the middle and at the end.
csr_matrix<double> grid_with_long_rows(index_t side)
{
    const auto grid = ddla::generate::poisson2d(side, side);
    const index_t n = grid.rows();
    ddla::coordinates<double> c{.rows = n, .columns = n};
    const auto view = grid.view();
    for (index_t i = 0; i < n; ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            c.add(i, view.column[k], view.value.get(k));
    for (const index_t i : {n / 2, n - 1})
        for (index_t j = 0; j < n; j += 3)
            if (j != i) c.add(i, j, -0.01), c.add(j, i, -0.01);
    return csr_matrix<double>(c);
}

}  // namespace

TEST_CASE("incomplete factors are the same everywhere", "[factor]")
{
    const auto check_both = [](const csr_matrix<double>& a, const incomplete_options& o,
                               factor_end end) {
        check_everywhere<double>(a, o, end);
        check_everywhere<ddla::dd_real>(a, o, end);
    };
    const auto bus = ddla::read_matrix<double>(DDLA_EXAMPLES "/494_bus.mtx");
    const auto grid = ddla::generate::convection_diffusion(9, 8, 7);
    const auto without_diagonal = test::scattered<double>(200, 9, 3);
    for (const incomplete_kind kind : {incomplete_kind::ilu, incomplete_kind::ilut})
        for (const int fill : {0, 1, 3}) {
            INFO("kind " << static_cast<int>(kind) << ", fill " << fill);
            incomplete_options o;
            o.kind = kind;
            o.fill = fill;
            check_both(bus, o, factor_end::complete);
            check_both(grid, o, factor_end::complete);
            o.match = match_rows::none;
            check_both(without_diagonal, o, factor_end::complete);
            o.tiny = 0x1p-3;
            o.pivots = bad_pivots::refuse;
            check_both(without_diagonal, o, factor_end::bad_pivot);
        }
    incomplete_options o;
    o.kind = incomplete_kind::ic;
    check_both(bus, o, factor_end::complete);
    check_both(ddla::generate::poisson3d(9, 8, 7), o, factor_end::complete);
}

TEST_CASE("incomplete factors of rows in any order are the same everywhere", "[factor]")
{
    const auto a = jumbled(300, 7);
    for (const int fill : {0, 1}) {
        incomplete_options o;
        o.fill = fill;
        check_everywhere<double>(a, o, factor_end::complete);
        o.match = match_rows::none;
        check_everywhere<ddla::dd_real>(a, o, factor_end::complete);
        o.order = ordering::amd;
        check_everywhere<double>(a, o, factor_end::complete);
    }
}

TEST_CASE("incomplete factors with long rows are the same everywhere", "[factor]")
{
    const auto a = grid_with_long_rows(17);
    for (const incomplete_kind kind : {incomplete_kind::ilu, incomplete_kind::ic})
        for (const ordering order : {ordering::natural, ordering::rcm}) {
            incomplete_options o;
            o.kind = kind;
            o.order = order;
            check_everywhere<double>(a, o, factor_end::complete);
            check_everywhere<ddla::dd_real>(a, o, factor_end::complete);
        }
    incomplete_options o;
    o.fill = 2;
    check_everywhere<double>(a, o, factor_end::complete);
}

TEST_CASE("shifts, refusals and overflow are the same everywhere", "[factor]")
{
    const auto grid = ddla::generate::poisson3d(9, 8, 7);
    incomplete_options o;
    o.tiny = 0.95;  // pivots of rows inside are so
    const auto shifted = same_everywhere<double>(grid, o);
    CHECK(shifted.end == factor_end::complete);
    CHECK(shifted.shifts > 1);
    CHECK(shifted.bad_row > 0);
    o.most_operations = std::floor(shifted.operations / 3);
    CHECK(same_everywhere<double>(grid, o).end == factor_end::over_work);
    o.most_operations = shifted.operations;
    o.pivots = bad_pivots::refuse;
    CHECK(same_everywhere<double>(grid, o).end == factor_end::bad_pivot);
    // Pivots of some rows are 1e-200, the entries below them 1e200: products overflow.
    const auto view = grid.view();
    ddla::coordinates<double> c{.rows = grid.rows(), .columns = grid.rows()};
    for (index_t i = 0; i < grid.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k) {
            const index_t j = view.column[k];
            if (i % 97 == 60 && j < i) continue;
            const double v = view.value.get(k);
            c.add(i, j, i == j && i % 97 == 60 ? 1e-200 : i % 97 == 61 ? v * 1e200 : v);
        }
    o = {};
    o.match = match_rows::none;
    o.scale = false;
    o.tiny = 0;
    CHECK(same_everywhere<double>(csr_matrix<double>(c), o).end == factor_end::not_finite);
}

TEST_CASE("IC(0) that shifts its diagonal is the same everywhere", "[factor]")
{
    const auto grid = ddla::generate::poisson3d(8, 7, 6);
    const auto view = grid.view();
    ddla::coordinates<double> c{.rows = grid.rows(), .columns = grid.rows()};
    for (index_t i = 0; i < grid.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            c.add(i, view.column[k], view.value.get(k) * (view.column[k] == i ? 0.4 : 1.0));
    const csr_matrix<double> a(c);
    incomplete_options o;
    o.kind = incomplete_kind::ic;
    const auto about = same_everywhere<double>(a, o);
    CHECK(about.end == factor_end::complete);
    CHECK(about.shifts > 3);
    CHECK(about.bad_row > 0);
    o.most_operations = std::floor(about.operations / 2);
    CHECK(same_everywhere<double>(a, o).end == factor_end::over_work);
    o.pivots = bad_pivots::refuse;
    CHECK(same_everywhere<double>(a, o).end == factor_end::bad_pivot);
}

TEST_CASE("the watch sees rows of levels, in order, and ends the making", "[factor]")
{
    const auto a = ddla::generate::poisson3d(12, 12, 12);
    for (const incomplete_kind kind : {incomplete_kind::ilu, incomplete_kind::ic})
        for (const int threads : {1, 3}) {
            test::on_threads(ddla::host_backend::isa::baseline, threads, [&] {
                incomplete_options o;
                o.kind = kind;
                o.run = shared();
                double seen = -1;
                bool in_order = true;
                o.watch = [&](double done) {
                    in_order = in_order && done >= seen && done <= 1;
                    seen = done;
                    return true;
                };
                CHECK(incomplete_factors<double>::make(a.view(), o).about().end ==
                      factor_end::complete);
                CHECK(in_order);
                CHECK(seen > 0.5);
                o.watch = [](double done) { return done < 0.4; };
                CHECK(incomplete_factors<double>::make(a.view(), o).about().end ==
                      factor_end::stopped);
            });
        }
}
