#include "rank_tiles.cuh"

#include "steps/common_exponent.hpp"
#include "steps/step.hpp"

namespace ddla::device_backend {
namespace {

/// A warp adds a part of a group.
template <class Part>
__device__ void fold_group(const nodes_of_level<Part>& of, index_t number,
                           const node_lists<Part>& next)
{
    const index_t groups = tiles(of.kept), list = number / (groups * of.parts);
    if (list >= of.count) return;
    const index_t in_list = number % (groups * of.parts), group = in_list / of.parts;
    const int part = static_cast<int>(in_list % of.parts), lane = threadIdx.x % warp_size;
    const Part* const first =
        of.from + list * of.stride + (of.before + group * tile_size + lane) * of.parts + part;
    const Part sum = fold_tile<Part>(terms_in(of.kept, group), [&](int r) {
        return load_from_others(first + r * warp_size * of.parts);
    });
    if (lane == 0) next.to[list * next.stride + in_list] = sum;
}

/// A thread copies a part of a node that travels.
template <class Part>
__device__ void copy_part(const nodes_of_level<Part>& of, index_t i, const node_lists<Part>& out)
{
    const index_t before = of.before * of.parts, each = before + of.behind * of.parts;
    const index_t list = i / each, k = i % each;
    if (list >= of.count) return;
    const index_t from = k < before ? k : k + of.kept * of.parts;
    out.to[list * out.stride + k] = load_from_others(of.from + list * of.stride + from);
}

/// The first blocks fold, the others copy.
template <class Part>
__global__ void __launch_bounds__(block_size)
    leave_nodes(const nodes_of_level<Part> of, unsigned folding, const node_lists<Part> out,
                const node_lists<Part> next)
{
    const index_t block = block_after_wait();
    if (block < folding)
        fold_group(of, block * warps_per_block + threadIdx.x / warp_size, next);
    else
        copy_part(of, (block - folding) * block_size + threadIdx.x, out);
}

unsigned blocks_for(index_t all, int each)
{
    return all == 0 ? 0 : launcher::blocks(all, each);
}

}  // namespace

template <class Part>
void leave_level(launcher& to, const nodes_of_level<Part>& level, const node_lists<Part>& out,
                 const node_lists<Part>& next)
{
    const index_t lists = level.count * level.parts;
    const unsigned folding = blocks_for(tiles(level.kept) * lists, warps_per_block);
    const unsigned copying = blocks_for((level.before + level.behind) * lists, block_size);
    to.start(leave_nodes<Part>, folding + copying, level, folding, out, next);
}
#define DDLA_INSTANTIATE(Part)                                                                     \
    template void leave_level(launcher&, const nodes_of_level<Part>&, const node_lists<Part>&,     \
                              const node_lists<Part>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
DDLA_INSTANTIATE(steps::largest)
DDLA_INSTANTIATE(steps::first_index)
DDLA_INSTANTIATE(steps::largest_exponent)
#undef DDLA_INSTANTIATE

}  // namespace ddla::device_backend
