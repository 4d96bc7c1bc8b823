// Sparse operations: every bit as the oracle says, for every thread count and vector width.
#include "catch.hpp"
#include "support/everywhere.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"

#include "ddla/error.hpp"

using ddla::column_t;
using ddla::csr_matrix;
using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;

namespace {

template <class T, class V>
struct types {
    using scalar = T;
    using value = V;
};
using double_double = types<double, double>;
using dd_double = types<dd, double>;
using dd_dd = types<dd, dd>;

}  // namespace

TEMPLATE_TEST_CASE("y = alpha A x + beta y", "[operations]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& a : test::shapes<typename TestType::value>()) {
        const auto x = test::random_vector<T>(a.columns(), 11);
        const auto y = test::random_vector<T>(a.rows(), 12);
        const auto scalars = test::random_vector<T>(2, 13);
        const auto ax = oracle::product(a, oracle::to(x));
        std::vector<oracle::type<T>> alpha_ax, full;
        for (std::size_t i = 0; i < ax.size(); ++i) {
            alpha_ax.push_back(oracle::to(scalars[0]) * ax[i]);
            full.push_back(alpha_ax[i] + oracle::to(scalars[1]) * oracle::to(y[index_t(i)]));
        }
        test::everywhere([&] {
            INFO(a.rows() << " x " << a.columns() << ", threads = " << ddla::host_threads());
            ddla::vector<T> z(a.rows(), T(std::nan("")));
            ddla::spmv(T(1), a, x, T(0), z);
            CHECK(same_bits(z, ax));
            ddla::spmv(scalars[0], a, x, T(0), z);
            CHECK(same_bits(z, alpha_ax));
            z = y;
            ddla::spmv(scalars[0], a, x, scalars[1], z);
            CHECK(same_bits(z, full));
        });
    }
}

TEST_CASE("absent terms of short rows are not added, not even as +0", "[operations]")
{
    // Rows of one entry beside rows of five: the one product is -0, and -0 + 0 would be +0.
    const auto a = test::random_matrix<double>(8, 40, 20, [](index_t i) { return i % 2 ? 5 : 1; });
    ddla::vector<double> x(40);
    for (index_t i = 0; i < 8; i += 2) {
        const index_t k = a.view().row_begin[i];
        x.set(a.view().column[k], a.view().value.get(k) > 0 ? -0.0 : 0.0);
    }
    ddla::vector<double> y(8);
    ddla::spmv(1.0, a, x, 0.0, y);
    CHECK(same_bits(y, oracle::product(a, oracle::to(x))));
    CHECK(std::signbit(y[0]));
}

TEST_CASE("absent terms of short rows of unlike lengths change nothing", "[operations]")
{
    // Every second row is of terms -0 only, the one beside it of one that is infinite.  The first
    // 64 rows are short.
    constexpr index_t few[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33};
    constexpr index_t many[] = {63, 64, 65, 127, 128, 129, 255, 256, 257, 513, 2047, 2048, 2049};
    std::vector<index_t> offset{0};
    std::vector<column_t> column;
    const index_t rows = 300;
    for (index_t i = 0; i < rows; ++i) {
        const bool infinite = i % 2 > 0;
        const index_t n = infinite ? 1 : i % 256 < 64 ? few[i / 2 % 16] : many[i / 2 % 13];
        column.insert(column.end(), std::size_t(n), infinite ? 1 : 0);
        offset.push_back(offset.back() + n);
    }
    ddla::vector<double> value(offset.back(), 2.5);
    const csr_matrix<double> a(rows, 2, offset, column, value);
    ddla::vector<double> x(2);
    x.set(0, -0.0);
    x.set(1, HUGE_VAL);
    test::everywhere([&] {
        ddla::vector<double> y(rows);
        ddla::spmv(1.0, a, x, 0.0, y);
        for (index_t i = 0; i < rows; ++i) {
            INFO("row " << i << " of " << offset[std::size_t(i + 1)] - offset[std::size_t(i)]);
            if (i % 2 > 0)
                CHECK(y[i] == HUGE_VAL);
            else
                CHECK((y[i] == 0 && std::signbit(y[i]) ==
                                        (offset[std::size_t(i)] < offset[std::size_t(i + 1)])));
        }
    });
}

TEMPLATE_TEST_CASE("r = b - A x", "[operations]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& a : test::shapes<typename TestType::value>()) {
        const auto x = test::random_vector<T>(a.columns(), 14);
        const auto b = test::random_vector<T>(a.rows(), 15);
        const auto ax = oracle::product(a, oracle::to(x));
        std::vector<oracle::type<T>> r;
        for (std::size_t i = 0; i < ax.size(); ++i) r.push_back(oracle::to(b[index_t(i)]) - ax[i]);
        test::everywhere([&] {
            ddla::vector<T> z(a.rows());
            ddla::residual(a, x, b, z);
            CHECK(same_bits(z, r));
        });
    }
}

TEMPLATE_TEST_CASE("y = alpha A^T x + beta y", "[operations]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto a = test::random_matrix<V>(70, 90, 16, [](index_t i) { return i % 13; });
    // The transpose, dense and by hand: column j in row order.
    std::vector<index_t> begin{0};
    std::vector<column_t> column;
    std::vector<V> value;
    const auto m = a.view();
    for (index_t j = 0; j < a.columns(); ++j) {
        for (index_t i = 0; i < a.rows(); ++i)
            for (index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
                if (m.column[k] == j) {
                    column.push_back(column_t(i));
                    value.push_back(m.value.get(k));
                }
        begin.push_back(index_t(column.size()));
    }
    ddla::vector<V> values(index_t(value.size()));
    for (index_t k = 0; k < values.size(); ++k) values.set(k, value[std::size_t(k)]);
    const csr_matrix<V> by_hand(90, 70, begin, column, values);
    const auto x = test::random_vector<T>(70, 17);
    const auto product = oracle::product(by_hand, oracle::to(x));
    ddla::vector<T> y(90);
    ddla::spmv_transposed(T(1), a, x, T(0), y);
    CHECK(same_bits(y, product));
    ddla::spmv(T(1), ddla::transpose(a), x, T(0), y);
    CHECK(same_bits(y, product));
}

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

    const matrix a(2, 3, {0, 1, 2}, {0, 2}, two);
    ddla::vector<double> x(3), y(2), wrong(4);
    CHECK_THROWS_WITH(ddla::spmv(1.0, a, wrong, 0.0, y), "spmv: x has 4 elements, A has 3 columns");
    CHECK_THROWS_WITH(ddla::spmv(1.0, a, x, 0.0, wrong), "spmv: y has 4 elements, A has 2 rows");
    CHECK_THROWS_AS(ddla::residual(a, x, y, wrong), ddla::input_error);
    CHECK_THROWS_AS(ddla::residual(a, x, wrong, y), ddla::input_error);
    const matrix square(2, 2, {0, 1, 2}, {0, 1}, two);
    CHECK_THROWS_AS(ddla::spmv(1.0, square, y, 0.0, y), ddla::input_error);
    CHECK_THROWS_AS(ddla::residual(square, y, y, y), ddla::input_error);
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
