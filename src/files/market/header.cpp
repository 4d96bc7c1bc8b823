#include "header.hpp"

#include "ddla/csr_matrix.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddla::text {
namespace {

std::vector<std::string_view> words_of_line(const char* p, const char* end)
{
    std::vector<std::string_view> words;
    for (p = skip_blanks(p, end); p != end; p = skip_blanks(p, end)) {
        words.push_back(word_at(p, end));
        p += words.back().size();
    }
    return words;
}

std::string lower(std::string_view word)
{
    std::string result(word);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

/// The values of `words` by name; fails if the word is none of them.
template <class E, std::size_t n>
E choose(std::string_view word, const char* what,
         const std::array<std::pair<std::string_view, E>, n>& words)
{
    const std::string name = lower(word);
    std::string all;
    for (const auto& [known, value] : words) {
        if (name == known) return value;
        all += (all.empty() ? "" : ", ") + std::string(known);
    }
    fail(word.data(),
         std::string(what) + " " + quote(word) + " is not supported (only " + all + ")");
}

void check_vector(const std::vector<std::string_view>& words, header& result)
{
    if (result.symmetry != symmetry::general)
        fail(words[4].data(), "a vector is general, not " + lower(words[4]));
    if (result.field == field::pattern) fail(words[3].data(), "a vector cannot be a pattern");
    if (result.layout == layout::coordinate) result.layout = layout::indexed;
}

/// A line of two numbers is the size line of an array.
[[noreturn]] void fail_without_banner(const char* first, const std::vector<std::string_view>& words)
{
    const char* const layout = words.size() == 2 ? "array" : "coordinate";
    fail(first, "the first line begins with " +
                    quote(words.empty() ? std::string_view() : words[0]) +
                    ", not with %%MatrixMarket: such a file needs a first line like "
                    "\"%%MatrixMarket matrix " +
                    layout + " real general\"");
}

void parse_banner(const char* first, const char* end, header& result)
{
    const auto words = words_of_line(first, end);
    if (words.empty() || lower(words[0]) != "%%matrixmarket") fail_without_banner(first, words);
    if (words.size() != 5)
        fail(first, "the banner has " + std::to_string(words.size() - 1) +
                        " words after %%MatrixMarket, not 4: matrix, format, field, symmetry");
    using named_object = std::pair<std::string_view, bool>;
    result.is_vector =
        choose(words[1], "object",
               std::array{named_object{"matrix", false}, named_object{"vector", true}});
    using named_layout = std::pair<std::string_view, layout>;
    using named_field = std::pair<std::string_view, field>;
    using named_symmetry = std::pair<std::string_view, symmetry>;
    result.layout = choose(words[2], "format",
                           std::array{named_layout{"coordinate", layout::coordinate},
                                      named_layout{"array", layout::array}});
    result.field = choose(
        words[3], "field",
        std::array{named_field{"real", field::real}, named_field{"double", field::real},
                   named_field{"integer", field::integer}, named_field{"pattern", field::pattern},
                   named_field{"complex", field::complex}});
    result.symmetry = choose(words[4], "symmetry",
                             std::array{named_symmetry{"general", symmetry::general},
                                        named_symmetry{"symmetric", symmetry::symmetric},
                                        named_symmetry{"skew-symmetric", symmetry::skew_symmetric},
                                        named_symmetry{"hermitian", symmetry::hermitian}});
    if (result.symmetry == symmetry::hermitian && result.field != field::complex)
        fail(words[4].data(), "only a complex matrix can be hermitian: this one is symmetric");
    if (result.is_vector) return check_vector(words, result);
    if (result.field != field::pattern) return;
    if (result.layout == layout::array) fail(words[3].data(), "an array cannot be a pattern");
    if (result.symmetry == symmetry::skew_symmetric)
        fail(words[4].data(), "a pattern has no signs: it cannot be skew-symmetric");
}

index_t parse_size(std::string_view word, const char* what, index_t limit)
{
    index_t value = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    const std::string named = std::string(what) + " " + quote(word);
    if (problem == std::errc::invalid_argument || end != word.data() + word.size())
        fail(word.data(), named + " is not an integer");
    if (word[0] == '-') fail(word.data(), named + " is negative");
    if (problem == std::errc::result_out_of_range || value > limit)
        fail(word.data(), named + " is above " + std::to_string(limit));
    return value;
}

std::string name_of(symmetry s)
{
    if (s == symmetry::hermitian) return "hermitian";
    return s == symmetry::symmetric ? "symmetric" : "skew-symmetric";
}

/// How many values an array file of this shape holds.
index_t array_entries(const header& h)
{
    const index_t n = h.rows;
    switch (h.symmetry) {
    case symmetry::symmetric:
    case symmetry::hermitian:
        return n * (n + 1) / 2;
    case symmetry::skew_symmetric:
        return n * (n - 1) / 2;
    case symmetry::general:
        break;
    }
    return h.rows * h.columns;
}

/// Complex numbers become a real system of twice the size.
index_t largest_dimension(const header& about)
{
    return csr_matrix<double>::max_dimension / (about.field == field::complex ? 2 : 1);
}

bool parse_flag(std::string_view word, const char* what)
{
    return parse_size(word, what, 1) == 1;
}

/// Lis's "rows columns entries b x", and a sixth word that is 0 in text.
void parse_lis_words(const std::vector<std::string_view>& words, header& result)
{
    result.has_b = parse_flag(words[3], "Lis's word for b");
    result.has_x = parse_flag(words[4], "Lis's word for x");
    if (words.size() == 6 && words[5] != "0")
        fail(words[5].data(),
             "Lis's word for binary data is " + quote(words[5]) + ": only text is read (0)");
    if ((result.has_b || result.has_x) && result.rows != result.columns)
        fail(words[3].data(), "a matrix of " + std::to_string(result.rows) + " x " +
                                  std::to_string(result.columns) +
                                  " is not square: Lis stores b and x with square ones only");
}

/// "elements", or of an indexed one "elements entries".
void parse_vector_sizes(const char* first, const std::vector<std::string_view>& words,
                        header& result)
{
    const bool counts = result.layout == layout::indexed && words.size() == 2;
    if (words.size() != 1 && !counts)
        fail(first, "the size line of a vector has " + std::to_string(words.size()) +
                        " words, not 1: elements");
    result.rows = parse_size(words[0], "number of elements", largest_dimension(result));
    result.columns = 1;
    result.entries = counts ? parse_size(words[1], "number of entries", INT64_MAX) : result.rows;
}

void parse_matrix_sizes(const char* first, const std::vector<std::string_view>& words,
                        header& result)
{
    const bool sparse = result.layout == layout::coordinate;
    const bool extended = sparse && (words.size() == 5 || words.size() == 6);
    const std::size_t wanted = sparse ? 3 : 2;
    if (words.size() != wanted && !extended)
        fail(first, "the size line has " + std::to_string(words.size()) + " words, not " +
                        (sparse ? "3: rows, columns, entries" : "2: rows, columns"));
    const index_t largest = largest_dimension(result);
    result.rows = parse_size(words[0], "number of rows", largest);
    result.columns = parse_size(words[1], "number of columns", largest);
    if (result.symmetry != symmetry::general && result.rows != result.columns)
        fail(first, "a matrix of " + std::to_string(result.rows) + " x " +
                        std::to_string(result.columns) + " is not square, so it cannot be " +
                        name_of(result.symmetry));
    result.entries =
        sparse ? parse_size(words[2], "number of entries", INT64_MAX) : array_entries(result);
    if (extended) parse_lis_words(words, result);
}

void parse_sizes(const char* first, const char* end, header& result)
{
    const auto words = words_of_line(first, end);
    if (result.is_vector)
        parse_vector_sizes(first, words, result);
    else
        parse_matrix_sizes(first, words, result);
    result.sizes = first;
}

}  // namespace

header parse_header(characters text)
{
    if (text.size() == 0) fail(text.first, "the file is empty");
    header result;
    const char* end = line_end(text.first, text.last);
    parse_banner(text.first, end, result);
    for (const char* p = end; p != text.last;) {
        end = line_end(++p, text.last);
        const char* first = skip_blanks(p, end);
        if (first != end && *first != '%') {
            parse_sizes(first, end, result);
            result.data = end != text.last ? end + 1 : end;
            return result;
        }
        p = end;
    }
    fail(text.last - 1, "the file ends before the size line");
}

}  // namespace ddla::text
