// Slots of eight adjacent lanes of a slice, times x.
//
// Values are contiguous.  So are elements of x in a run (see formats::eight_lanes); others are
// gathered.
#pragma once

#include "formats/slices/codes.hpp"
#include "host/simd/simd8.hpp"

#include <cstring>

namespace ddla::host_backend {

/// The slots of a leaf, for eight lanes.
template <class V>
class eight_of_leaf {
public:
    eight_of_leaf(const formats::slice_list<V>& list, const formats::leaf_of_slice& leaf, int lane)
        : value_(list.code + leaf.value_at(0, 0, lane)),
          apart_(leaf.slots * formats::lanes_of_slice * index_t(sizeof(double))),
          column_(list.code + leaf.column_at(0, lane)), base_(list.code + leaf.base_at(0)),
          lane_(lane), column_bytes_(leaf.column_bytes), distinct_(list.distinct.word(0))
    {
    }

    /// The columns of lane 0 in the first N slots.
    template <int N>
    [[gnu::always_inline]] void first_columns(index_t (&to)[N]) const
    {
        with_column_bytes([&](auto bytes) __attribute__((always_inline)) {
            for (int k = 0; k < N; ++k) to[k] = column<bytes>(k, 0);
        });
    }
    template <int Bytes>
    [[gnu::always_inline]] index_t column(index_t slot, int l) const
    {
        using number = std::conditional_t<Bytes == 1, std::uint8_t, std::uint16_t>;
        const index_t at = slot * formats::lanes_of_slice + l;
        if constexpr (Bytes == 4) return formats::read_code<column_t>(column_, 4 * at);
        const index_t base = formats::read_code<column_t>(base_, 4 * slot);
        if constexpr (Bytes == 0)
            return base + lane_ + l;
        else
            return base + reinterpret_cast<const number*>(column_)[at];
    }
    /// f(std::integral_constant<int, bytes of a column>)
    template <class F>
    [[gnu::always_inline]] void with_column_bytes(const F& f) const
    {
        switch (column_bytes_) {
        case 0:
            return f(std::integral_constant<int, 0>{});
        case 1:
            return f(std::integral_constant<int, 1>{});
        case 2:
            return f(std::integral_constant<int, 2>{});
        default:
            return f(std::integral_constant<int, 4>{});
        }
    }
    template <bool Numbered>
    [[gnu::always_inline]] void values(index_t slot, eight_of<V>& to) const
    {
        constexpr int bytes = Numbered ? 1 : sizeof(double);
        const std::uint8_t* const at = value_ + slot * (formats::lanes_of_slice * bytes);
        if constexpr (Numbered) {
            look_up(at, to.word[0]);
        } else {
            for (int w = 0; w < words_of<V>; ++w)
                vector_at(to.word[w]) = vector_anywhere(at + w * apart_);
        }
    }

private:
    [[gnu::always_inline]] void look_up(const std::uint8_t* at, double* to) const
    {
        std::uint64_t numbers;
        std::memcpy(&numbers, at, sizeof numbers);
        constexpr std::uint64_t ones = 0x0101010101010101;
        if (numbers == at[0] * ones)
            fill(distinct_[at[0]], to);
        else
            gather(
                distinct_, [&](int l) __attribute__((always_inline)) { return at[l]; }, to);
    }

    const std::uint8_t* value_;
    index_t apart_;  ///< from a word of a value to the next
    const std::uint8_t* column_;
    const std::uint8_t* base_;
    index_t lane_;
    int column_bytes_;
    const double* distinct_;
};

[[gnu::always_inline]] inline void put_where(const lane_mask& mask, double x, double* word)
{
    alignas(64) double all[eight];
    fill(x, all);
    put_where(mask, all, word);
}

/// A slot of a run times x; `first` is the column of lane 0.
template <bool Numbered, class T, class V>
[[gnu::always_inline]] inline void multiply_run(const eight_of_leaf<V>& a, vec<const T> x,
                                                index_t slot, index_t first, eight_of<T>& product)
{
    eight_of<T> factor;
    eight_of<V> value;
    load(x, first, factor);
    a.template values<Numbered>(slot, value);
    multiply(factor, value, product);
}

/// The first `count` slots of a run that excludes lane `odd`.
template <bool Numbered, class T, class V>
void multiply_run_but(const eight_of_leaf<V>& a, vec<const T> x, int odd, int count,
                      eight_of<T>* term)
{
    const int from = odd == 0 ? 1 : 0;
    alignas(64) double number[eight];
    fill(odd, number);
    const lane_mask mask = vector_at(number) == vector_at(lane_number);
    a.with_column_bytes([&](auto bytes) __attribute__((always_inline)) {
        const eight_of_leaf<V> of = a;
        for (index_t k = 0; k < count; k = opaque(k + 1)) {
            eight_of<T> factor;
            eight_of<V> value;
            const index_t j = of.template column<bytes>(k, odd);
            load(x, of.template column<bytes>(k, from) - from, factor);
            for (int w = 0; w < words_of<T>; ++w) put_where(mask, x.word(w)[j], factor.word[w]);
            of.template values<Numbered>(k, value);
            multiply(factor, value, term[k]);
        }
    });
}

/// The first `count` slots of any eight lanes; the product in a padding slot is arbitrary.
template <bool Numbered, class T, class V>
void multiply_any(const eight_of_leaf<V>& a, vec<const T> x, int count, eight_of<T>* term)
{
    a.with_column_bytes([&](auto bytes) __attribute__((always_inline)) {
        const eight_of_leaf<V> of = a;
        for (index_t k = 0; k < count; k = opaque(k + 1)) {
            eight_of<T> factor;
            eight_of<V> value;
            const auto column = [&](int l) __attribute__((always_inline))
            {
                // With column_bytes = 0, the columns of padding lanes may be out of range.
                const index_t j = of.template column<bytes>(k, l);
                return bytes == 0 ? std::clamp<index_t>(j, 0, x.size - 1) : j;
            };
            gather(x, column, factor);
            of.template values<Numbered>(k, value);
            multiply(factor, value, term[k]);
        }
    });
}

}  // namespace ddla::host_backend
