// Residuals of 265 bits, and of 159, against their rule: one row after the other.
#include "catch.hpp"
#include "refine/host_system.hpp"
#include "steps/true_residual.hpp"
#include "support/everywhere.hpp"

#include "ddla/ddla.hpp"

#include <cstring>
#include <random>

using namespace ddla;

namespace {

template <scalar T>
T drawn(std::mt19937_64& draw)
{
    std::uniform_real_distribution<double> size(-1, 1);
    T x(std::ldexp(size(draw), static_cast<int>(draw() % 40)));
    if constexpr (words_of<T> == 2) x = x + T(std::ldexp(size(draw), -60));
    return x;
}

/// Rows of 0 to 300 entries, alike and unlike their neighbours.
template <scalar V>
csr_matrix<V> some_rows(index_t rows, std::mt19937_64& draw)
{
    constexpr index_t columns = 700;
    coordinates<V> all{.rows = rows, .columns = columns};
    for (index_t i = 0; i < rows; ++i) {
        const auto other = static_cast<index_t>(draw() % (draw() % 20 == 0 ? 300 : 20));
        const index_t entries = i < rows / 2 ? 5 : other;
        for (index_t k = 0; k < entries; ++k) all.add(i, (i + k * 3) % columns, drawn<V>(draw));
    }
    return csr_matrix<V>(all);
}

/// The rule, term by term, with all additions of each product.
template <int K, scalar T, scalar V>
dd_real residual_of(const csr<V>& a, vec<const T> x, vec<const T> b, double scale, index_t i)
{
    using sum = steps::cascade<K>;
    running_sum<sum> row;
    for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
        sum term = sum::zero();
        for (int j = words_of<T> - 1; j >= 0; --j)
            for (int k = words_of<V> - 1; k >= 0; --k)
                term.add_product(x.word(j)[a.column[e]] * scale, a.value.word(k)[e]);
        row.add(term);
    }
    sum rest = row.sum(sum::zero());
    for (double& w : rest.word) w = -w;
    for (int j = words_of<T> - 1; j >= 0; --j) rest.add(b.word(j)[i] * scale);
    return rest.rounded();
}

template <scalar T, scalar V>
void check()
{
    std::mt19937_64 draw(11);
    const csr_matrix<V> a = some_rows<V>(1100, draw);
    vector<T> x(a.columns()), b(a.rows());
    for (index_t i = 0; i < x.size(); ++i) x.set(i, drawn<T>(draw));
    spmv(T(1), a, x, T(0), b);
    const vec<const T> x_view = std::as_const(x).view(), b_view = std::as_const(b).view();
    vector<dd_real> r(a.rows());
    for (const double scale : {1.0, 0x1p-60}) {
        host_engine().matrices<T, V>().scaled_residual(a.view(), x_view, b_view, scale, r.view());
        index_t wrong = 0;
        for (index_t i = 0; i < a.rows(); ++i) {
            const dd_real rule =
                residual_of<2 * words_of<T> + 1>(a.view(), x_view, b_view, scale, i);
            const dd_real found = r[i];
            wrong += std::memcmp(&rule, &found, sizeof rule) != 0;
        }
        CHECK(wrong == 0);
    }
}

}  // namespace

TEST_CASE("residuals of several rows at once have the bits of one row after the other")
{
    test::everywhere([] {
        check<dd_real, double>();
        check<dd_real, dd_real>();
        check<double, double>();
    });
}

TEST_CASE("a matrix that is its own transpose is not stored twice")
{
    const auto needs = [](const csr_matrix<double>& a) {
        const vector<dd_real> b(a.rows());
        const refine::host_system<double> system(a.view(), b.view());
        const csr<double> t = system.transposed();
        for (index_t i = 0; i < a.rows(); ++i)
            for (index_t e = t.row_begin[i]; e < t.row_begin[i + 1]; ++e)
                CHECK(t.value.get(e) == (i == 0 || t.column[e] == 0 ? 3 : 5));
        return system.transposed_bytes() > 0;
    };
    const auto matrix = [](std::vector<index_t> begin, std::vector<column_t> column,
                           std::vector<double> value) {
        const auto n = static_cast<index_t>(begin.size()) - 1;
        return csr_matrix<double>(n, n, std::move(begin), std::move(column), vector<double>(value));
    };
    CHECK_FALSE(needs(matrix({0, 2, 4}, {0, 1, 0, 1}, {3, 3, 3, 5})));
    CHECK(needs(matrix({0, 2, 4}, {1, 0, 0, 1}, {3, 3, 3, 5})));  // in another order
    CHECK(needs(matrix({0, 2, 3}, {0, 1, 1}, {3, 3, 5})));
    CHECK_FALSE(needs(matrix({0, 0, 1}, {1}, {5})));
}
