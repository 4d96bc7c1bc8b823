// ddla info: as text and as JSON.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_info.hpp"
#include "ddla/matrix_market.hpp"

#include <limits>

using namespace cli_test;
using json = nlohmann::json;

namespace {

ddla::csr_matrix<double> matrix(ddla::index_t rows, ddla::index_t columns,
                                std::initializer_list<std::array<double, 3>> entries)
{
    ddla::coordinates<double> c{.rows = rows, .columns = columns};
    for (const auto& [i, j, v] : entries)
        c.add(static_cast<ddla::index_t>(i), static_cast<ddla::index_t>(j), v);
    return ddla::csr_matrix<double>(c);
}

}  // namespace

TEST_CASE("info describes a matrix in words")
{
    const scratch folder;
    const std::string a = (folder / "a.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(10, 10));
    const result r = run({"info", a});
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    for (const char* part :
         {"100 x 100", "460 (4.6 %)", "|a| from 1 to 4, all finite", "symmetry      symmetric",
          "complete, no negative entries", "100 of 100 rows (100 %)",
          "10 below, 10 above the diagonal", "3 to 5, mean 4.6", "3-4", "####"})
        CHECK(r.out.find(part) != std::string::npos);
}

TEST_CASE("info speaks JSON")
{
    const scratch folder;
    const std::string a = (folder / "t.mtx").string();
    ddla::write_matrix(a, ddla::generate::toeplitz(50, 1.5));
    const result r = run({"info", a, "--json"});
    CHECK(r.exit_status == 0);
    const json info = json::parse(r.out);
    CHECK(info["rows"] == 50);
    CHECK(info["nonzeros"] == 147);
    CHECK(info["symmetric"] == false);
    CHECK(info["symmetric_pattern"] == false);
    CHECK(info["lower_bandwidth"] == 2);
    CHECK(info["upper_bandwidth"] == 1);
    CHECK(info["dominant_rows"] == 3);
    CHECK(info["finite"] == true);
    CHECK(info["row_lengths"] ==
          json::parse(R"([{"from":2,"to":2,"rows":3},{"from":3,"to":4,"rows":47}])"));
}

TEST_CASE("info takes rectangular and empty matrices")
{
    const scratch folder;
    const std::string wide =
        folder.write("w.mtx", "%%MatrixMarket matrix coordinate real general\n2 5 1\n1 5 3\n");
    CHECK(run({"info", wide}).out.find("not square") != std::string::npos);
    CHECK(run({"info", wide}).out.find("1 empty row, 4 empty columns") != std::string::npos);
    const std::string empty =
        folder.write("e.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 0\n");
    CHECK(run({"info", empty}).exit_status == 0);
}

TEST_CASE("inspect sees symmetries")
{
    const auto symmetric = ddla::inspect(matrix(2, 2, {{0, 1, 3}, {1, 0, 3}, {1, 1, 1}}));
    CHECK(symmetric.symmetric);
    CHECK(symmetric.symmetric_pattern);
    CHECK_FALSE(symmetric.skew_symmetric);
    const auto skew = ddla::inspect(matrix(2, 2, {{0, 1, 3}, {1, 0, -3}}));
    CHECK(skew.skew_symmetric);
    CHECK_FALSE(skew.symmetric);
    const auto zero = ddla::inspect(matrix(2, 2, {{0, 1, 0}}));
    CHECK(zero.symmetric);
    CHECK(zero.skew_symmetric);
    CHECK_FALSE(zero.symmetric_pattern);
    CHECK(zero.explicit_zeros == 1);
    CHECK_FALSE(ddla::inspect(matrix(1, 2, {{0, 0, 1}})).symmetric);
}

TEST_CASE("inspect sees a symmetry through unsorted rows")
{
    const ddla::csr_matrix<double> a(2, 2, {0, 2, 4}, {1, 0, 1, 0}, {5, 1, 2, 5});
    CHECK(ddla::inspect(a).symmetric);
}

TEST_CASE("inspect sees diagonal, dominance and values")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto info = ddla::inspect(matrix(
        4, 4,
        {{0, 0, -2}, {0, 3, 1e-3}, {1, 1, 0}, {1, 2, 7}, {3, 3, 0.3}, {3, 0, 0.2}, {3, 1, 0.1}}));
    CHECK(info.missing_diagonal == 2);
    CHECK(info.negative_diagonal == 1);
    CHECK(info.dominant_rows == 2);  // rows 0 and 2; 0.3 < 0.2 + 0.1 in exact sums of doubles
    CHECK(info.empty_rows == 1);
    CHECK(info.empty_columns == 0);
    CHECK(info.lower_bandwidth == 3);
    CHECK(info.upper_bandwidth == 3);
    CHECK(info.smallest_magnitude == 1e-3);
    CHECK(info.largest_magnitude == 7);
    CHECK(info.finite);
    CHECK_FALSE(ddla::inspect(matrix(1, 1, {{0, 0, nan}})).finite);
    const auto wide = ddla::inspect(ddla::generate::hilbert_like<ddla::dd_real>(4, 3));
    CHECK(wide.symmetric);
    CHECK(wide.longest_row == 4);
}

TEST_CASE("inspect counts row lengths in bins that double")
{
    ddla::coordinates<double> c{.rows = 3, .columns = 20};
    for (int j = 0; j < 17; ++j) c.add(0, j, 1);
    c.add(1, 0, 1);
    const auto info = ddla::inspect(ddla::csr_matrix<double>(c));
    REQUIRE(info.row_lengths.size() == 7);
    CHECK(info.row_lengths[3].from == 3);
    CHECK(info.row_lengths[3].to == 4);
    CHECK(info.row_lengths[6].from == 17);
    CHECK(info.row_lengths[6].to == 32);
    CHECK(info.row_lengths[6].rows == 1);
    CHECK(info.mean_row == 6);
}
