// Entries distributed into buckets of consecutive rows, each small enough for a cache.
//
// Sorting all entries by row at once would miss the cache with every entry.  So each piece of the
// file is distributed while it is in the cache, and a bucket is sorted once all pieces are
// distributed.
#pragma once

#include "entries.hpp"
#include "files/raw_array.hpp"

#include <mutex>
#include <vector>

namespace ddla::text {

/// The memory that the entries stay in until they are sorted.
template <scalar V>
class entry_memory {
public:
    explicit entry_memory(std::size_t workers) : workers_(workers) {}

    /// Memory for `count` entries.  Each worker continues in its slab, so that only a new slab
    /// takes the lock.
    placed_entry<V>* take(int worker, index_t count);

private:
    struct position {
        placed_entry<V>* next = nullptr;
        index_t left = 0;
    };

    std::vector<position> workers_;
    std::mutex guard_;
    std::vector<raw_array<placed_entry<V>>> slabs_;
};

/// Bucket b holds rows b 2^shift … (b+1) 2^shift - 1.
template <scalar V>
class entry_buckets {
public:
    entry_buckets(const header& about, std::size_t pieces, std::size_t workers);

    /// Distributes a piece, with the mirror images that the symmetry of the file calls for.
    void add(int worker, std::size_t piece, std::span<const placed_entry<V>> entries);

    std::size_t buckets() const { return buckets_; }
    index_t first_row(std::size_t bucket) const
    {
        return std::min(rows_, static_cast<index_t>(bucket) << shift_);
    }
    index_t size(std::size_t bucket) const;

    /// Calls visit(entry) for each entry of a bucket, in the order of the file.
    template <class Visit>
    void for_each(std::size_t bucket, Visit visit) const
    {
        for (const dealt_piece& piece : pieces_) {
            if (piece.begin.empty()) continue;
            const placed_entry<V>* last = piece.entries + piece.begin[bucket + 1];
            for (auto* entry = piece.entries + piece.begin[bucket]; entry != last; ++entry)
                visit(*entry);
        }
    }

private:
    /// The entries of bucket b are begin[b] … begin[b+1] - 1; a piece has fewer than 2^32.
    struct dealt_piece {
        const placed_entry<V>* entries = nullptr;
        std::vector<std::uint32_t> begin;
    };

    index_t rows_;
    symmetry symmetry_;
    int shift_ = 0;
    std::size_t buckets_;
    std::vector<dealt_piece> pieces_;
    entry_memory<V> memory_;
};

}  // namespace ddla::text
