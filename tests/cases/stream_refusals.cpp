// What an operation on views refuses, one text for the host and the device: with a message that
// names it, and nothing is touched.
#include "support/shapes.hpp"
#include "support/sites.hpp"

#include "ddla/error.hpp"

#include <limits>

using ddla::dd_real;
using ddla::vec;
using test::numbers;
using test::offsets;
using test::same_bits;
using test::site;
using test::spot;
using test::words;

namespace {

/// Vectors and results that refused calls must not touch.
template <class T>
class untouched {
public:
    explicit untouched(site& at)
        : three(at, x_), four(at, y_, words::apart), result(at, T(-5)), on(at.on())
    {
    }
    ~untouched()
    {
        CHECK(same_bits(three.values(), x_));
        CHECK(same_bits(four.values(), y_));
        CHECK(same_bits(result.value(), T(-5)));
    }
    untouched(const untouched&) = delete;
    untouched& operator=(const untouched&) = delete;

private:
    const ddla::vector<T> x_{1, 2, 3}, y_{4, 5, 6, 7};

public:
    numbers<T> three, four;
    spot<T> result;
    ddla::stream& on;
};

/// Symmetric, 4 x 4, its first diagonal element zero.
ddla::csr_matrix<double> square_matrix()
{
    return test::matrix_of({{0, 1, 0, 0}, {1, 2, 1, 0}, {0, 1, 2, 1}, {0, 0, 1, 2}});
}

}  // namespace

TEMPLATE_TEST_CASE("sizes that do not fit are refused", "[streams]", double, dd_real)
{
    test::at_every_site([](site& at) {
        const untouched<TestType> u(at);
        const auto x = u.three.view(), y = u.four.view();
        CHECK_THROWS_AS(ddla::dot(u.on, x, y), ddla::input_error);
        CHECK_THROWS_WITH(ddla::dot(u.on, x, y), "dot: x has 3 elements, y 4");
        CHECK_THROWS_WITH(ddla::dot(u.on, x, y, u.result.at()), "dot: x has 3 elements, y 4");
        CHECK_THROWS_WITH(ddla::axpy(u.on, 2, x, y), "axpy: x has 3 elements, y 4");
        CHECK_THROWS_WITH(ddla::xpay(u.on, x, 2, y), "xpay: x has 3 elements, y 4");
        CHECK_THROWS_WITH(ddla::axpyz(u.on, 2, x, y, x), "axpyz: x has 3 elements, y 4");
        CHECK_THROWS_WITH(ddla::axpyz(u.on, 2, x, x, y), "axpyz: x has 3 elements, z 4");
        CHECK_THROWS_WITH(ddla::copy(u.on, x, y), "copy: x has 3 elements, y 4");
        const auto negative = x.part(0, -1);
        CHECK_THROWS_WITH(ddla::nrm2(u.on, negative), "nrm2: x has -1 elements");
        CHECK_THROWS_WITH(ddla::asum(u.on, negative, u.result.at()), "asum: x has -1 elements");
        CHECK_THROWS_WITH(ddla::scal(u.on, 2, negative), "scal: x has -1 elements");
        CHECK_THROWS_WITH(ddla::axpy(u.on, 2, x, negative), "axpy: y has -1 elements");
    });
}

TEMPLATE_TEST_CASE("null pointers are refused", "[streams]", double, dd_real)
{
    test::at_every_site([](site& at) {
        const untouched<TestType> u(at);
        const auto x = u.three.view();
        const auto null = vec<TestType>::in_memory(nullptr, 3, 0);
        TestType* const nowhere = nullptr;
        CHECK_THROWS_AS(ddla::dot(u.on, x, null), ddla::input_error);
        CHECK_THROWS_WITH(ddla::dot(u.on, x, null), "dot: y is a null pointer");
        CHECK_THROWS_WITH(ddla::nrm2(u.on, null, u.result.at()), "nrm2: x is a null pointer");
        CHECK_THROWS_WITH(ddla::copy(u.on, x, null), "copy: y is a null pointer");
        CHECK_THROWS_WITH(ddla::nrm2(u.on, x, nowhere), "nrm2: the result is a null pointer");
        CHECK_THROWS_WITH(ddla::asum(u.on, x, nowhere), "asum: the result is a null pointer");
        CHECK_THROWS_WITH(ddla::dot(u.on, x, x, nowhere), "dot: the result is a null pointer");
        CHECK_THROWS_WITH(ddla::axpy(u.on, nowhere, x, x), "axpy: a is a null pointer");
        CHECK_THROWS_WITH(ddla::xpay(u.on, x, nullptr, x), "xpay: a is a null pointer");
        CHECK_THROWS_WITH(ddla::scal(u.on, nowhere, x), "scal: a is a null pointer");
        if constexpr (std::is_same_v<TestType, dd_real>) {
            const vec<dd_real> half(x.word(0), nullptr, 3);
            CHECK_THROWS_WITH(ddla::asum(u.on, half), "asum: x is a null pointer");
        }
    });
}

TEMPLATE_TEST_CASE("operands that overlap are refused", "[streams]", double, dd_real)
{
    test::at_every_site([](site& at) {
        const untouched<TestType> u(at);
        const auto y = u.four.view();
        const auto first = y.part(0, 3), second = y.part(1, 3);
        const char* const message = " overlap, but not element by element";
        CHECK_THROWS_AS(ddla::axpy(u.on, 2, first, second), ddla::input_error);
        CHECK_THROWS_WITH(ddla::axpy(u.on, 2, first, second),
                          std::string("axpy: x and y") + message);
        CHECK_THROWS_WITH(ddla::xpay(u.on, second, 2, first),
                          std::string("xpay: x and y") + message);
        CHECK_THROWS_WITH(ddla::copy(u.on, first, second), std::string("copy: x and y") + message);
        CHECK_THROWS_WITH(ddla::axpyz(u.on, 2, u.three.view(), first, second),
                          std::string("axpyz: y and z") + message);
        CHECK_THROWS_WITH(ddla::axpyz(u.on, 2, first, u.three.view(), second),
                          std::string("axpyz: x and z") + message);
        // A scalar is read while others are written.
        const auto* const inside = reinterpret_cast<const TestType*>(y.word(0) + 1);
        CHECK_THROWS_WITH(ddla::scal(u.on, inside, y), "scal: a lies in x, which is written");
        CHECK_THROWS_WITH(ddla::axpy(u.on, inside, u.three.view(), first),
                          "axpy: a lies in y, which is written");
        const test::matrix_there<double> a(at, square_matrix());
        CHECK_THROWS_WITH(ddla::spmv(u.on, 1, a.view(), y, 0, y),
                          "spmv: x and y overlap: what is written would be read again");
        CHECK_THROWS_WITH(ddla::residual(u.on, a.view(), y, y, y),
                          "residual: x and r overlap: what is written would be read again");
        CHECK_THROWS_WITH(ddla::solve(u.on, a.view(), y, y),
                          "solve: x and b overlap: what is written would be read again");
        // Parts beside each other have nothing in common.
        CHECK(ddla::dot(u.on, first, second) == TestType(4 * 5 + 5 * 6 + 6 * 7));
        const numbers<TestType> z(at, {1, 2, 3, 4});
        ddla::copy(u.on, z.view().part(0, 2), z.view().part(2, 2));
        CHECK(same_bits(z.values(), ddla::vector<TestType>{1, 2, 1, 2}));
    });
}

TEMPLATE_TEST_CASE("matrices that do not fit are refused", "[streams]", double, dd_real)
{
    test::at_every_site([](site& at) {
        const untouched<TestType> u(at);
        const auto x = u.three.view(), y = u.four.view();
        const test::matrix_there<double> there(at, square_matrix(), offsets::narrow);
        const auto a = there.view();
        CHECK_THROWS_AS(ddla::spmv(u.on, 1, a, x, 0, y), ddla::input_error);
        CHECK_THROWS_WITH(ddla::spmv(u.on, 1, a, x, 0, y),
                          "spmv: x has 3 elements, A has 4 columns");
        CHECK_THROWS_WITH(ddla::spmv(u.on, 1, a, y, 0, x), "spmv: y has 3 elements, A has 4 rows");
        const numbers<TestType> other(at, {0, 0, 0, 0});
        CHECK_THROWS_WITH(ddla::residual(u.on, a, other.view(), x, y),
                          "residual: b has 3 elements, r 4");
        CHECK_THROWS_WITH(ddla::solve(u.on, a, y, x), "solve: x has 3 elements, A has 4 columns");
        auto wrong = a;
        wrong.rows = 3;
        CHECK_THROWS_WITH(ddla::solve(u.on, wrong, y, y, {.method = ddla::method::cg}),
                          "solve: the matrix is 3 x 4, not square");
        CHECK_THROWS_WITH(ddla::solve(u.on, wrong, y, y), "solve: b has 4 elements, A has 3 rows");
        wrong.rows = wrong.columns = -1;
        CHECK_THROWS_WITH(ddla::solve(u.on, wrong, y, y), "solve: A is -1 x -1");
        wrong = a, wrong.row_begin = {};
        CHECK_THROWS_WITH(ddla::spmv(u.on, 1, wrong, other.view(), 0, y),
                          "spmv: the row offsets of A is a null pointer");
        wrong = a, wrong.column = nullptr;
        CHECK_THROWS_WITH(ddla::spmv(u.on, 1, wrong, other.view(), 0, y),
                          "spmv: the columns of A is a null pointer");
        wrong = a, wrong.value = {nullptr, a.nonzeros()};
        CHECK_THROWS_WITH(ddla::spmv(u.on, 1, wrong, other.view(), 0, y),
                          "spmv: the values of A is a null pointer");
        wrong = a, wrong.rows = wrong.columns = ddla::index_t(1) << 31;
        CHECK_THROWS_WITH(ddla::solve(u.on, wrong, y, y),
                          "solve: A is 2147483648 x 2147483648, more than the 2147483647 that "
                          "column numbers of 32 bits count");
        wrong = a, wrong.longest_row = 2;
        CHECK_THROWS_WITH(ddla::spmv(u.on, 1, wrong, other.view(), 0, y),
                          "spmv: A has 9 entries, more than 4 rows of at most 2 hold");
        wrong = a, wrong.long_rows.count = 1;
        CHECK_THROWS_WITH(ddla::spmv(u.on, 1, wrong, other.view(), 0, y),
                          "spmv: the list of long rows of A is a null pointer");
        TestType* const nowhere = nullptr;
        CHECK_THROWS_WITH(ddla::spmv(u.on, nowhere, a, other.view(), 0, y),
                          "spmv: alpha is a null pointer");
        CHECK_THROWS_WITH(ddla::spmv(u.on, 1, a, other.view(), nowhere, y),
                          "spmv: beta is a null pointer");
    });
}

TEMPLATE_TEST_CASE("systems that cannot be solved are refused", "[streams]", double, dd_real)
{
    const double inf = std::numeric_limits<double>::infinity();
    test::at_every_site([&](site& at) {
        const untouched<TestType> u(at);
        const auto b = u.four.view();
        const test::matrix_there<double> a(at, square_matrix());
        const numbers<TestType> x(at, {0, 0, 0, 0}), infinite(at, {0, 0, inf, 0});
        CHECK_THROWS_WITH(ddla::solve(u.on, a.view(), infinite.view(), x.view()),
                          "solve: element 2 of b is Inf or NaN");
        CHECK_THROWS_WITH(ddla::solve(u.on, a.view(), b, infinite.view()),
                          "solve: element 2 of x is Inf or NaN");
        CHECK_THROWS_WITH(ddla::solve(u.on, a.view(), b, x.view(),
                                      {.method = ddla::method::bicgstab, .tolerance = -1}),
                          Catch::Contains("tolerance must be from 0 to below 1"));
        CHECK_THROWS_WITH(ddla::solve(u.on, a.view(), b, x.view(),
                                      {.method = ddla::method::bicgstab,
                                       .precond = ddla::preconditioning::jacobi}),
                          "solve: Jacobi needs a diagonal without zeros, row 1 of A has none");
        CHECK(same_bits(x.values(), ddla::vector<TestType>(4)));
    });
}
