// How matrices are made, copied and moved.
#include "catch.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"

#include "ddla/error.hpp"

using ddla::column_t;
using ddla::csr_matrix;
using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;

TEMPLATE_TEST_CASE("entries in any order become sorted rows", "[operations]", double, dd)
{
    ddla::coordinates<TestType> c{.rows = 3, .columns = 4};
    std::vector<oracle::type<TestType>> duplicates;
    for (index_t k = 0; k < 300; ++k) {
        const TestType v = test::random_vector<TestType>(1, std::uint64_t(k))[0];
        c.add(1, 2, v);
        duplicates.push_back(oracle::to(v));
    }
    c.add(2, 3, 5.0), c.add(1, 0, 7.0), c.add(2, 0, 0.0);
    const csr_matrix<TestType> a(c);
    const auto m = a.view();
    REQUIRE(a.nonzeros() == 4);
    const index_t* const offsets = m.row_begin.wide();
    CHECK(std::vector<index_t>(offsets, offsets + 4) == std::vector<index_t>{0, 0, 2, 4});
    CHECK(std::vector<column_t>(m.column, m.column + 4) == std::vector<column_t>{0, 2, 0, 3});
    CHECK(same_bits(m.value.get(1), oracle::from(oracle::sum(duplicates))));
    CHECK(m.value.get(2) == TestType(0));
    CHECK(m.longest_row == 2);
}

TEST_CASE("a matrix knows its long rows", "[operations]")
{
    const std::vector<index_t> lengths{256, 257, 0, 1024, 7, 100000};
    const auto a = test::random_matrix<double>(
        6, 50, 31, [&](index_t i) { return lengths[static_cast<std::size_t>(i)]; });
    const ddla::csr_matrix<double> copy = a.to(ddla::host);
    for (const auto& m : {a.view(), copy.view()}) {
        CHECK(m.longest_row == 100000);
        const ddla::long_row_list& list = m.long_rows;
        REQUIRE(list.count == 3);
        CHECK(std::vector<index_t>(list.row, list.row + 3) == std::vector<index_t>{1, 3, 5});
        CHECK(std::vector<index_t>(list.first_tile, list.first_tile + 4) ==
              std::vector<index_t>{0, 2, 6, 397});
        CHECK(list.tiles == 397);
    }
    CHECK(ddla::csr_matrix<double>().view().longest_row == 0);
    CHECK(ddla::csr_matrix<double>().view().long_rows.count == 0);
}

TEST_CASE("matrices that make no sense are refused", "[operations]")
{
    using matrix = csr_matrix<double>;
    const ddla::vector<double> two{1.0, 2.0};
    CHECK_THROWS_WITH(matrix(2, 2, {0, 1, 2}, {0, 2}, two),
                      "column 2 of entry 1 is not in 0 ... 1");
    CHECK_THROWS_WITH(matrix(2, 2, {0, 1, 2}, {-1, 1}, two),
                      "column -1 of entry 0 is not in 0 ... 1");
    CHECK_THROWS_WITH(matrix(2, 2, {0, 2}, {0, 1}, two),
                      "a matrix of 2 rows needs 3 row offsets, not 2");
    CHECK_THROWS_WITH(matrix(2, 2, {0, 3, 2}, {0, 1}, two),
                      "row offsets fall from 3 to 2 at row 1");
    CHECK_THROWS_WITH(matrix(2, 2, {0, 1, 1}, {0, 1}, two),
                      "row offsets go from 0 to 1, not from 0 to the 2 entries");
    CHECK_THROWS_WITH(matrix(2, 2, {0, 1, 2}, {0}, two),
                      "a matrix has 1 column numbers for 2 values");
    CHECK_THROWS_AS(matrix(-1, 2, {0}, {}, {}), ddla::input_error);
    CHECK_THROWS_WITH(matrix(1, index_t(1) << 31, {0, 0}, {}, ddla::vector<double>(0)),
                      "a matrix of 1 x 2147483648 is too large: rows and columns are numbered with "
                      "32 bits, up to 2147483647");
    ddla::coordinates<double> c{.rows = 2, .columns = 2};
    c.add(2, 0, 1.0);
    CHECK_THROWS_WITH(matrix(c), "row 2 of entry 0 is not in 0 ... 1");
}

TEST_CASE("moved-from and empty matrices and vectors", "[operations]")
{
    ddla::vector<double> x{1.0, 2.0}, y{3.0};
    y = std::move(x);
    CHECK(y.size() == 2);
    CHECK(x.size() == ddla::index_t(x.view().size));
    CHECK(ddla::dot(x, x) >= 0);
    csr_matrix<double> none;
    CHECK(none.view().row_begin[0] == 0);
    CHECK(ddla::widen(none).nonzeros() == 0);
    csr_matrix<double> a(1, 2, {0, 1}, {1}, ddla::vector<double>{4.0});
    none = std::move(a);
    CHECK(none.columns() == 2);
    CHECK(a.columns() == 0);
    CHECK(csr_matrix<double>(std::move(none)).nonzeros() == 1);
    ddla::coordinates<double> c{.rows = 1, .columns = 1};
    CHECK_THROWS_AS(c.add(index_t(1) << 32, 0, 1.0), ddla::input_error);
    CHECK_THROWS_AS(c.add(0, -1, 1.0), ddla::input_error);
}

TEST_CASE("copies, wider values and diagonals", "[operations]")
{
    const auto a = test::random_matrix<double>(50, 40, 18, [](index_t i) { return i % 6; });
    const csr_matrix<double> b = a;
    const auto wide = ddla::widen(a);
    const auto x = test::random_vector<dd>(40, 19);
    ddla::vector<dd> y(50), z(50);
    ddla::spmv(dd(1), b, x, dd(0), y);
    ddla::spmv(dd(1), wide, x, dd(0), z);
    for (index_t i = 0; i < 50; ++i) CHECK(double(y[i]) == Approx(double(z[i])));
    const auto d = ddla::diagonal(a);
    REQUIRE(d.size() == 40);
    for (index_t i = 0; i < 40; ++i) {
        double sum = 0;
        for (index_t k = a.view().row_begin[i]; k < a.view().row_begin[i + 1]; ++k)
            if (a.view().column[k] == i) sum += a.view().value.get(k);
        CHECK(d[i] == sum);
    }
}
