#include "buckets.hpp"

#include <algorithm>
#include <utility>

namespace ddla::text {
namespace {

constexpr index_t slab_entries = index_t{1} << 19;

/// Some 32768 entries a bucket, but not so many buckets that writing to them in turn is slow.
int shift_for(index_t rows, index_t entries)
{
    const index_t wanted = std::clamp<index_t>(entries / 32768, 1, 1024);
    int shift = 0;
    while ((rows - 1) >> shift >= wanted) ++shift;
    return shift;
}

/// Turns counts into offsets (an exclusive prefix sum); returns their total.
std::uint32_t count_to_places(std::vector<std::uint32_t>& begin)
{
    std::uint32_t place = 0;
    for (std::uint32_t& cell : begin) place += std::exchange(cell, place);
    return place;
}

}  // namespace

template <scalar V>
placed_entry<V>* entry_memory<V>::take(int worker, index_t count)
{
    position& here = workers_[static_cast<std::size_t>(worker)];
    if (here.left < count) {
        const index_t size = std::max(count, slab_entries);
        auto slab = make_raw_array<placed_entry<V>>(static_cast<std::size_t>(size));
        placed_entry<V>* const first = slab.get();
        {
            const std::lock_guard lock(guard_);
            slabs_.push_back(std::move(slab));
        }
        here = {first, size};  // once it is kept
    }
    here.left -= count;
    return std::exchange(here.next, here.next + count);
}

template <scalar V>
entry_buckets<V>::entry_buckets(const header& about, std::size_t pieces, std::size_t workers)
    : rows_(about.rows), symmetry_(about.symmetry), shift_(shift_for(about.rows, about.entries)),
      buckets_(rows_ == 0 ? 0 : static_cast<std::size_t>((rows_ - 1) >> shift_) + 1),
      pieces_(pieces), memory_(workers)
{
}

template <scalar V>
void entry_buckets<V>::add(int worker, std::size_t piece, std::span<const placed_entry<V>> entries)
{
    dealt_piece& dealt = pieces_[piece];
    const int shift = shift_;
    std::vector<std::uint32_t> next(buckets_ + 1);
    with_mirror_images<V>(entries, symmetry_,
                          [&](const placed_entry<V>& entry) { ++next[entry.row >> shift]; });
    const std::uint32_t count = count_to_places(next);
    dealt.begin = next;
    placed_entry<V>* to = memory_.take(worker, count);
    dealt.entries = to;
    with_mirror_images<V>(entries, symmetry_, [&](const placed_entry<V>& entry) {
        to[next[entry.row >> shift]++] = entry;
    });
}

template <scalar V>
index_t entry_buckets<V>::size(std::size_t bucket) const
{
    index_t size = 0;
    for (const dealt_piece& piece : pieces_)
        if (!piece.begin.empty()) size += piece.begin[bucket + 1] - piece.begin[bucket];
    return size;
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template class entry_memory<T>;                                                                \
    template class entry_buckets<T>;
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::text
