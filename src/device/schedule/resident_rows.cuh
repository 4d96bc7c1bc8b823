// Rows of A whose entries stay in registers from one product to the next.
//
// A thread keeps the values of its row and the places of their elements of x in shared memory: the
// block's own tile of x, and behind it the few elements that each thread fetches from other blocks.
#pragma once

#include "device/core/grid_exchange.cuh"
#include "device/products/rows.cuh"

namespace ddla::device_backend {

inline constexpr int most_resident = tuning::entries_of_resident_row;

/// The shared memory of a block for that.
template <class T>
struct gather_buffer {
    /// The block's tile, then the first element that each thread fetches, then the second, ...
    word x[words_of<T>][(1 + most_resident) * tile_size];
    column_t far[most_resident][tile_size];  ///< the columns that a thread fetches
};

/// Row first + threadIdx.x and its entries, if they are few.
template <class V>
struct resident_row {
    index_t begin = 0, length = 0;
    int far = 0;              ///< entries whose column is in another tile
    bool fills_warp = false;  ///< some row of the warp has as many entries as can be held
    int place[most_resident] = {};
    V value[most_resident];

    template <class T>
    __device__ __forceinline__ resident_row(const csr<V>& a, gather_buffer<T>& room)
    {
        const index_t first = blockIdx.x * index_t(tile_size), i = first + threadIdx.x;
        begin = load_constant(a.row_begin, i < a.rows ? i : a.rows);
        length = i < a.rows ? load_constant(a.row_begin, i + 1) - begin : 0;
#pragma unroll
        for (int r = 0; r < most_resident; ++r) {
            value[r] = V(0);
            if (r >= length || length > most_resident) continue;
            value[r] = load_constant(a.value, begin + r);
            const column_t j = __ldg(a.column + begin + r);
            const bool is_own = j >= first && j < first + tile_size;
            place[r] = static_cast<int>(is_own ? j - first : (1 + far) * tile_size + threadIdx.x);
            if (!is_own) room.far[far++][threadIdx.x] = j;
        }
        fills_warp = __any_sync(whole_warp, length == most_resident);
    }
};

/// Such rows times a vector that blocks publish; longer rows are read again in each product.
template <class Terms, class T, class V>
class resident_row_sums {
    using rows = row_sums<Terms, T, V, published_vector<T>>;

public:
    using value = typename Terms::value;
    using number = typename rows::number;

    __device__ resident_row_sums(const Terms& terms, const csr<V>& a, const resident_row<V>& mine,
                                 const published_vector<T>& x, gather_buffer<T>& room)
        : terms_(terms), longer_(terms, a, x), mine_(mine), x_(x), room_(room)
    {
    }

    /// Publishes element i of x, and stores the tile in shared memory.  All threads call this.
    __device__ __forceinline__ void publish(number i, const T& x_i)
    {
        x_.publish(i, x_i);
        put(threadIdx.x, x_i);
        __syncthreads();
    }

    /// As row_sums; i is the row of resident_row.
    template <class Fetch>
    __device__ __forceinline__ value operator()(number i, const Fetch& fetch) const
    {
        if (!__all_sync(whole_warp, mine_.length <= most_resident))
            return longer_.of_ranges({mine_.begin, mine_.length}, fetch,
                                     [](int) { return Terms::none(); });
        fetch_far(static_cast<column_t>(i));
        fetch();
        const auto term = [&](int r) { return terms_(get(mine_.place[r]), mine_.value[r]); };
        const auto exists = [&](int r) { return r < mine_.length; };
        value sum;
        if (mine_.fills_warp)
            sum = fold_all<most_resident, most_resident>(term, exists);
        else
            sum = fold_all<most_resident, most_resident>(
                [&](int r) { return r + 1 < most_resident ? term(r) : Terms::none(); },
                [&](int r) { return r + 1 < most_resident && exists(r); });
        return mine_.length == 0 ? Terms::none() : sum;
    }

private:
    __device__ __forceinline__ void put(int place, const T& x) const
    {
        by_words(x, [&](word part, int w) { return room_.x[w][place] = part; });
    }
    __device__ __forceinline__ T get(int place) const
    {
        return by_words(T(0), [&](word, int w) { return room_.x[w][place]; });
    }
    /// Some at a time: so many does a thread of a grid's rows need, and there are registers for.
    __device__ __forceinline__ void fetch_far(column_t own) const
    {
        constexpr int some = tuning::loads_of_resident_row;
#pragma unroll 1
        for (int first = 0; first < mine_.far; first += some) {
            column_t j[some];
            T x[some];
#pragma unroll
            for (int r = 0; r < some; ++r)
                j[r] = first + r < mine_.far ? room_.far[first + r][threadIdx.x] : own;
            x_.get_all(j, x);
#pragma unroll
            for (int r = 0; r < some; ++r)
                if (first + r < mine_.far) put((1 + first + r) * tile_size + threadIdx.x, x[r]);
        }
        __syncwarp();
    }

    Terms terms_;
    rows longer_;
    const resident_row<V>& mine_;
    published_vector<T> x_;
    gather_buffer<T>& room_;
};

}  // namespace ddla::device_backend
