// A sum on a device in parts: what others have summed fits between a sweep and its finish.
#include "split_sums.hpp"
#include "catch.hpp"
#include "everywhere.hpp"

#include "ddla/blas.hpp"

TEMPLATE_TEST_CASE("sums in parts have the bits of sums", "[device][split]", double, ddla::dd_real)
{
    using T = TestType;
    for (const ddla::index_t n : test::lengths_of_split_sums) {
        INFO(n);
        const auto x = test::random_vector<T>(n, 51), y = test::random_vector<T>(n, 52);
        const auto x_there = x.to(test::gpu), y_there = y.to(test::gpu);
        const T wanted = ddla::dot(x, y);
        test::under_every_schedule([&] {
            const auto found = test::dots_on_device(x_there, y_there, {0, 1, 2, 256, 700});
            CHECK(test::same_bits(found.whole, wanted));
            CHECK(test::same_bits(found.in_halves, wanted));
            CHECK(test::same_bits(found.of_ranks, wanted));
        });
    }
}
