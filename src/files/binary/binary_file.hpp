// Binary matrices: what the bytes of the file are.
#pragma once

#include "ddla/csr_matrix.hpp"
#include "files/decimal/decimal_scan.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace ddla::text {

static_assert(std::endian::native == std::endian::little, "binary matrices are read as they are");

/// The first bytes of the file.  Behind them, each from a multiple of 64 on: rows + 1 offsets of 8
/// bytes, a column of 4 bytes for each entry, and word after word of all values.
struct binary_header {
    /// As of PNG: what programs do to text shows.
    static constexpr std::array<char, 8> name{'\x89', 'D', 'D', 'L', 'A', '\r', '\n', '\x1a'};
    static constexpr std::uint32_t newest = 1;

    std::array<char, 8> magic = name;
    std::uint32_t version = newest;
    std::uint32_t words = 0;  ///< of a value
    std::int64_t rows = 0, columns = 0, entries = 0;
    std::uint32_t is_complex = 0;
    std::uint32_t reserved = 0;
    std::array<std::uint64_t, 2> zero{};
};
static_assert(sizeof(binary_header) == 64);

/// Where the parts are, in bytes.
struct binary_layout {
    explicit binary_layout(const binary_header& of);

    std::uint64_t row_begin, column, value, end;
};

bool is_binary_matrix(characters bytes);

/// A file in memory; every access copies.
class binary_file {
public:
    /// Throws input_error, with the name, for a header that is wrong and for a file of another
    /// length.
    binary_file(characters bytes, std::string name);

    const binary_header& about() const { return about_; }
    /// Throws input_error unless offsets ascend from 0 to the number of entries.
    void check_rows(index_t first, index_t end) const;
    index_t row_begin(index_t row) const;
    void copy_row_begin(index_t first, index_t count, index_t* to) const;
    /// Throws input_error for a column out of range.
    void copy_columns(index_t first, index_t count, column_t* to) const;
    /// Rounded to V, if need be; returns how many had more digits.  Throws input_error for a value
    /// that is not finite, or whose words are not those of a double-double.
    template <scalar V>
    index_t copy_values(index_t first, index_t count, vec<V> to) const;

private:
    void copy_word(int w, index_t first, index_t count, double* to) const
    {
        const auto begin = static_cast<std::uint64_t>(w) *
                           static_cast<std::uint64_t>(about_.entries) * sizeof(double);
        copy(layout_.value + begin, first, count, sizeof(double), to);
    }
    [[noreturn]] void fail(const std::string& what) const;
    void copy(std::uint64_t begin, index_t first, index_t count, std::size_t size, void* to) const
    {
        if (count > 0)
            std::memcpy(to, bytes_.first + begin + static_cast<std::size_t>(first) * size,
                        static_cast<std::size_t>(count) * size);
    }

    characters bytes_;
    std::string name_;
    binary_header about_;
    binary_layout layout_;
};

/// All of it; adds to `rounded` how many values had more digits.  memory_limit as for
/// read_matrix().
template <scalar V>
csr_matrix<V> whole_matrix(const binary_file& file, std::size_t memory_limit,
                           std::int64_t& rounded);

}  // namespace ddla::text
