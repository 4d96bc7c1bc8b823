// ddla generate, and the formulas behind it.
#include "catch.hpp"
#include "process.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_info.hpp"
#include "ddla/matrix_market.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace cli_test;
using ddla::index_t;

namespace {

template <class V>
V entry(const ddla::csr_matrix<V>& a, index_t i, index_t j)
{
    const ddla::csr<V> v = a.view();
    for (index_t k = v.row_begin[i]; k < v.row_begin[i + 1]; ++k)
        if (v.column[k] == j) return v.value.get(k);
    return 0;
}

/// The same bits as ever: FNV-1a over the columns and the bits of the values.
std::uint64_t fingerprint(const ddla::csr_matrix<double>& a)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto mix = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
    const auto v = a.view();
    for (index_t i = 0; i <= v.rows; ++i) mix(static_cast<std::uint64_t>(v.row_begin[i]));
    for (index_t k = 0; k < v.nonzeros(); ++k) {
        mix(static_cast<std::uint64_t>(v.column[k]));
        mix(std::bit_cast<std::uint64_t>(v.value.get(k)));
    }
    return hash;
}

}  // namespace

TEST_CASE("grids have the sizes and entries of their stencils")
{
    const auto p = ddla::generate::poisson3d(3, 4, 5);
    CHECK(p.rows() == 60);
    CHECK(p.nonzeros() == 7 * 60 - 2 * (12 + 15 + 20));
    CHECK(entry(p, 0, 0) == 6);
    CHECK(entry(p, 0, 1) == -1);
    CHECK(entry(p, 0, 3) == -1);
    CHECK(entry(p, 0, 12) == -1);
    CHECK(entry(p, 2, 3) == 0);
    CHECK(ddla::inspect(p).symmetric);
    CHECK(entry(ddla::generate::poisson2d(3, 4), 5, 5) == 4);
    const auto c = ddla::generate::convection_diffusion(3, 3, 3, 0.25, 0.5);
    CHECK(entry(c, 13, 13) == 6.5);
    CHECK(entry(c, 13, 12) == -1.25);
    CHECK(entry(c, 13, 14) == -0.75);
    CHECK(entry(c, 13, 10) == -1);
}

TEST_CASE("toeplitz is the matrix of the literature")
{
    const auto a = ddla::generate::toeplitz(6, 1.5);
    CHECK(a.nonzeros() == 6 + 5 + 4);
    CHECK(entry(a, 3, 3) == 2);
    CHECK(entry(a, 3, 4) == 1);
    CHECK(entry(a, 3, 1) == 1.5);
    CHECK(entry(a, 3, 2) == 0);
    CHECK(ddla::generate::toeplitz(1, 2).nonzeros() == 1);
}

TEST_CASE("hilbert-like fractions are the nearest of their type")
{
    const auto a = ddla::generate::hilbert_like<ddla::dd_real>(5, 2);
    const ddla::dd_real third = entry(a, 1, 1);
    CHECK(third.hi == 1.0 / 3.0);
    CHECK(third.lo == std::fma(-1.0 / 3.0, 3.0, 1.0) / 3.0);
    CHECK(a.nonzeros() == 5 + 2 * 4 + 2 * 3);
    CHECK(entry(ddla::generate::hilbert_like<double>(5, 9), 0, 4) == 1.0 / 5.0);
}

TEST_CASE("random rows have their length, in order, and dominate")
{
    const auto a = ddla::generate::random(200, 9, 0.25, 42);
    const auto info = ddla::inspect(a);
    CHECK(info.shortest_row == 9);
    CHECK(info.longest_row == 9);
    CHECK(info.dominant_rows == 200);
    CHECK(info.missing_diagonal == 0);
    const auto v = a.view();
    for (index_t i = 0; i < 200; ++i)
        CHECK(std::is_sorted(v.column + v.row_begin[i], v.column + v.row_begin[i + 1],
                             std::less_equal<>()));
    CHECK(ddla::generate::random(5, 5, 1, 0).nonzeros() == 25);
    CHECK(entry(ddla::generate::random(5, 1, 1, 0), 2, 2) == 1);
}

TEST_CASE("skewed rows follow a power law around their mean")
{
    const auto info = ddla::inspect(ddla::generate::skewed(20000, 11, 1, 1));
    CHECK(info.mean_row == Approx(11).epsilon(0.1));
    CHECK(info.longest_row > 10000);
    CHECK(info.shortest_row >= 1);
    const auto flat = ddla::inspect(ddla::generate::skewed(100, 7, 0, 1));
    CHECK(flat.shortest_row == 7);
    CHECK(flat.longest_row == 7);
    CHECK(ddla::inspect(ddla::generate::skewed(100, 50, 4, 1)).longest_row == 100);
}

TEST_CASE("seeds choose the matrix, and each has the same bits everywhere")
{
    CHECK(fingerprint(ddla::generate::random(100, 5, 0.1, 1)) == 0x58a36271cdfe812e);
    CHECK(fingerprint(ddla::generate::random(100, 5, 0.1, 2)) == 0x3dcead02aaa3e816);
    CHECK(fingerprint(ddla::generate::skewed(100, 5, 1.3, 1)) == 0x5746a363ddb54a90);
}

TEST_CASE("sizes without sense are refused with their numbers")
{
    using namespace ddla::generate;
    using Catch::Contains;
    CHECK_THROWS_WITH(poisson2d(0, 3), Contains("0 x 3"));
    CHECK_THROWS_WITH(poisson3d(2000, 2000, 2000), Contains("2000 x 2000 x 2000"));
    CHECK_THROWS_AS(poisson3d(1, -1, 1), ddla::input_error);
    CHECK_THROWS_WITH(toeplitz(2147483648, 1), Contains("2147483648"));
    CHECK_THROWS_AS(toeplitz(3, NAN), ddla::input_error);
    CHECK_THROWS_WITH(hilbert_like<double>(3, -1), Contains("-1"));
    CHECK_THROWS_WITH(random(3, 4, 1, 0), Contains("4 entries"));
    CHECK_THROWS_AS(random(3, 2, 0, 0), ddla::input_error);
    CHECK_THROWS_AS(random(3, 2, INFINITY, 0), ddla::input_error);
    CHECK_THROWS_AS(skewed(3, 2, -1, 0), ddla::input_error);
    CHECK_THROWS_AS(skewed(3, 2, NAN, 0), ddla::input_error);
    CHECK_THROWS_AS(convection_diffusion(2, 2, 2, INFINITY), ddla::input_error);
}

TEST_CASE("generate writes each kind to a file and to the standard output")
{
    const scratch folder;
    const std::string file = (folder / "a.mtx").string();
    for (const arguments& kind :
         {arguments{"poisson2d", "7"},
          {"poisson2d", "7", "5"},
          {"poisson3d", "4", "3", "2"},
          {"poisson3d", "3"},
          {"convection-diffusion", "3", "--convection", "1", "--shift", "0"},
          {"toeplitz", "20", "--gamma", "-2.5"},
          {"hilbert-like", "9", "--bandwidth", "3"},
          {"hilbert-like", "9", "--values", "dd"},
          {"random", "30", "--per-row", "4"},
          {"skewed", "50", "--exponent", "1.5", "--seed", "9"}}) {
        INFO(kind[0]);
        arguments options{"generate"};
        options.insert(options.end(), kind.begin(), kind.end());
        const result to_output = run(options);
        CHECK(to_output.exit_status == 0);
        CHECK(to_output.err == "");
        CHECK(to_output.out.rfind("%%MatrixMarket matrix coordinate real general\n", 0) == 0);
        CHECK(to_output.out.find(": " + kind[0] + " ") != std::string::npos);
        options.insert(options.end(), {"--output", file});
        const result to_file = run(options);
        CHECK(to_file.exit_status == 0);
        CHECK(to_file.out == "");
        CHECK(read_file(file) == to_output.out);
        CHECK(run({"info", file}).exit_status == 0);
    }
}

TEST_CASE("generate compresses .mtx.gz")
{
    const scratch folder;
    const std::string file = (folder / "a.mtx.gz").string();
    CHECK(run({"generate", "toeplitz", "10", "--output", file}).exit_status == 0);
    CHECK(ddla::read_matrix<double>(file).nonzeros() == 10 + 9 + 8);
}
