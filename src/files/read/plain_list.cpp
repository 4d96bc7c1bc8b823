#include "plain_list.hpp"

#include "files/market/entry_line.hpp"
#include "files/market/memory_limit.hpp"
#include "files/market/pieces.hpp"

#include <iterator>

namespace ddla::text {
namespace {

bool starts_comment(char c)
{
    return c == '#' || c == '%';
}

/// The end of a number: a blank, a comma, a comment, the end of its line.
const char* end_of_number(const char* p, const char* last)
{
    while (!ends_word(p, last) && *p != ',' && !starts_comment(*p)) ++p;
    return p;
}

/// Up to the next number of the line, over at most one comma.
const char* next_number(const char* p, const char* end, bool behind_a_number)
{
    p = skip_blanks(p, end);
    if (!behind_a_number || p == end || *p != ',') return p;
    return skip_blanks(p + 1, end);
}

template <scalar V>
void parse_line(const char* p, const char* end, std::vector<V>& to, loss_counter& losses)
{
    p = next_number(p, end, false);
    while (p != end && !starts_comment(*p)) {
        const char* const word_end = end_of_number(p, end);
        if (word_end == p) fail(p, quote(word_at(p, end)) + " stands where a number is wanted");
        to.push_back(parse_value<V, field::real>(p, word_end, losses));
        p = next_number(word_end, end, true);
    }
}

/// A matrix of another form with an error in its first line has numbers, too.
void require_no_banner(characters text)
{
    const char* first = text.first;
    while (first != text.last && (is_blank(*first) || *first == '\n')) ++first;
    const std::string_view word = word_at(first, text.last);
    if (word.starts_with('%') && word.find("atrix") != word.npos)
        fail(first,
             "the file begins with " + quote(word) + ", not with %%MatrixMarket in its first line");
}

}  // namespace

template <scalar V>
number_columns<V> plain_list(characters text, sharing how)
{
    if (text.size() == 0) fail(text.first, "the file is empty");
    require_no_banner(text);
    const std::size_t pieces = count_of_pieces(text, how.piece_bytes);
    std::vector<std::vector<V>> parts(pieces);
    std::vector<loss_counter> losses(pieces);
    for_each_piece(how.threads, pieces, [&](int, std::size_t i) {
        const characters part = piece(text, how.piece_bytes, i);
        losses[i].counts_rounded = how.counts_rounded;
        for (const char* p = part.first; p != part.last;) {
            const char* const end = line_end(p, part.last);
            parse_line(p, end, parts[i], losses[i]);
            p = end == part.last ? end : end + 1;
        }
    });
    std::size_t count = 0;
    for (const std::vector<V>& one : parts) count += one.size();
    header place;
    place.sizes = text.first;
    require_room(place, how, std::to_string(count) + " numbers",
                 2.0 * static_cast<double>(count) * sizeof(V));
    std::vector<V> all;
    all.reserve(count);
    for (std::vector<V>& one : parts) {
        all.insert(all.end(), std::make_move_iterator(one.begin()),
                   std::make_move_iterator(one.end()));
        one = {};
    }
    if (all.empty()) fail(text.last - 1, "the file holds no number");
    if (how.lost != nullptr)
        for (const loss_counter& one : losses) *how.lost += one.lost;
    return {std::move(all)};
}

#define DDLA_INSTANTIATE(T) template number_columns<T> plain_list(characters, sharing);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
DDLA_INSTANTIATE(four_words)
#undef DDLA_INSTANTIATE

}  // namespace ddla::text
