#include "fortran_format.hpp"

#include "files/market/malformed.hpp"

#include <algorithm>
#include <string>

namespace ddla::text {
namespace {

constexpr int most_fields = 10000;
constexpr int most_columns = 1000000;

/// Reads a format once from left to right.
class format_reader {
public:
    explicit format_reader(std::string_view text) : text_(text) { result_.text = text; }

    fortran_format read()
    {
        if (next() != '(') refuse("does not begin with (");
        ++at_;
        group(0);
        if (next() != '\0') refuse("goes on behind its last )");
        if (result_.fields.empty()) refuse("has no number");
        return result_;
    }

private:
    [[noreturn]] void refuse(const std::string& why) const
    {
        fail(text_.data(), "the format " + quote(text_) + " " + why);
    }
    /// The next character that is not blank, in capitals; 0 at the end.
    char next()
    {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
        if (at_ == text_.size()) return '\0';
        const char c = text_[at_];
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    bool at_digit()
    {
        const char c = next();
        return c >= '0' && c <= '9';
    }
    int number()
    {
        int value = 0;
        for (; at_digit(); ++at_) {
            value = value * 10 + (text_[at_] - '0');
            if (value > most_columns) refuse("has a number above 1000000");
        }
        return value;
    }
    /// Up to and with its ).
    void group(int depth)
    {
        constexpr int deepest = 5;
        if (depth > deepest) refuse("has too many parentheses");
        for (;;) {
            const char c = next();
            if (c == '\0') refuse("has no ) at its end");
            ++at_;
            if (c == ')') return;
            if (c == ',') continue;
            --at_;
            item(depth);
        }
    }
    void item(int depth)
    {
        const bool negative = next() == '-';
        if (negative || next() == '+') ++at_;
        const bool counted = at_digit();
        const int count = counted ? number() : 1;
        const char c = next();
        ++at_;
        if (c == 'P') return scale(negative ? -count : count);
        if (negative || (counted && count == 0)) refuse("has a count that is not positive");
        if (c == '(') return repeat(count, depth);
        if (c == 'X') return skip(count);
        if (c == 'I' || c == 'F' || c == 'E' || c == 'D' || c == 'G') return field(c, count);
        --at_;
        refuse("has a part that is not read: " +
               (c == '\0' ? "nothing" : quote(text_.substr(at_, 1))) +
               " (only I, F, E, D, G, P, X and groups)");
    }
    void scale(int by)
    {
        if (!result_.fields.empty()) refuse("has P behind a number");
        result_.scale = by;
    }
    void skip(int columns)
    {
        column_ += columns;
        if (column_ > most_columns) refuse("has lines of more than 1000000 columns");
    }
    /// Lines after the first begin with the last group: what stands before it would be theirs not.
    void repeat(int count, int depth)
    {
        if (column_ > 0) refuse("has something before a group, which only its first line has");
        const std::size_t begin = at_;
        for (int k = 0; k < count; ++k) {
            at_ = begin;
            group(depth + 1);
            if (column_ == 0) break;
        }
        const std::size_t end = at_;
        if (next() != ')') refuse("has something behind a group, which only its first line has");
        at_ = end;
    }
    void field(char letter, int count)
    {
        if ((letter == 'E') && (next() == 'S' || next() == 'N')) ++at_;
        const int width = at_digit() ? number() : 0;
        if (width == 0) refuse("has " + std::string(1, letter) + " without a width");
        if (next() == '.') {
            ++at_;
            const int decimals = number();
            if (letter != 'I') result_.decimals = std::max(result_.decimals, decimals);
        }
        if ((letter == 'E' || letter == 'G' || letter == 'D') && next() == 'E') {
            ++at_;
            number();
        }
        result_.is_integer = result_.is_integer && letter == 'I';
        for (int k = 0; k < count; ++k) {
            if (result_.fields.size() == most_fields) refuse("has more than 10000 numbers a line");
            result_.fields.push_back({column_, width});
            skip(width);
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int column_ = 0;
    fortran_format result_;
};

}  // namespace

fortran_format parse_format(std::string_view text)
{
    return format_reader(text).read();
}

}  // namespace ddla::text
