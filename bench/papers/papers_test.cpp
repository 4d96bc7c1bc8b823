// What the papers' measurements rest on and a host can check.
#include "catch.hpp"

#include "papers/host_product.hpp"
#include "papers/paper_matrices.hpp"
#include "papers/record_file.hpp"

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
