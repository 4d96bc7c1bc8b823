// What the papers' measurements rest on and a host can check.
#include "catch.hpp"

#include "papers/evc_layout.hpp"
#include "papers/host_product.hpp"
#include "papers/hyb_layout.hpp"
#include "papers/paper_matrices.hpp"
#include "papers/record_file.hpp"
#include "papers/residuals.hpp"

#include "support/generators.hpp"

#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "ddla/matrix_info.hpp"

#include <cmath>
#include <filesystem>
#include <numeric>

using namespace ddla;

namespace {

template <scalar T>
vector<T> numbers(index_t n, double step)
{
    vector<T> x(n);
    for (index_t i = 0; i < n; ++i) x.set(i, T(std::sin(step * static_cast<double>(i + 1))));
    return x;
}

template <scalar T>
index_t outside(const bench::host_product& p, const vector<T>& y)
{
    index_t count = 0;
    for (index_t i = 0; i < y.size(); ++i) {
        const dd_real difference = dd_real(y.view().get(i)) - p.expected.view().get(i);
        count += !(std::abs(difference.hi) <= p.bound[static_cast<std::size_t>(i)]);
    }
    return count;
}

}  // namespace

TEMPLATE_TEST_CASE("a product is within the bound, and a wrong one is not", "[papers]", double,
                   dd_real)
{
    using T = TestType;
    const csr_matrix<double> a =
        bench::random_rows(300, 300, [](index_t i) { return i % 50 == 0 ? 200 : i % 7; });
    const vector<T> x = numbers<T>(300, 0.37), before = numbers<T>(300, 1.91);
    const T alpha = T(0.7), beta = T(-0.3);
    const auto expected = bench::multiply_on_host<T>(alpha, a, x.view(), beta, before.view(), 3);
    vector<T> y = before;
    spmv(alpha, a, x, beta, y);
    CHECK(outside(expected, y) == 0);
    const double step = words_of<T> == 1 ? 1e-12 : 1e-27;
    y.set(50, y.view().get(50) * T(1.0 + 1e-12) + T(step));
    CHECK(outside(expected, y) == 1);
    y.set(51, T(std::nan("")));
    CHECK(outside(expected, y) == 2);
}

namespace {

/// y = A x by the layout alone, in its order.
std::vector<double> by_layout(const bench::evc_layout& e, const vector<double>& x)
{
    std::vector<double> y(e.order.size(), 0.0);
    for (std::size_t part = 0; part < e.ell_length.size(); ++part) {
        const std::int64_t first = e.ell.row[part], rows = e.ell.row[part + 1] - first;
        for (std::int64_t k = 0; k < rows * e.ell_length[part]; ++k) {
            const auto at = static_cast<std::size_t>(e.ell_begin[part] + k);
            y[static_cast<std::size_t>(first + k % rows)] += e.value[at] * x[e.column[at]];
        }
    }
    for (std::size_t row = 0; row + 1 < e.csr_begin.size(); ++row)
        for (std::int64_t k = e.csr_begin[row]; k < e.csr_begin[row + 1]; ++k) {
            const auto at = static_cast<std::size_t>(e.ell_slots + k);
            y[static_cast<std::size_t>(e.split) + row] += e.value[at] * x[e.column[at]];
        }
    return y;
}

/// Rows of each length from 0 to 140, a few of each, and some of 2000 entries.
index_t length_of_row(index_t i)
{
    return i % 997 == 5 ? 2000 : i % 141;
}

}  // namespace

TEST_CASE("the layout of EVC-HYB has all entries where its paper puts them", "[papers]")
{
    const csr_matrix<double> a = bench::random_rows(9000, 4000, length_of_row);
    const bench::evc_layout e = bench::evc_layout_of(a);
    const vector<double> x = numbers<double>(4000, 0.37);
    vector<double> expected(9000);
    spmv(1.0, a, x, 0.0, expected);
    const std::vector<double> y = by_layout(e, x);
    index_t wrong = 0;
    for (std::size_t k = 0; k < y.size(); ++k)
        wrong += !(std::abs(y[k] - expected[e.order[k]]) <= 1e-11);
    CHECK(wrong == 0);
    CHECK(e.split % 32 == 0);
    const csr<double> v = a.view();
    for (std::size_t k = static_cast<std::size_t>(e.split) + 32; k < e.order.size(); ++k)
        REQUIRE(v.row_length(e.order[k]) > bench::evc_longest_of_ell);
    // At most 31 rows of a length are padded by one entry or more, and each long row by up to 31.
    const index_t long_rows = 9000 - e.split;
    CHECK(e.slots() - a.nonzeros() <= 31 * 129 + 31 * long_rows);
}

TEST_CASE("blocks of EVC-HYB cover the rows once", "[papers]")
{
    const bench::evc_layout e = bench::evc_layout_of(bench::random_rows(9000, 4000, length_of_row));
    for (std::size_t part = 0; part < e.ell_length.size(); ++part) {
        const int rows = e.ell.row[part + 1] - e.ell.row[part];
        const int blocks = e.ell.block[part + 1] - e.ell.block[part];
        CHECK(blocks >= 1);
        // Of 128 and 65 entries a thread has one row, of 64 and 33 two.
        const int of_thread = e.ell_length[part] > 64 ? 1 : e.ell_length[part] > 32 ? 2 : 4;
        if (e.ell_length[part] > 16) {
            CHECK(blocks * bench::evc_block * of_thread >= rows);
        }
    }
    REQUIRE(e.csr.row.size() == bench::evc_ranges_of_csr + 1);
    for (int range = 0; range < bench::evc_ranges_of_csr; ++range) {
        const auto k = static_cast<std::size_t>(range);
        const int rows = e.csr.row[k + 1] - e.csr.row[k];
        const int blocks = e.csr.block[k + 1] - e.csr.block[k];
        CHECK(blocks == ((rows << range) + bench::evc_block - 1) / bench::evc_block);
    }
    CHECK(e.csr.row.back() == 9000 - e.split);
}

TEST_CASE("HYB has the first entries of rows in ELL, the others in its list", "[papers]")
{
    // 3000 rows of 2, 6000 of 5 and 10 of 100 entries: a third of the rows, and 4096, have 5.
    const auto length = [](index_t i) { return i < 3000 ? 2 : i < 9000 ? 5 : 100; };
    const csr_matrix<double> a = bench::random_rows(9010, 4000, length);
    const bench::hyb_layout h = bench::hyb_layout_of(a);
    CHECK(h.width == 5);
    CHECK(h.list_value.size() == 10 * 95);
    const vector<double> x = numbers<double>(4000, 0.37);
    vector<double> y(9010), expected(9010);
    for (std::size_t k = 0; k < h.value.size(); ++k)
        if (h.column[k] >= 0) y[static_cast<index_t>(k) % 9010] += h.value[k] * x[h.column[k]];
    for (std::size_t k = 0; k < h.list_value.size(); ++k)
        y[h.list_row[k]] += h.list_value[k] * x[h.list_column[k]];
    spmv(1.0, a, x, 0.0, expected);
    axpy(-1.0, y, expected);
    CHECK(nrm2(expected) <= 1e-12);
}

TEST_CASE("wathen120 has the size, the entries and the properties of the collection's", "[papers]")
{
    const csr_matrix<double> a = bench::wathen(120, 100, 1);
    const matrix_info i = inspect(a);
    CHECK(i.rows == 36441);
    CHECK(i.nonzeros == 565761);
    CHECK(i.symmetric);
    CHECK(i.negative_diagonal == 0);
    CHECK(i.missing_diagonal == 0);
}

TEST_CASE("the mass of a Wathen matrix is its densities'", "[papers]")
{
    // The entries of one element's matrix, of density 1, sum to the area in its units: 180 / 45.
    const csr_matrix<double> one = bench::wathen(1, 1, 3);
    const csr<double> v = one.view();
    double sum = 0, trace = 0;
    for (index_t i = 0; i < v.rows; ++i)
        for (index_t k = v.row_begin[i]; k < v.row_begin[i + 1]; ++k) {
            sum += v.value.get(k);
            if (v.column[k] == i) trace += v.value.get(k);
        }
    CHECK(v.rows == 8);
    CHECK(trace / sum == Approx(152.0 / 180.0));
}

TEST_CASE("random matrices have the share of entries in their names", "[papers]")
{
    bench::paper_set set;
    set.densities = set.quick = true;
    const auto all = bench::paper_matrices(set);
    const auto named = [&](const std::string& name) {
        return std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.name == name; });
    };
    CHECK(all.size() == 7);  // with Wathen's
    for (const double percent : {1.0, 5.0}) {
        const auto one = named("density 5000, " + std::to_string(int(percent)) + " %");
        REQUIRE(one != all.end());
        CHECK(one->build().nonzeros() == Approx(percent / 100 * 5000 * 5000).epsilon(0.03));
    }
}

TEST_CASE("the set has each file's matrix at its size and replicated", "[papers]")
{
    bench::paper_set set;
    set.entries = {0, 2'000'000};
    const auto all = bench::paper_matrices(set);
    REQUIRE(all.size() == 2);
    CHECK(all[0].kind == bench::own_size);
    CHECK(all[1].kind == bench::replicated_size);
    CHECK(all[1].note == "4 copies");
    CHECK(all[1].build().nonzeros() == 4 * 565761);
}

TEST_CASE("a file of records goes on where it was", "[papers]")
{
    const auto file = (std::filesystem::temp_directory_path() / "papers_test.json").string();
    std::filesystem::remove(file);
    {
        bench::record_file first(file, "crs", 1e9);
        first.add({{"name", "a"}, {"kind", "own size"}});
        first.add({{"name", "b"}, {"kind", "own size"}, {"failed", "no memory"}});
    }
    bench::record_file second(file, "crs", -1);
    CHECK(second.has("a", "own size"));
    CHECK_FALSE(second.has("a", "replicated"));
    CHECK_FALSE(second.has("b", "own size"));
    CHECK(second.time_is_over());
    second.add_disagreements(2);
    CHECK(bench::record_file(file, "crs", 1).disagreements() == 2);
    second.add({{"name", "b"}, {"kind", "own size"}});
    CHECK(second.size() == 2);
    CHECK_THROWS_AS(bench::record_file(file, "cg", 1e9), input_error);
    std::filesystem::remove(file);
}

TEST_CASE("residuals agree within a tenth, or where both are rounding errors", "[papers]")
{
    CHECK(bench::residuals_agree(1e-5, 1.09e-5));
    CHECK(bench::residuals_agree(1.09e-5, 1e-5));
    CHECK_FALSE(bench::residuals_agree(1e-5, 1.2e-5));
    CHECK_FALSE(bench::residuals_agree(1.2e-5, 1e-5));
    CHECK(bench::residuals_agree(1.6e-14, 8.3e-31));  // double and double-double, both solved
    CHECK(bench::residuals_agree(0, 1.0e-14));
    CHECK_FALSE(bench::residuals_agree(1e-14, 1e-11));  // one is solved, the other is not
    CHECK_FALSE(bench::residuals_agree(1e-11, 1e-14));
    CHECK_FALSE(bench::residuals_agree(std::nan(""), 1e-14));
    CHECK_FALSE(bench::residuals_agree(1e-5, std::nan("")));
}
