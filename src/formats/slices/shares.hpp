// How slices are distributed among the blocks and warps of a kernel.
#pragma once

#include "formats/storage.hpp"

namespace ddla::formats {

/// The slices of a block; each warp takes `each` of them.
struct block_of_slices {
    index_t first, end;
    int each;
};

/// All warps take the same number of slices; or 1, 2, 4, 8 slices as these get shorter, and the
/// block number determines which (the block markers of EVC-HYB: Guo, Gropp, Olson).
struct slice_distribution {
    index_t count;
    int each;                ///< at most most_each
    short_slices by_length;  ///< replaces `each` if set

    static constexpr int most_each = 8;

    DDLA_HD block_of_slices slices_of(index_t block, int warps) const
    {
        if (by_length.is_none()) return part(block, warps, 0, count, each);
        for (int k = 0;; ++k) {
            const index_t all = blocks_of_range(k, warps);
            if (block < all || k == ranges - 1)
                return part(block, warps, begin(k), begin(k + 1), 1 << k);
            block -= all;
        }
    }
    DDLA_HD index_t blocks(int warps) const
    {
        if (by_length.is_none()) return (count + warps * each - 1) / (warps * each);
        index_t all = 0;
        for (int k = 0; k < ranges; ++k) all += blocks_of_range(k, warps);
        return all;
    }

private:
    static constexpr int ranges = 4;

    static DDLA_HD block_of_slices part(index_t block, int warps, index_t begin, index_t end,
                                        int each)
    {
        return {begin + block * warps * each, end, each};
    }
    /// Where range k begins.
    DDLA_HD index_t begin(int k) const
    {
        if (k == 0) return 0;
        if (k == 1) return by_length.half;
        if (k == 2) return by_length.quarter;
        return k == 3 ? by_length.eighth : count;
    }
    DDLA_HD index_t blocks_of_range(int k, int warps) const
    {
        const index_t n = begin(k + 1) - begin(k), all = index_t(warps) << k;
        return (n + all - 1) / all;
    }
};

}  // namespace ddla::formats
