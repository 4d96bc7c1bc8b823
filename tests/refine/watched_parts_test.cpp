// Parts of stages that a watch ends: residuals, copies, incomplete factors of each kind, the
// report.
#include "watched_parts.hpp"

#include "factor/incomplete/incomplete.hpp"
#include "refine/host_system.hpp"
#include "storage/memory.hpp"

#include "ddla/ddla.hpp"
#include "ddla/host_threads.hpp"

#include <vector>

using namespace ddla;
using test::check_every_part;

namespace {

/// Numbers with bits in both words.
vector<dd_real> thirds(index_t n)
{
    vector<dd_real> x(n);
    for (index_t i = 0; i < n; ++i)
        x.set(i, dd_real(static_cast<double>(1 + i % 7)) / dd_real(static_cast<double>(3 + i % 5)));
    return x;
}

template <class Work>
bool is_ended(const Work& work)
{
    try {
        work();
        return false;
    } catch (const interrupted_error&) {
        return true;
    }
}

/// Symmetric, dominant, of so many entries beside the diagonal on each side.
csr_matrix<double> band(index_t n, index_t half)
{
    coordinates<double> all{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i)
        for (index_t j = std::max<index_t>(0, i - half); j <= std::min(n - 1, i + half); ++j)
            all.add(i, j,
                    i == j ? static_cast<double>(2 * half + 1) : -1.0 / (1 + std::abs(i - j)));
    return csr_matrix<double>(all);
}

}  // namespace

TEST_CASE("residuals can be ended, and are those of all rows", "[refine]")
{
    const int usual = host_threads();
    const csr_matrix<double> a = generate::poisson3d(34, 34, 34);  // more entries than a look has
    const index_t n = a.rows();
    const vector<dd_real> b = thirds(n), x = thirds(n);
    vector<dd_real> low(n);
    for (index_t i = 0; i < n; ++i) low.set(i, x[i] * dd_real(0x1p-110));
    const refine::host_system<double> system(a.view(), b.view());
    const auto look = static_cast<double>(operations_between_looks);
    const auto entries = static_cast<double>(a.nonzeros());
    for (const int threads : {1, 2})
        for (const bool in_four_words : {false, true}) {
            set_host_threads(threads);
            const vector<dd_real> none;
            const refine::const_solution_view all(x.view(), (in_four_words ? low : none).view());
            vector<dd_real> r(n);
            // 2^16 entries of a thread take some milliseconds; with four words an entry some 300
            // nanoseconds.
            check_every_part([&] { return is_ended([&] { system.residual(all, r.view()); }); },
                             static_cast<int>(in_four_words ? 200 * entries / look
                                                            : entries / (65536 * threads)));
            system.residual(all, r.view());
            for (index_t i = 0; i < n; i += i % 1000 < 3 ? 1 : 97) {
                mpq_class exact =
                    test::exact_residual_of_row(a, test::exact_number(b[i]).rational(), x, i);
                if (in_four_words) exact = test::exact_residual_of_row(a, exact, low, i);
                const mpq_class error = abs(test::exact_number(r[i]).rational() - exact);
                const bool is_right = error <= abs(exact) * mpq_class(0x1p-104);
                CHECK(is_right);
            }
        }
    set_host_threads(usual);
}

TEST_CASE("a residual after an interruption is whole, for the report", "[refine]")
{
    const csr_matrix<double> a = generate::poisson2d(200, 200);
    const vector<dd_real> b = thirds(a.rows()), x = thirds(a.rows()), low(a.rows());
    const refine::host_system<double> system(a.view(), b.view());
    vector<dd_real> r(a.rows()), again(a.rows());
    system.residual(x.view(), r.view());
    const watched_scope scope([] { return false; });
    CHECK_THROWS_AS(system.residual(x.view(), again.view()), interrupted_error);
    CHECK_NOTHROW(system.residual(x.view(), again.view()));
    CHECK(hash_of(again) == hash_of(r));
    CHECK_NOTHROW(system.residual({x.view(), low.view()}, again.view()));
    CHECK_NOTHROW(count_work(1));
    CHECK_THROWS_AS(count_work(operations_between_looks), interrupted_error);
}

TEST_CASE("the residual of x = 0 is b", "[refine]")
{
    const csr_matrix<double> a = generate::poisson2d(5, 5);
    const vector<dd_real> b = thirds(25), zero(25);
    const refine::host_system<double> system(a.view(), b.view()), of_zero(a.view(), zero.view());
    vector<dd_real> r(25), low(25);
    for (const auto& x : {refine::const_solution_view(zero.view()),
                          refine::const_solution_view(zero.view(), zero.view())}) {
        CHECK(system.relative_residual(x) == 1);
        CHECK(of_zero.relative_residual(x) == 0);
        CHECK(system.residual(x, r.view()) == 1);
        CHECK(hash_of(r) == hash_of(b));
    }
    // The low half alone is an x, too: A x is 4e-40 or less.
    low.set(7, dd_real(1e-40));
    system.residual({zero.view(), low.view()}, r.view());
    CHECK(hash_of(r) != hash_of(b));
}

TEST_CASE("no watch is asked in unwatched work", "[refine]")
{
    int looks = 0;
    const watched_scope scope([&] { return ++looks > 0; });
    {
        const unwatched_work report, nested;
        count_work(10 * operations_between_looks);
    }
    CHECK(looks == 0);
    count_work(operations_between_looks);
    CHECK(looks == 1);
}

TEST_CASE("a watch of the thread that ends least squares leaves a report", "[refine]")
{
    coordinates<double> all{.rows = 6000, .columns = 2000};
    for (index_t i = 0; i < all.rows; ++i)
        for (index_t k = 0; k < 4; ++k)
            all.add(i, (i / 3 + k) % all.columns, static_cast<double>(1 + (i * (k + 3)) % 11));
    const csr_matrix<double> a(all);
    const vector<dd_real> b = thirds(a.rows());
    REQUIRE(a.nonzeros() * 40 > 2 * operations_between_looks);
    int looks = 0;
    {
        const watched_scope scope([&] { return ++looks > 0; });
        vector<dd_real> x(a.columns());
        solve(a, b, x);
    }
    int ended = 0;
    for (int last = looks; last > 0 && last > looks - 12; --last) {
        int seen = 0;
        const watched_scope scope([&] { return ++seen < last; });
        vector<dd_real> x(a.columns());
        INFO(last << " of " << looks);
        CHECK_NOTHROW(ended += solve(a, b, x).interrupted);
    }
    CHECK(ended > 0);
}

TEMPLATE_TEST_CASE("iterations that are ended tell the residual of their x", "[refine]", double,
                   dd_real)
{
    const csr_matrix<double> a = generate::poisson2d(30, 30);
    const vector<TestType> b(a.rows(), TestType(1));
    const vector<dd_real> wide_b(a.rows(), dd_real(1));
    for (const method m : {method::cg, method::bicgstab, method::fgmres, method::lsmr})
        for (const std::int64_t last : {0, 3, 30, 90, 400}) {
            solve_options options{.method = m, .tolerance = 1e-300, .max_iterations = 100'000};
            options.watch = [&](const solve_progress& p) { return p.iterations < last; };
            vector<TestType> x(a.rows());
            const solve_report r = solve(a, b, x, options);
            if (!r.interrupted) continue;  // it cannot get nearer
            vector<dd_real> wide(a.rows());
            for (index_t i = 0; i < a.rows(); ++i) wide.set(i, dd_real(x[i]));
            INFO(to_string(m) << ", " << last << " iterations");
            CHECK(r.true_relative_residual ==
                  Approx(test::exact_residual(a, wide_b, wide)).epsilon(1e-5));
            CHECK(r.peak_bytes > 0);
        }
}

TEST_CASE("copies that are measured can be ended from their first byte on", "[refine]")
{
    constexpr std::size_t bytes = std::size_t{1} << 26;
    const auto measured = [&] {
        return is_ended([&] {
            const double speed = copy_bandwidth_of(bytes, host, {.seconds = 0, .repeats = 1});
            CHECK(speed > 0);
        });
    };
    // Two vectors of 32 MB, which are touched 4 MB by 4 MB; 4 million ones; and three copies.
    check_every_part(measured, 2 * 8 + 16 + 3);
}

TEST_CASE("a tuning that is ended while copies are measured says so", "[refine]")
{
    csr_matrix<double> a = generate::poisson2d(4, 4);
    int looks = 0;
    const watched_scope scope([&] { return ++looks < 5; });
    const tune_options options{.measure = {.seconds = 0, .repeats = 1}};
    const tuning t = tune<double>(a, options);
    CHECK(t.interrupted);
    CHECK(t.formats.empty());
    CHECK(looks == 5);
}

TEST_CASE("incomplete factors of short and of long rows look at the watch by their work",
          "[refine]")
{
    using namespace ddla::factor;
    for (const index_t half : {25, 70})  // rows of more than 64 entries are made another way
        for (const incomplete_kind kind : {incomplete_kind::ilu, incomplete_kind::ic}) {
            const csr_matrix<double> a = band(half == 25 ? 1000 : 400, half);
            const incomplete_options o{
                .kind = kind, .order = ordering::natural, .match = match_rows::none};
            const auto made = [&] {
                return incomplete_factors<dd_real>::make(a.view(), o).about();
            };
            REQUIRE(made().end == factor_end::complete);
            const double operations = made().operations;
            INFO(half << ", " << operations);
            REQUIRE(10 * operations > 10 * operations_between_looks);
            // An operation takes 20 nanoseconds.
            check_every_part([&] { return made().end == factor_end::stopped; },
                             static_cast<int>(10 * operations / operations_between_looks));
        }
}

TEST_CASE("the pattern of ILU(k) looks at the watch by what it looks at", "[refine]")
{
    // Row 2 has n entries of level 1 by row 1.  Each later row is updated by row 2 alone, looks at
    // these n and takes none: they would be of level 2.
    using namespace ddla::factor;
    constexpr index_t n = 1500;
    coordinates<double> all{.rows = n, .columns = n};
    for (index_t j = 0; j < n; ++j) all.add(0, j, j == 0 ? 2 : 1e-3);
    all.add(1, 0, 1e-3);
    for (index_t i = 1; i < n; ++i) {
        all.add(i, i, 2);
        if (i > 1) all.add(i, 1, 1e-3);
    }
    const csr_matrix<double> a(all);
    const incomplete_options o{.kind = incomplete_kind::ilu,
                               .fill = 1,
                               .order = ordering::natural,
                               .match = match_rows::none};
    const auto made = [&] { return incomplete_factors<double>::make(a.view(), o).about(); };
    CHECK(made().operations < 10 * n);
    check_every_part([&] { return made().end == factor_end::stopped; },
                     static_cast<int>(3 * n * (n - 2) / operations_between_looks));
}
