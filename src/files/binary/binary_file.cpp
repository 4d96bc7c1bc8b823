#include "binary_file.hpp"

#include "ddla/error.hpp"
#include "files/market/memory_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla::text {
namespace {

std::uint64_t aligned(std::uint64_t at)
{
    return (at + 63) / 64 * 64;
}

/// The header, if the bytes are long enough for one.
binary_header header_of(characters bytes)
{
    binary_header about;
    about.magic = {};
    if (bytes.size() >= static_cast<std::int64_t>(sizeof about))
        std::memcpy(&about, bytes.first, sizeof about);
    return about;
}

bool has_sizes(const binary_header& h)
{
    constexpr std::int64_t most = std::numeric_limits<column_t>::max();
    constexpr std::int64_t most_entries = std::int64_t{1} << 56;
    const auto in = [](std::int64_t n, std::int64_t limit) { return n >= 0 && n <= limit; };
    return in(h.rows, most) && in(h.columns, most) && in(h.entries, most_entries);
}

/// What is no number of its sizes.
bool has_usual_rest(const binary_header& h)
{
    const bool is_even = h.rows % 2 == 0 && h.columns % 2 == 0;
    return (h.is_complex == 0 || (h.is_complex == 1 && is_even)) && h.reserved == 0 &&
           h.zero == decltype(h.zero){};
}

}  // namespace

binary_layout::binary_layout(const binary_header& of)
    : row_begin(sizeof(binary_header)),
      column(aligned(row_begin + (static_cast<std::uint64_t>(of.rows) + 1) * sizeof(index_t))),
      value(aligned(column + static_cast<std::uint64_t>(of.entries) * sizeof(column_t))),
      end(value + static_cast<std::uint64_t>(of.entries) * of.words * sizeof(double))
{
}

bool is_binary_matrix(characters bytes)
{
    constexpr auto length = static_cast<std::int64_t>(binary_header::name.size());
    return bytes.size() >= length &&
           std::equal(binary_header::name.begin(), binary_header::name.end(), bytes.first);
}

binary_file::binary_file(characters bytes, std::string name)
    : bytes_(bytes), name_(std::move(name)), about_(header_of(bytes)), layout_(about_)
{
    const bool is_whole = about_.magic == binary_header::name;
    if (is_whole && about_.version != binary_header::newest)
        fail("is of version " + std::to_string(about_.version) + ", this ddla reads version " +
             std::to_string(binary_header::newest));
    if (!is_whole || !has_sizes(about_) || !has_usual_rest(about_) || about_.words < 1 ||
        about_.words > 2)
        fail("its header is damaged");
    if (static_cast<std::uint64_t>(bytes.size()) != layout_.end)
        fail("has " + std::to_string(bytes.size()) + " bytes, its header promises " +
             std::to_string(layout_.end));
    if (row_begin(0) != 0 || row_begin(about_.rows) != about_.entries)
        fail("the offsets of its rows do not go from 0 to " + std::to_string(about_.entries));
}

void binary_file::fail(const std::string& what) const
{
    throw input_error(name_ + ": a binary matrix that cannot be read: " + what);
}

void binary_file::check_rows(index_t first, index_t end) const
{
    index_t before = row_begin(first);
    for (index_t i = first + 1; i <= end; ++i) {
        const index_t now = row_begin(i);
        if (now < before || now > about_.entries)
            fail("the offsets of its rows do not ascend behind row " + std::to_string(i));
        before = now;
    }
    if (before > about_.entries || row_begin(first) < 0)
        fail("the offsets of its rows do not ascend");
}

index_t binary_file::row_begin(index_t row) const
{
    index_t at = 0;
    copy_row_begin(row, 1, &at);
    return at;
}

void binary_file::copy_row_begin(index_t first, index_t count, index_t* to) const
{
    copy(layout_.row_begin, first, count, sizeof(index_t), to);
}

void binary_file::copy_columns(index_t first, index_t count, column_t* to) const
{
    copy(layout_.column, first, count, sizeof(column_t), to);
    const auto is_wrong = [this](column_t j) { return j < 0 || j >= about_.columns; };
    if (const auto* const wrong = std::find_if(to, to + count, is_wrong); wrong != to + count)
        fail("entry " + std::to_string(first + (wrong - to) + 1) + " has column " +
             std::to_string(index_t{*wrong} + 1) + " of " + std::to_string(about_.columns));
}

template <scalar V>
index_t binary_file::copy_values(index_t first, index_t count, vec<V> to) const
{
    const auto fail_at = [&](index_t k, const char* what) {
        fail("the value of entry " + std::to_string(first + k + 1) + what);
    };
    copy_word(0, first, count, to.word(0));
    for (index_t k = 0; k < count; ++k)
        if (!std::isfinite(to.word(0)[k])) fail_at(k, " is not finite");
    index_t rounded = 0;
    std::vector<double> low(about_.words > 1 ? std::size_t{4096} : 0);
    const auto piece = static_cast<index_t>(low.size());
    for (index_t done = 0; piece > 0 && done < count; done += piece) {
        const index_t now = std::min(piece, count - done);
        copy_word(1, first + done, now, low.data());
        for (index_t k = 0; k < now; ++k) {
            const double high = to.word(0)[done + k], rest = low[static_cast<std::size_t>(k)];
            if (!(high + rest == high) || !std::isfinite(rest))
                fail_at(done + k, " has words that are not those of a double-double");
            if (rest != 0) ++rounded;
        }
        if constexpr (words_of < V >> 1) std::copy_n(low.data(), now, to.word(1) + done);
    }
    if constexpr (words_of < V >> 1) {
        if (about_.words == 1) std::fill_n(to.word(1), count, 0.0);
        rounded = 0;
    }
    return rounded;
}

template <scalar V>
csr_matrix<V> whole_matrix(const binary_file& file, std::size_t memory_limit, std::int64_t& rounded)
{
    const binary_header& about = file.about();
    const double bytes =
        static_cast<double>(about.rows) * sizeof(index_t) +
        static_cast<double>(about.entries) * static_cast<double>(sizeof(column_t) + sizeof(V));
    if (bytes > static_cast<double>(most_memory(memory_limit)))
        throw resource_error("the matrix takes " + std::to_string(static_cast<std::size_t>(bytes)) +
                             " bytes, " + text_of_limit(memory_limit));
    file.check_rows(0, about.rows);
    std::vector<index_t> row_begin(static_cast<std::size_t>(about.rows) + 1);
    std::vector<column_t> column(static_cast<std::size_t>(about.entries));
    vector<V> value(about.entries);
    file.copy_row_begin(0, about.rows + 1, row_begin.data());
    file.copy_columns(0, about.entries, column.data());
    rounded += file.copy_values(0, about.entries, value.view());
    return csr_matrix<V>(about.rows, about.columns, std::move(row_begin), std::move(column),
                         std::move(value));
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template index_t binary_file::copy_values(index_t, index_t, vec<V>) const;                     \
    template csr_matrix<V> whole_matrix(const binary_file&, std::size_t, std::int64_t&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::text
