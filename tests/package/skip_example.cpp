// Cases that pass, fail and are skipped, for skips_test.
#include "catch.hpp"

TEST_CASE("passes")
{
    CHECK(true);
}

TEST_CASE("lacks what it needs")
{
    CHECK(true);
    SKIP_CASE("there is no <needle>");
    CHECK(false);
}

TEMPLATE_TEST_CASE("lacks more", "", int, double)
{
    SKIP_CASE("there is no thread");
}

TEST_CASE("fails before it is skipped")
{
    CHECK(false);
    SKIP_CASE("too late");
}
