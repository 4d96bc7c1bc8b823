// Rows of few entries, each summed by one thread.
#pragma once

#include "device/core/fold.cuh"

namespace ddla::device_backend {

/// The sum of a row of n <= Most entries by one thread.  x is loaded for half of them at a time,
/// which halves the registers for it.  `fetch` loads what else the caller needs.  The whole warp
/// calls this.  The two halves are a loop or, for entries in registers, unrolled (`Unrolled = 2`).
template <int Most, int Unrolled, class Terms, class X, class Column, class Value, class Fetch>
__device__ __forceinline__ auto sum_short_row(const Terms& terms, const X& x, int n,
                                              const Column& column, const Value& a,
                                              const Fetch& fetch)
{
    using T = decltype(x.get(0));
    typename Terms::value sum = Terms::none();
#pragma unroll Unrolled
    for (int h = 0; h < 2; ++h) {
        T x_of[Most / 2];
#pragma unroll
        for (int r = 0; r < Most / 2; ++r) {
            x_of[r] = T(0);
            if (2 * r + h < n) x_of[r] = x.get(column(2 * r + h));
        }
        if (h == 1) fetch();
        if (h < n) {
            const auto half =
                fold_in_thread<Most / 2>([&](int r) { return terms(x_of[r], a(2 * r + h)); },
                                         [=](int r) { return 2 * r + h < n; });
            sum = h == 0 ? half : sum + half;
        }
        __syncwarp();
    }
    return sum;
}

inline constexpr index_t longest_short_row = 7;

/// Row sums of A x where no row has more than seven entries and values are doubles.  A warp loads
/// the entries of its 32 rows into shared memory, coalesced; then each thread sums its own row.
template <class Terms, class X>
class short_row_sums {
public:
    using value = typename Terms::value;
    using number = std::uint32_t;  ///< of a row; may be beyond the last row
    static constexpr int entries = longest_short_row * warp_size;
    static constexpr int blocks = tuning::blocks_of_short_rows;

    short_row_sums(const Terms& terms, const csr<double>& a, const X& x)
        : terms_(terms), a_(a), x_(x)
    {
    }

    /// For several products: see sums_for().
    __device__ __forceinline__ const X& x() const { return x_; }
    __device__ __forceinline__ void take(const X& x, int) { x_ = x; }

    /// As row_sums.
    template <class Fetch>
    __device__ __forceinline__ value operator()(number i, const Fetch& fetch) const
    {
        const auto rows = static_cast<number>(a_.rows);
        const index_t begin = load_constant(a_.row_begin, i < rows ? i : rows);
        const index_t end = load_constant(a_.row_begin, i < rows ? i + 1 : rows);
        const index_t from = from_lane(begin, 0);
        load(from, static_cast<int>(from_lane(end, warp_size - 1) - from));
        const int first = static_cast<int>(begin - from);
        return sum_short_row<8, 1>(
            terms_, x_, static_cast<int>(end - begin), [=](int r) { return columns()[first + r]; },
            [=](int r) { return values()[first + r]; }, fetch);
    }

private:
    __device__ static __forceinline__ double* values()
    {
        __shared__ double memory[warps_per_block][entries];
        return memory[threadIdx.x / warp_size];
    }
    __device__ static __forceinline__ column_t* columns()
    {
        __shared__ column_t memory[warps_per_block][entries];
        return memory[threadIdx.x / warp_size];
    }

    /// Loads entries from, ..., from + count - 1, by the warp.
    __device__ __forceinline__ void load(index_t from, int count) const
    {
        constexpr int each = entries / warp_size;
        const int lane = threadIdx.x % warp_size;
        column_t column[each];
        double a[each];
#pragma unroll
        for (int r = 0; r < each; ++r) {
            const int e = lane + r * warp_size;
            column[r] = 0;
            a[r] = 0;
            if (e < count) {
                column[r] = load_once(a_.column + from + e);
                a[r] = load_once(a_.value.word(0) + from + e);
            }
        }
        __syncwarp();  // the previous entries have been read
#pragma unroll
        for (int r = 0; r < each; ++r) {
            columns()[lane + r * warp_size] = column[r];
            values()[lane + r * warp_size] = a[r];
        }
        __syncwarp();
    }

    Terms terms_;
    csr<double> a_;
    X x_;
};

template <class Terms, class V>
inline constexpr bool has_short_row_sums = sizeof(typename Terms::value) <= sizeof(dd_real) &&
                                           sizeof(V) == sizeof(double);

}  // namespace ddla::device_backend
