// Which limit a call of the C interface would have passed.
#include "catch.hpp"

#include <ddla.h>

#include <thread>

namespace {

struct grid {
    ddla_matrix* a = nullptr;
    grid() { REQUIRE(ddla_generate_poisson2d(20, 20, &a) == DDLA_OK); }
    ~grid() { ddla_matrix_destroy(a); }
    grid(const grid&) = delete;
    grid& operator=(const grid&) = delete;

    ddla_status factor(const ddla_factor_options& o) const
    {
        ddla_factors* f = nullptr;
        const ddla_status status = ddla_factors_create(a, DDLA_DOUBLE, &o, &f);
        ddla_factors_destroy(f);
        return status;
    }
};

ddla_factor_options factor_defaults()
{
    ddla_factor_options o;
    REQUIRE(ddla_factor_options_init(&o, sizeof o) == DDLA_OK);
    return o;
}

}  // namespace

TEST_CASE("a call in C that would pass a limit names it, on its own thread")
{
    const grid g;
    ddla_factor_options little_work = factor_defaults(), little_memory = factor_defaults();
    little_work.most_work = 1e-9;
    little_memory.most_memory = 100;
    REQUIRE(g.factor(little_work) == DDLA_RESOURCE);
    CHECK(ddla_last_limit() == DDLA_MOST_WORK);
    REQUIRE(g.factor(factor_defaults()) == DDLA_OK);
    CHECK(ddla_last_limit() == DDLA_MOST_WORK);  // as the sentence, until the next call that fails
    REQUIRE(g.factor(little_memory) == DDLA_RESOURCE);
    CHECK(ddla_last_limit() == DDLA_MOST_MEMORY);
    ddla_limit elsewhere = -1;
    std::thread([&] { elsewhere = ddla_last_limit(); }).join();
    CHECK(elsewhere == DDLA_NO_LIMIT);

    ddla_preconditioner_options little_fill;
    ddla_preconditioner* k = nullptr;
    REQUIRE(ddla_preconditioner_options_init(&little_fill, sizeof little_fill) == DDLA_OK);
    little_fill.fill = 4;
    little_fill.most_fill = 1.1;
    REQUIRE(ddla_preconditioner_create_matrix(g.a, DDLA_DD, DDLA_ILU, &little_fill, &k) ==
            DDLA_RESOURCE);
    CHECK(ddla_last_limit() == DDLA_MOST_FILL);
}

TEST_CASE("a call in C that fails for another reason names no limit")
{
    const grid g;
    ddla_factor_options o = factor_defaults();
    o.most_work = 1e-9;
    REQUIRE(g.factor(o) == DDLA_RESOURCE);
    REQUIRE(ddla_release_kept_memory(1000) == DDLA_RESOURCE);
    CHECK(ddla_last_limit() == DDLA_NO_LIMIT);
    REQUIRE(g.factor(o) == DDLA_RESOURCE);
    REQUIRE(ddla_host_threads(nullptr) == DDLA_MISUSE);
    CHECK(ddla_last_limit() == DDLA_NO_LIMIT);
}
