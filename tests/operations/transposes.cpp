// The transpose as a device makes it, by sorting, made on the host: one text for both.
#include "catch.hpp"
#include "support/as_on_device.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "formats/transpose.hpp"
#include "storage/transposed.hpp"

using ddla::csr_matrix;
using ddla::index_t;

namespace {

template <class V>
csr_matrix<V> by_sorting(const ddla::csr<V>& a)
{
    test::call_as_on_device call;
    return ddla::formats::transposed_by_sorting(call, ddla::host, a);
}

template <class V>
void check(const csr_matrix<V>& a)
{
    INFO(a.rows() << " x " << a.columns() << ", " << a.nonzeros() << " entries");
    const csr_matrix<V> sorted = by_sorting(a.view()), wanted = ddla::transposed(a.view());
    CHECK(test::same_bits(sorted, wanted));
    const auto s = sorted.view(), w = wanted.view();
    CHECK(s.longest_row == w.longest_row);
    CHECK(s.long_rows.tiles == w.long_rows.tiles);
}

}  // namespace

TEMPLATE_TEST_CASE("transposes by sorting", "[transposes]", double, ddla::dd_real)
{
    for (const auto& a : test::shapes<TestType>()) check(a);
    const auto none = [](index_t) { return index_t(0); };
    check(test::random_matrix<TestType>(0, 7, 1, none));
    check(test::random_matrix<TestType>(7, 0, 1, none));
    check(test::random_matrix<TestType>(3000, 5000, 3, [](index_t i) -> index_t {
        return i % 7 == 3 || i < 4 || i > 2990 ? 0 : i % 2;
    }));
    check(test::random_matrix<TestType>(3, 70000, 4,
                                        [](index_t i) -> index_t { return i == 1 ? 70000 : 0; }));
}

TEST_CASE("transposes of rows with offsets of 32 bits", "[transposes]")
{
    const auto a = test::random_matrix<double>(300, 200, 6, [](index_t i) { return i % 7; });
    ddla::csr<double> narrow = a.view();
    std::vector<std::int32_t> begin;
    for (index_t i = 0; i <= a.rows(); ++i) begin.push_back(std::int32_t(a.view().row_begin[i]));
    narrow.row_begin = begin.data();
    const auto t = by_sorting(narrow), wanted = ddla::transposed(a.view());
    const auto entries = std::size_t(a.nonzeros());
    CHECK(std::ranges::equal(std::span(t.view().column, entries),
                             std::span(wanted.view().column, entries)));
}

TEST_CASE("more entries than 32 bits number are refused", "[transposes]")
{
    ddla::csr<double> a;
    a.rows = a.columns = 1;
    a.value.size = index_t(1) << 32;
    CHECK_THROWS_AS(by_sorting(a), ddla::resource_error);
    CHECK_THROWS_WITH(by_sorting(a),
                      "transpose: 4294967296 entries at host are more than the 4294967295 that can "
                      "be sorted there: transpose the matrix at the host");
}
