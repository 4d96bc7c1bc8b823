// How LU by supernodes with static pivots ends: limits, what is left to LU by columns, overflow.
#include "catch.hpp"

#include "factor/supernodal/static_factors.hpp"

#include "ddla/generate.hpp"

#include <cmath>

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;
using dd = ddla::dd_real;

TEST_CASE("limits of LU with static pivots are known before the first operation",
          "[factor][static]")
{
    const auto a = ddla::generate::convection_diffusion(12, 12, 12);
    const auto whole = static_factors<double>::make(a.view(), {}).about();
    // Those of L, U and the pivots by a program that stores every entry.
    const auto by_columns = factors<double>::make(a.view(), {}).about();
    CHECK(whole.entries == by_columns.entries);
    CHECK(whole.operations == by_columns.operations);
    const auto limited = [&](double operations, std::int64_t bytes) {
        static_options o;
        o.most_operations = operations;
        o.common.most_bytes = bytes;
        return static_factors<double>::make(a.view(), o).about();
    };
    CHECK(limited(whole.operations, whole.bytes).end == factor_end::complete);
    const auto work = limited(whole.operations - 1, whole.bytes);
    CHECK(work.end == factor_end::over_work);
    CHECK(work.operations == whole.operations);
    CHECK(work.done == 0);
    const auto memory = limited(whole.operations, whole.bytes - 1);
    CHECK(memory.end == factor_end::over_memory);
    CHECK(memory.bytes == whole.bytes);
    for (const double operations : {whole.operations, whole.operations - 1}) {
        static_options o;
        o.most_operations = operations;
        const auto counted = static_factors<double>::count(a.view(), o);
        CHECK(counted.end == limited(operations, whole.bytes).end);
        CHECK(counted.entries == whole.entries);
        CHECK(counted.operations == whole.operations);
        CHECK(counted.bytes == whole.bytes);
        CHECK(counted.done == 0);
    }
    static_options o;
    o.least_operations = whole.operations * 2;
    CHECK(static_factors<double>::count(a.view(), o).end == factor_end::unsuited);
}

TEST_CASE("what static pivots do not suit is left to LU by columns", "[factor][static]")
{
    const auto a = ddla::generate::convection_diffusion(9, 9, 9);
    static_options o;
    o.least_operations = 1e7;
    std::optional<lu_analysis<double>> analysis;
    const auto f = static_factors<double>::make(a.view(), o, &analysis);
    REQUIRE(f.about().end == factor_end::unsuited);
    REQUIRE(analysis);
    const auto known = factors<double>::make(a.view(), o.common, &*analysis);
    const auto alone = factors<double>::make(a.view(), o.common);
    CHECK(known.row_of() == alone.row_of());
    CHECK(known.column_of() == alone.column_of());
    ddla::vector<double> x(a.rows());
    CHECK_THROWS_AS(f.solve<double>(std::as_const(x).view(), x.view()), ddla::input_error);
    // A cycle has no diagonal, and a matching gives it one; a row without entries has none.
    using matrix = csr_matrix<double>;
    const auto end_of = [](const matrix& m) {
        return static_factors<double>::make(m.view(), {}).about().end;
    };
    CHECK(end_of(matrix(3, 3, {0, 1, 2, 3}, {1, 2, 0}, {1, 1, 1})) == factor_end::unsuited);
    CHECK(end_of(matrix(2, 2, {0, 1, 1}, {0}, {1})) == factor_end::unsuited);
    // Pairs without a diagonal have one by a matching; beside them a star has two pivots of three.
    const auto pairs_and_star = [](bool has_star) {
        const index_t pairs = 40, size = 2 * pairs + (has_star ? 3 : 0);
        std::vector<index_t> begin = {0};
        std::vector<ddla::column_t> column;
        const auto add_row = [&](std::vector<index_t> list) {
            for (const index_t j : list) column.push_back(static_cast<ddla::column_t>(j));
            begin.push_back(static_cast<index_t>(column.size()));
        };
        for (index_t i = 0; i < 2 * pairs; ++i)
            add_row({i ^ 1, (i + 2) % (2 * pairs), (i + 2 * pairs - 2) % (2 * pairs)});
        if (has_star) add_row({2 * pairs + 1, 2 * pairs + 2});
        for (int leaf = 0; has_star && leaf < 2; ++leaf) add_row({2 * pairs});
        return matrix(size, size, begin, column,
                      ddla::vector<double>(static_cast<index_t>(column.size()), 1.0));
    };
    CHECK(end_of(pairs_and_star(false)) == factor_end::complete);
    CHECK(end_of(pairs_and_star(true)) == factor_end::unsuited);
    CHECK(end_of(matrix(2, 2, {0, 1, 2}, {0, 1}, {1, HUGE_VAL})) == factor_end::not_finite);
    CHECK(end_of(matrix(0, 0, {0}, {}, ddla::vector<double>(0))) == factor_end::complete);
    CHECK_THROWS_AS(end_of(matrix(1, 2, {0, 1}, {0}, {1})), ddla::input_error);
}

TEST_CASE("LU with static pivots ends where its numbers overflow", "[factor][static]")
{
    // Each pivot of the cycle makes the next entry 2^40 times as large.
    constexpr index_t n = 60;
    std::vector<index_t> begin = {0};
    std::vector<ddla::column_t> column;
    std::vector<double> value;
    for (index_t k = 0; k < n; ++k) {
        const auto add = [&](index_t j, double v) {
            column.push_back(static_cast<ddla::column_t>((j + n) % n));
            value.push_back(v);
        };
        add(k - 1, 1), add(k, 0x1p-40), add(k + 1, 0x1p-100);
        begin.push_back(static_cast<index_t>(value.size()));
    }
    ddla::vector<double> values(static_cast<index_t>(value.size()));
    for (std::size_t k = 0; k < value.size(); ++k) values.set(static_cast<index_t>(k), value[k]);
    const csr_matrix<double> a(n, n, begin, column, std::move(values));
    const auto f = static_factors<double>::make(a.view(), {});
    CHECK(f.about().end == factor_end::not_finite);
    CHECK(f.about().done > 0);
    CHECK(factors<double>::make(a.view(), {}).about().end == factor_end::complete);
}

TEST_CASE("a watch stops LU with static pivots", "[factor][static]")
{
    const auto a = ddla::generate::convection_diffusion(20, 20, 20);
    double last = -1;
    int looks = 0;
    static_options o;
    o.common.watch = [&](index_t, index_t, std::int64_t, double operations) {
        CHECK(operations >= last);
        last = operations;
        return operations == 0 || ++looks < 5;
    };
    const auto f = static_factors<dd>::make(a.view(), o);
    CHECK(looks == 5);
    CHECK(f.about().end == factor_end::stopped);
    CHECK(f.about().done > 0);
    CHECK(f.about().done < f.about().operations);
}
