// What automatic solves say of their memory, beside what they allocate.
#include "catch.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/plan.hpp"
#include "ddla/solve.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

namespace {

std::atomic<std::int64_t> held{0}, most{0};

}  // namespace

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr bool is_counted = true;

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

void* counted(void* p)
{
    if (!p) return p;
    const auto now = held += static_cast<std::int64_t>(malloc_usable_size(p));
    std::int64_t before = most;
    while (now > before && !most.compare_exchange_weak(before, now)) {
    }
    return p;
}
void forget(void* p)
{
    if (p) held -= static_cast<std::int64_t>(malloc_usable_size(p));
}

}  // namespace

// All that a program allocates goes through these.
extern "C" {
void* malloc(std::size_t bytes)
{
    return counted(__libc_malloc(bytes));
}
void* calloc(std::size_t count, std::size_t bytes)
{
    return counted(__libc_calloc(count, bytes));
}
void* realloc(void* p, std::size_t bytes)
{
    forget(p);
    return counted(__libc_realloc(p, bytes));
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes)
{
    return counted(__libc_memalign(alignment, bytes));
}
void free(void* p)
{
    forget(p);
    __libc_free(p);
}
}
#else
constexpr bool is_counted = false;
#endif

namespace {

struct measured {
    ddla::solve_report report;
    std::int64_t bytes;  ///< of all that was allocated at a time, at most, with A, b and x
};

/// solve() and what it allocates beside A and so many b and x.
template <class Solve>
auto measure(const ddla::csr_matrix<double>& a, std::int64_t count, const Solve& solve)
{
    ddla::set_host_threads(1);
    const std::int64_t of_system =
        8 * (a.rows() + 1) + 12 * a.nonzeros() + count * 2 * 16 * a.rows();
    const std::int64_t before = held;
    most = before;
    auto reports = solve();
    return std::pair(std::move(reports), most - before + of_system);
}

measured solved(const ddla::csr_matrix<double>& a, const ddla::solve_options& options = {})
{
    const ddla::vector<ddla::dd_real> b(a.rows(), ddla::dd_real(1));
    ddla::vector<ddla::dd_real> x(a.rows());
    auto [report, bytes] = measure(a, 1, [&] { return ddla::solve(a, b, x, options); });
    return {std::move(report), bytes};
}

/// The last of two systems with one A: the first leaves its factors.
measured solved_second(const ddla::csr_matrix<double>& a, const ddla::solve_options& options = {})
{
    const std::vector<ddla::vector<ddla::dd_real>> b(
        2, ddla::vector<ddla::dd_real>(a.rows(), ddla::dd_real(1)));
    std::vector<ddla::vector<ddla::dd_real>> x(2, ddla::vector<ddla::dd_real>(a.rows()));
    auto [reports, bytes] = measure(a, 2, [&] { return ddla::solve(a, b, x, options); });
    return {std::move(reports.back()), bytes};
}

bool has_stage(const measured& one, const std::string& name)
{
    const auto& plan = one.report.plan;
    return std::any_of(plan.begin(), plan.end(), [&](const auto& s) { return s.name == name; });
}

/// What is reported is what is taken, or somewhat more.
void check(const measured& one)
{
    INFO(one.report.peak_bytes << " bytes reported, " << one.bytes << " measured");
    const auto said = static_cast<std::int64_t>(one.report.peak_bytes);
    CHECK(said >= one.bytes);
    CHECK(said <= one.bytes + one.bytes / 2);
}

const ddla::solve_options in_double{
    .factorisation = {.factors = ddla::factor_precision::in_double}};

}  // namespace

TEST_CASE("an automatic solve counts the memory that it takes")
{
    if (!is_counted) SKIP_CASE("sanitizers, and other libraries than glibc, allocate otherwise");
    for (const auto& a :
         {ddla::generate::poisson2d(60, 60), ddla::generate::poisson3d(12, 12, 12),
          ddla::generate::toeplitz(5000, 1.9), ddla::generate::hilbert_like<double>(3000, 12)}) {
        const measured one = solved(a);
        CHECK(one.report.status == ddla::solve_status::converged);
        CHECK_FALSE(has_stage(one, "rank modulo a prime"));
        check(one);
    }
}

TEST_CASE("refinement and conditions take few vectors beside the factors")
{
    if (!is_counted) SKIP_CASE("sanitizers, and other libraries than glibc, allocate otherwise");
    // Of x, that of b, and those of corrections and estimates: 13 of double-double with factors in
    // double, 18 with factors in double-double, whose corrections have low words.
    const ddla::solve_options in_dd{
        .factorisation = {.factors = ddla::factor_precision::in_double_double}};
    for (const auto& a : {ddla::generate::poisson2d(100, 100), ddla::generate::poisson2d(250, 20)})
        for (const bool doubles : {true, false}) {
            const ddla::solve_options& options = doubles ? in_double : in_dd;
            const ddla::vector<ddla::dd_real> b(a.rows(), ddla::dd_real(1)), x(a.rows());
            const auto factors = ddla::plan_solve(a, b, x, options).front();
            const measured one = solved(a, options);
            REQUIRE(one.report.plan.front().name == factors.name);
            CHECK(one.report.status == ddla::solve_status::converged);
            const double vector = 16.0 * static_cast<double>(a.rows());
            const double of_a =
                8.0 * static_cast<double>(a.rows() + 1) + 12.0 * static_cast<double>(a.nonzeros());
            const double vectors =
                (static_cast<double>(one.bytes) - of_a - factors.bytes.amount) / vector;
            INFO(factors.name << ": " << vectors << " vectors");
            CHECK(vectors <= 2 + 2 + (doubles ? 13 : 18));
            CHECK(vectors >= 2 + 2 + (doubles ? 10 : 14));
        }
}

TEST_CASE("factors modulo a prime, in double-double, and GMRES count")
{
    if (!is_counted) SKIP_CASE("sanitizers, and other libraries than glibc, allocate otherwise");
    // The shift is the smallest eigenvalue, but for its rounding.
    const auto a = ddla::generate::convection_diffusion(12, 12, 12, 0, -0.17434909544368793);
    const measured one = solved(a);
    CHECK(has_stage(one, "rank modulo a prime"));
    CHECK(has_stage(one, "factor in double-double, L D L^T"));
    check(one);
    const measured by_gmres = solved(a, in_double);
    CHECK(has_stage(by_gmres, "refine by GMRES"));
    check(by_gmres);
    check(solved_second(a));
    check(solved_second(a, in_double));
}

TEST_CASE("null vectors count")
{
    if (!is_counted) SKIP_CASE("sanitizers, and other libraries than glibc, allocate otherwise");
    // The last row is the first one.
    const auto grid = ddla::generate::poisson2d(60, 60);
    const auto rows = grid.view();
    ddla::coordinates<double> entries{rows.rows, rows.columns};
    for (ddla::index_t i = 0; i < rows.rows; ++i) {
        const ddla::index_t from = i + 1 < rows.rows ? i : 0;
        for (ddla::index_t k = rows.row_begin[from]; k < rows.row_begin[from + 1]; ++k)
            entries.add(i, rows.column[k], rows.value.get(k));
    }
    const ddla::csr_matrix<double> a(entries);
    const measured one = solved(a);
    REQUIRE(one.report.rank.has_value());
    CHECK(one.report.rank->row_weights.size() == 2);
    check(one);
}

TEST_CASE("factors that were given up count")
{
    if (!is_counted) SKIP_CASE("sanitizers, and other libraries than glibc, allocate otherwise");
    const auto a = ddla::generate::poisson3d(16, 16, 16);
    const measured one = solved(a, {.factorisation = {.most_work = 1e-5}});
    CHECK(has_stage(one, "cg in double"));
    check(one);
}
