// What only a device stores, walked through on the host: rows of several lanes, long rows tile by
// tile.  The conversion is one text for both, so that its layouts can be checked without a GPU.
#include "support/everywhere.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/blas.hpp"
#include "formats/convert.hpp"
#include "formats/slice_shares.hpp"
#include "host/context.hpp"
#include "steps/blas.hpp"

using ddla::csr;
using ddla::csr_matrix;
using ddla::formats::slice_plan;
using test::same_bits;

namespace {

/// What formats::maker makes of `slices` on a device, for few rows and for many.
const slice_plan device_plans[] = {
    {.window = ddla::tile_size,
     .spread_from = 8,
     .spread_to = 8,
     .adapt = true,
     .compress = true,
     .long_rows = true},
    {.window = ddla::tile_size, .adapt = true, .compress = true, .long_rows = true}};

ddla::vector<double> product_in(const slice_plan& plan, const csr_matrix<double>& matrix,
                                const ddla::vector<double>& x)
{
    ddla::host_backend::call call;
    csr<double> a = matrix.view();
    ddla::row_storage<double> storage;
    ddla::formats::converter(call, ddla::host, a, 0).make_slices(plan, storage);
    a.storage = &storage;
    ddla::vector<double> y(a.rows, std::nan(""));
    call.on.run(ddla::steps::spmv<double>{{}, x.view(), y.view(), 1.0, 0.0, true}, a);
    return y;
}

}  // namespace

TEST_CASE("what a device stores in slices has the bits of compressed rows", "[formats]")
{
    auto all = test::shapes<double>();
    all.push_back(test::random_matrix<double>(
        2000, 66000, 22, [](ddla::index_t i) { return i % 600 == 77 ? 1000 + i : i % 280; }));
    for (const auto& a : all) {
        const auto x = test::random_vector<double>(a.columns(), 41);
        ddla::vector<double> wanted(a.rows());
        ddla::spmv(1.0, a, x, 0.0, wanted);
        for (const slice_plan& plan : device_plans) {
            INFO(a.rows() << " x " << a.columns() << ", " << a.nonzeros() << " entries");
            CHECK(same_bits(product_in(plan, a, x), wanted));
        }
    }
}

TEST_CASE("blocks share all slices, each of them once", "[formats]")
{
    using ddla::index_t;
    using ddla::formats::short_slices, ddla::formats::slice_shares;
    const short_slices none;
    for (const slice_shares& shares :
         {slice_shares{0, 1, none}, slice_shares{1, 1, none}, slice_shares{1000, 4, none},
          slice_shares{1001, 3, none}, slice_shares{1000, 1, {1000, 1000, 1000}},
          slice_shares{1000, 1, {1, 1, 1}}, slice_shares{1000, 1, {17, 17, 500}},
          slice_shares{1000, 1, {3, 700, 999}}}) {
        constexpr int warps = 4;
        std::vector<int> taken(static_cast<std::size_t>(shares.count));
        for (index_t block = 0; block < shares.blocks(warps); ++block) {
            const auto part = shares.of(block, warps);
            CHECK(part.each <= slice_shares::most_each);
            if (const short_slices& from = shares.by_length; !from.is_none()) {
                CHECK((part.each >= 2) == (part.first >= from.half));
                CHECK((part.each >= 4) == (part.first >= from.quarter));
                CHECK((part.each >= 8) == (part.first >= from.eighth));
            }
            for (index_t s = part.first; s < part.end && s < part.first + warps * part.each; ++s)
                ++taken[static_cast<std::size_t>(s)];
        }
        CHECK(std::count(taken.begin(), taken.end(), 1) == shares.count);
    }
}

TEST_CASE("where sorted slices are half as wide", "[formats]")
{
    // Three rows of 200 entries, which have several lanes, 64 rows each of 100, 50, 25, 13, 12, 0.
    const auto matrix = test::random_matrix<double>(387, 900, 42, [](ddla::index_t i) {
        constexpr int lengths[] = {100, 50, 25, 13, 12, 0};
        return i < 3 ? 200 : lengths[i % 6];
    });
    ddla::host_backend::call call;
    const csr<double> a = matrix.view();
    ddla::row_storage<double> storage;
    ddla::formats::converter(call, ddla::host, a, 0)
        .make_slices({.window = a.rows, .spread_from = 128, .spread_to = 8, .by_column = true},
                     storage);
    const auto& slices = storage.slices;
    const ddla::index_t begin[] = {slices.shorter.half, slices.shorter.quarter,
                                   slices.shorter.eighth};
    for (int k = 1; k < 4; ++k) {
        INFO("from " << k);
        const ddla::index_t from = begin[k - 1];
        REQUIRE(from > 0);
        REQUIRE(from < slices.count);
        for (ddla::index_t s = 0; s < slices.count; ++s) {
            const bool narrow = slices.of[s].log2_lanes == 0 && slices.of[s].width <= 100 >> k;
            CHECK(narrow == (s >= from));
        }
    }
}
