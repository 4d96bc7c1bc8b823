// Matrices from files, each rank a part of the text.
#include "matrix_parts.hpp"

#include "files/binary/binary_file.hpp"
#include "files/market/entries.hpp"
#include "files/market/input_text.hpp"
#include "files/market/pieces.hpp"
#include "files/market/row_order.hpp"
#include "files/market/with_name.hpp"

#include "ddla/fp_mode.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/matrix_market.hpp"

#include <cstring>
#include <numeric>

namespace ddla {

using namespace distributed;

namespace {

using text::placed_entry;

/// Whether ranks can read parts of it: lines of entries of a real matrix, in a file that is mapped.
bool is_read_in_parts(const text::input_text& file, const text::header& about)
{
    return file.held_bytes() == 0 && about.layout == text::layout::coordinate &&
           about.field != text::field::complex && !about.is_vector && !about.has_b && !about.has_x;
}

/// The header, of a file that may be of another form.
std::optional<text::header> header_of(const text::input_text& file)
try {
    const text::header about = text::parse_header(text::without_mark(file.text()));
    return is_read_in_parts(file, about) ? std::optional(about) : std::nullopt;
} catch (const text::malformed&) {
    return {};
}

/// Entries on their way to the ranks that have their rows.
template <scalar V>
struct entries_by_owner {
    std::vector<std::vector<placed_entry<V>>> to;  ///< each rank's, in the order of the file
    text::parsed_part found;
};

/// The part of this rank, with mirror images.
template <scalar V>
entries_by_owner<V> read_part(const text::input_text& file, const text::header& about,
                              const ranks::ranges& rows, int rank, int threads)
{
    const text::characters all{about.data, file.text().last};
    const std::int64_t bytes = (all.size() + rows.count() - 1) / rows.count();
    const text::characters mine =
        text::piece(all, std::max<std::int64_t>(bytes, 1), static_cast<std::size_t>(rank));
    const text::sharing how{.threads = threads};
    std::vector<std::vector<std::vector<placed_entry<V>>>> pieces(
        text::count_of_pieces(mine, how.piece_bytes));
    entries_by_owner<V> read;
    read.found = text::parse_part<V>(
        mine, about, how, [&](int, std::size_t piece, std::span<const placed_entry<V>> entries) {
            auto& to = pieces[piece];
            to.resize(static_cast<std::size_t>(rows.count()));
            text::with_mirror_images<V>(entries, about.symmetry, [&](const placed_entry<V>& e) {
                to[static_cast<std::size_t>(rows.owner(e.row))].push_back(e);
            });
        });
    read.to.resize(static_cast<std::size_t>(rows.count()));
    for (auto& piece : pieces) {
        for (std::size_t r = 0; r < piece.size(); ++r)
            read.to[r].insert(read.to[r].end(), piece[r].begin(), piece[r].end());
        piece = {};
    }
    return read;
}

/// What the ranks have found together.
struct whole_file {
    index_t entries = 0;
    read_losses lost = {};
    bool is_wrong = false;
};

whole_file joined(communicator& among, const text::header& about, const text::parsed_part& mine)
{
    whole_file all;
    bool below = false, above = false;
    for (const text::parsed_part& one : ranks::gathered(among, mine)) {
        all.entries += one.count;
        all.lost += one.lost;
        all.is_wrong = all.is_wrong || one.is_malformed;
        below = below || one.has_below;
        above = above || one.has_above;
    }
    const bool both = about.symmetry != text::symmetry::general && below && above;
    all.is_wrong = all.is_wrong || both || all.entries != about.entries;
    return all;
}

/// The entries of this rank's rows, in the order of the file.
template <scalar V>
std::vector<placed_entry<V>> exchanged(communicator& among, entries_by_owner<V>& read)
{
    const auto me = static_cast<std::size_t>(among.rank());
    std::vector<index_t> going;
    for (const auto& to : read.to) going.push_back(static_cast<index_t>(to.size()));
    std::vector<std::size_t> begin{0};
    for (const index_t count : ranks::counts_from_each(among, going))
        begin.push_back(begin.back() + static_cast<std::size_t>(count));
    std::vector<placed_entry<V>> mine(begin.back());
    std::vector<communicator::outgoing> sent;
    std::vector<communicator::incoming> received;
    for (std::size_t r = 0; r < read.to.size(); ++r) {
        const auto part = std::span(mine).subspan(begin[r], begin[r + 1] - begin[r]);
        if (r == me) {
            std::copy(read.to[r].begin(), read.to[r].end(), part.begin());
            continue;
        }
        const int with = static_cast<int>(r);
        if (!read.to[r].empty()) sent.push_back({with, std::as_bytes(std::span(read.to[r]))});
        if (!part.empty()) received.push_back({with, std::as_writable_bytes(part)});
    }
    among.start_exchange(sent, received);
    among.finish_exchange();
    read.to.clear();
    return mine;
}

/// Rows from entries in any order: sorted by column, duplicates summed in the order of the list.
template <scalar V>
global_rows<V> rows_of_entries(const std::vector<placed_entry<V>>& entries, index_t first,
                               index_t count)
{
    std::vector<index_t> next(static_cast<std::size_t>(count) + 1);
    for (const placed_entry<V>& e : entries) ++next[static_cast<std::size_t>(e.row - first) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    const std::vector<index_t> begin = next;
    std::vector<column_t> column(entries.size());
    vector<V> value(static_cast<index_t>(entries.size()));
    const text::row_arrays<V> rows{column.data(), value.view()};
    for (const placed_entry<V>& e : entries) {
        const index_t to = next[static_cast<std::size_t>(e.row - first)]++;
        rows.column[to] = e.column;
        rows.value.set(to, e.value);
    }
    global_rows<V> sorted{{0}, {}, {}};
    text::row_workspace<V> space;
    index_t kept = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const index_t left = text::order_row(rows, begin[i], begin[i + 1], space);
        for (index_t k = 0; k < left; ++k) rows.move(begin[i] + k, kept++);
        sorted.row_begin.push_back(kept);
    }
    sorted.column.assign(column.begin(), column.begin() + kept);
    sorted.value = vector<V>(kept);
    for (int w = 0; w < words_of<V>; ++w)
        std::copy_n(value.view().word(w), kept, sorted.value.view().word(w));
    return sorted;
}

/// The file in memory, if all ranks can read parts of it.
std::optional<text::input_text> common_file(communicator& among, const std::filesystem::path& file)
{
    std::optional<text::input_text> text;
    bool is_file = false;
    agreed(among, [&] { is_file = std::filesystem::is_regular_file(file); });
    if (ranks::smallest_of(among, is_file) == 0) return {};
    agreed(among, [&] { text.emplace(file, 0, text::reading::in_parts); });
    return text;
}

template <scalar V>
using read_matrix_of_ranks = std::optional<distributed_matrix<V>>;

/// Of text: entries go from the ranks that read them to those that have their rows.
template <scalar V>
read_matrix_of_ranks<V> read_text(const std::shared_ptr<communicator>& among,
                                  std::optional<text::input_text>& text, read_losses* lost,
                                  index_t alignment)
{
    const std::optional<text::header> about = header_of(*text);
    if (ranks::smallest_of(*among, about.has_value()) == 0) return {};
    const ranks::ranges rows = ranks::even_ranges(about->rows, among->size(), alignment);
    entries_by_owner<V> read;
    agreed(*among,
           [&] { read = read_part<V>(*text, *about, rows, among->rank(), host_threads()); });
    const whole_file whole = joined(*among, *about, read.found);
    if (whole.is_wrong) return {};  // one reader says why, with the line
    text.reset();
    const index_t first = rows.begin(among->rank()), count = rows.size(among->rank());
    const std::vector<placed_entry<V>> mine = exchanged<V>(*among, read);
    global_rows<V> own;
    agreed(*among, [&] { own = rows_of_entries(mine, first, count); });
    if (lost) *lost += whole.lost;
    return read_matrix_of_ranks<V>(std::in_place, among, about->rows, about->columns,
                                   std::move(own.row_begin), std::move(own.column),
                                   std::move(own.value), alignment);
}

/// Of a binary file: each rank reads its own rows, and nothing travels.
template <scalar V>
read_matrix_of_ranks<V> read_binary(const std::shared_ptr<communicator>& among,
                                    const text::input_text& bytes, const std::string& name,
                                    read_losses* lost, index_t alignment)
{
    std::optional<text::binary_file> file;
    agreed(*among, [&] { file.emplace(bytes.text(), name); });
    const text::binary_header& about = file->about();
    text::binary_header of_first = about;
    broadcast(*among, 0, std::as_writable_bytes(std::span(&of_first, 1)));
    agreed(*among, [&] {
        if (std::memcmp(&of_first, &about, sizeof about) != 0)
            throw input_error(name + ": rank " + std::to_string(among->rank()) +
                              " has another file than rank 0");
    });
    if (about.is_complex != 0) return {};
    const ranks::ranges rows = ranks::even_ranges(about.rows, among->size(), alignment);
    const index_t first = rows.begin(among->rank()), count = rows.size(among->rank());
    global_rows<V> own;
    index_t rounded = 0;
    agreed(*among, [&] {
        file->check_rows(first, first + count);
        own.row_begin.resize(static_cast<std::size_t>(count) + 1);
        file->copy_row_begin(first, count + 1, own.row_begin.data());
        const index_t begin = own.row_begin.front(), entries = own.row_begin.back() - begin;
        for (index_t& i : own.row_begin) i -= begin;
        std::vector<column_t> column(static_cast<std::size_t>(entries));
        own.value = vector<V>(entries);
        file->copy_columns(begin, entries, column.data());
        rounded = file->copy_values(begin, entries, own.value.view());
        own.column.assign(column.begin(), column.end());
    });
    if (lost)
        for (const index_t n : ranks::gathered(*among, rounded)) lost->rounded += n;
    return read_matrix_of_ranks<V>(std::in_place, among, about.rows, about.columns,
                                   std::move(own.row_begin), std::move(own.column),
                                   std::move(own.value), alignment);
}

}  // namespace

template <scalar V>
std::optional<distributed_matrix<V>>
read_distributed_matrix(const std::shared_ptr<communicator>& among,
                        const std::filesystem::path& file, read_losses* lost, index_t alignment)
{
    const fp_mode_guard exact;
    return ranks::together(*among, [&]() -> read_matrix_of_ranks<V> {
        check_alignment(alignment);
        std::optional<text::input_text> bytes = common_file(*among, file);
        if (!bytes) return {};
        const bool is_binary = text::is_binary_matrix(bytes->text());
        if (ranks::smallest_of(*among, is_binary) == 0)
            return read_text<V>(among, bytes, lost, alignment);
        if (ranks::smallest_of(*among, bytes->held_bytes() == 0) == 0) return {};
        return read_binary<V>(among, *bytes, file.string(), lost, alignment);
    });
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template std::optional<distributed_matrix<V>> read_distributed_matrix(                         \
        const std::shared_ptr<communicator>&, const std::filesystem::path&, read_losses*,          \
        index_t);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
