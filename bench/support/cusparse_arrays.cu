#include "cusparse_arrays.hpp"

#include "data.hpp"

#include "ddla/error.hpp"
#include "device/core/check.hpp"

#include <vector>

namespace bench {

using namespace ddla;
using device_backend::check;

namespace {

constexpr int warp = sliced_arrays::rows;
constexpr int threads = 8 * warp;

/// Blocks for a thread an element.
unsigned blocks(index_t elements)
{
    return static_cast<unsigned>((elements + threads - 1) / threads);
}

void finish(cudaStream_t stream)
{
    check(cudaGetLastError(), "launch");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

__device__ index_t this_thread()
{
    return static_cast<index_t>(blockIdx.x) * threads + threadIdx.x;
}

__global__ void narrow(const index_t* wide, std::int32_t* narrow, index_t n)
{
    const index_t i = this_thread();
    if (i < n) narrow[i] = static_cast<std::int32_t>(wide[i]);
}

/// Of rows beyond the last one, too: a warp looks at a slice.
__device__ int length_of_row(const csr<double>& a, index_t i)
{
    return i < a.rows ? static_cast<int>(a.row_length(i)) : 0;
}

__global__ void longest_rows(csr<double> a, std::int32_t* longest)
{
    const index_t i = this_thread();
    const int length = __reduce_max_sync(~0u, length_of_row(a, i));
    if (i < a.rows && i % warp == 0) longest[i / warp] = length;
}

__global__ void fill_slices(csr<double> a, const std::int32_t* begin, std::int32_t* column,
                            double* value)
{
    const index_t i = this_thread(), slice = i / warp;
    if (slice * warp >= a.rows) return;
    const int length = length_of_row(a, i), width = (begin[slice + 1] - begin[slice]) / warp;
    const index_t from = i < a.rows ? a.row_begin[i] : 0;
    for (int k = 0; k < width; ++k) {
        const index_t to = begin[slice] + static_cast<index_t>(k) * warp + i % warp;
        column[to] = k < length ? a.column[from + k] : -1;
        value[to] = k < length ? a.value.word(0)[from + k] : 0;
    }
}

std::vector<std::int32_t> widths_of_slices(const csr_matrix<double>& a, cudaStream_t stream)
{
    std::vector<std::int32_t> width(static_cast<std::size_t>((a.rows() + warp - 1) / warp));
    const buffer longest(width.size() * sizeof(std::int32_t), there);
    longest_rows<<<blocks(a.rows()), threads, 0, stream>>>(
        a.view(), static_cast<std::int32_t*>(longest.data()));
    finish(stream);
    copy_bytes(width.data(), host, longest.data(), there, longest.bytes());
    return width;
}

/// Offsets of the slices, and behind them the number of slots.
std::vector<std::int32_t> offsets_of_slices(const csr_matrix<double>& a, cudaStream_t stream)
{
    std::vector<std::int32_t> begin{0};
    index_t slots = 0;
    for (const std::int32_t width : widths_of_slices(a, stream)) {
        slots += static_cast<index_t>(width) * warp;
        begin.push_back(static_cast<std::int32_t>(slots));
    }
    const double padding = static_cast<double>(slots) / static_cast<double>(a.nonzeros());
    if (padding > sliced_arrays::most_padding || slots > INT32_MAX)
        throw resource_error("slices of 32 rows would have " + std::to_string(slots) +
                             " slots for " + std::to_string(a.nonzeros()) + " entries");
    return begin;
}

}  // namespace

buffer narrow_row_begin(const csr_matrix<double>& a, cudaStream_t stream)
{
    if (a.nonzeros() > INT32_MAX) throw input_error("the matrix has too many entries for 32 bits");
    const index_t n = a.rows() + 1;
    buffer narrowed(static_cast<std::size_t>(n) * sizeof(std::int32_t), there);
    narrow<<<blocks(n), threads, 0, stream>>>(a.view().row_begin.wide(),
                                              static_cast<std::int32_t*>(narrowed.data()), n);
    finish(stream);
    return narrowed;
}

sliced_arrays slices_of(const csr_matrix<double>& a, cudaStream_t stream)
{
    const std::vector<std::int32_t> begin = offsets_of_slices(a, stream);
    const auto slots = static_cast<std::size_t>(begin.back());
    sliced_arrays s{.begin = buffer(begin.size() * sizeof(std::int32_t), there),
                    .column = buffer(slots * sizeof(std::int32_t), there),
                    .value = buffer(slots * sizeof(double), there),
                    .slots = begin.back()};
    copy_bytes(s.begin.data(), there, begin.data(), host, s.begin.bytes());
    fill_slices<<<blocks(a.rows()), threads, 0, stream>>>(
        a.view(), static_cast<const std::int32_t*>(s.begin.data()),
        static_cast<std::int32_t*>(s.column.data()), static_cast<double*>(s.value.data()));
    finish(stream);
    return s;
}

}  // namespace bench
