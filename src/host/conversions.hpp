// What conversions need besides steps, on the host: see formats/conversion.hpp.
#pragma once

#include "formats/storage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ddla::host_backend {

class conversions {
public:
    template <class Memory>
    void exclusive_scan(index_t* x, index_t n, Memory&) const
    {
        std::exclusive_scan(x, x + n, x, index_t(0));
    }
    template <class Key, class Memory>
    const std::uint32_t* sort(const Key* key, std::uint32_t* value, index_t n, int, Memory&) const
    {
        // Values are the indices of their keys.
        std::stable_sort(value, value + n,
                         [=](std::uint32_t i, std::uint32_t j) { return key[i] < key[j]; });
        return value;
    }
    /// Sorted keys, and values with them; the values given are the indices of their keys.
    template <class Memory>
    std::pair<const std::uint32_t*, const std::uint32_t*>
    sort_pairs(const std::uint32_t* key, std::uint32_t* value, index_t n, int, Memory& memory) const
    {
        auto* const sorted = memory.template objects<std::uint32_t>(n);
        sort(key, value, n, 0, memory);
        std::transform(value, value + n, sorted, [=](std::uint32_t i) { return key[i]; });
        return {sorted, value};
    }
    template <class Memory>
    std::span<const std::uint64_t> sort_distinct(std::uint64_t* key, index_t n, int, Memory&) const
    {
        std::sort(key, key + n);
        return {key, std::unique(key, key + n)};
    }
    template <class V>
    static int longest_list()
    {
        return formats::longest_list;
    }
    static std::vector<std::uint64_t> distinct_values(vec<const double> x, int most)
    {
        if (x.size == 0) return {};
        std::unordered_set<std::uint64_t> all{std::bit_cast<std::uint64_t>(x.word(0)[0])};
        // The last value of each hash: most values need no look-up in the set.
        std::array<std::uint64_t, 1024> recent;
        recent.fill(*all.begin());
        for (index_t k = 0; k < x.size; ++k) {
            const auto bits = std::bit_cast<std::uint64_t>(x.word(0)[k]);
            std::uint64_t& known = recent[bits * 0x9e3779b97f4a7c15u >> 54];
            if (known == bits) continue;
            known = bits;
            all.insert(bits);
            if (all.size() > static_cast<std::size_t>(most)) return {};
        }
        return {all.begin(), all.end()};
    }
};

}  // namespace ddla::host_backend
