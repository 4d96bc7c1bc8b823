#include "rank_tiles.cuh"

#include "steps/common_exponent.hpp"
#include "steps/step.hpp"

namespace ddla::device_backend {
namespace {

/// A warp adds a part of a group.
template <class Part>
__global__ void __launch_bounds__(block_size)
    fold_groups(const Part* from, index_t stride, index_t m, index_t count, int parts, Part* to)
{
    const index_t number = block_after_wait() * warps_per_block + threadIdx.x / warp_size;
    const index_t groups = tiles(m), list = number / (groups * parts);
    if (list >= count) return;
    const int part = static_cast<int>(number % parts), lane = threadIdx.x % warp_size;
    const index_t group = number / parts % groups;
    const Part* const first = from + list * stride + (group * tile_size + lane) * parts + part;
    const Part sum = fold_tile<Part>(
        terms_in(m, group), [&](int r) { return load_from_others(first + r * warp_size * parts); });
    if (lane == 0) to[number] = sum;
}

__global__ void __launch_bounds__(block_size)
    copy_words(const word* from, index_t stride, index_t n, index_t count, word* to,
               index_t to_stride)
{
    const index_t all = n * count;
    for (index_t i = block_after_wait() * block_size + threadIdx.x; i < all;
         i += static_cast<index_t>(gridDim.x) * block_size)
        to[i / n * to_stride + i % n] = load_from_others(from + i / n * stride + i % n);
}

}  // namespace

template <class Part>
void fold_nodes(launcher& to, const Part* from, index_t stride, index_t m, index_t count, int parts,
                Part* target)
{
    to.start(fold_groups<Part>, launcher::blocks(count * tiles(m) * parts, warps_per_block), from,
             stride, m, count, parts, target);
}
#define DDLA_INSTANTIATE(Part)                                                                     \
    template void fold_nodes(launcher&, const Part*, index_t, index_t, index_t, int, Part*);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
DDLA_INSTANTIATE(steps::largest)
DDLA_INSTANTIATE(steps::first_index)
DDLA_INSTANTIATE(steps::largest_exponent)
#undef DDLA_INSTANTIATE

void copy_nodes(launcher& to, const word* from, index_t stride, index_t n, index_t count,
                word* target, index_t target_stride)
{
    to.start(copy_words, launcher::blocks(n * count, block_size), from, stride, n, count, target,
             target_stride);
}

}  // namespace ddla::device_backend
