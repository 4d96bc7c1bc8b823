// ddla spmv: the product, and the table of what it costs.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <algorithm>
#include <set>

using namespace cli_test;
using json = nlohmann::json;

namespace {

const ddla::csr_matrix<double> matrix = ddla::generate::skewed(300, 7, 1.0, 1);

std::string written(const scratch& folder)
{
    const std::string file = (folder / "a.mtx").string();
    ddla::write_matrix(file, matrix);
    return file;
}

template <ddla::scalar T>
ddla::vector<T> product(const ddla::vector<T>& x)
{
    ddla::vector<T> y(matrix.rows());
    ddla::spmv(T(1), matrix, x, T(0), y);
    return y;
}

/// `ddla spmv a.mtx --seconds 0 OPTIONS... --report r.json`
json report_of(const scratch& folder, const arguments& options)
{
    arguments all{"spmv", written(folder), "--seconds",
                  "0",    "--report",      (folder / "r.json").string()};
    all.insert(all.end(), options.begin(), options.end());
    const result r = run(all);
    INFO(r.out << r.err);
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    return json::parse(read_file(folder / "r.json"));
}

std::uint64_t hash_in(const json& product)
{
    return std::stoull(product.at("hash").get<std::string>(), nullptr, 16);
}

}  // namespace

TEST_CASE("spmv writes y = A x and its hash")
{
    const scratch folder;
    const std::string y = (folder / "y.mtx").string();
    const json ones = report_of(folder, {"--output", y, "--precision", "both"});
    REQUIRE(ones.at("products").size() == 2);
    const ddla::vector<ddla::dd_real> one(300, ddla::dd_real(1));
    CHECK(hash_in(ones.at("products").at(0)) == hash_of(product(ddla::vector<double>(300, 1.0))));
    CHECK(hash_in(ones.at("products").at(1)) == hash_of(product(one)));
    CHECK(hash_of(ddla::read_vector<ddla::dd_real>(y)) == hash_of(product(one)));

    const std::string x = (folder / "x.mtx").string();
    const ddla::vector<ddla::dd_real> third(300, ddla::dd_real(1) / ddla::dd_real(3));
    ddla::write_vector(x, third);
    const json by_file = report_of(folder, {"--x", x, "--output", y});
    CHECK(hash_in(by_file.at("products").at(0)) == hash_of(product(third)));
    CHECK(hash_of(ddla::read_vector<ddla::dd_real>(y)) == hash_of(product(third)));
}

TEST_CASE("spmv --all-formats measures them all, and the bits are one")
{
    const scratch folder;
    for (const char* precision : {"double", "dd"}) {
        const json report = report_of(folder, {"--all-formats", "--precision", precision});
        const json p = report.at("products").at(0);
        std::set<std::string> names;
        for (const json& f : p.at("formats")) {
            names.insert(f.at("name"));
            if (!f.at("refused").is_null()) continue;
            for (const char* key : {"bytes", "seconds_at_copy", "seconds", "share", "padding"})
                CHECK(f.at(key) > 0);
            for (const char* key : {"extra_bytes", "conversion_seconds", "conversion_products"})
                CHECK(f.at(key) >= 0);
            CHECK(f.at("hash") == p.at("hash"));
        }
        CHECK(names == std::set<std::string>{"csr", "crs_scalar", "crs_vector", "crs_t", "evc_hyb",
                                             "slices", "tiles", "patterns"});
    }
}

TEST_CASE("the table of spmv names the model and fits the screen")
{
    const scratch folder;
    const result r = run({"spmv", written(folder), "--all-formats", "--seconds", "0"});
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    for (const char* part :
         {"a.mtx: 300 x 300, ", "x = ones", "copies at ", "bytes", "at copy", "measured", "share",
          "padding", "conversion", "\n  evc_hyb ", "The hash of y is "})
        CHECK(r.out.find(part) != std::string::npos);
    CHECK(r.out.find("Remembered") == std::string::npos);
    std::size_t begin = 0;
    for (std::size_t end; (end = r.out.find('\n', begin)) != std::string::npos; begin = end + 1)
        CHECK(end - begin <= 80);
}

TEST_CASE("spmv in one format says why that one")
{
    const scratch folder;
    const result r = run({"spmv", written(folder), "--format", "evc_hyb", "--seconds", "0"});
    CHECK(r.exit_status == 0);
    CHECK(r.out.find("\nevc_hyb: asked for.\n") != std::string::npos);
    CHECK(run({"spmv", written(folder), "--quiet", "--repeat", "2"}).out == "");
    const json tuned = report_of(folder, {"--format", "crs_t"});
    const json p = tuned.at("products").at(0);
    CHECK(p.at("formats").at(0).at("threads_per_row") >= 1);
    CHECK(p.at("reason").get<std::string>().find(" a row: the fastest of 6, ") !=
          std::string::npos);
}

// Rows of three kinds, of which no two values are equal: beside patterns they pay on the host in
// double-double, not in double.
TEST_CASE("auto chooses for the precision of the vectors")
{
    constexpr ddla::index_t n = 32768;
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (ddla::index_t i = 0; i < n; ++i)
        for (ddla::index_t j = std::max<ddla::index_t>(i - 1, 0); j <= std::min(i + 1, n - 1); ++j)
            c.add(i, j, 1.0 / double(3 * i + j + 1));
    const scratch folder;
    const std::string a = (folder / "a.mtx").string(), report = (folder / "r.json").string();
    ddla::write_matrix(a, ddla::csr_matrix<double>(c));
    REQUIRE(run({"spmv", a, "--place", "host", "--precision", "both", "--seconds", "0", "--report",
                 report})
                .exit_status == 0);
    const json products = json::parse(read_file(report)).at("products");
    const auto stored = [&](int k) { return products.at(k).at("formats").at(0).at("name"); };
    CHECK(stored(0) == "csr");
    CHECK(stored(1) == "patterns");
}

TEST_CASE("a rectangular matrix multiplies, too")
{
    const scratch folder;
    const std::string a = folder.write("wide.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                                   "2 3 2\n1 3 2\n2 1 3\n");
    const std::string y = (folder / "y.mtx").string();
    const result r = run({"spmv", a, "--all-formats", "--seconds", "0", "--output", y, "--quiet"});
    CHECK(r.exit_status == 0);
    const auto product = ddla::read_vector<double>(y);
    REQUIRE(product.size() == 2);
    CHECK(product[0] == 2);
    CHECK(product[1] == 3);
    const std::string x = (folder / "x.mtx").string();
    ddla::write_vector(x, ddla::vector<double>(2, 1.0));
    const result wrong = run({"spmv", a, "--x", x});
    CHECK(wrong.exit_status == 2);
    CHECK(wrong.err == "ddla: " + x + ": holds 2 numbers, but " + a + " has 3 columns\n");
}
