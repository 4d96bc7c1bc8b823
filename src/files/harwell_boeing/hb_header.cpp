#include "hb_header.hpp"

#include "ddla/csr_matrix.hpp"

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace ddla::text {
namespace {

char small(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The lines of a header, one after the other.
class line_reader {
public:
    explicit line_reader(characters text) : at_(text.first), last_(text.last) {}

    bool ended() const { return at_ == last_; }
    /// Without its end; empty if there is none.
    std::string_view next()
    {
        const char* const first = at_;
        const char* end = line_end(at_, last_);
        at_ = end == last_ ? end : end + 1;
        while (end != first && is_blank(end[-1])) --end;
        return {first, static_cast<std::size_t>(end - first)};
    }
    const char* at() const { return at_; }

private:
    const char* at_;
    const char* last_;
};

std::vector<std::string_view> words_of(std::string_view line)
{
    std::vector<std::string_view> words;
    const char* const end = line.data() + line.size();
    for (const char* p = skip_blanks(line.data(), end); p != end; p = skip_blanks(p, end)) {
        words.push_back(word_at(p, end));
        p += words.back().size();
    }
    return words;
}

/// Digits, at most 18 of them.
std::optional<index_t> integer_of(std::string_view word)
{
    constexpr std::size_t most = 18;
    if (word.empty() || word.size() > most) return std::nullopt;
    index_t value = 0;
    for (const char c : word) {
        if (!is_digit(c)) return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return value;
}

index_t number_of(std::string_view word, const char* what, index_t limit)
{
    const std::optional<index_t> value = integer_of(word);
    if (!value) fail(word.data(), std::string(what) + " " + quote(word) + " is not an integer");
    if (*value > limit)
        fail(word.data(),
             std::string(what) + " " + quote(word) + " is above " + std::to_string(limit));
    return *value;
}

bool are_integers(const std::vector<std::string_view>& words)
{
    for (const std::string_view word : words)
        if (!integer_of(word)) return false;
    return true;
}

/// The parentheses of a line in their order, each with what is in it.
std::vector<std::string_view> formats_of(std::string_view line)
{
    std::vector<std::string_view> formats;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '(' && depth++ == 0) begin = i;
        if (line[i] == ')' && depth > 0 && --depth == 0)
            formats.push_back(line.substr(begin, i + 1 - begin));
    }
    return formats;
}

fortran_format format_at(const std::vector<std::string_view>& all, std::size_t i,
                         std::string_view line, const char* of)
{
    if (i >= all.size())
        fail(line.data(),
             "the line of formats has " + std::to_string(all.size()) + ", and none for the " + of);
    return parse_format(all[i]);
}

void require_integers(const fortran_format& format, const char* of)
{
    if (!format.is_integer)
        fail(format.text.data(),
             "the format " + quote(format.text) + " of the " + of + " is not one of integers");
}

[[noreturn]] void refuse_type(std::string_view type, const std::string& why)
{
    fail(type.data(), "the type " + quote(type) + " " + why);
}

field field_of_type(std::string_view type)
{
    const char letter = small(type[0]);
    if (letter == 'r') return field::real;
    if (letter == 'c') return field::complex;
    if (letter == 'i') return field::integer;
    if (letter == 'p') return field::pattern;
    if (letter == 'q' || letter == 'x')
        refuse_type(type, "has its values in another file, which is not read");
    refuse_type(type, "begins with none of R, C, I, P");
}

symmetry symmetry_of_type(std::string_view type)
{
    const char letter = small(type[1]);
    if (letter == 'u' || letter == 'r') return symmetry::general;
    if (letter == 's') return symmetry::symmetric;
    if (letter == 'h') return symmetry::hermitian;
    if (letter == 'z') return symmetry::skew_symmetric;
    refuse_type(type, "has none of U, S, H, Z, R in its middle");
}

/// RUA: real, complex, integer or pattern; symmetric, unsymmetric, Hermitian, skew (Z) or
/// rectangular; assembled or elemental.
void parse_type(std::string_view type, header& shape)
{
    shape.field = field_of_type(type);
    shape.symmetry = symmetry_of_type(type);
    if (small(type[2]) == 'e')
        refuse_type(type, "is an elemental, unassembled matrix: only assembled ones are read, as " +
                              std::string(type.substr(0, 2)) + (type[2] == 'e' ? "a" : "A"));
    if (small(type[2]) != 'a') refuse_type(type, "ends with neither A nor E");
    if (shape.symmetry == symmetry::hermitian && shape.field != field::complex)
        refuse_type(type, "does not exist: only a complex matrix can be Hermitian");
    if (shape.symmetry == symmetry::skew_symmetric && shape.field == field::pattern)
        refuse_type(type, "does not exist: a pattern has no signs");
}

void parse_type_line(std::string_view line, header& shape)
{
    const auto words = words_of(line);
    if (words.empty() || words[0].size() != 3 || words.size() < 4)
        fail(line.data(), "the third line has " + std::to_string(words.size()) +
                              " words, not a type of three letters, rows, columns, entries");
    shape.layout = layout::coordinate;
    shape.sizes = words[0].data();
    parse_type(words[0], shape);
    const index_t largest =
        csr_matrix<double>::max_dimension / (shape.field == field::complex ? 2 : 1);
    shape.rows = number_of(words[1], "number of rows", largest);
    shape.columns = number_of(words[2], "number of columns", largest);
    shape.entries = number_of(words[3], "number of entries", INT64_MAX / 64);
    if (shape.symmetry != symmetry::general && shape.rows != shape.columns)
        fail(words[1].data(), "a matrix of " + std::to_string(shape.rows) + " x " +
                                  std::to_string(shape.columns) + " is not square, as the type " +
                                  quote(words[0]) + " wants");
}

/// "FGX  1  0": full or sparse, with guesses, with solutions; how many, entries of sparse ones.
void parse_sides_line(std::string_view line, hb_sides& sides)
{
    if (line.empty()) fail(line.data(), "the line of the right-hand sides is empty");
    const char kind = small(line[0]);
    if (kind != 'f' && kind != 'm')
        fail(line.data(), "right-hand sides of kind " + quote(line.substr(0, 1)) +
                              " are not read (only F, full, and M, sparse)");
    sides.sparse = kind == 'm';
    sides.has_guess = line.size() > 1 && small(line[1]) == 'g';
    sides.has_solution = line.size() > 2 && small(line[2]) == 'x';
    const auto words = words_of(line.substr(std::min<std::size_t>(3, line.size())));
    if (words.empty()) fail(line.data(), "the number of right-hand sides is missing");
    sides.count = number_of(words[0], "number of right-hand sides", INT32_MAX);
    if (!sides.sparse) return;
    if (words.size() < 2) fail(line.data(), "the number of entries of right-hand sides is missing");
    sides.entries = number_of(words[1], "number of entries of right-hand sides", INT64_MAX / 64);
}

/// The numbers of lines: all, pointers, indices, values, right-hand sides.
std::array<index_t, 5> parse_counts(std::string_view line)
{
    std::array<index_t, 5> counts{};
    const auto words = words_of(line);
    for (std::size_t i = 0; i < std::min(words.size(), counts.size()); ++i)
        counts[i] = number_of(words[i], "number of lines", INT64_MAX / 64);
    return counts;
}

}  // namespace

bool is_harwell_boeing(characters text)
{
    line_reader lines(text);
    lines.next();
    const auto counts = words_of(lines.next());
    if (counts.size() < 3 || counts.size() > 5 || !are_integers(counts)) return false;
    const auto words = words_of(lines.next());
    if (words.size() < 4 || words.size() > 5 || words[0].size() != 3) return false;
    for (const char c : words[0])
        if (small(c) < 'a' || small(c) > 'z') return false;
    return are_integers({words.begin() + 1, words.end()});
}

hb_header parse_hb_header(characters text)
{
    hb_header result;
    line_reader lines(text);
    lines.next();
    const auto counts = parse_counts(lines.next());
    parse_type_line(lines.next(), result.shape);
    const std::string_view line = lines.next();
    const auto formats = formats_of(line);
    result.pointers = format_at(formats, 0, line, "pointers");
    require_integers(result.pointers, "pointers");
    result.indices = format_at(formats, 1, line, "row indices");
    require_integers(result.indices, "row indices");
    const bool has_values = result.shape.field != field::pattern;
    if (has_values) {
        if (counts[3] == 0 && result.shape.entries > 0)
            fail(result.shape.sizes, "the type promises values, but the header declares 0 lines "
                                     "of them (a pattern has a type that begins with P)");
        result.values = format_at(formats, 2, line, "values");
    }
    if (counts[4] > 0) {
        if (has_values && formats.size() == 3)
            result.sides.format = result.values;
        else
            result.sides.format = format_at(formats, has_values ? 3 : 2, line, "right-hand sides");
        parse_sides_line(lines.next(), result.sides);
    }
    result.shape.data = lines.at();
    return result;
}

bool is_rb_vectors(characters text)
{
    line_reader lines(text);
    lines.next();
    const std::string_view line = lines.next();
    if (line.size() < 5) return false;
    std::string kind(line.substr(0, 3));
    for (char& c : kind) c = small(c);
    constexpr std::array known = {"rhs", "sln", "est", "ord", "ipt", "icv", "lvl", "geo",
                                  "avl", "evl", "svl", "evc", "svc", "sbv", "sbm", "sbp"};
    for (const char* one : known)
        if (kind == one) return true;
    return false;
}

rb_vectors_header parse_rb_vectors_header(characters text)
{
    rb_vectors_header result;
    line_reader lines(text);
    lines.next();
    const std::string_view line = lines.next();
    result.kind = line.data();
    const std::string kind{small(line[0]), small(line[1]), small(line[2])};
    if (kind != "rhs" && kind != "sln" && kind != "est")
        fail(line.data(), "data of kind " + quote(line.substr(0, 3)) +
                              " are no vectors to read (only rhs, sln, est)");
    if (small(line[3]) == 'l')
        fail(line.data() + 3, "vectors to the left of the matrix are not read");
    const char organised = small(line[4]);
    if (organised == 'e') fail(line.data() + 4, "elemental right-hand sides are not read");
    result.sparse = organised == 's';
    // The name of the case is in columns 7 to 14; then come the kind of number and the sizes.
    constexpr std::size_t behind_name = 14;
    const auto words = words_of(line.substr(std::min(behind_name, line.size())));
    if (words.size() < 3)
        fail(line.data(), "the second line ends before the number of rows and of columns");
    result.is_complex = words[0].size() == 1 && small(words[0][0]) == 'c';
    const index_t largest = csr_matrix<double>::max_dimension / (result.is_complex ? 2 : 1);
    result.rows = number_of(words[1], "number of rows", largest);
    result.columns = number_of(words[2], "number of columns", largest);
    const std::string_view last = lines.next();
    const auto formats = formats_of(last);
    if (result.sparse) {
        if (words.size() < 4) fail(line.data(), "the number of entries is missing");
        result.entries = number_of(words[3], "number of entries", INT64_MAX / 64);
        result.pointers = format_at(formats, 0, last, "pointers");
        require_integers(result.pointers, "pointers");
        result.indices = format_at(formats, 1, last, "row indices");
        require_integers(result.indices, "row indices");
    }
    result.values = format_at(formats, result.sparse ? 2 : 0, last, "values");
    result.data = lines.at();
    return result;
}

}  // namespace ddla::text
