// What a solve looks at before it starts: the first number that is not finite, the largest one.
#include "solves.hpp"
#include "support/operands.hpp"
#include "support/place.hpp"
#include "support/shapes.hpp"

#include "ddla/error.hpp"

#include <limits>

using ddla::dd_real;
using ddla::index_t;
using test::gpu;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// 2 on the diagonal.
ddla::csr_matrix<double> diagonal_matrix(index_t n)
{
    std::vector<index_t> begin(std::size_t(n) + 1);
    std::vector<ddla::column_t> column(static_cast<std::size_t>(n));
    for (index_t i = 0; i < n; ++i) {
        begin[std::size_t(i) + 1] = i + 1;
        column[std::size_t(i)] = static_cast<ddla::column_t>(i);
    }
    return {n, n, begin, column, ddla::vector<double>(n, 2.0)};
}

template <class T>
std::string refusal(const ddla::csr_matrix<double>& a, const ddla::vector<T>& b)
{
    ddla::vector<T> x(b.size(), b.where());
    try {
        ddla::solve(a, b, x);
    } catch (const ddla::input_error& e) {
        return e.what();
    }
    return "solved";
}

std::string refusal_of(index_t i, const std::string& name)
{
    return "solve: element " + std::to_string(i) + " of " + name + " is Inf or NaN";
}

}  // namespace

TEMPLATE_TEST_CASE("the first number that is not finite, at every size", "[device]", double,
                   dd_real)
{
    for (const index_t n : test::sizes()) {
        if (n == 0) continue;
        const auto a = diagonal_matrix(n);
        const auto da = a.to(gpu);
        for (const index_t first : {index_t(0), n / 3, n - 1}) {
            INFO("n = " << n << ", element " << first);
            ddla::vector<TestType> b(n, TestType(1));
            b.set(n - 1, TestType(std::nan("")));
            b.set(first, TestType(-inf));
            ddla::vector<double> value(n, 2.0);
            value.set(n - 1, inf);
            value.set(first, std::nan(""));
            const auto wrong = test::with_same_pattern(a, value).to(gpu);
            const auto db = b.to(gpu);
            const ddla::vector<TestType> ones(n, TestType(1), gpu);
            REQUIRE(refusal(a, b) == refusal_of(first, "b"));
            test::under_every_schedule([&] {
                CHECK(refusal(da, db) == refusal_of(first, "b"));
                CHECK(refusal(wrong, ones) == "solve: the value of A in row " +
                                                  std::to_string(first) + ", column " +
                                                  std::to_string(first) + " is Inf or NaN");
            });
        }
    }
}

TEMPLATE_TEST_CASE("the largest number, at every size", "[device]", double, dd_real)
{
    // b of zeros is an answer at once, and one number of any size anywhere in it is not; a number
    // far from 1 scales the system.
    for (const index_t n : test::sizes()) {
        if (n == 0) continue;
        const auto a = diagonal_matrix(n);
        const auto zeros = test::zeros_of_both_signs<TestType>(n, 61);
        const ddla::vector<TestType> guess(n, TestType(1));
        const auto report = test::compare_solve<TestType>(
            a, zeros, guess, {.method = ddla::method::bicgstab}, test::few_ways());
        CHECK(report.iterations == 0);
        CHECK(report.status == ddla::solve_status::converged);
        for (const double large : {0x1p-1074, -0x1p-600, 1.0, -0x1p1000}) {
            INFO("n = " << n << ", largest " << large);
            auto b = zeros;
            b.set(n - 1 - n / 4, TestType(large));
            test::compare_solve<TestType>(a, b, ddla::vector<TestType>(n),
                                          {.method = ddla::method::bicgstab, .max_iterations = 3},
                                          test::few_ways());
        }
    }
}
