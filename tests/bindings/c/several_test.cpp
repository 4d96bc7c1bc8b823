// Several systems and products by the C interface have the bits of single ones.
#include "catch.hpp"

#include <ddla.h>

#include <array>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t n = 216;
constexpr std::size_t count = 3;

/// `count` vectors with different numbers, in double-double.
struct vectors {
    std::array<ddla_vector*, count> all{};
    explicit vectors(double first)
    {
        for (std::size_t j = 0; j < count; ++j) {
            REQUIRE(ddla_vector_create(DDLA_DD, n, DDLA_HOST, &all[j]) == DDLA_OK);
            REQUIRE(ddla_vector_fill(all[j], {first * double(j + 1), first * 0x1p-60}) == DDLA_OK);
        }
    }
    ~vectors()
    {
        for (ddla_vector* x : all) ddla_vector_destroy(x);
    }
    vectors(const vectors&) = delete;
    vectors& operator=(const vectors&) = delete;

    const ddla_vector* const* read() const { return all.data(); }
    std::uint64_t hash(std::size_t j) const
    {
        std::uint64_t hash = 0;
        REQUIRE(ddla_hash(all[j], &hash) == DDLA_OK);
        return hash;
    }
};

struct matrix {
    ddla_matrix* a = nullptr;
    matrix() { REQUIRE(ddla_generate_convection_diffusion(6, 6, 6, 0.3, 0.05, &a) == DDLA_OK); }
    ~matrix() { ddla_matrix_destroy(a); }
    matrix(const matrix&) = delete;
    matrix& operator=(const matrix&) = delete;
};

}  // namespace

TEST_CASE("memory of the host is at the host")
{
    const std::vector<double> mine(3);
    ddla_place at = 7;
    REQUIRE(ddla_place_of_memory(mine.data(), &at) == DDLA_OK);
    CHECK(at == DDLA_HOST);
    CHECK(ddla_place_of_memory(mine.data(), nullptr) == DDLA_MISUSE);
}

TEST_CASE("several products in C have the bits of single ones")
{
    const matrix m;
    const vectors x(0.7), y(-2), z(-2);
    for (std::size_t j = 0; j < count; ++j)
        REQUIRE(ddla_spmv({3, 0}, m.a, x.all[j], {0.5, 0}, z.all[j]) == DDLA_OK);
    REQUIRE(ddla_spmv_several({3, 0}, m.a, count, x.read(), {0.5, 0}, y.all.data()) == DDLA_OK);
    for (std::size_t j = 0; j < count; ++j) CHECK(y.hash(j) == z.hash(j));
    CHECK(y.hash(0) != y.hash(1));
}

TEST_CASE("several systems in C have the bits and reports of single ones")
{
    const matrix m;
    for (const ddla_method method : {DDLA_AUTOMATIC, DDLA_BICGSTAB}) {
        ddla_solve_options options;
        REQUIRE(ddla_solve_options_init(&options, sizeof options) == DDLA_OK);
        options.method = method;
        const vectors b(1.3), x(0), alone(0);
        std::array<ddla_report*, count> reports{};
        REQUIRE(ddla_solve_several(m.a, nullptr, count, b.read(), x.all.data(), &options,
                                   reports.data()) == DDLA_OK);
        for (std::size_t j = 0; j < count; ++j) {
            ddla_report* report = nullptr;
            REQUIRE(ddla_solve(m.a, nullptr, b.all[j], alone.all[j], &options, &report) == DDLA_OK);
            ddla_solve_summary one{}, several{};
            one.size = several.size = sizeof one;
            REQUIRE(ddla_report_summary(report, &one) == DDLA_OK);
            REQUIRE(ddla_report_summary(reports[j], &several) == DDLA_OK);
            CHECK(x.hash(j) == alone.hash(j));
            CHECK(several.status == DDLA_CONVERGED);
            CHECK(several.status == one.status);
            CHECK(several.iterations == one.iterations);
            CHECK(several.solution_hash == one.solution_hash);
            ddla_report_destroy(report);
            ddla_report_destroy(reports[j]);
        }
    }
}

TEST_CASE("several systems in C refuse what does not fit, and leave x")
{
    const matrix m;
    const vectors b(1), x(0.25);
    const std::uint64_t before = x.hash(1);
    CHECK(ddla_solve_several(m.a, nullptr, 0, b.read(), x.all.data(), nullptr, nullptr) ==
          DDLA_MISUSE);
    CHECK(ddla_solve_several(m.a, nullptr, count, nullptr, x.all.data(), nullptr, nullptr) ==
          DDLA_MISUSE);
    ddla_vector* twice[] = {x.all[1], x.all[1]};
    CHECK(ddla_solve_several(m.a, nullptr, 2, b.read(), twice, nullptr, nullptr) == DDLA_MISUSE);
    CHECK_THAT(ddla_last_error(), Catch::Contains("x has one vector twice, the second at 1"));
    ddla_vector* lacking[] = {x.all[1], nullptr};
    CHECK(ddla_solve_several(m.a, nullptr, 2, b.read(), lacking, nullptr, nullptr) == DDLA_MISUSE);
    CHECK(std::string(ddla_last_error()) == "x[1] is NULL");
    ddla_vector* shorter = nullptr;
    REQUIRE(ddla_vector_create(DDLA_DD, 5, DDLA_HOST, &shorter) == DDLA_OK);
    ddla_vector* of_two_sizes[] = {x.all[1], shorter};
    CHECK(ddla_solve_several(m.a, nullptr, 2, b.read(), of_two_sizes, nullptr, nullptr) ==
          DDLA_INPUT);
    CHECK(x.hash(1) == before);
    ddla_vector_destroy(shorter);
}

TEST_CASE("several systems and products in C write no vector that they read")
{
    const matrix m;
    const vectors x(0.25), y(3);
    ddla_vector* const crossed[] = {y.all[0], x.all[2], y.all[1]};
    const std::uint64_t before = x.hash(2);
    CHECK(ddla_spmv_several({1, 0}, m.a, count, x.read(), {0, 0}, crossed) == DDLA_INPUT);
    CHECK(std::string(ddla_last_error()) == "y[1] and x[2] are the same vector");
    CHECK(ddla_solve_several(m.a, nullptr, count, x.read(), crossed, nullptr, nullptr) ==
          DDLA_INPUT);
    CHECK(std::string(ddla_last_error()) == "x[1] and b[2] are the same vector");
    CHECK(x.hash(2) == before);
}
