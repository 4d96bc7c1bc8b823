// A sum on the host in parts: what others have summed fits between a sweep and its finish.
#include "support/split_sums.hpp"
#include "catch.hpp"
#include "support/random.hpp"
#include "support/same_bits.hpp"

#include "host/context.hpp"

TEMPLATE_TEST_CASE("sums in parts have the bits of sums", "[split]", double, ddla::dd_real)
{
    using T = TestType;
    ddla::host_backend::call call;
    for (const ddla::index_t n : test::lengths_of_split_sums) {
        INFO(n);
        const auto x = test::random_vector<T>(n, 51), y = test::random_vector<T>(n, 52);
        const auto found = test::dots(call.backend, x, y, {0, 1, 2, 256, 700});
        CHECK(test::same_bits(found.in_halves, found.whole));
        CHECK(test::same_bits(found.of_ranks, found.whole));
    }
}
