// Solves of ranks have the bits of one rank with all rows, and end as it does.
#include "support/ranks.hpp"

#include "ddla/generate.hpp"
#include "ddla/text.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

using namespace test;
using ddla::method;
using ddla::preconditioning;
using ddla::solve_options;
using ddla::solve_report;

namespace {

/// What is the same on one rank and on several.
void require_same(findings& all, const solve_report& one, const solve_report& found)
{
    all.require(found.solution_hash == one.solution_hash, "hash");
    all.require(found.status == one.status, "status " + std::string(to_string(found.status)));
    all.require(found.iterations == one.iterations,
                "iterations " + std::to_string(found.iterations));
    all.require(same_bits(found.relative_residual, one.relative_residual), "residual");
    all.require(same_bits(found.true_relative_residual, one.true_relative_residual),
                "true residual");
    all.require(found.history.size() == one.history.size() &&
                    std::equal(found.history.begin(), found.history.end(), one.history.begin(),
                               [](double a, double b) { return same_bits(a, b); }),
                "history");
    all.require(
        found.normal_residual.has_value() == one.normal_residual.has_value() &&
            (!one.normal_residual || same_bits(*found.normal_residual, *one.normal_residual)),
        "normal residual");
}

template <class T, class V>
std::string wrong_solve(const ddla::csr_matrix<V>& a, const cuts& begin,
                        const solve_options& options, index_t alignment = 256)
{
    const auto b = random_vector<T>(a.rows(), 8, 0);
    ddla::vector<T> x(a.columns());
    const solve_report one = ddla::solve(a, b, x, options);
    whole_vector<T> found(a.columns());
    findings all;
    run_ranks(static_cast<int>(begin.size()) - 1, [&](auto ranks) {
        const auto mine = part_of(a, begin, ranks, alignment);
        ddla::vector<T> own(mine.local_columns(), mine.where());
        require_same(all, one, ddla::solve(mine, rows_of(b, mine), own, options));
        found.put(own, mine.first_column());
    });
    return all.wrong() + (same_bits(found.get(), x) ? "" : "x");
}

solve_options named(method m, preconditioning k = preconditioning::none)
{
    return {
        .method = m, .precond = k, .tolerance = 1e-9, .max_iterations = 60, .record_history = true};
}

/// Square, and with Laplace's for methods that need symmetry.
ddla::csr_matrix<double> system_for(method m)
{
    if (matrix_kind_of(m) == ddla::matrix_kind::symmetric ||
        matrix_kind_of(m) == ddla::matrix_kind::positive_definite)
        return ddla::generate::poisson3d(11, 13, 17);
    return ddla::generate::convection_diffusion(11, 13, 17);
}

}  // namespace

TEMPLATE_TEST_CASE("all methods of ranks", "[ranks]", double, ddla::dd_real)
{
    for (const auto& [name, m] : ddla::method_names) {
        if (m == method::automatic || m == method::refinement) continue;
        const auto a = system_for(m);
        for (const int ranks : rank_counts()) {
            INFO(name << ", " << ranks << " ranks");
            CHECK(wrong_solve<TestType>(a, even_cuts(a.rows(), ranks), named(m)) == "");
        }
        INFO(name << ", uneven");
        CHECK(wrong_solve<TestType>(a, random_cuts(a.rows(), 5, 3), named(m)) == "");
    }
}

TEMPLATE_TEST_CASE("preconditioners of ranks", "[ranks]", double, ddla::dd_real)
{
    const auto a = ddla::generate::convection_diffusion(11, 13, 17);
    for (const preconditioning k :
         {preconditioning::jacobi, preconditioning::polynomial, preconditioning::block_jacobi})
        for (const method m : {method::bicgstab, method::fgmres})
            for (const int ranks : rank_counts()) {
                INFO(to_string(k) << ", " << to_string(m) << ", " << ranks << " ranks");
                CHECK(wrong_solve<TestType>(a, random_cuts(a.rows(), ranks, 5), named(m, k)) == "");
            }
    for (const int ranks : rank_counts()) {
        INFO(ranks << " ranks");
        CHECK(wrong_solve<TestType>(ddla::generate::poisson3d(11, 13, 17), even_cuts(2431, ranks),
                                    named(method::cg, preconditioning::jacobi)) == "");
    }
    solve_options large = named(method::bicgstab, preconditioning::block_jacobi);
    large.preconditioner.block_rows = 512;
    CHECK(wrong_solve<TestType>(a, even_cuts(a.rows(), 3), large, 512) == "");
    CHECK_THROWS_WITH(wrong_solve<TestType>(a, even_cuts(a.rows(), 3), large),
                      Catch::Contains("512 rows"));
    solve_options chebyshev = named(method::cg, preconditioning::polynomial);
    chebyshev.preconditioner.polynomial = ddla::polynomial_kind::chebyshev;
    CHECK(wrong_solve<TestType>(ddla::generate::poisson3d(11, 13, 17), even_cuts(2431, 5),
                                chebyshev) == "");
}

TEST_CASE("dense blocks of ranks", "[ranks]")
{
    // Of a rank with few rows, most rows of a block are dense; of all rows together none is.
    const auto a = random_matrix<double>(2560, 2560, 12, [](index_t) { return 1200; });
    for (const int ranks : {2, 5, 8}) {
        INFO(ranks << " ranks");
        CHECK(wrong_solve<double>(a, even_cuts(a.rows(), ranks),
                                  named(method::bicgstab, preconditioning::block_jacobi)) == "");
    }
}

TEST_CASE("corrections in double of ranks", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(11, 13, 17);
    for (const preconditioning k : {preconditioning::jacobi, preconditioning::polynomial})
        for (const int ranks : rank_counts()) {
            INFO(to_string(k) << ", " << ranks << " ranks");
            solve_options o = named(method::refinement, k);
            o.tolerance = 1e-25;
            o.max_iterations = 1000;
            CHECK(wrong_solve<ddla::dd_real>(a, even_cuts(a.rows(), ranks), o) == "");
        }
}

TEST_CASE("matrices in double-double of ranks", "[ranks]")
{
    const auto a = ddla::generate::hilbert_like<ddla::dd_real>(2000, 3);
    for (const int ranks : rank_counts()) {
        CHECK(wrong_solve<ddla::dd_real>(a, random_cuts(a.rows(), ranks, 5),
                                         named(method::bicgstab)) == "");
        CHECK(wrong_solve<ddla::dd_real>(a, random_cuts(a.rows(), ranks, 5),
                                         named(method::refinement, preconditioning::jacobi)) == "");
    }
}

TEMPLATE_TEST_CASE("least squares of ranks", "[ranks]", double, ddla::dd_real)
{
    const auto tall = random_matrix<double>(2900, 700, 6, [](index_t i) { return 1 + i % 5; });
    const auto wide = random_matrix<double>(700, 2900, 6, [](index_t) { return 5; });
    for (const int ranks : rank_counts())
        for (const auto* a : {&tall, &wide}) {
            INFO(a->rows() << " x " << a->columns() << ", " << ranks << " ranks");
            CHECK(wrong_solve<TestType>(*a, random_cuts(a->rows(), ranks, 5),
                                        named(method::lsmr)) == "");
        }
}

TEST_CASE("systems that one rank factors", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(8, 9, 10);
    for (const int ranks : rank_counts()) {
        solve_options o;
        const auto b = random_vector<ddla::dd_real>(a.rows(), 8, 0);
        ddla::vector<ddla::dd_real> x(a.rows());
        const solve_report one = ddla::solve(a, b, x, o);
        whole_vector<ddla::dd_real> found(a.rows());
        findings all;
        const cuts begin = even_cuts(a.rows(), ranks);
        run_ranks(ranks, [&](auto among) {
            const auto mine = part_of(a, begin, among);
            ddla::vector<ddla::dd_real> own(mine.local_columns(), mine.where());
            const solve_report r = ddla::solve(mine, rows_of(b, mine), own, o);
            all.require(r.status == ddla::solve_status::converged, "status");
            all.require(r.solution_hash == one.solution_hash, "hash");
            if (among->rank() == 0) all.require(r.digits == one.digits, "digits");
            found.put(own, mine.first_column());
        });
        CHECK(all.wrong() == "");
        CHECK(same_bits(found.get(), x));
    }
}

TEST_CASE("systems whose factors would pass a limit iterate on all ranks", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(11, 13, 17);
    std::optional<std::uint64_t> hash;
    for (const int ranks : rank_counts()) {
        solve_options o;
        o.factorisation.most_work = 1e-6;
        const auto b = random_vector<ddla::dd_real>(a.rows(), 8, 0);
        findings all;
        std::mutex guard;
        const cuts begin = even_cuts(a.rows(), ranks);
        run_ranks(ranks, [&](auto among) {
            const auto mine = part_of(a, begin, among);
            ddla::vector<ddla::dd_real> own(mine.local_columns(), mine.where());
            const solve_report r = ddla::solve(mine, rows_of(b, mine), own, o);
            all.require(r.iterations > 0 && !r.limit.empty(), "it iterates, and says why");
            const std::lock_guard lock(guard);
            if (!hash) hash = r.solution_hash;
            all.require(r.solution_hash == *hash, "hash");
        });
        INFO(ranks << " ranks");
        CHECK(all.wrong() == "");
    }
}

TEST_CASE("several systems of ranks", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(11, 13, 17);
    constexpr std::size_t systems = 5;
    for (const int ranks : rank_counts()) {
        std::vector<ddla::vector<ddla::dd_real>> b,
            x(systems, ddla::vector<ddla::dd_real>(a.rows()));
        for (std::size_t j = 0; j < systems; ++j)
            b.push_back(random_vector<ddla::dd_real>(a.rows(), 20 + j, 0));
        const auto one = ddla::solve(a, b, x, named(method::bicgstab));
        findings all;
        const cuts begin = even_cuts(a.rows(), ranks);
        run_ranks(ranks, [&](auto among) {
            const auto mine = part_of(a, begin, among);
            std::vector<ddla::vector<ddla::dd_real>> own_b, own_x;
            for (const auto& all_b : b) {
                own_b.push_back(rows_of(all_b, mine));
                own_x.emplace_back(mine.local_columns(), mine.where());
            }
            const auto found = ddla::solve(mine, own_b, own_x, named(method::bicgstab));
            for (std::size_t j = 0; j < systems; ++j) require_same(all, one[j], found[j]);
        });
        INFO(ranks << " ranks");
        CHECK(all.wrong() == "");
    }
}

TEST_CASE("a watch on one rank ends the solve on all", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(11, 13, 17);
    const auto b = random_vector<double>(a.rows(), 8, 0);
    for (const int ranks : {1, ranks_of(3)}) {
        const cuts begin = even_cuts(a.rows(), ranks);
        findings all;
        std::vector<std::int64_t> iterations(static_cast<std::size_t>(ranks));
        run_ranks(ranks, [&](auto among) {
            const auto mine = part_of(a, begin, among);
            ddla::vector<double> own(mine.local_columns(), mine.where());
            solve_options o = named(method::bicgstab);
            o.tolerance = 1e-15;
            o.check_every = 1;
            if (among->rank() == ranks - 1)
                o.watch = [](const ddla::solve_progress& now) { return now.iterations < 7; };
            const solve_report r = ddla::solve(mine, rows_of(b, mine), own, o);
            all.require(r.interrupted, "interrupted");
            all.require(r.true_relative_residual > 0 && r.true_relative_residual < 1, "residual");
            iterations[static_cast<std::size_t>(among->rank())] = r.iterations;
        });
        INFO(ranks << " ranks");
        CHECK(all.wrong() == "");
        CHECK(iterations[0] >= 7);
        CHECK(iterations[0] <= 9);
        CHECK(iterations == std::vector<std::int64_t>(iterations.size(), iterations[0]));
    }
}

TEST_CASE("block Jacobi of ranks where numbers nearly underflow", "[ranks]")
{
    const index_t n = 512;
    ddla::coordinates<double> entries{n, n, {}, {}, {}};
    for (index_t i = 0; i < n; ++i) {
        entries.add(i, i, 4 + 1.0 / double(i + 1));
        if (i % 256 > 0)
            entries.add(i, i - 1, -1);  // the blocks have nothing to do with each other
        if (i % 256 < 255) entries.add(i, i + 1, -1);
    }
    const ddla::csr_matrix<double> a(entries);
    ddla::vector<double> b(n);
    for (index_t i = 0; i < n; ++i) b.set(i, i < 256 ? 1e10 * double(i + 1) : double(i) * 0x1p-998);
    const solve_options o = named(method::cg, preconditioning::block_jacobi);
    ddla::vector<double> x(n);
    const solve_report one = ddla::solve(a, b, x, o);
    for (const int ranks : rank_counts()) {
        findings all;
        run_ranks(ranks, [&](auto among) {
            const auto mine = part_of(a, even_cuts(n, ranks), among);
            ddla::vector<double> own(mine.local_columns(), mine.where());
            const solve_report r = ddla::solve(mine, rows_of(b, mine), own, o);
            require_same(all, one, r);
            all.require(r.preconditioner.has_value(), "preconditioner");
            const auto& built = r.preconditioner->built;
            const auto& alone = one.preconditioner->built;
            all.require(built.smallest_pivot_row == alone.smallest_pivot_row &&
                            same_bits(built.smallest_pivot, alone.smallest_pivot) &&
                            built.fill == alone.fill && built.operations == alone.operations,
                        "what it says of the blocks");
        });
        INFO(ranks << " ranks");
        CHECK(all.wrong() == "");
    }
}

TEST_CASE("what ranks send is what the cut asks for", "[ranks]")
{
    // Ranks with some planes of a grid each: a product takes a plane from each neighbour.
    const index_t plane = 32 * 16, planes = 48;
    const auto a = ddla::generate::poisson3d(32, 16, planes);
    const auto b = random_vector<ddla::dd_real>(a.rows(), 8, 0);
    for (const int ranks : rank_counts()) {
        const cuts begin = even_cuts(a.rows(), ranks);
        findings all;
        run_ranks(ranks, [&](auto among) {
            const auto mine = part_of(a, begin, among);
            ddla::vector<ddla::dd_real> own(mine.local_columns(), mine.where());
            const ddla::ranks_report sent =
                ddla::solve(mine, rows_of(b, mine), own, named(method::bicgstab)).ranks;
            const auto neighbours = static_cast<std::uint64_t>(2 * (ranks - 1));
            all.require(sent.count == ranks, "count");
            all.require(sent.messages == sent.products * neighbours, "messages");
            all.require(sent.bytes == sent.messages * static_cast<std::uint64_t>(plane) * 16,
                        "bytes");
            all.require(ranks == 1 || sent.products > 0, "products");
            all.require(sent.resident_bytes > 1'000'000, "memory");
        });
        INFO(ranks << " ranks");
        CHECK(all.wrong() == "");
    }
}
