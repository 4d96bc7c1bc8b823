// A sum in parts, as several ranks have them: one text for every backend.
#pragma once

#include "ddla/buffer.hpp"
#include "ddla/vector.hpp"
#include "steps/blas.hpp"

#include <algorithm>
#include <vector>

namespace test {

/// Of more than one level of the tree, at the edges of tiles and groups.
inline constexpr ddla::index_t lengths_of_split_sums[] = {0,   1,     255,   256,   257,
                                                          512, 65535, 65536, 65537, 300001};

template <class T>
struct dots_in_parts {
    T whole;      ///< in one call
    T in_halves;  ///< its sum, then its finish
    T of_ranks;   ///< tiles in several calls, all their sums, then the finish
};

/// x . y at the place of x and y.  Ranks begin at the tiles `first`, in ascending order from 0 on.
template <class T, class Backend>
dots_in_parts<T> dots(Backend& on, const ddla::vector<T>& x, const ddla::vector<T>& y,
                      const std::vector<ddla::index_t>& first)
{
    using sum = ddla::sums<T, 1>;
    const ddla::index_t n = x.size(), m = ddla::tiles(n);
    const ddla::buffer memory((static_cast<std::size_t>(m) + 1) * sizeof(sum), x.where());
    const ddla::buffer found(sizeof(dots_in_parts<T>), x.where());
    auto* const of_tile = static_cast<sum*>(memory.data());
    auto* const total = of_tile + m;
    auto* const to = static_cast<dots_in_parts<T>*>(found.data());
    const auto part = [](const ddla::vector<T>& v, ddla::index_t begin, ddla::index_t count) {
        return v.view().part(begin, count);
    };
    const auto dot = [&](T* result, ddla::index_t begin, ddla::index_t end) {
        return ddla::steps::dot<T>{
            {{}, result}, part(x, begin, end - begin), part(y, begin, end - begin)};
    };
    on.run(dot(&to->whole, 0, n), n);

    on.run_sum(dot(&to->in_halves, 0, n), n, total);
    on.finish(dot(&to->in_halves, 0, n), total);

    for (std::size_t r = 0; r < first.size(); ++r) {
        const ddla::index_t begin = std::min(first[r] * ddla::tile_size, n);
        const ddla::index_t end =
            r + 1 < first.size() ? std::min(first[r + 1] * ddla::tile_size, n) : n;
        on.run_tiles(dot(nullptr, begin, end), end - begin, of_tile + first[r]);
    }
    on.run_sum(ddla::steps::combine<sum>{{}, of_tile, nullptr}, m, total);
    on.finish(dot(&to->of_ranks, 0, n), total);
    return on.read(to);
}

}  // namespace test
