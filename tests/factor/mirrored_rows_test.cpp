// Symmetric matrices as factorisations take them, on threads: what one thread finds.
#include "catch.hpp"
#include "engine/host_loops.hpp"
#include "factor/supernodal/definite.hpp"
#include "factor/symmetric/lower_triangle.hpp"

#include <limits>
#include <numeric>

using namespace ddla;
using factor::as_size;

namespace {

/// Rows that may be of any kind.
struct raw_rows {
    std::vector<index_t> begin = {0};
    std::vector<column_t> column;
    std::vector<double> value;

    csr<double> view() const
    {
        csr<double> a;
        a.rows = a.columns = static_cast<index_t>(begin.size()) - 1;
        a.row_begin = begin.data();
        a.column = column.data();
        a.value = vec<const double>(value.data(), static_cast<index_t>(value.size()));
        return a;
    }
    index_t place_of(index_t i, column_t j) const
    {
        const auto first = column.begin() + begin[as_size(i)],
                   last = column.begin() + begin[as_size(i) + 1], found = std::find(first, last, j);
        return found == last ? -1 : found - column.begin();
    }
};

/// Symmetric, about half full, with a positive diagonal.
raw_rows half_full(column_t n)
{
    raw_rows a;
    for (column_t i = 0; i < n; ++i) {
        for (column_t j = 0; j < n; ++j) {
            if (i != j && (i * j + i + j) % 5 >= 2) continue;
            a.column.push_back(j);
            a.value.push_back(i == j ? n + i : -1.0 / (1 + i + j));
        }
        a.begin.push_back(static_cast<index_t>(a.column.size()));
    }
    return a;
}

const factor::chunk_runner on_threads(4, run_on_host, 1);

/// Threads and one thread agree; and on this, if columns ascend.
void check_ends(const raw_rows& a, bool is_mirrored)
{
    CHECK(factor::is_mirrored(a.view(), on_threads) == is_mirrored);
    CHECK(factor::definite_end(a.view(), on_threads) == factor::definite_end(a.view()));
    CHECK(factor::is_symmetric(a.view(), on_threads) == factor::is_symmetric(a.view()));
}

}  // namespace

TEST_CASE("threads see all that keeps a matrix from being symmetric", "[factor]")
{
    const raw_rows whole = half_full(41);
    check_ends(whole, true);
    CHECK(factor::definite_end(whole.view(), on_threads) == factor::factor_end::complete);
    CHECK_FALSE(factor::is_mirrored(whole.view(), {}));  // nobody has looked
    for (const double wrong : {7.0, 0.0, -0.0, HUGE_VAL, std::numeric_limits<double>::quiet_NaN()})
        for (std::size_t k = 0; k < whole.value.size(); ++k) {
            raw_rows a = whole;
            a.value[k] = wrong;
            const index_t i =
                std::upper_bound(a.begin.begin(), a.begin.end(), static_cast<index_t>(k)) -
                a.begin.begin() - 1;
            const bool is_diagonal = a.column[k] == i;
            check_ends(a, is_diagonal && std::isfinite(wrong));
        }
}

TEST_CASE("threads see missing entries and columns that do not ascend", "[factor]")
{
    const raw_rows whole = half_full(41);
    for (std::size_t i = 0; i + 1 < whole.begin.size(); ++i)
        for (index_t k = whole.begin[i]; k < whole.begin[i + 1]; ++k) {
            raw_rows a = whole;
            a.column.erase(a.column.begin() + k);
            a.value.erase(a.value.begin() + k);
            for (std::size_t later = i + 1; later < a.begin.size(); ++later) --a.begin[later];
            check_ends(a, whole.column[as_size(k)] == static_cast<column_t>(i));
            if (k == whole.begin[i]) continue;
            raw_rows b = whole;
            std::swap(b.column[as_size(k)], b.column[as_size(k) - 1]);
            std::swap(b.value[as_size(k)], b.value[as_size(k) - 1]);
            check_ends(b, false);
        }
}

TEST_CASE("columns of a symmetric matrix on threads are those of any", "[factor]")
{
    raw_rows a = half_full(61);
    for (const bool has_zeros : {false, true}) {
        if (has_zeros) {
            a.value[as_size(a.place_of(50, 1))] = 0;
            a.value[as_size(a.place_of(1, 50))] = 0;
        }
        const auto mine = factor::columns_of_symmetric(a.view(), on_threads);
        const auto wanted = factor::columns_of(a.view());
        CHECK(mine.begin == wanted.begin);
        CHECK(mine.row == wanted.row);
        REQUIRE(mine.entries() == wanted.entries());
        for (index_t k = 0; k < mine.entries(); ++k)
            CHECK(mine.value.get(k) == wanted.value.get(k));
    }
}

TEST_CASE("the lower triangle in an order has the entries of A", "[factor]")
{
    const raw_rows a = half_full(61);
    const index_t n = a.view().rows;
    std::vector<column_t> order(as_size(n));
    std::vector<int> exponent(as_size(n));
    for (index_t k = 0; k < n; ++k) {
        order[as_size(k)] = static_cast<column_t>(23 * k % n);
        exponent[as_size(k)] = static_cast<int>(k % 7) - 3;
    }
    const auto columns = factor::columns_of(a.view());
    for (const auto& run : {factor::chunk_runner(), on_threads}) {
        const auto lower = factor::lower_triangle<double>(columns, order, exponent, run);
        index_t at = 0;
        for (index_t k = 0; k < n; ++k) {
            CHECK(lower.begin[as_size(k)] == at);
            for (index_t i = k; i < n; ++i) {
                const column_t row = order[as_size(i)], column = order[as_size(k)];
                const index_t place = a.place_of(row, column);
                if (place < 0) continue;
                CHECK(lower.row[as_size(at)] == i);
                CHECK(lower.value.get(at++) ==
                      std::ldexp(a.value[as_size(place)],
                                 exponent[as_size(row)] + exponent[as_size(column)]));
            }
        }
        CHECK(lower.entries() == at);
    }
}
