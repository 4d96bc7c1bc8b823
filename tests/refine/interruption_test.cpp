// Work that a watch ends, wherever it is.  Looks are counted, no clock decides.
#include "catch.hpp"
#include "factor/incomplete/incomplete.hpp"
#include "factor/lu/modular.hpp"
#include "factor/supernodal/symmetric.hpp"
#include "watched_parts.hpp"

#include "ddla/ddla.hpp"

#include <cmath>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace ddla;
using test::check_every_part;
using test::exact_residual;

namespace {

/// 7-point grid of n^3; with `convection` not symmetric.
csr_matrix<double> grid(index_t n, double convection)
{
    coordinates<double> all{.rows = n * n * n, .columns = n * n * n};
    for (index_t i = 0; i < all.rows; ++i) {
        all.add(i, i, 6.5);
        for (const auto& [step, place] : {std::pair(index_t{1}, i % n), std::pair(n, i / n % n),
                                          std::pair(n * n, i / (n * n))}) {
            if (place > 0) all.add(i, i - step, -1 - convection);
            if (place + 1 < n) all.add(i, i + step, -1 + convection);
        }
    }
    return csr_matrix<double>(all);
}

/// A Toeplitz matrix of condition 6e20, and beside it a grid of n^2 whose x is 1 in half a row.
struct hard_with_zeros {
    csr_matrix<double> a;
    vector<dd_real> b;
};

hard_with_zeros hard_beside_grid(index_t hard, index_t n)
{
    coordinates<double> all{.rows = hard + n * n, .columns = hard + n * n};
    const auto add = [&](const csr_matrix<double>& m, index_t first) {
        const auto rows = m.view();
        for (index_t i = 0; i < m.rows(); ++i)
            for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e)
                all.add(first + i, first + rows.column[e], rows.value.word(0)[e]);
    };
    add(generate::toeplitz(hard, 3), 0);
    const csr_matrix<double> grid = generate::poisson2d(n, n);
    add(grid, hard);
    vector<dd_real> x(n * n), of_grid(n * n);
    for (index_t i = n; i < n + n / 2; ++i) x.set(i, dd_real(1));
    spmv(dd_real(1), grid, x, dd_real(0), of_grid);
    vector<dd_real> b(hard + n * n, dd_real(1));
    for (index_t i = 0; i < n * n; ++i) b.set(hard + i, of_grid[i]);
    return {csr_matrix<double>(all), std::move(b)};
}

struct temporary {
    explicit temporary(const char* name)
        : path(std::filesystem::temp_directory_path() /
               (std::to_string(::getpid()) + "-ddla-" + name))
    {
    }
    ~temporary() { std::filesystem::remove(path); }
    std::filesystem::path path;
};

}  // namespace

TEST_CASE("factors can be ended in all their parts", "[refine]")
{
    using namespace ddla::factor;
    const csr_matrix<double> a = grid(14, 0.25), s = grid(16, 0);
    const auto lu = [](const auto& f) { return f.about().end == factor_end::stopped; };
    check_every_part([&] { return lu(factors<double>::make(a.view(), {})); }, 20);
    check_every_part([&] { return lu(factors<dd_real>::make(a.view(), {})); }, 40);
    check_every_part([&] { return lu(modular_factors::make(a.view(), {})); }, 40);
    check_every_part(
        [&] {
            return symmetric_factors<double>::make(s.view(), {}).about().end == factor_end::stopped;
        },
        10);
    check_every_part(
        [&] {
            const auto f = incomplete_factors<double>::make(
                grid(40, 0.25).view(), {.order = ordering::rcm, .match = match_rows::always});
            return f.about().end == factor_end::stopped;
        },
        10);
}

namespace {

template <class Work>
bool is_ended(const Work& work)
try {
    work();
    return false;
} catch (const interrupted_error&) {
    return true;
}

}  // namespace

TEST_CASE("lists grow, and new pages are touched, by counted work", "[refine]")
{
    using namespace ddla::factor;
    constexpr std::size_t n = 3'000'000;
    constexpr int looks = n * sizeof(double) / bytes_at_once;
    REQUIRE(looks == 5);
    check_every_part(
        [&] {
            return is_ended([&] {
                unfilled<double> list;
                resize_touched(list, n);
            });
        },
        looks);
    check_every_part(
        [&] {
            number_list<dd_real> list;
            return is_ended([&] { list.resize_touched(n); });
        },
        2 * looks);
    check_every_part(
        [&] {
            unfilled<double> list;
            list.reserve(n);
            while (list.size() < n) list.push_back(static_cast<double>(list.size()));
            const std::size_t room = list.capacity();
            make_room(list, room);  // there is
            const bool ended = is_ended([&] { make_room(list, room + 1); });
            CHECK(list.capacity() == (ended ? room : 2 * n));
            std::size_t wrong = list.size() != n;
            for (std::size_t k = 0; k < list.size(); ++k) wrong += list[k] != double(k);
            CHECK(wrong == 0);
            return ended;
        },
        looks);
}

TEST_CASE("transposes of factors look at the watch in both passes, and as their memory grows",
          "[refine]")
{
    using namespace ddla::factor;
    constexpr index_t rows = 200'000, of_row = 10, entries = rows * of_row;
    sparse_rows<dd_real> a;
    for (index_t i = 0; i < rows; ++i) {
        for (index_t k = 0; k < of_row; ++k) {
            a.column.push_back(static_cast<column_t>((i * 7919 + k * 20'011) % rows));
            a.value.push_back(dd_real(static_cast<double>(i + k)));
        }
        a.begin.push_back(a.entries());
    }
    constexpr index_t looks = (2 + 5) * entries / operations_between_looks +
                              entries * index_t{sizeof(column_t) + 16} / index_t{bytes_at_once};
    check_every_part([&] { return is_ended([&] { transposed(a, rows); }); },
                     static_cast<int>(looks));
}

TEST_CASE("bounds of factors are watched", "[refine]")
{
    using namespace ddla::factor;
    const csr_matrix<double> a = grid(24, 0);
    const auto f = symmetric_factors<double>::make(a.view(), {});
    REQUIRE(f.about().entries > 900'000);
    check_every_part([&] { return is_ended([&] { (void)f.backward_error_bound(); }); },
                     static_cast<int>(4 * f.about().entries / operations_between_looks));
}

TEST_CASE("scopes nest: each watch can end the work, and what it does itself is not counted",
          "[refine]")
{
    int outer = 0, inner = 0;
    const watched_scope first([&] {
        count_work(operations_between_looks / 2);
        return ++outer < 4;
    });
    for (int k = 0; k < 4; ++k) count_work(operations_between_looks / 2);
    CHECK(outer == 2);
    {
        const watched_scope second([&] { return ++inner < 2; });
        CHECK_NOTHROW(count_work(operations_between_looks));
        // The inner one ends the work, though the outer one lets it go on no more, either.
        CHECK_THROWS_AS(count_work(operations_between_looks), interrupted_error);
    }
    CHECK(inner == 2);
    CHECK(work_has_ended());
    const watched_scope third([] { return false; });
    CHECK_FALSE(work_goes_on());
}

TEST_CASE("an inner watch ends the work, whatever the outer one says", "[refine]")
{
    const watched_scope outer([] { return true; });
    {
        const watched_scope inner([] { return false; });
        CHECK_THROWS_AS(count_work(operations_between_looks), interrupted_error);
        CHECK(work_has_ended());
    }
    CHECK_NOTHROW(count_work(operations_between_looks));
    CHECK_FALSE(work_has_ended());
}

TEST_CASE("incomplete factors look at the watch by their work, not by their rows",
          "[refine][repeats]")
{
    // Rows of so much fill take long each.
    using namespace ddla::factor;
    const csr_matrix<double> a = grid(14, 0.25);
    for (const incomplete_kind kind : {incomplete_kind::ilu, incomplete_kind::ilut}) {
        const incomplete_options o{.kind = kind, .fill = 1000, .drop = 0};
        const auto made = [&] { return incomplete_factors<dd_real>::make(a.view(), o).about(); };
        const double operations = made().operations;
        REQUIRE(operations > 2e5);
        check_every_part([&] { return made().end == factor_end::stopped; },
                         static_cast<int>(15 * operations / operations_between_looks));
    }
}

TEST_CASE("preconditioners that a scope ends are not there", "[refine]")
{
    const csr_matrix<double> a = grid(14, 0.25);
    const preconditioner_options o{.fill = 1000, .most_fill = 1e6};
    for (int last = 1; last < 4; ++last) {
        int seen = 0;
        const watched_scope scope([&] { return ++seen < last; });
        CHECK_THROWS_AS(preconditioner<dd_real>::ilu(a, o), interrupted_error);
        CHECK(seen == last);
    }
    const watched_scope scope([] { return false; });
    CHECK_THROWS_AS(preconditioner<dd_real>::block_jacobi(a, {.block_rows = 256}),
                    interrupted_error);
}

TEST_CASE("solves with factors can be ended, and change nothing", "[refine]")
{
    const csr_matrix<double> a = grid(14, 0.25);
    const auto f = factor::factors<dd_real>::make(a.view(), {});
    const vector<dd_real> b(a.rows(), dd_real(1));
    vector<dd_real> x(a.rows()), watched(a.rows());
    f.solve<dd_real>(b.view(), x.view());
    int looks = 0;
    const watched_scope scope([&] { return ++looks < 100; });
    f.solve<dd_real>(b.view(), watched.view());
    CHECK(hash_of(watched) == hash_of(x));
    CHECK(looks >= f.about().entries * 8 / operations_between_looks);
    const auto many = [&] {
        for (int k = 0; k < 1000; ++k) f.solve<dd_real>(b.view(), watched.view());
    };
    CHECK_THROWS_AS(many(), interrupted_error);
    CHECK(looks == 100);
}

namespace {

struct one_thread {
    int before = host_threads();
    one_thread() { set_host_threads(1); }
    ~one_thread() { set_host_threads(before); }
};

}  // namespace

TEST_CASE("a watch ends a solve in every stage, with its report", "[refine]")
{
    const one_thread serial;  // each solve asks as often as the first
    const csr_matrix<double> a = grid(12, 0.25);
    const vector<dd_real> b(a.rows(), dd_real(1));
    vector<dd_real> x(a.rows());
    std::vector<std::string> stages;
    solve_options options{.certify = true};
    options.watch = [&](const solve_progress& now) {
        stages.emplace_back(now.stage);
        return true;
    };
    const solve_report whole = solve(a, b, x, options);
    CHECK(whole.status == solve_status::converged);
    const std::uint64_t hash = hash_of(x);
    const std::size_t calls = stages.size();
    CHECK(std::set<std::string>(stages.begin(), stages.end()).size() >= 3);
    std::set<std::string> ended_in;
    for (std::size_t k = 0; k <= 40; ++k) {
        const std::size_t last = 1 + (calls - 1) * k / 40;
        std::size_t seen = 0;
        vector<dd_real> y(a.rows());
        options.watch = [&](const solve_progress& now) {
            if (++seen == last) ended_in.emplace(now.stage);
            return seen < last;
        };
        const solve_report r = solve(a, b, y, options);
        INFO(last << " of " << calls);
        CHECK(r.interrupted);
        CHECK(r.status == solve_status::iteration_limit);
        CHECK(r.plan.size() >= 1);
        CHECK(seen <= last + 1);  // no more work, but perhaps one more look
    }
    CHECK(ended_in.size() >= 3);
    // A watch of the thread does the same, and none changes a bit.
    int looks = 0;
    {
        const watched_scope scope([&] { return ++looks < 20; });
        vector<dd_real> y(a.rows());
        CHECK(solve(a, b, y, {.certify = true}).interrupted);
    }
    vector<dd_real> y(a.rows());
    solve(a, b, y, {.certify = true});
    CHECK(hash_of(y) == hash);
}

TEST_CASE("the report of a solve that is ended after zeros were found is of its x", "[refine]")
{
    const auto [a, b] = hard_beside_grid(480, 30);
    const index_t known = 480, n = a.rows();
    int looks = 0;
    solve_options options;
    options.watch = [&](const solve_progress&) { return ++looks > 0; };
    vector<dd_real> x(n);
    const solve_report whole = solve(a, b, x, options);
    CHECK(whole.errors.certain_zeros == 900 - 15);
    int with_zeros = 0, unjudged = 0;
    for (int last = looks; last > 0 && last > looks - 60; --last) {
        int seen = 0;
        options.watch = [&](const solve_progress&) { return ++seen < last; };
        vector<dd_real> y(n);
        const solve_report r = solve(a, b, y, options);
        INFO(last << " of " << looks << ", in " << r.plan.back().name);
        CHECK(r.interrupted);
        CHECK(r.true_relative_residual == Approx(exact_residual(a, b, y)).epsilon(1e-6));
        const auto marked = r.errors.certain_zeros + r.errors.proved_zeros;
        index_t zeros = 0;
        for (index_t i = known; i < n; ++i) zeros += y[i] == dd_real(0);
        CHECK(marked <= zeros);
        CHECK(r.errors.unsettled.count <= n - marked);
        if (marked == 0) continue;
        ++with_zeros;
        unjudged += !r.errors.normwise;
        if (!r.errors.normwise) CHECK_FALSE(r.errors.backward_error);  // of an x before
        // The grid has settled before its zeros are looked for.
        for (index_t i = known; i < n; ++i) CHECK(std::fabs(double(y[i] - x[i])) <= 1e-30);
        if (r.errors.unsettled.count > 0) {
            CHECK_FALSE(y[r.errors.unsettled.first] == dd_real(0));
            CHECK_THAT(r.errors.unsettled.why, Catch::Contains("interrupted"));
        }
    }
    CHECK(with_zeros >= 5);
    CHECK(unjudged >= 1);
}

TEST_CASE("conditions are watched", "[refine]")
{
    // The looks of a stage that refines are those of its solves: far more than its corrections.
    const csr_matrix<double> a = grid(14, 0.25);
    const vector<dd_real> b(a.rows(), dd_real(1));
    vector<dd_real> x(a.rows());
    int refining = 0;
    solve_options options;
    options.watch = [&](const solve_progress& now) {
        refining += now.stage == "refine";
        return true;
    };
    const solve_report r = solve(a, b, x, options);
    CHECK(refining > 4 * r.iterations);
}

TEST_CASE("reading can be ended, a pipe that nobody writes, too", "[refine]")
{
    const temporary plain("a.mtx"), packed("a.mtx.gz"), pipe("pipe");
    const csr_matrix<double> a = grid(40, 0.25);
    write_matrix(plain.path, a);
    write_matrix(packed.path, a);
    for (const auto& file : {plain.path, packed.path}) {
        INFO(file);
        check_every_part(
            [&] {
                try {
                    const index_t read = read_matrix<double>(file, 1).nonzeros();
                    CHECK(read == a.nonzeros());
                    return false;
                } catch (const interrupted_error&) {
                    return true;
                }
            },
            10);
    }
    REQUIRE(::mkfifo(pipe.path.c_str(), 0600) == 0);
    const int open_end = ::open(pipe.path.c_str(), O_RDWR);  // someone could write
    REQUIRE(open_end >= 0);
    int looks = 0;
    {
        const watched_scope scope([&] { return ++looks < 4; });
        CHECK_THROWS_AS(read_matrix<double>(pipe.path), interrupted_error);
    }
    CHECK(looks == 4);
    ::close(open_end);
}

TEST_CASE("tune and its conversions can be ended", "[refine]")
{
    csr_matrix<double> a = grid(40, 0.25);
    int looks = 0;
    tune_options options{.measure = {.seconds = 0, .repeats = 1}};
    {
        const watched_scope scope([&] { return ++looks > 0; });
        CHECK_FALSE(tune<double>(a, options).interrupted);
    }
    CHECK(looks > 20);
    for (const int last : {1, 7, 20}) {
        int seen = 0;
        const watched_scope scope([&] { return ++seen < last; });
        const bool interrupted = [&] {
            try {
                return tune<double>(a, options).interrupted;
            } catch (const interrupted_error&) {
                return true;  // while the bandwidth of copies was measured, or in the last format
            }
        }();
        INFO(last);
        CHECK(interrupted);
    }
    // The matrix is whole.
    vector<double> x(a.columns(), 1.0), y(a.rows());
    spmv(1.0, a, x, 0.0, y);
    CHECK(y[0] == 6.5 - 3 + 3 * 0.25);
}
