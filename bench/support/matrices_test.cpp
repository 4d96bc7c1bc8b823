// The matrices of the benchmark are what their names say.
#include "catch.hpp"

#include "elasticity.hpp"
#include "generators.hpp"
#include "matrix_set.hpp"
#include "seven_points.hpp"
#include "shape.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <cmath>
#include <map>
#include <set>

using namespace bench;

TEST_CASE("there are at least 40 matrices, each with its own name and a known kind")
{
    std::set<std::string> names;
    const auto& kinds = matrix_kinds();
    for (const matrix_case& c : generated_matrices(false)) {
        names.insert(c.name);
        CHECK(std::find(kinds.begin(), kinds.end(), c.kind) != kinds.end());
    }
    CHECK(names.size() == generated_matrices(false).size());
    CHECK(names.size() >= 40);
}

TEST_CASE("rows hold distinct columns in ascending order")
{
    for (const matrix_case& c : generated_matrices(true)) {
        INFO(c.name);
        const matrix_shape s = shape_of(c.build());
        CHECK(s.ascending);
        CHECK(s.entries > 100'000);
        CHECK(s.entries < 2'000'000);
    }
}

TEST_CASE("a stencil on a grid is the one of ddla::generate")
{
    const auto same = [](const csr_matrix<double>& a, const csr_matrix<double>& b) {
        const auto x = a.view(), y = b.view();
        bool equal = a.rows() == b.rows() && a.nonzeros() == b.nonzeros();
        for (index_t k = 0; equal && k < a.nonzeros(); ++k)
            equal = x.column[k] == y.column[k] && x.value.get(k) == y.value.get(k);
        return equal;
    };
    CHECK(same(on_grid({.nx = 7, .ny = 5, .neighbours = five_points()}),
               ddla::generate::poisson2d(7, 5)));
    CHECK(same(on_grid({.nx = 4, .ny = 5, .nz = 6, .neighbours = seven_points()}),
               ddla::generate::poisson3d(4, 5, 6)));
    const grid flow{.nx = 4, .ny = 4, .nz = 4, .neighbours = seven_points(), .convection = 0.3};
    CHECK(same(on_grid(flow), ddla::generate::convection_diffusion(4, 4, 4, 0.3, 0)));
}

TEST_CASE("a grid made by many threads is the one of ddla::generate")
{
    const auto check = [](index_t nx, index_t ny, index_t nz, double convection, unsigned threads) {
        INFO(nx << " x " << ny << " x " << nz << ", threads: " << threads);
        const auto one = ddla::generate::convection_diffusion(nx, ny, nz, convection, 0);
        const auto all = seven_points_in_parallel(nx, ny, nz, convection, threads);
        const auto x = one.view(), y = all.view();
        REQUIRE(all.rows() == one.rows());
        REQUIRE(all.nonzeros() == one.nonzeros());
        for (index_t i = 0; i <= one.rows(); ++i) REQUIRE(x.row_begin[i] == y.row_begin[i]);
        for (index_t k = 0; k < one.nonzeros(); ++k) {
            REQUIRE(x.column[k] == y.column[k]);
            REQUIRE(x.value.get(k) == y.value.get(k));
        }
    };
    for (const unsigned threads : {0u, 1u, 3u, 50u}) check(4, 5, 6, 0.3, threads);
    check(7, 1, 2, 0, 2);
    check(1, 3, 1, 0.3, 2);
    check(1, 1, 1, 0.3, 3);
}

TEST_CASE("nodes of finite elements have dense blocks")
{
    const matrix_shape natural = shape_of(
        on_grid({.nx = 6, .ny = 6, .nz = 6, .neighbours = box_of_27_points(), .unknowns = 3}));
    CHECK(natural.rows == 3 * 216);
    CHECK(natural.longest == 81);
    CHECK(natural.shortest == 24);
    CHECK(natural.entries == 9 * 16 * 16 * 16);
    const matrix_shape shuffled =
        shape_of(on_grid({.nx = 20, .ny = 20, .neighbours = triangles(), .shuffled = 64}));
    CHECK(shuffled.entries ==
          shape_of(on_grid({.nx = 20, .ny = 20, .neighbours = triangles()})).entries);
    CHECK(shuffled.longest == 7);
    CHECK(shuffled.ascending);
}

TEST_CASE("a circuit has short rows and a few dense ones")
{
    const auto a = circuit_like({.n = 10000, .dense_rows = 4, .dense_length = 2500, .hubs = 2});
    index_t dense = 0;
    for (index_t i = 0; i < a.rows(); ++i) {
        const index_t length = a.view().row_length(i);
        dense += length == 2500;
        CHECK((length == 2500 || (length >= 1 && length <= 6)));
    }
    CHECK(dense == 4);
}

TEST_CASE("a recursive graph has hubs, scattered or not")
{
    const matrix_shape plain = shape_of(recursive_graph(12, 12, false));
    const matrix_shape scattered = shape_of(recursive_graph(12, 12, true));
    CHECK(plain.entries > 6 * 4096);
    CHECK(plain.longest > 40 * plain.mean);
    CHECK(plain.longest == scattered.longest);
    CHECK(plain.entries == scattered.entries);
}

TEST_CASE("copies along the diagonal repeat the pattern, not the values")
{
    const auto a = ddla::generate::random(50, 4, 0.1, 1);
    const auto all = replicated(a, 3);
    CHECK(all.rows() == 150);
    CHECK(all.nonzeros() == 3 * a.nonzeros());
    const auto one = a.view(), three = all.view();
    for (index_t k = 0; k < a.nonzeros(); ++k) {
        CHECK(three.column[2 * a.nonzeros() + k] == 100 + one.column[k]);
        CHECK(three.value.get(2 * a.nonzeros() + k) == one.value.get(k) * (1 + 2.0 / 1024));
    }
}

TEST_CASE("real matrices are those above 100000 entries, replicated")
{
    const auto folder = std::filesystem::temp_directory_path() / "ddla-bench-matrices-test";
    std::filesystem::create_directories(folder);
    ddla::write_matrix(folder / "small.mtx", ddla::generate::poisson2d(20, 20));
    ddla::write_matrix(folder / "large.mtx.gz", ddla::generate::poisson2d(150, 150));
    const auto found = real_matrices(folder, true);
    std::filesystem::remove_all(folder);
    REQUIRE(found.size() == 1);
    CHECK(found[0].name == "large");
    CHECK(found[0].build().nonzeros() >= 400'000);
}

TEST_CASE("elasticity is symmetric, and stiff but for motions of a rigid body")
{
    const index_t cells = 4;
    const csr_matrix<double> a = elasticity(cells);
    CHECK(a.rows() == 3 * cells * (cells + 1) * (cells + 1));
    CHECK(shape_of(a).ascending);
    const auto v = a.view();
    std::map<std::pair<index_t, index_t>, double> entry;
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = v.row_begin[i]; k < v.row_begin[i + 1]; ++k)
            entry[{i, v.column[k]}] = v.value.get(k);
    for (const auto& [at, value] : entry) {
        REQUIRE(entry.count({at.second, at.first}) == 1);
        CHECK(entry[{at.second, at.first}] == value);
    }
    // Shifts, and turns about the axes x, y and z: no stress in nodes without a clamped neighbour.
    for (int motion = 0; motion < 6; ++motion) {
        std::vector<double> u(static_cast<std::size_t>(a.rows()));
        for (std::size_t node = 0; node < u.size() / 3; ++node) {
            const double at[] = {static_cast<double>(node % 4 + 1),
                                 static_cast<double>(node / 4 % 5), static_cast<double>(node / 20)};
            if (motion < 3) u[3 * node + static_cast<std::size_t>(motion)] = 1;
            if (motion < 3) continue;
            const auto one = static_cast<std::size_t>(motion % 3), two = (one + 1) % 3;
            u[3 * node + one] = -at[two];
            u[3 * node + two] = at[one];
        }
        double largest = 0, clamped = 0;
        for (index_t i = 0; i < a.rows(); ++i) {
            double sum = 0;
            for (index_t k = v.row_begin[i]; k < v.row_begin[i + 1]; ++k)
                sum += v.value.get(k) * u[static_cast<std::size_t>(v.column[k])];
            double& most = i / 3 % cells == 0 ? clamped : largest;
            most = std::max(most, std::abs(sum));
        }
        CHECK(largest < 1e-14);
        CHECK(clamped > 0.1);
    }
    CHECK(elasticity(1).rows() == 12);
    CHECK_THROWS_AS(elasticity(0), ddla::input_error);
    CHECK_THROWS_AS(elasticity(3, 0.5), ddla::input_error);
}
