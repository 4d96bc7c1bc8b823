// Sparse operations on the device have the bits of the host.
#include "everywhere.hpp"
#include "support/operands.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/stream.hpp"

using ddla::csr_matrix;
using ddla::index_t;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::gpu;
using test::operand;
using test::same_bits;

namespace {

/// spmv, residual and true_residual; y is b of the residuals.
template <class T, class V>
void compare_products(const csr_matrix<V>& a, const ddla::vector<T>& x, const ddla::vector<T>& y)
{
    INFO(a.rows() << " x " << a.columns() << ", " << a.nonzeros() << " entries");
    const auto scalars = test::random_vector<T>(2, 13);
    ddla::vector<T> plain(a.rows()), full = y, residual(a.rows());
    ddla::spmv(T(1), a, x, T(0), plain);
    ddla::spmv(scalars[0], a, x, scalars[1], full);
    ddla::residual(a, x, y, residual);
    const auto truth = ddla::true_residual(a, x, y);
    const auto da = a.to(gpu);
    const auto dx = x.to(gpu), dy = y.to(gpu);
    test::under_every_schedule([&] {
        ddla::vector<T> z(a.rows(), T(std::nan("")), gpu);
        ddla::spmv(T(1), da, dx, T(0), z);
        CHECK(same_bits(z, plain));
        z = dy;
        ddla::spmv(scalars[0], da, dx, scalars[1], z);
        CHECK(same_bits(z, full));
        ddla::residual(da, dx, dy, z);
        CHECK(same_bits(z, residual));
        CHECK(same_bits(ddla::true_residual(da, dx, dy), truth));
    });
}

}  // namespace

TEMPLATE_TEST_CASE("products and residuals", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& a : test::shapes<typename TestType::value>())
        compare_products<T>(a, test::random_vector<T>(a.columns(), 11),
                            test::random_vector<T>(a.rows(), 12));
}

TEMPLATE_TEST_CASE("products of every size", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t n : test::sizes) {
        const auto x = test::random_vector<T>(n, 14), y = test::random_vector<T>(n, 15);
        // Short rows, one in six of them empty; and rows of very different lengths.
        compare_products<T>(test::random_matrix<V>(n, n, 16, [](index_t i) { return i % 6; }), x,
                            y);
        compare_products<T>(
            test::random_matrix<V>(n, n, 17, [](index_t i) { return i % 1000 == 7 ? 700 : 1; }), x,
            y);
    }
}

TEMPLATE_TEST_CASE("rows of 100000 entries", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t rows : {1, 257, 65537}) {
        const auto a = test::random_matrix<V>(rows, 5000, 18, [&](index_t i) {
            return i == rows / 2 || i == rows - 1 ? 100000 + i : i % 3;
        });
        compare_products<T>(a, test::random_vector<T>(5000, 19), test::random_vector<T>(rows, 20));
    }
}

TEMPLATE_TEST_CASE("products of every kind of number", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& a : test::shapes<typename TestType::value>()) {
        if (a.rows() > 1000) continue;
        for (const operand kind : test::all_operands) {
            INFO(test::name_of(kind));
            const auto x = test::operands<T>(kind, a.columns(), 21);
            compare_products<T>(a, x, test::operands<T>(kind, a.rows(), 22));
            compare_products<T>(a, x, test::operands<T>(operand::ordinary, a.rows(), 23));
        }
    }
}

TEMPLATE_TEST_CASE("transposed products", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    const auto a =
        test::random_matrix<typename TestType::value>(70, 90, 16, [](index_t i) { return i % 13; });
    const auto x = test::random_vector<T>(70, 17);
    ddla::vector<T> y(90), dy(90, gpu);
    ddla::spmv_transposed(T(1), a, x, T(0), y);
    ddla::spmv_transposed(T(1), a.to(gpu), x.to(gpu), T(0), dy);
    CHECK(same_bits(dy, y));
}

TEMPLATE_TEST_CASE("terms that are -0 or not finite", "[device]", double, ddla::dd_real)
{
    const double inf = std::numeric_limits<double>::infinity();
    const csr_matrix<double> a(3, 3, {0, 1, 3, 3}, {0, 0, 1}, ddla::vector<double>{-1, 1, 1});
    for (const double special : {0.0, -0.0, inf, -inf}) {
        const ddla::vector<TestType> x{TestType(special), TestType(1), TestType(2)};
        ddla::vector<TestType> y(3), dy(3, gpu);
        ddla::spmv(TestType(1), a, x, TestType(0), y);
        ddla::spmv(TestType(1), a.to(gpu), x.to(gpu), TestType(0), dy);
        CHECK(same_bits(dy, y));
    }
}

TEMPLATE_TEST_CASE("a million rows", "[device][large]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    const auto a = test::with_values<typename TestType::value>(
        ddla::generate::convection_diffusion(101, 103, 101));
    compare_products<T>(a, test::random_vector<T>(a.rows(), 18),
                        test::random_vector<T>(a.rows(), 19));
}

TEMPLATE_TEST_CASE("rows that are known to be short", "[device]", double_double, dd_double)
{
    using T = typename TestType::scalar;
    ddla::stream on(gpu);
    for (const index_t rows : {1, 31, 32, 33, 257, 70000, 1048577}) {
        const auto a = test::random_matrix<double>(rows, rows, 41, [](index_t i) {
            return i % 97 == 0 ? 0 : i % 11 == 0 ? i % 7 : 7;
        });
        REQUIRE(a.view().longest_row <= 7);
        const auto x = test::random_vector<T>(rows, 42), b = test::random_vector<T>(rows, 43);
        ddla::vector<T> r(rows);
        ddla::residual(a, x, b, r);
        const auto da = a.to(gpu);
        const auto dx = x.to(gpu), db = b.to(gpu);
        ddla::csr<double> known = da.view(), unknown = known;
        CHECK(known.longest_row == a.view().longest_row);
        unknown.longest_row = INT64_MAX;
        test::under_every_schedule([&] {
            for (const auto& view : {known, unknown}) {
                ddla::vector<T> dr(rows, T(std::nan("")), gpu);
                ddla::residual(on, view, dx.view(), db.view(), dr.view());
                on.wait();
                CHECK(same_bits(dr, r));
            }
        });
    }
}
