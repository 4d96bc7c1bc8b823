// Backward errors of single rows, known beforehand.
#include "catch.hpp"
#include "support/shapes.hpp"

#include "errors/backward_error.hpp"

#include <cmath>

using namespace ddla::refine;
using ddla::dd_real;
using test::matrix_of;

namespace {

constexpr double eps = 0x1p-104;

backward_errors found(const ddla::csr_matrix<double>& a, const ddla::vector<dd_real>& b,
                      const ddla::vector<dd_real>& x)
{
    const host_system<double> system(a.view(), b.view());
    return backward_errors_of<double>(system, x.view(), eps);
}

}  // namespace

TEST_CASE("a row whose denominator overflows leaves no backward error, wherever it is")
{
    for (const bool is_first : {true, false}) {
        const auto a =
            is_first ? matrix_of({{0x1p+1000, 0}, {0, 1}}) : matrix_of({{1, 0}, {0, 0x1p+1000}});
        const ddla::vector<dd_real> x{is_first ? 0x1p+100 : 1, is_first ? 1 : 0x1p+100};
        const backward_errors e = found(a, {1, 1}, x);
        INFO((is_first ? "the first row" : "the last row"));
        CHECK(std::isnan(e.componentwise));
        CHECK(std::isnan(e.omega1));
        CHECK(std::isnan(e.normwise));
    }
}

TEST_CASE("rows with a tiny denominator count for omega2, the others for omega1")
{
    // r is 2^-60 in the first row, 2^-120 in the second one: all of |A| |x| there.
    const auto a = matrix_of({{1, 0}, {0, 1}});
    const backward_errors e = found(a, {dd_real(1, 0x1p-60), 0}, {1, 0x1p-120});
    CHECK(e.componentwise == 1);
    CHECK(e.omega1 == 0x1p-61);
    CHECK(e.omega2 == 0x1p-120);
    CHECK(e.normwise == 0x1p-61);
    CHECK(e.smallest_row == 0x1p-120);
}
