// How slices are encoded and filled: steps over slices, and over their lanes.
#pragma once

#include "steps.hpp"

#include <cstring>

namespace ddla::formats {

/// Chooses the encoding of slice k; the sizes of its parts.
template <scalar V>
struct choose_encoding : conversion_step {
    ordered_rows<V> rows;
    slice* slices;
    int value_bytes;
    index_t* slots;
    index_t* bytes;
    index_t* far;  ///< slots whose column is far from the previous lane's

    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        slice s = slices[k];
        bool follow = true, one_tile = true, full = s.rows << s.log2_lanes == lanes_of_slice;
        const index_t first = rows.number(rows.row(s.position));
        for (int r = 0; r < s.rows; ++r) {
            const index_t i = rows.row(s.position + r), number = rows.number(i);
            follow = follow && number == first + r;
            one_tile = one_tile && number / tile_size == first / tile_size;
            full = full && !rows.is_left_out(i) && rows.stored(i) == s.width << s.log2_lanes;
        }
        s.row_bytes = follow ? 0 : one_tile ? 1 : 4;
        s.first = static_cast<std::int32_t>(follow ? first : first / tile_size * tile_size);
        s.full = full;
        s.listed = rows.plan.listed;
        s.column_bytes = s.listed ? 2 : 4;
        far[k] = 0;
        if (rows.plan.compress && !s.listed) s.column_bytes = bytes_of_columns(s, far[k]);
        s.value_bytes = static_cast<std::uint8_t>(value_bytes);
        slices[k] = s;
        slots[k] = s.slots();
        bytes[k] = (for_leaves(s, [](const leaf_of_slice&) {}) + 31) / 32 * 32;
    }

private:
    static constexpr column_t far_away = 16;  ///< elements of x: another cache line

    DDLA_HD std::uint8_t bytes_of_columns(const slice& s, index_t& far_slots) const
    {
        std::uint8_t needed = 0;
        for (int j = 0; j < s.width; ++j) {
            const std::uint8_t here = bytes_of_slot(s, j, far_slots);
            needed = here > needed ? here : needed;
        }
        return needed;
    }
    DDLA_HD std::uint8_t bytes_of_slot(const slice& s, int j, index_t& far_slots) const
    {
        column_t least = INT32_MAX, most = 0, on_lane = 0, before = 0;
        bool by_lane = true, any = false;
        for (int r = 0; r < s.rows; ++r) {
            const index_t i = rows.row(s.position + r), begin = rows.begin(i);
            const int n = rows.stored(i);
            for (int l = 0, k = j << s.log2_lanes; l < s.lanes() && k < n; ++l, ++k) {
                const column_t column = rows.a.column[begin + k];
                const column_t shifted = column - ((r << s.log2_lanes) + l);
                by_lane = by_lane && (!any || shifted == on_lane);
                on_lane = shifted;
                far_slots += !any || column - before >= far_away || before - column >= far_away;
                before = column;
                any = true;
                least = column < least ? column : least;
                most = column > most ? column : most;
            }
        }
        if (!any || by_lane) return 0;
        return most - least < 256 ? 1 : most - least < 65536 ? 2 : 4;
    }
};

/// Sets the offset of each slice.
struct place_slice : conversion_step {
    slice* slices;
    const index_t* begin;
    DDLA_HD void operator()(index_t k, steps::no_scalars) const { slices[k].begin = begin[k]; }
};

/// Writes the base columns of slice k.
template <scalar V>
struct write_bases : conversion_step {
    ordered_rows<V> rows;
    const slice* slices;
    std::uint8_t* code;

    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        const slice s = slices[k];
        if (s.column_bytes == 4 || s.listed) return;
        for_leaves(s, [&](const leaf_of_slice& leaf) {
            for (int r = 0; leaf.base_at(r) < leaf.end(); ++r)
                write_code(code, leaf.base_at(r),
                           r < leaf.slots ? base_of(s, leaf.first + r * leaf.apart) : 0);
        });
    }

private:
    /// The least column of slot j or, where columns are consecutive (column_bytes = 0), that of
    /// lane 0.
    DDLA_HD column_t base_of(const slice& s, int j) const
    {
        column_t least = INT32_MAX;
        for (int r = 0; r < s.rows; ++r) {
            const index_t i = rows.row(s.position + r), begin = rows.begin(i);
            const int n = rows.stored(i);
            for (int l = 0, k = j << s.log2_lanes; l < s.lanes() && k < n; ++l, ++k) {
                const column_t column = rows.a.column[begin + k];
                if (s.column_bytes == 0) return column - ((r << s.log2_lanes) + l);
                least = column < least ? column : least;
            }
        }
        return least == INT32_MAX ? 0 : least;
    }
};

/// Lane l of slice k writes its own codes; element number 32 k + l.
template <scalar V>
struct fill_lane : conversion_step {
    ordered_rows<V> rows;
    const slice* slices;
    std::uint8_t* code;
    vec<const V> distinct;  ///< ascending by bits; empty: values are stored directly
    column_lists lists;

    DDLA_HD void operator()(index_t element, steps::no_scalars) const
    {
        const slice s = slices[element / lanes_of_slice];
        const int lane = static_cast<int>(element % lanes_of_slice);
        const int r = lane >> s.log2_lanes, l = lane & (s.lanes() - 1);
        const index_t i = r < s.rows ? rows.row(s.position + r) : 0;
        const int n = r < s.rows ? rows.stored(i) : 0;
        describe_row(s, lane);
        const index_t begin = r < s.rows ? rows.begin(i) : 0;
        for_leaves(s, [&](const leaf_of_slice& leaf) {
            for (int slot = 0; slot < leaf.slots; ++slot) {
                const int k = ((leaf.first + slot * leaf.apart) << s.log2_lanes) + l;
                put(s, leaf, slot, lane, k < n ? begin + k : -1);
            }
        });
    }

private:
    DDLA_HD void describe_row(const slice& s, int r) const
    {
        const index_t i = r < s.rows ? rows.row(s.position + r) : 0;
        const auto number = static_cast<std::int32_t>(rows.number(i));
        if (s.row_bytes == 1)
            code[s.begin + r] = static_cast<std::uint8_t>(r < s.rows ? number - s.first : 0);
        if (s.row_bytes == 4) write_code(code, s.begin + 4 * r, number);
        if (s.full) return;
        const int length = r >= s.rows || rows.is_left_out(i) ? left_out : rows.stored(i);
        write_code(code, s.lengths_at() + 2 * r, static_cast<std::uint16_t>(length));
    }
    /// Writes a slot of a lane: entry k, or padding if k < 0.
    DDLA_HD void put(const slice& s, const leaf_of_slice& leaf, int slot, int lane, index_t k) const
    {
        put_value(leaf, slot, lane, k >= 0 ? rows.a.value.get(k) : V(s.listed ? -0.0 : 0.0));
        const int bytes = leaf.column_bytes;
        const column_t base = leaf.has_bases ? read_code<column_t>(code, leaf.base_at(slot)) : 0;
        column_t column = k < 0 ? base : rows.a.column[k];
        if (s.listed && k >= 0) column = lists.number_of(s, column);
        const index_t at = leaf.column_at(slot, lane);
        if (bytes == 1) code[at] = static_cast<std::uint8_t>(column - base);
        if (bytes == 2) write_code(code, at, static_cast<std::uint16_t>(column - base));
        if (bytes == 4) write_code(code, at, column);
    }
    DDLA_HD void put_value(const leaf_of_slice& leaf, int slot, int lane, V x) const
    {
        if (leaf.value_bytes == 1)
            code[leaf.value_at(0, slot, lane)] = number_of(x);
        else
            each_word(x, [&](int w, double word) {
                write_code(code, leaf.value_at(w, slot, lane), word);
            });
    }
    DDLA_HD std::uint8_t number_of(V x) const
    {
        int low = 0;
        for (int end = static_cast<int>(distinct.size); end - low > 1;) {
            const int middle = low + (end - low) / 2;
            if (bits_of(distinct.get(middle)) <= bits_of(x))
                low = middle;
            else
                end = middle;
        }
        return static_cast<std::uint8_t>(low);
    }

public:
    DDLA_HD static std::uint64_t bits_of(V x)
    {
        std::uint64_t bits = 0;
        if constexpr (words_of<V> == 1) memcpy(&bits, &x, sizeof bits);
        return bits;
    }
};

}  // namespace ddla::formats
