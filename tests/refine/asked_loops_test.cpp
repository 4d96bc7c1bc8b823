// Long products, residuals and conversions that a watch ends half-way.  On one thread, so that the
// looks are the same each time.
#include "catch.hpp"
#include "host/conversions.hpp"
#include "support/methods.hpp"
#include "watched_parts.hpp"

#include "ddla/ddla.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

using namespace ddla;
using test::check_every_part;

namespace {

struct one_thread {
    int before = host_threads();
    one_thread() { set_host_threads(1); }
    ~one_thread() { set_host_threads(before); }
};

/// 5-point grid whose products take more than a look: 2 million rows and entries.
const csr_matrix<double>& large()
{
    static const csr_matrix<double> a = generate::poisson2d(600, 600);
    return a;
}
/// Rows and entries between two looks.
constexpr index_t between_looks = index_t{1} << 17;
const index_t looks_of_product = (large().rows() + large().nonzeros()) / between_looks;

/// Few iterations do; an exact residual takes more than a look.
csr_matrix<double> dominant()
{
    coordinates<double> all{.rows = 300'000, .columns = 300'000};
    for (index_t i = 0; i < all.rows; ++i)
        for (index_t j = std::max<index_t>(0, i - 2); j <= std::min(all.rows - 1, i + 2); ++j)
            all.add(i, j, i == j ? 40.5 : -1);
    return csr_matrix<double>(all);
}

struct told {
    std::vector<std::int64_t> iterations;  ///< at each look
    solve_report report;
    vector<dd_real> x;
};

/// The watch goes on until its look number `last`.
told solved(const csr_matrix<double>& a, method by, std::int64_t iterations, std::size_t last)
{
    told t;
    t.x = vector<dd_real>(a.columns());
    solve_options o{.method = by, .tolerance = 1e-300, .max_iterations = iterations};
    o.watch = [&](const solve_progress& now) {
        t.iterations.push_back(now.iterations);
        return t.iterations.size() < last;
    };
    t.report = solve(a, vector<dd_real>(a.rows(), dd_real(1)), t.x, o);
    return t;
}

}  // namespace

TEST_CASE("long products of iterations are asked, and leave x of whole iterations",
          "[refine][repeats]")
{
    const one_thread only;
    for (const sparse_format format : {sparse_format::csr, sparse_format::tiles}) {
        csr_matrix<double> a = large();
        set_format<dd_real>(a, {.format = format});
        for (const method by : test::krylov_methods) {
            INFO(to_string(by) << ", " << to_string(format));
            const told whole = solved(a, by, 3, SIZE_MAX);
            const auto& seen = whole.iterations;
            // That of iteration 2, at its beginning and in the first product.
            const auto second = std::find(seen.begin(), seen.end(), whole.report.iterations - 1);
            REQUIRE(second != seen.end());
            const auto looks = std::count(second, seen.end(), *second);
            CHECK(looks >= looks_of_product);
            const told two = solved(a, by, *second, SIZE_MAX);
            REQUIRE(two.report.iterations == *second);
            for (const std::ptrdiff_t k : {std::ptrdiff_t{1}, looks / 2}) {
                const auto last = static_cast<std::size_t>(second - seen.begin() + k + 1);
                const told cut = solved(a, by, 3, last);
                CHECK(cut.report.interrupted);
                CHECK(cut.report.iterations == *second);
                CHECK(hash_of(cut.x) == hash_of(two.x));
                CHECK(cut.iterations.size() == last);  // a no is not asked for again
                CHECK(cut.report.true_relative_residual ==
                      Approx(two.report.true_relative_residual).epsilon(1e-5));
            }
        }
    }
}

TEST_CASE("the exact residual in the end of iterations is asked, and has an answer yet", "[refine]")
{
    const one_thread only;
    const told whole = solved(large(), method::cg, 2, SIZE_MAX);
    // The first look after the last iteration is of the exact residual.
    const auto first = std::find(whole.iterations.begin(), whole.iterations.end(), 2);
    const auto looks = whole.iterations.end() - first;
    CHECK(looks >= 4 * looks_of_product);
    const auto last = static_cast<std::size_t>(first - whole.iterations.begin() + looks / 2);
    const told cut = solved(large(), method::cg, 2, last);
    CHECK(cut.iterations.size() == last);
    CHECK(hash_of(cut.x) == hash_of(whole.x));
    CHECK(cut.report.status == solve_status::iteration_limit);
    CHECK(cut.report.true_relative_residual ==
          Approx(whole.report.true_relative_residual).epsilon(1e-5));
}

TEST_CASE("after an interruption the exact residual is nobody's to end", "[refine][repeats]")
{
    const one_thread only;
    const csr_matrix<double> a = dominant();
    const vector<double> b(a.rows(), 1.0);
    const vector<dd_real> ones(a.rows(), dd_real(1));
    for (const method by : {method::cg, method::minres, method::bicgstab}) {
        INFO(to_string(by));
        vector<double> x(a.columns());
        solve_options o{.method = by, .tolerance = 1e-300};
        // Below what products in double could tell.
        o.watch = [](const solve_progress& now) { return now.relative_residual > 1e-15; };
        const solve_report r = solve(a, b, x, o);
        CHECK(r.interrupted);
        vector<dd_real> same(x.size());
        for (index_t i = 0; i < x.size(); ++i) same.set(i, x[i]);
        CHECK(r.true_relative_residual ==
              Approx(test::exact_residual(a, ones, same)).epsilon(1e-5));
    }
}

TEST_CASE("corrections in double are asked in their residuals", "[refine][repeats]")
{
    const one_thread only;
    const csr_matrix<double> a = dominant();  // factors are not allowed
    const vector<dd_real> b(a.rows(), dd_real(1));
    index_t alike = 0, most_alike = 0;  // looks in a row that are told the same
    const auto solve_until = [&](std::size_t last, std::size_t& looks) {
        looks = 0;
        solve_options o;
        o.factorisation.most_work = 1e-6;
        double told = 0;
        o.watch = [&](const solve_progress& now) {
            alike = now.stage == "iterate" && now.relative_residual == told ? alike + 1 : 0;
            most_alike = std::max(most_alike, alike);
            told = now.relative_residual;
            return ++looks < last;
        };
        vector<dd_real> x(a.rows());
        const solve_report r = solve(a, b, x, o);
        if (looks >= last) {
            CHECK(r.interrupted);
            CHECK(r.true_relative_residual == Approx(test::exact_residual(a, b, x)).epsilon(1e-5));
        }
        return r;
    };
    std::size_t looks = 0, seen = 0;
    const solve_report whole = solve_until(SIZE_MAX, looks);
    CHECK(whole.status == solve_status::converged);
    CHECK(most_alike >= 3 * (a.rows() + a.nonzeros()) / between_looks);  // more than of a product
    for (const std::size_t last : {looks / 4, looks / 2, looks - 40}) {
        INFO(last << " of " << looks);
        solve_until(last, seen);
        CHECK(seen <= last + 1);
    }
}

TEST_CASE("what comes before corrections in double is asked, and ends the solve", "[refine]")
{
    const one_thread only;
    const csr_matrix<double>& a = large();
    const vector<dd_real> b(a.rows(), dd_real(1));
    std::vector<solve_progress> seen;
    const auto solve_until = [&](std::size_t last, vector<dd_real>& x) {
        seen.clear();
        solve_options o{.max_iterations = 3};
        o.factorisation.most_work = 1e-6;
        o.watch = [&](const solve_progress& now) {
            seen.push_back(now);
            return seen.size() < last;
        };
        return solve(a, b, x, o);
    };
    vector<dd_real> x(a.rows());
    CHECK(solve_until(SIZE_MAX, x).iterations == 3);
    const auto is_of_residual = [](const solve_progress& now) { return now.stage == "iterate"; };
    const auto first = std::find_if(seen.begin(), seen.end(), is_of_residual);
    const auto end = std::find_if_not(first, seen.end(), is_of_residual);
    CHECK(end - first >= 4 * looks_of_product);  // four products of one word
    // Then factors are made, and their rows are put in the order of solves: both halves of the
    // entries off the diagonal, the pivots of both, and three lists of numbers.
    const index_t placed = a.nonzeros() - a.rows() + 2 * a.rows() + 4 * a.rows();
    const auto is_placing = [](const solve_progress& now) { return now.done == 1; };
    CHECK(std::count_if(end, seen.end(), is_placing) >= placed / operations_between_looks);
    const auto in_residual = static_cast<std::size_t>(first - seen.begin() + (end - first) / 2);
    const auto placing =
        static_cast<std::size_t>(std::find_if(end, seen.end(), is_placing) - seen.begin() + 5);
    for (const std::size_t last : {in_residual, placing}) {
        INFO(last);
        vector<dd_real> y(a.rows());
        const solve_report r = solve_until(last, y);
        CHECK(seen.size() == last);
        CHECK(r.interrupted);
        CHECK(r.status == solve_status::iteration_limit);
        CHECK(r.iterations == 0);
        CHECK(r.true_relative_residual == 1);
        CHECK(nrm2(y) == dd_real(0));
        // Factors are too large; that of a solve that has ended nobody begins to make.
        REQUIRE(r.plan.size() == (last == placing ? 2 : 1));
        CHECK(r.plan.back().name ==
              (last == placing ? "ic" : "factor in double, L L^T, too large"));
    }
}

TEST_CASE("conversions are asked by what their steps and sorts do", "[refine]")
{
    const one_thread only;
    for (const sparse_format format : {sparse_format::slices, sparse_format::tiles,
                                       sparse_format::evc_hyb, sparse_format::patterns}) {
        INFO(to_string(format));
        csr_matrix<double> a = large();
        const auto is_ended = [&] {
            try {
                set_format<dd_real>(a, {.format = format});
                return false;
            } catch (const interrupted_error&) {
                return true;
            }
        };
        // Steps over slices or rows go through all entries once, at least twice in a format.
        check_every_part(is_ended, static_cast<int>(2 * looks_of_product));
    }
}

TEST_CASE("products that are measured are asked", "[refine]")
{
    const one_thread only;
    csr_matrix<double> a = large();
    set_format<dd_real>(a, {.format = sparse_format::tiles});
    const vector<dd_real> x(a.columns(), dd_real(1));
    vector<dd_real> y(a.rows());
    // Three calls, each with a look of its own before.
    check_every_part(
        [&] {
            try {
                measure_product(a, x, y, {.seconds = 0, .repeats = 1});
                return false;
            } catch (const interrupted_error&) {
                return true;
            }
        },
        static_cast<int>(3 * looks_of_product));
}

TEST_CASE("sorts that can be ended are stable", "[refine]")
{
    // Parts that follow each other, parts that mix, and one that is not full.
    struct item {
        int key, number;
    };
    for (const int kinds : {1, 7, 1'000'000}) {
        std::vector<item> all;
        std::uint64_t seed = 1;
        for (int k = 0; k < 150'001; ++k) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            all.push_back({k < 70'000 ? k / 9 : static_cast<int>(seed >> 33) % kinds, k});
        }
        std::vector<item> expected = all;
        const auto before = [](const item& x, const item& y) { return x.key < y.key; };
        std::stable_sort(expected.begin(), expected.end(), before);
        host_backend::conversions::watched_sort(all.data(), std::ssize(all), before);
        std::ptrdiff_t different = 0;
        for (std::size_t k = 0; k < all.size(); ++k)
            different += all[k].key != expected[k].key || all[k].number != expected[k].number;
        CHECK(different == 0);
    }
}

TEST_CASE("a long product of the caller is not asked, what the watch multiplies neither",
          "[refine]")
{
    const csr_matrix<double>& a = large();
    const vector<double> x(a.columns(), 1.0);
    vector<double> y(a.rows()), z(a.rows());
    int looks = 0;
    {
        const watched_scope scope([&] { return ++looks > 1000; });
        spmv(1.0, a, x, 0.0, y);
    }
    CHECK(looks == 0);
    // In the midst of a product on all threads.
    solve_options o{.method = method::cg, .tolerance = 1e-300, .max_iterations = 2};
    o.watch = [&](const solve_progress&) {
        if (++looks % 8 == 0) spmv(1.0, a, x, 0.0, z);
        return true;
    };
    vector<double> found(a.rows());
    const vector<double> b(a.rows(), 1.0);
    CHECK_FALSE(solve(a, b, found, o).interrupted);
    CHECK(looks >= 8);
    CHECK(hash_of(z) == hash_of(y));
    vector<double> unwatched(a.rows());
    o.watch = {};
    solve(a, b, unwatched, o);
    CHECK(hash_of(found) == hash_of(unwatched));
}
