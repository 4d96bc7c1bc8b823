// Sparse operations on the device have the bits of the host.
#include "everywhere.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using ddla::csr_matrix;
using ddla::index_t;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::gpu;
using test::same_bits;

TEMPLATE_TEST_CASE("products and residuals", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& a : test::shapes<typename TestType::value>()) {
        const auto x = test::random_vector<T>(a.columns(), 11);
        const auto y = test::random_vector<T>(a.rows(), 12);
        const auto scalars = test::random_vector<T>(2, 13);
        ddla::vector<T> plain(a.rows()), full = y, residual(a.rows());
        ddla::spmv(T(1), a, x, T(0), plain);
        ddla::spmv(scalars[0], a, x, scalars[1], full);
        ddla::residual(a, x, y, residual);
        const auto truth = ddla::true_residual(a, x, y);
        const auto da = a.to(gpu);
        const auto dx = x.to(gpu), dy = y.to(gpu);
        INFO(a.rows() << " x " << a.columns() << ", " << a.nonzeros() << " entries");
        test::under_every_schedule([&] {
            ddla::vector<T> z(a.rows(), T(std::nan("")), gpu);
            ddla::spmv(T(1), da, dx, T(0), z);
            CHECK(same_bits(z, plain));
            z = dy;
            ddla::spmv(scalars[0], da, dx, scalars[1], z);
            CHECK(same_bits(z, full));
            ddla::residual(da, dx, dy, z);
            CHECK(same_bits(z, residual));
            const auto there = ddla::true_residual(da, dx, dy);
            CHECK(same_bits(there.residual, truth.residual));
            CHECK(same_bits(there.right_hand_side, truth.right_hand_side));
        });
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

TEMPLATE_TEST_CASE("a million rows", "[device][large]", double_double, dd_double)
{
    using T = typename TestType::scalar;
    const auto a = ddla::generate::convection_diffusion(101, 103, 101);
    const auto x = test::random_vector<T>(a.rows(), 18), b = test::random_vector<T>(a.rows(), 19);
    ddla::vector<T> r(a.rows()), dr(a.rows(), gpu);
    ddla::residual(a, x, b, r);
    ddla::residual(a.to(gpu), x.to(gpu), b.to(gpu), dr);
    CHECK(same_bits(dr, r));
    CHECK(same_bits(ddla::true_residual(a.to(gpu), x.to(gpu), b.to(gpu)).residual,
                    ddla::true_residual(a, x, b).residual));
}
