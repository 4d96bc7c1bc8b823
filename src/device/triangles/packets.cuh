// What a warp does with a packet of rows, wherever its unknowns are.
#pragma once

#include "rows.cuh"

#include "steps/common_exponent.hpp"

namespace ddla::device_backend {

/// What one solve works with.
template <class T, class F>
struct triangle_solve {
    triangle_list<F> a;
    vec<const T> r;
    vec<T> z;
    const steps::largest_exponent* common;  ///< of r, scaled
    slot* slots;
};

template <class T, class F, class Unknowns>
class triangle_warp {
public:
    __device__ triangle_warp(const triangle_solve<T, F>& s, const Unknowns& x)
        : s_(s), x_(x), rows_(s.a, x_), lane_(threadIdx.x % warp_size),
          common_(s.a.scale_in ? s.common->or_zero() : 0)
    {
    }

    /// A lane's part of a packet: where the entries of its row are.
    struct row_of_lane {
        row_packet packet;
        index_t entry, length;
    };
    /// Loads, which take their time.
    __device__ __forceinline__ row_of_lane find(row_packet p) const
    {
        const index_t k = row(p);
        const index_t entry = __ldg(s_.a.row_begin + k);
        return {p, entry, exists(p) ? __ldg(s_.a.row_begin + k + 1) - entry : 0};
    }
    /// All threads of the warp call ready() before unknowns are used, and done() once those of the
    /// packet are there for others.
    template <class Ready, class Done>
    __device__ __forceinline__ void solve(const row_of_lane& of, const Ready& ready,
                                          const Done& done) const
    {
        const row_packet p = of.packet;
        const int lanes = p.lanes, lane = lane_ & (lanes - 1);
        const index_t k = row(p), entry = of.entry, length = of.length;
        const bool leads = exists(p) && lane == 0;
        index_t unknown = 0;
        W right(0);
        F pivot(1);
        typename Unknowns::early early;
        if (leads) {
            unknown = __ldg(s_.a.unknown + k);
            if (p.divides) pivot = load_constant(s_.a.pivot, k);
            if (unknown < s_.a.n)
                right = right_side(unknown);
            else
                x_.look_early(unknown - s_.a.n, early);
        }
        const auto unknowns_are_here = [&] {
            ready();
            if (leads && unknown >= s_.a.n) right = x_.await(unknown - s_.a.n, early);
            __syncwarp();  // else lanes may go on apart, as far as the next shuffle
        };
        // All lanes agree: a row that is longer than its lanes has all of them.
        const W sum = length > lanes ? rows_.long_sum(entry, length, unknowns_are_here)
                                     : rows_.short_sum(entry, static_cast<int>(length), lane, lanes,
                                                       unknowns_are_here);
        W x(0);
        if (leads) {
            const W rest = right - sum;
            x = p.divides ? rest / pivot : rest;
            x_.put(unknown, k, x);
        }
        done();
        if (!leads) return;
        x_.put_far(unknown, x);
        give(unknown, x);
    }

private:
    using W = steps::wider<T, F>;

    __device__ __forceinline__ bool exists(row_packet p) const { return lane_ / p.lanes < p.rows; }
    /// Of this lane; the first one where it has none.
    __device__ __forceinline__ index_t row(row_packet p) const
    {
        return p.first + (exists(p) ? lane_ / p.lanes : 0);
    }
    __device__ __forceinline__ W right_side(index_t unknown) const
    {
        const column_t i = __ldg(s_.a.in + unknown);
        const W value = steps::rounded<W>(s_.r.get(i));
        return s_.a.scale_in ? steps::scaled(value, __ldg(s_.a.scale_in + i) - common_) : value;
    }
    /// To z, if it is of the last triangle.
    __device__ __forceinline__ void give(index_t unknown, const W& x) const
    {
        const index_t last = unknown - (s_.a.unknowns - s_.a.n);
        if (last < 0) return;
        const column_t j = __ldg(s_.a.out + last);
        s_.z.set(j, steps::rounded<T>(s_.a.scale_out
                                          ? steps::scaled(x, __ldg(s_.a.scale_out + j) + common_)
                                          : x));
    }

    triangle_solve<T, F> s_;
    Unknowns x_;
    awaited_rows<W, F, Unknowns> rows_;
    int lane_;
    int common_;
};

__device__ __forceinline__ row_packet load_packet(const row_packet* from)
{
    row_packet p;
    const int4 bits = __ldg(reinterpret_cast<const int4*>(from));
    static_assert(sizeof p == sizeof bits);
    memcpy(&p, &bits, sizeof p);
    return p;
}

}  // namespace ddla::device_backend
