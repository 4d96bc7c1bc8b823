// The stored reference answers are answers: right matrix, residual as small as their digits allow.
#include "stored.hpp"
#include "support/reference_errors.hpp"

#include <cstdio>

using namespace reference;

namespace {

/// 62 digits, rounded to nearest: 0.5e-61, and what the products in 256 bits lose.
constexpr double largest_residual = 0.6e-61;

int check_answers(const answers& stored, const ddla::csr_matrix<double>& a)
{
    CHECK(stored.rows == a.rows());
    CHECK(stored.nonzeros == a.nonzeros());
    if (stored.definite) CHECK(is_symmetric(a));
    for (const answer& one : stored.all) {
        INFO(stored.matrix << ", b = " << one.rhs);
        const mpfr_vector x = solution_of(one);
        CHECK(errors_of(a, one.b, x, x).backward <= largest_residual);
        if (!one.exact) CHECK(one.higher >= 2 * one.lower);
    }
    return static_cast<int>(stored.all.size());
}

}  // namespace

TEST_CASE("there are reference answers for 80 systems, 60 of them real", "[reference]")
{
    std::size_t matrices = 0, systems = 0, real_systems = 0, proved = 0;
    for (const auto& file : answer_files()) {
        const answers stored = read_answers(file);
        CHECK(stored.matrix == matrix_name(file));
        ++matrices;
        systems += stored.all.size();
        if (!is_generated(stored.matrix)) ++real_systems;
        for (const answer& one : stored.all) proved += one.exact;
    }
    std::printf("reference answers: %zu matrices (%zu real), %zu systems, %zu proved\n", matrices,
                real_systems, systems, proved);
    CHECK(systems >= 80);
    CHECK(real_systems >= 60);
    for (const std::string& name : generated_names())
        CHECK(std::filesystem::exists(std::filesystem::path(DDLA_REFERENCE_ANSWERS) /
                                      (name + ".txt.gz")));
}

TEST_CASE("reference answers solve the generated systems", "[reference]")
{
    int checked = 0;
    for_each_stored(
        false, [&](const auto& stored, const auto& a) { checked += check_answers(stored, a); });
    CHECK(checked > 0);
}

TEST_CASE("reference answers solve the real systems", "[reference][matrices]")
{
    int checked = 0;
    const int missing = for_each_stored(
        true, [&](const auto& stored, const auto& a) { checked += check_answers(stored, a); });
    CHECK(checked > 0);
    std::printf("reference answers of %d real systems checked\n", checked);
    if (missing > 0) SKIP_CASE(reason_of(missing));
}

TEST_CASE("a wrong reference answer and a wrong matrix are noticed", "[reference]")
{
    answers stored = read_answers(std::filesystem::path(DDLA_REFERENCE_ANSWERS) /
                                  "toeplitz_200_gamma_13.txt.gz");
    const auto a = generated_matrix(stored.matrix);
    for (const answer& one : stored.all) {
        mpfr_vector x = solution_of(one), wrong = solution_of(one);
        mpfr_t factor;
        mpfr_init2(factor, 256);
        mpfr_set_str(factor, "1e-60", 10, MPFR_RNDN);
        mpfr_add_ui(factor, factor, 1, MPFR_RNDN);
        mpfr_mul(wrong[100], wrong[100], factor, MPFR_RNDN);
        mpfr_clear(factor);
        CHECK(errors_of(a, one.b, x, wrong).backward > largest_residual);
        CHECK(errors_of(a, one.b, x, wrong).componentwise == Approx(1e-60));
    }
    stored.hash ^= 1;
    CHECK_THROWS_AS(matrix_of(stored, ""), ddla::input_error);
}
