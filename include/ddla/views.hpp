// Views of vectors and sparse matrices: pointers and sizes, cheap to copy into a kernel.
//
// Storage is a structure of arrays, one for each word of a number, so that neighbouring elements
// load as one wide word.  A view owns nothing and checks nothing.
//
//     ddla::vec<ddla::dd_real> v(high, low, n);  // two arrays of n doubles
//     v.set(3, v.get(3) + 1.0);
#pragma once

#include "number.hpp"

#include <cstdint>
#include <span>
#include <type_traits>

namespace ddla {

using index_t = std::int64_t;   ///< sizes and offsets
using column_t = std::int32_t;  ///< column numbers

/// n elements of T; vec<const T> only reads.
template <class T>
requires scalar<std::remove_const_t<T>>
struct vec {
    using value_type = std::remove_const_t<T>;
    using word_type = std::conditional_t<std::is_const_v<T>, const double, double>;
    static constexpr int words = words_of<value_type>;

    index_t size = 0;

    vec() = default;
    DDLA_HD vec(word_type* only, index_t n) requires(words == 1) : size(n), word_{only} {}
    DDLA_HD vec(word_type* high, word_type* low, index_t n) requires(words == 2)
        : size(n), word_{high, low}
    {
    }
    /// Of the caller's words, at whatever place; both spans have one size.
    explicit vec(std::span<word_type> only) requires(words == 1)
        : vec(only.data(), static_cast<index_t>(only.size()))
    {
    }
    explicit vec(std::span<word_type> high, std::span<word_type> low) requires(words == 2)
        : vec(high.data(), low.data(), static_cast<index_t>(high.size()))
    {
    }
    /// A writable view converts to one that only reads.
    template <class U>
    requires(std::is_const_v<T>&& std::is_same_v<U, value_type>) DDLA_HD vec(const vec<U>& other)
        : vec(other, word_numbers<value_type>{})
    {
    }
    /// n elements whose words k are at first + k apart, n apart unless said otherwise.
    DDLA_HD static vec in_memory(word_type* first, index_t n, index_t apart)
    {
        return in_memory(first, n, apart, word_numbers<value_type>{});
    }
    DDLA_HD static vec in_memory(word_type* first, index_t n) { return in_memory(first, n, n); }

    /// The words k of all elements, one after the other; k = 0: the largest.
    DDLA_HD word_type* word(int k) const { return word_[k]; }
    /// n elements from `first` on.
    DDLA_HD vec part(index_t first, index_t n) const
    {
        return part(first, n, word_numbers<value_type>{});
    }

    DDLA_HD value_type get(index_t i) const { return get(i, word_numbers<value_type>{}); }
    DDLA_HD void set(index_t i, value_type x) const requires(!std::is_const_v<T>)
    {
        set(i, x, word_numbers<value_type>{});
    }

private:
    // Words by constant numbers: a compiler for devices keeps arrays in registers only then.
    template <int... K>
    DDLA_HD static vec in_memory(word_type* first, index_t n, index_t apart,
                                 std::integer_sequence<int, K...>)
    {
        vec x;
        x.size = n;
        ((x.word_[K] = first + K * apart), ...);
        return x;
    }
    template <int... K>
    DDLA_HD vec part(index_t first, index_t n, std::integer_sequence<int, K...>) const
    {
        vec x;
        x.size = n;
        ((x.word_[K] = word_[K] + first), ...);
        return x;
    }
    template <class U, int... K>
    DDLA_HD vec(const vec<U>& other, std::integer_sequence<int, K...>)
        : size(other.size), word_{other.word(K)...}
    {
    }
    template <int... K>
    DDLA_HD value_type get(index_t i, std::integer_sequence<int, K...>) const
    {
        return value_type{word_[K][i]...};
    }
    template <int... K>
    DDLA_HD void set(index_t i, const value_type& x, std::integer_sequence<int, K...>) const
    {
        ((word_[K][i] = ddla::word<K>(x)), ...);
    }

    word_type* word_[words] = {};
};

/// A scalar argument: a value, or an address at the place of the operation, from which it is read
/// when the operation is executed.
template <scalar T>
class scalar_operand {
public:
    template <class U>
    requires std::is_convertible_v<U, T> DDLA_HD scalar_operand(U value) : value_(value) {}
    DDLA_HD scalar_operand(const T* at) : at_(at), is_value_(false) {}
    DDLA_HD T get() const { return is_value_ ? value_ : *at_; }
    bool is_value() const { return is_value_; }
    /// The address; null if it is a value.
    const T* at() const { return at_; }

private:
    T value_ = T(0);
    const T* at_ = nullptr;
    bool is_value_ = true;
};

/// Offsets into the entries of a matrix, in 64 or in 32 bits.
class row_offsets {
public:
    row_offsets() = default;
    DDLA_HD row_offsets(const index_t* wide) : data_(wide) {}
    DDLA_HD row_offsets(const std::int32_t* narrow) : data_(narrow), bytes_(sizeof *narrow) {}
    DDLA_HD index_t operator[](index_t i) const { return is_wide() ? wide()[i] : narrow()[i]; }
    DDLA_HD bool is_wide() const { return bytes_ == sizeof(index_t); }
    /// Requires is_wide().
    DDLA_HD const index_t* wide() const { return static_cast<const index_t*>(data_); }
    /// Requires !is_wide().
    DDLA_HD const std::int32_t* narrow() const { return static_cast<const std::int32_t*>(data_); }
    const void* data() const { return data_; }
    /// Size of one offset.
    index_t bytes() const { return bytes_; }

private:
    const void* data_ = nullptr;
    index_t bytes_ = sizeof(index_t);
};

/// The rows that have more entries than a tile (256), in ascending order: a device sums them tile
/// by tile.  The arrays live at the place of the matrix.
struct long_row_list {
    index_t count = 0;
    index_t tiles = 0;                    ///< of all these rows together
    const index_t* row = nullptr;         ///< the numbers of the rows
    const index_t* first_tile = nullptr;  ///< tiles of the rows before each one; count + 1 values
};

template <scalar V>
struct row_storage;

/// A sparse matrix compressed by rows.  Row i holds the entries row_begin[i] … row_begin[i+1]-1;
/// their order within the row is the order of its sum.
template <scalar V>
struct csr {
    index_t rows = 0;
    index_t columns = 0;
    row_offsets row_begin;  ///< rows + 1 of them, the first is 0
    const column_t* column = nullptr;
    vec<const V> value;
    /// A bound on the entries per row.  Not checked.  If small, kernels of a device are faster.
    index_t longest_row = INT64_MAX;
    /// Either complete or empty.  Not checked.  Empty is correct, but slower with long rows.
    long_row_list long_rows = {};
    /// The same rows in another format, at the same place; null for none.  For ddla's own use.
    const row_storage<V>* storage = nullptr;
    /// max |value| by high words, which says that all values are finite, too; negative if nobody
    /// has looked: then each solve does.  Not checked: where values may have changed it must be
    /// negative.
    double largest_value = -1;

    DDLA_HD index_t nonzeros() const { return value.size; }
    DDLA_HD index_t row_length(index_t i) const { return row_begin[i + 1] - row_begin[i]; }
};

}  // namespace ddla
