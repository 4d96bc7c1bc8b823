// What conversions need besides steps, on the host: see formats/conversion.hpp.
#pragma once

#include "formats/storage.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ddla::host_backend {

class conversions {
public:
    /// As std::stable_sort, by merges of sorted parts: a watched_scope can end it in between.
    template <class Item, class Before>
    static void watched_sort(Item* first, index_t n, const Before& before)
    {
        constexpr index_t at_once = index_t{1} << 15;
        for (index_t i = 0; i < n; i += at_once) {
            const index_t end = std::min(n, i + at_once);
            count_work(nanoseconds_of_sorting * (end - i));
            std::stable_sort(first + i, first + end, before);
        }
        if (n <= at_once) return;
        std::vector<Item> other(static_cast<std::size_t>(n));
        Item *from = first, *to = other.data();
        for (index_t length = at_once; length < n; length *= 2, std::swap(from, to))
            for (index_t i = 0; i < n; i += 2 * length)
                merge(from + i, from + std::min(n, i + length), from + std::min(n, i + 2 * length),
                      to + i, before);
        if (from != first) std::copy(from, from + n, first);
    }
    template <class Memory>
    void exclusive_scan(index_t* x, index_t n, Memory&) const
    {
        std::exclusive_scan(x, x + n, x, index_t(0));
    }
    template <class Key, class Memory>
    const std::uint32_t* sort(const Key* key, std::uint32_t* value, index_t n, int, Memory&) const
    {
        // Values are the indices of their keys.
        watched_sort(value, n, [=](std::uint32_t i, std::uint32_t j) { return key[i] < key[j]; });
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
        watched_sort(key, n, std::less<std::uint64_t>());
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
            if (k % values_at_once == 0) count_work(2 * values_at_once);
            const auto bits = std::bit_cast<std::uint64_t>(x.word(0)[k]);
            std::uint64_t& known = recent[bits * 0x9e3779b97f4a7c15u >> 54];
            if (known == bits) continue;
            known = bits;
            all.insert(bits);
            if (all.size() > static_cast<std::size_t>(most)) return {};
        }
        return {all.begin(), all.end()};
    }

private:
    /// About, of an item; a merge takes less: see count_work().
    static constexpr std::int64_t nanoseconds_of_sorting = 60, nanoseconds_of_merging = 10;
    static constexpr index_t values_at_once = index_t{1} << 17;

    /// Of two sorted parts, first ... middle and middle ... last.
    template <class Item, class Before>
    static void merge(const Item* first, const Item* middle, const Item* last, Item* to,
                      const Before& before)
    {
        constexpr index_t at_once = index_t{1} << 16;
        const Item *a = first, *b = middle;
        for (Item* const end = to + (last - first); to < end;) {
            Item* const stop = to + std::min<index_t>(at_once, end - to);
            count_work(nanoseconds_of_merging * (stop - to));
            // Equal ones of the first part come first.
            for (; to < stop; ++to)
                *to = b == last || (a < middle && !before(*b, *a)) ? *a++ : *b++;
        }
    }
};

}  // namespace ddla::host_backend
