// The reference solution against exact rationals; what has none is refused.
#include "catch.hpp"
#include "rationals.hpp"
#include "reference.hpp"
#include "work_estimate.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"

using namespace ddla::validate;
using namespace validate_test;
using ddla::csr_matrix;
using ddla::index_t;

namespace {

reference_limits plenty()
{
    reference_limits limits;
    limits.bytes = std::size_t{1} << 30;
    return limits;
}

bool go_on(const reference_progress&)
{
    return true;
}

reference reference_of(const csr_matrix<double>& a, const ddla::vector<double>& b,
                       const reference_limits& limits = plenty())
{
    return make_reference(a, b, "a.mtx", limits, go_on);
}

/// All components to 40 digits, however small; zeros below what counts as zero.
void check_exact(const csr_matrix<double>& a, const ddla::vector<double>& b)
{
    const reference ref = reference_of(a, b);
    CHECK(ref.agreed_digits >= 40);
    const auto truth = exact_solution(exact_matrix(a), exact_vector(b));
    for (std::size_t i = 0; i < truth.size(); ++i) {
        INFO("component " << i);
        if (truth[i] != 0)
            CHECK(relative_error(ref.x[i], truth[i]) < 1e-40);
        else
            CHECK(exponent_of(ref.x[i], LONG_MIN) < zero_exponent);
    }
}

std::string refusal(const csr_matrix<double>& a, const reference_limits& limits = plenty())
try {
    reference_of(a, ddla::vector<double>(a.rows(), 1.0), limits);
    return "";
} catch (const ddla::error& e) {
    return e.what();
}

}  // namespace

TEST_CASE("the reference of Hilbert's matrices as stored is the rational solution")
{
    for (const index_t n : {1, 2, 5, 12}) check_exact(hilbert(n), ddla::vector<double>(n, 1.0));
}

TEST_CASE("ill-conditioned, badly scaled and huge systems have their reference")
{
    // cond(A) = 1e30: double-double cannot see it.
    check_exact(matrix({{1, 1, 0}, {1, 1 + 0x1p-52, 0x1p-50}, {0x1p-50, 0, 0x1p-20}}),
                {1.0, 2.0, 3.0});
    check_exact(matrix({{1e300, 1, 0}, {1, 1e-300, 3}, {0, 7e-150, 1e150}}), {1.0, 1e-200, 1e200});
    check_exact(matrix({{1e308, 1e308}, {-1e308, 1e308}}), {1e-308, 1e308});
    check_exact(hilbert(20), ddla::vector<double>(20, 1.0));
}

TEST_CASE("components that are zero, and tiny ones, are told from each other")
{
    // x = (1, 0, -2, 0, 1e-280): the zeros come from cancellation.
    const auto a = matrix(
        {{3, 7, 1, 5, 0}, {1, 3, 9, 2, 0}, {4, 1, 2, 7, 0}, {6, 2, 3, 3, 0}, {0, 0, 0, 0, 1}});
    const ddla::vector<double> b{1.0, -17.0, 0.0, 0.0, 1e-280};
    check_exact(a, b);
    const reference ref = reference_of(a, b);
    CHECK(to_double(ref.x[0]) == 1);
    CHECK(to_double(ref.x[4]) == 1e-280);
    check_exact(matrix({{1, 1}, {0, 1e200}}), {1.0, 1e-200});  // x = (1 - 1e-400, 1e-400)
    // A decay through the whole range of double and beyond.
    const auto chain = ddla::generate::toeplitz(400, 0.01);
    ddla::vector<double> first(400);
    first[0] = 1;
    const reference decay = reference_of(chain, first);
    CHECK(decay.agreed_digits >= 40);
    ddla::vector<double> zero(400);
    for (const mp_number& e : reference_of(chain, zero).x) CHECK(sign_of(e) == 0);
}

TEST_CASE("RCOND is that of the exact inverse")
{
    const auto a = hilbert(8);
    const auto truth = exact_matrix(a);
    mpq_class norm = 0, inverse = 0;
    for (std::size_t k = 0; k < 8; ++k) {
        mpq_class column = 0, of_inverse = 0;
        for (std::size_t i = 0; i < 8; ++i) column += abs(truth[i][k]);
        for (const mpq_class& e : exact_solution(truth, unit_vector(8, k))) of_inverse += abs(e);
        if (column > norm) norm = column;
        if (of_inverse > inverse) inverse = of_inverse;
    }
    const mpq_class condition = norm * inverse;
    const reference ref = reference_of(a, ddla::vector<double>(8, 1.0));
    CHECK(ref.rcond * condition.get_d() == Approx(1).epsilon(1e-12));
}

TEST_CASE("singular matrices are named with their column")
{
    using Catch::Contains;
    CHECK_THAT(refusal(matrix({{1, 0}, {2, 0}})),
               Contains("a.mtx: the matrix is singular") && Contains("column 2 is empty"));
    CHECK_THAT(refusal(matrix({{0, 0}, {1, 2}})), Contains("row 1 is empty"));
    CHECK_THAT(refusal(matrix({{1, 2, 3}, {0, 1, 0}, {0, 2, 0}})),
               Contains("whatever its values are") && Contains("column "));
    CHECK_THAT(refusal(matrix({{1, 2}, {2, 4}})),
               Contains("as far as 4096 bits can tell") && Contains("column "));
    // 1/3 is rounded in the elimination: the last pivot need not be zero, but shrinks.
    CHECK_THAT(refusal(matrix({{3, 1, 4}, {1, 5, 9}, {7, 7, 17}})),
               Contains("as far as 4096 bits can tell") && Contains("column "));
    // Regular, if only by 2^-1000.
    CHECK(refusal(matrix({{1, 1}, {0, 0x1p-1000}})) == "");
}

TEST_CASE("work beyond the limits is refused with numbers")
{
    using Catch::Contains;
    const auto a = ddla::generate::poisson2d(20, 20);
    reference_limits memory = plenty(), time = plenty(), rows = plenty(), bits = plenty();
    memory.bytes = 100'000;
    CHECK_THAT(refusal(a, memory), Contains("entries") && Contains("97.7 KiB"));
    time.seconds = 1e-6;
    CHECK_THAT(refusal(a, time), Contains("operations") && Contains("seconds"));
    rows.rows = 399;
    CHECK_THAT(refusal(a, rows), Contains("400 rows, the limit is 399"));
    bits.bits = 256;
    CHECK_THAT(refusal(matrix({{1, 1}, {0, 0x1p-1000}}), bits), Contains("256 bits"));
}

TEST_CASE("an interrupt ends the reference wherever it comes")
{
    const auto a = ddla::generate::poisson2d(5, 5);
    const ddla::vector<double> b(25, 1.0);
    int looks = 0;
    const auto count = [&](const reference_progress&) { return ++looks > 0; };
    make_reference(a, b, "a.mtx", plenty(), count);
    CHECK(looks > 3 * 25);
    for (int last = 0; last < looks; ++last) {
        int left = last;
        const auto stop = [&](const reference_progress&) { return left-- > 0; };
        CHECK_THROWS_AS(make_reference(a, b, "a.mtx", plenty(), stop), interrupted_reference);
    }
}

TEST_CASE("a watch may end the work at each look, and estimates look, too")
{
    const auto a = ddla::generate::poisson2d(12, 12);
    const ddla::vector<double> b(a.rows(), 1.0);
    std::vector<std::string> looks;
    const auto note = [&](const reference_progress& p) {
        looks.emplace_back(p.what);
        return true;
    };
    make_reference(a, b, "a.mtx", plenty(), note);
    for (const char* part : {"fill of column", "column", "solve of the condition", "first solution",
                             "refinement step"}) {
        INFO(part);
        CHECK(std::count(looks.begin(), looks.end(), part) >= 2);  // once a level
    }
    for (std::size_t last = 0; last < looks.size(); last += last < 300 ? 37 : 1) {
        INFO("look " << last << ": " << looks[last]);
        std::size_t seen = 0;
        const auto stop = [&](const reference_progress&) { return seen++ < last; };
        CHECK_THROWS_AS(make_reference(a, b, "a.mtx", plenty(), stop), interrupted_reference);
        CHECK(seen == last + 1);
    }
}

TEST_CASE("a solve with the factors looks every so many operations")
{
    const auto a = ddla::generate::poisson2d(60, 60);
    const sparse_columns columns = columns_of(a);
    const auto f = factorise(columns, fill_reducing_order(columns), 0.0);
    REQUIRE(f.entries() > 4 * operations_between_looks);
    const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0);
    int looks = 0;
    const auto count = [&] { ++looks; };
    // A row or column of the factors may be looked at as a whole.
    const auto least = static_cast<int>(f.entries() / (operations_between_looks + a.rows()));
    CHECK(f.solve(b, count) == f.solve(b));
    CHECK(looks >= least);
    looks = 0;
    CHECK(f.solve_transposed(b, count) == f.solve_transposed(b));
    CHECK(looks >= least);
    // So does the factorisation, within long columns, too.
    std::int64_t before = 0, largest = 0;
    looks = 0;
    const auto g = factorise(columns, fill_reducing_order(columns), 0.0,
                             {.watch = [&](index_t, std::int64_t, std::int64_t operations) {
                                 largest = std::max(largest, operations - before);
                                 before = operations;
                                 ++looks;
                                 return true;
                             }});
    CHECK(looks > a.rows());
    CHECK(largest < operations_between_looks + 2 * a.rows());
    CHECK(g.operations == f.operations);
}

TEST_CASE("the clock ends what the estimate let pass")
{
    const auto a = ddla::generate::poisson2d(12, 12);
    const ddla::vector<double> b(a.rows(), 1.0);
    reference_limits limits = plenty();
    limits.seconds = 100;
    CHECK(reference_of(a, b, limits).agreed_digits >= 40);
    limits.begin -= std::chrono::seconds(200);
    CHECK_THAT(refusal(a, limits), Catch::Contains("a.mtx: ") &&
                                       Catch::Contains("seconds are over") &&
                                       Catch::Contains("--max-seconds"));
    // With work that goes on with the reference, too.
    const reference_watch watch = go_on;
    const reference_guard guard(limits, "a.mtx", watch);
    CHECK_THROWS_AS(guard.look({"error bounds", 256, 0, 0}), ddla::resource_error);
}

TEST_CASE("solves with the factors count before a level")
{
    // A tridiagonal matrix: more operations in the solves than in the factorisation.
    const auto a = ddla::generate::toeplitz(4000, 0.0);
    const sparse_columns columns = columns_of(a);
    const reference_watch watch = go_on;
    work_estimate work(plenty(), "a.mtx");
    const reference_guard guard(plenty(), "a.mtx", watch);
    const work_counts counts = work.count(columns, fill_reducing_order(columns), guard);
    REQUIRE(counts.operations < 2 * counts.entries);
    work.add_level(counts, 128);
    double fastest = 1;
    for (int k = 0; k < 20; ++k) fastest = std::min(fastest, seconds_of_operation(128));
    // 8 solves: the time of an operation may be half as long now.
    CHECK(work.seconds() > 4 * fastest * static_cast<double>(counts.entries));
}
