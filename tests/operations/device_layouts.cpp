// What only a device stores, walked through on the host: rows of several lanes, long rows tile by
// tile.  The conversion is one text for both, so that its layouts can be checked without a GPU.
#include "support/everywhere.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/blas.hpp"
#include "formats/convert.hpp"
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
