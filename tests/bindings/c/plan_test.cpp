// Plans of solves in C and in JSON are those of C++.
#include "catch.hpp"

#include "ddla.h"
#include "ddla/generate.hpp"
#include "ddla/linear_operator.hpp"
#include "ddla/plan.hpp"

#include <cmath>
#include <cstring>
#include <string>

namespace {

constexpr std::int64_t n = 144;

struct in_c {
    ddla_matrix* a = nullptr;
    ddla_vector *b = nullptr, *x = nullptr, *low = nullptr;
    ddla_plan* plan = nullptr;
    ddla_solve_options o = {};

    in_c()
    {
        REQUIRE(ddla_generate_poisson2d(12, 12, &a) == DDLA_OK);
        for (ddla_vector** v : {&b, &x, &low})
            REQUIRE(ddla_vector_create(DDLA_DD, n, DDLA_HOST, v) == DDLA_OK);
        REQUIRE(ddla_vector_fill(b, {1, 0}) == DDLA_OK);
        REQUIRE(ddla_solve_options_init(&o, sizeof o) == DDLA_OK);
    }
    in_c(const in_c&) = delete;
    in_c& operator=(const in_c&) = delete;
    ~in_c()
    {
        ddla_plan_destroy(plan);
        for (ddla_vector* v : {b, x, low}) ddla_vector_destroy(v);
        ddla_matrix_destroy(a);
    }
};

bool same(const char* found, const std::string& wanted)
{
    return found ? found == wanted : wanted.empty();
}

bool same(double found, double wanted)
{
    return found == wanted || (std::isnan(found) && std::isnan(wanted));
}

void check_stages(const ddla_plan* plan, const std::vector<ddla::planned_stage>& wanted)
{
    std::int32_t length = 0;
    REQUIRE(ddla_plan_length(plan, &length) == DDLA_OK);
    REQUIRE(length == static_cast<std::int32_t>(wanted.size()));
    for (std::int32_t k = 0; k < length; ++k) {
        const ddla::planned_stage& s = wanted[static_cast<std::size_t>(k)];
        ddla_planned_stage found = {};
        found.size = sizeof found;
        REQUIRE(ddla_plan_stage(plan, k, &found) == DDLA_OK);
        INFO(s.name);
        CHECK(same(found.name, s.name));
        CHECK(same(found.does, s.does));
        CHECK(same(found.follows, s.follows));
        CHECK(same(found.starts_from, s.starts_from));
        CHECK(same(found.judged, s.judged));
        CHECK(same(found.work, s.work.amount));
        CHECK(same(found.bytes, s.bytes.amount));
        CHECK(found.work_is_at_most == s.work.is_at_most);
        CHECK(found.bytes_are_at_most == s.bytes.is_at_most);
        CHECK(found.entries == s.entries);
        CHECK(same(found.limit, s.limit));
        CHECK(found.most_iterations == s.most_iterations);
        CHECK(found.is_reported == s.is_reported);
    }
}

int never(void*, int64_t, const double*, const double*, int64_t, double*, double*)
{
    return 7;
}

}  // namespace

TEST_CASE("a plan in C is that of C++")
{
    const auto a = ddla::generate::poisson2d(12, 12);
    const ddla::vector<ddla::dd_real> b(n, 1.0), x(n);
    in_c c;
    REQUIRE(ddla_plan_solve(c.a, nullptr, c.b, c.x, nullptr, &c.plan) == DDLA_OK);
    const auto automatic = ddla::plan_solve(a, b, x);
    REQUIRE(automatic.size() > 10);
    CHECK(automatic[0].entries > n);
    check_stages(c.plan, automatic);
    const char* json = nullptr;
    REQUIRE(ddla_plan_json(c.plan, &json) == DDLA_OK);
    CHECK(std::string(json) ==
          ddla::plan_json(ddla::reported(a), ddla::method::automatic, "none", {{automatic, "dd"}}));
    ddla_planned_stage one = {};
    one.size = sizeof one;
    CHECK(ddla_plan_stage(c.plan, static_cast<std::int32_t>(automatic.size()), &one) == DDLA_INPUT);
    ddla_plan_destroy(c.plan);
    c.plan = nullptr;

    ddla_factor_options small = {};
    REQUIRE(ddla_factor_options_init(&small, sizeof small) == DDLA_OK);
    small.most_memory = 2000;
    c.o.factorisation = &small;
    REQUIRE(ddla_plan_solve(c.a, nullptr, c.b, c.x, &c.o, &c.plan) == DDLA_OK);
    const auto limited = ddla::plan_solve(a, b, x, {.factorisation = {.most_memory = 2000}});
    CHECK(limited[0].limit != "");
    check_stages(c.plan, limited);
    ddla_plan_destroy(c.plan);
    c.plan = nullptr;
    c.o.factorisation = nullptr;

    c.o.method = DDLA_CG;
    c.o.precond = DDLA_IC;
    c.o.max_iterations = 9;
    REQUIRE(ddla_plan_solve(c.a, nullptr, c.b, c.x, &c.o, &c.plan) == DDLA_OK);
    check_stages(c.plan, ddla::plan_solve(a, b, x,
                                          {.method = ddla::method::cg,
                                           .precond = ddla::preconditioning::ic,
                                           .max_iterations = 9}));
}

TEST_CASE("a plan in C takes functions, preconditioners and four words")
{
    const auto a = ddla::generate::poisson2d(12, 12);
    const ddla::vector<ddla::dd_real> b(n, 1.0), x(n), low(n);
    in_c c;
    REQUIRE(ddla_plan_solve_four_words(c.a, c.b, c.x, c.low, nullptr, &c.plan) == DDLA_OK);
    check_stages(c.plan, ddla::plan_solve(a, b, x, low));
    ddla_plan_destroy(c.plan);
    c.plan = nullptr;

    ddla_operator* f = nullptr;
    ddla_preconditioner* k = nullptr;
    REQUIRE(ddla_operator_create(DDLA_DD, n, n, never, nullptr, &f) == DDLA_OK);
    REQUIRE(ddla_preconditioner_create(DDLA_DD, "mine", n, never, nullptr, &k) == DDLA_OK);
    REQUIRE(ddla_plan_solve_operator(f, k, c.b, c.x, nullptr, &c.plan) == DDLA_OK);
    const ddla::linear_operator<ddla::dd_real> operation(n, n, [](auto, auto) {});
    const ddla::preconditioner<ddla::dd_real> mine("mine", n, [](auto, auto) {});
    const auto wanted = ddla::plan_solve(operation, mine, b, x);
    REQUIRE(wanted.front().name == "bicgstab");
    CHECK(std::isnan(wanted.front().work.amount));
    check_stages(c.plan, wanted);
    const char* json = nullptr;
    REQUIRE(ddla_plan_json(c.plan, &json) == DDLA_OK);
    CHECK(std::strstr(json, "\"preconditioner\": \"mine\"") != nullptr);
    ddla_preconditioner_destroy(k);
    ddla_operator_destroy(f);
}

TEST_CASE("a plan in C is refused where its solve is")
{
    in_c c;
    c.o.method = DDLA_CG;
    c.o.digits = 5;
    CHECK(ddla_solve(c.a, nullptr, c.b, c.x, &c.o, nullptr) == DDLA_INPUT);
    const std::string why = ddla_last_error();
    c.plan = reinterpret_cast<ddla_plan*>(&c);
    CHECK(ddla_plan_solve(c.a, nullptr, c.b, c.x, &c.o, &c.plan) == DDLA_INPUT);
    CHECK(why == ddla_last_error());
    CHECK(c.plan == nullptr);
}
