#include "hyb.hpp"

#include "support/data.hpp"

#include "device/core/check.hpp"

#include <algorithm>

namespace bench {

using namespace ddla;
using device_backend::check;

namespace {

constexpr int block = 256, warp = 32;
constexpr std::int64_t entries_of_warp = 8 * warp;
constexpr unsigned whole_warp = ~0u;

__global__ void __launch_bounds__(block)
    ell_kernel(hyb_matrix::view a, double alpha, const double* x, double beta, double* y)
{
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * block + threadIdx.x;
    if (row >= a.rows) return;
    double sum = 0;
    for (std::int64_t k = 0; k < a.width; ++k) {
        const std::int32_t column = a.column[k * a.rows + row];
        if (column >= 0) sum = fma(a.value[k * a.rows + row], __ldg(x + column), sum);
    }
    y[row] = alpha * sum + beta * y[row];
}

/// A warp sums the entries of a row that are next to each other, and adds the sums where the
/// segments end.  Entries beyond the last one have no row.
__global__ void __launch_bounds__(block)
    list_kernel(hyb_matrix::view a, double alpha, const double* x, double* y)
{
    const int lane = static_cast<int>(threadIdx.x) % warp;
    const std::int64_t number =
        (static_cast<std::int64_t>(blockIdx.x) * block + threadIdx.x) / warp;
    const std::int64_t end = min((number + 1) * entries_of_warp, a.entries);
    for (std::int64_t first = number * entries_of_warp; first < end; first += warp) {
        const std::int64_t k = first + lane;
        const std::int32_t row = k < end ? a.list_row[k] : -1;
        double sum = k < end ? a.list_value[k] * __ldg(x + a.list_column[k]) : 0;
        for (int step = 1; step < warp; step *= 2) {
            const double before = __shfl_up_sync(whole_warp, sum, step);
            const std::int32_t of = __shfl_up_sync(whole_warp, row, step);
            if (lane >= step && of == row) sum += before;
        }
        const std::int32_t next = __shfl_down_sync(whole_warp, row, 1);
        if (row >= 0 && (lane == warp - 1 || next != row)) atomicAdd(y + row, alpha * sum);
    }
}

}  // namespace

template <class E>
const E* hyb_matrix::kept(const std::vector<E>& on_host)
{
    memory_.emplace_back(std::max<std::size_t>(1, on_host.size()) * sizeof(E), there);
    if (!on_host.empty())
        copy_bytes(memory_.back().data(), there, on_host.data(), host, on_host.size() * sizeof(E));
    return static_cast<const E*>(memory_.back().data());
}

hyb_matrix::hyb_matrix(const hyb_layout& h)
{
    view_ = {.rows = h.rows,
             .width = h.width,
             .entries = static_cast<std::int64_t>(h.list_row.size()),
             .column = kept(h.column),
             .list_row = kept(h.list_row),
             .list_column = kept(h.list_column),
             .value = kept(h.value),
             .list_value = kept(h.list_value)};
}

void hyb_matrix::multiply(double alpha, const double* x, double beta, double* y,
                          cudaStream_t stream) const
{
    const auto blocks_for = [](std::int64_t threads) {
        return static_cast<unsigned>((threads + block - 1) / block);
    };
    if (view_.rows == 0) return;
    ell_kernel<<<blocks_for(view_.rows), block, 0, stream>>>(view_, alpha, x, beta, y);
    if (view_.entries > 0) {
        const std::int64_t warps = (view_.entries + entries_of_warp - 1) / entries_of_warp;
        list_kernel<<<blocks_for(warps * warp), block, 0, stream>>>(view_, alpha, x, y);
    }
    check(cudaGetLastError(), "launch");
}

}  // namespace bench
