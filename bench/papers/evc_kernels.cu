#include "evc_kernels.hpp"

#include "support/data.hpp"

#include "device/core/check.hpp"

#include <algorithm>

namespace bench {

using namespace ddla;
using device_backend::check;

namespace {

__device__ double plus_product(double sum, double a, double x)
{
    return fma(a, x, sum);
}
__device__ dd_real plus_product(dd_real sum, double a, dd_real x)
{
    return sum + x * a;
}
__device__ double by_read_only_path(const vec<const double>& x, std::int32_t j)
{
    return __ldg(x.word(0) + j);
}
__device__ dd_real by_read_only_path(const vec<const dd_real>& x, std::int32_t j)
{
    return {__ldg(x.word(0) + j), __ldg(x.word(1) + j)};
}

/// An entry's part of its row: constants stand for what is not loaded.
template <evc_loads loads, class T>
__device__ T plus_entry(T sum, const evc_product<T>& p, const double* value,
                        const std::int32_t* column, std::int64_t k)
{
    constexpr bool with_x = loads != evc_loads::no_x && loads != evc_loads::neither;
    constexpr bool with_a = loads != evc_loads::no_a && loads != evc_loads::neither;
    double a = 1.5;
    T x = p.alpha;
    if constexpr (with_a) a = value[k];
    if constexpr (with_x && loads == evc_loads::x_without_read_only_path)
        x = p.x.get(column[k]);
    else if constexpr (with_x)
        x = by_read_only_path(p.x, column[k]);
    return plus_product(sum, a, x);
}

template <class T>
__device__ void finish_row(const evc_product<T>& p, int row, T sum)
{
    p.y.set(row, p.beta * p.y.get(row) + p.alpha * sum);
}

/// The range that this block serves, found by its threads at once.
__device__ int range_of(int ranges, const std::int32_t* block_of, int block)
{
    __shared__ int found;
    if (static_cast<int>(threadIdx.x) < ranges && block >= block_of[threadIdx.x] &&
        block < block_of[threadIdx.x + 1])
        found = static_cast<int>(threadIdx.x);
    __syncthreads();
    return found;
}

template <evc_loads loads, class T>
__device__ void ell_part(const evc_matrix::view& a, const evc_product<T>& p)
{
    const int block = static_cast<int>(blockIdx.x);
    const int part = range_of(a.ell_parts, a.ell_block, block);
    const int first = a.ell_row[part], rows = a.ell_row[part + 1] - first;
    const int step = evc_block * (a.ell_block[part + 1] - a.ell_block[part]);
    const int length = a.ell_length[part];
    const double* const value = a.value + a.ell_begin[part];
    const std::int32_t* const column = a.column + a.ell_begin[part];
    int row = evc_block * (block - a.ell_block[part]) + static_cast<int>(threadIdx.x);
    for (; row < rows; row += step) {
        T sum(0.0);
        for (int j = 0; j < length; ++j)
            sum =
                plus_entry<loads>(sum, p, value, column, static_cast<std::int64_t>(j) * rows + row);
        finish_row(p, first + row, sum);
    }
}

/// All threads of a block take the same number of turns, so that they can meet in each.
template <evc_loads loads, class T>
__device__ void compressed_part(const evc_matrix::view& a, const evc_product<T>& p)
{
    __shared__ T sums[evc_block];
    const int block = static_cast<int>(blockIdx.x) - a.ell_blocks;
    const int range = range_of(a.csr_ranges, a.csr_block, block), threads = 1 << range;
    const int end = a.csr_row[range + 1];
    const int lane = static_cast<int>(threadIdx.x) % threads;
    const int row =
        a.csr_row[range] +
        (evc_block * (block - a.csr_block[range]) + static_cast<int>(threadIdx.x)) / threads;
    T sum(0.0);
    if (row < end)
        for (std::int64_t k = a.csr_begin[row] + lane; k < a.csr_begin[row + 1]; k += threads)
            sum = plus_entry<loads>(sum, p, a.csr_value, a.csr_column, k);
    T* const mine = sums + threadIdx.x;
    *mine = sum;
    for (int i = threads / 2; i > 0; i /= 2) {
        __syncthreads();
        if (lane < i) *mine = *mine + mine[i];
    }
    if (row < end && lane == 0) finish_row(p, a.split + row, *mine);
}

template <evc_loads loads, class T>
__global__ void __launch_bounds__(evc_block) evc_kernel(evc_matrix::view a, evc_product<T> p)
{
    if (static_cast<int>(blockIdx.x) < a.ell_blocks)
        ell_part<loads>(a, p);
    else
        compressed_part<loads>(a, p);
}

template <class T>
__global__ void __launch_bounds__(evc_block)
    order_kernel(evc_matrix::view a, vec<const T> sorted, T beta, vec<T> y)
{
    const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * evc_block + threadIdx.x;
    if (k >= a.rows) return;
    const std::int32_t row = a.order[k];
    y.set(row, sorted.get(k) + beta * y.get(row));
}

template <evc_loads loads, class T>
void launch(const evc_matrix::view& a, const evc_product<T>& p, cudaStream_t stream)
{
    if (a.blocks == 0) return;
    evc_kernel<loads><<<static_cast<unsigned>(a.blocks), evc_block, 0, stream>>>(a, p);
    check(cudaGetLastError(), "launch");
}

}  // namespace

template <class E>
const E* evc_matrix::kept(const std::vector<E>& on_host)
{
    memory_.emplace_back(std::max<std::size_t>(1, on_host.size()) * sizeof(E), there);
    if (!on_host.empty())
        copy_bytes(memory_.back().data(), there, on_host.data(), host, on_host.size() * sizeof(E));
    return static_cast<const E*>(memory_.back().data());
}

evc_matrix::evc_matrix(const evc_layout& h)
{
    view_ = {.ell_parts = static_cast<int>(h.ell_length.size()),
             .csr_ranges = evc_ranges_of_csr,
             .ell_blocks = h.ell.block.back(),
             .blocks = h.ell.block.back() + h.csr.block.back(),
             .ell_row = kept(h.ell.row),
             .ell_block = kept(h.ell.block),
             .ell_length = kept(h.ell_length),
             .csr_row = kept(h.csr.row),
             .csr_block = kept(h.csr.block),
             .ell_begin = kept(h.ell_begin),
             .csr_begin = kept(h.csr_begin),
             .order = kept(h.order),
             .column = kept(h.column),
             .csr_column = nullptr,
             .value = kept(h.value),
             .csr_value = nullptr,
             .split = static_cast<int>(h.split),
             .rows = static_cast<int>(h.order.size())};
    view_.csr_column = view_.column + h.ell_slots;
    view_.csr_value = view_.value + h.ell_slots;
}

template <scalar T>
void multiply(const evc_matrix& a, evc_loads loads, const evc_product<T>& p, cudaStream_t stream)
{
    switch (loads) {
    case evc_loads::all:
        return launch<evc_loads::all>(a.at(), p, stream);
    case evc_loads::no_x:
        return launch<evc_loads::no_x>(a.at(), p, stream);
    case evc_loads::no_a:
        return launch<evc_loads::no_a>(a.at(), p, stream);
    case evc_loads::neither:
        return launch<evc_loads::neither>(a.at(), p, stream);
    case evc_loads::x_without_read_only_path:
        return launch<evc_loads::x_without_read_only_path>(a.at(), p, stream);
    }
}

template <scalar T>
void put_in_order(const evc_matrix& a, vec<const T> sorted, T beta, vec<T> y, cudaStream_t stream)
{
    if (a.at().rows == 0) return;
    const auto blocks = static_cast<unsigned>((a.at().rows + evc_block - 1) / evc_block);
    order_kernel<T><<<blocks, evc_block, 0, stream>>>(a.at(), sorted, beta, y);
    check(cudaGetLastError(), "launch");
}

template void multiply(const evc_matrix&, evc_loads, const evc_product<double>&, cudaStream_t);
template void multiply(const evc_matrix&, evc_loads, const evc_product<dd_real>&, cudaStream_t);
template void put_in_order(const evc_matrix&, vec<const double>, double, vec<double>, cudaStream_t);
template void put_in_order(const evc_matrix&, vec<const dd_real>, dd_real, vec<dd_real>,
                           cudaStream_t);

}  // namespace bench
