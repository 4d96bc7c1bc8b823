// The sums and products of dd_real have the bits of NVIDIA's cuda::fp64mp2 at its level `high`, and
// dd_pair has its layout.  Needs CCCL 3.6 (CUDA 13.6) or later, and no device.
#include "arithmetic/operands.hpp"
#include "catch.hpp"
#include "support/run_tests.hpp"

#include "ddla/interop/pair.hpp"

#if __has_include(<cuda/fpmp>)
#define DDLA_HAS_FPMP 1
#include <cuda/fpmp>

#include <bit>
#else
#define DDLA_HAS_FPMP 0
#endif

int main(int argc, char** argv)
{
    return test::run_tests(DDLA_HAS_FPMP ? nullptr : "no <cuda/fpmp>, which CCCL 3.6 brings", argc,
                           argv);
}

#if DDLA_HAS_FPMP
namespace {

// First versions have the types in cuda::experimental.
namespace nvidia {
using namespace cuda;
using namespace cuda::experimental;
using number = fp64mp2_high;
}  // namespace nvidia

using ddla::dd_pair;
using ddla::dd_real;

nvidia::number theirs(dd_real x)
{
    return std::bit_cast<nvidia::number>(dd_pair(x));
}
dd_real ours(nvidia::number x)
{
    return std::bit_cast<dd_pair>(x);
}

}  // namespace
#endif

TEST_CASE("dd_pair and fp64mp2 have one layout")
{
#if DDLA_HAS_FPMP
    STATIC_REQUIRE(sizeof(dd_pair) == sizeof(nvidia::number));
    STATIC_REQUIRE(alignof(dd_pair) == alignof(nvidia::number));
    const nvidia::number third = theirs(dd_real(1) / 3);
    CHECK(third.hi() == (dd_real(1) / 3).hi);
    CHECK(third.lo() == (dd_real(1) / 3).lo);
#endif
}

TEST_CASE("sums and products have the bits of fp64mp2 at level high")
{
#if DDLA_HAS_FPMP
    ddla::test::operand_source operands(1);
    int sums = 0, products = 0;
    for (int k = 0; k < 2'000'000; ++k) {
        const auto [x, y] = operands.next();
        sums += !ddla::test::same(ours(theirs(x) + theirs(y)), x + y);
        products += !ddla::test::same(ours(theirs(x) * theirs(y)), x * y);
    }
    CHECK(sums == 0);
    CHECK(products == 0);
#endif
}
