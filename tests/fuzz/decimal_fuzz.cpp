// Decimal text to numbers and back: never a crash, and always the nearest.
//
// The input is taken twice.  As text: the number at its start against MPFR, strtod and
// std::from_chars, and read from a stream in one piece and in many.  As bytes: two doubles and a
// style, written and compared with MPFR's printf, and read back.
#include "require.hpp"

#include "../text/decimal_text_truth.hpp"
#include "files/decimal/decimal_read.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <iomanip>
#include <memory>
#include <sstream>
#include <streambuf>
#include <string_view>

namespace {

using namespace ddla;
using fuzz::require;
using test::same;

/// A copy of the very size, without a zero at its end: AddressSanitizer sees a byte read behind it.
class tight_text {
public:
    explicit tight_text(std::string_view text) : data_(new char[text.size()]), size_(text.size())
    {
        text.copy(data_.get(), size_);
    }
    const char* begin() const { return data_.get(); }
    const char* end() const { return data_.get() + size_; }

private:
    std::unique_ptr<char[]> data_;
    std::size_t size_;
};

/// What from_chars makes of a text.
struct outcome {
    std::size_t length = 0;
    std::errc problem = {};
    dd_real value{0, 0};
};

outcome read_number(std::string_view text)
{
    const tight_text tight(text);
    outcome o;
    const auto [end, problem] = from_chars(tight.begin(), tight.end(), o.value);
    o.length = static_cast<std::size_t>(end - tight.begin());
    o.problem = problem;
    return o;
}

/// The same characters are a number, and with the same error, for a double of the standard library.
void check_against_double(std::string_view text, const outcome& got)
{
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    require(got.length == static_cast<std::size_t>(end - text.data()), text);
    require(got.problem == problem, text);
    if (problem == std::errc() && !std::isfinite(value)) require(same(got.value.hi, value), text);
}

/// All three paths of the parser agree, and as a double the number is that of strtod.
void check_scanned(const std::string& number)
{
    const tight_text tight(number);
    const auto scanned =
        text::scan_number(tight.begin(), tight.end(), text::exponent_letter::e_or_d);
    require(scanned.end == tight.end(), number);
    require(same(text::nearest_double(scanned).value, std::strtod(number.c_str(), nullptr)),
            number);
    const dd_real words = text::nearest_words(scanned).value;
    const dd_real exact = text::nearest_dd_exact(scanned).value;
    const double sign = scanned.negative ? -1 : 1;
    require(same(words.hi, sign * exact.hi) && words.lo == sign * exact.lo, number);
}

/// The number with an exponent of at most nine digits, which no input of a fuzzer brings back into
/// the range of double.  MPFR 4.2 takes 00.05e-9999999999999999999 for an infinity.
std::string with_short_exponent(const std::string& number)
{
    constexpr std::size_t most = 9;
    const std::size_t letter = number.find_first_of("eE");
    if (letter == std::string::npos) return number;
    const std::size_t first = number.find_first_of("123456789", letter);
    if (first == std::string::npos || number.size() - first <= most) return number;
    return number.substr(0, first) + std::string(most, '9');
}

/// A number of digits (not inf or nan) has the value that MPFR has; Fortran's letter changes none.
void check_value(const std::string& number, const outcome& got)
{
    const dd_real expected = test::truth(with_short_exponent(number));
    require(same(got.value, expected), number);
    const std::size_t letter = number.find_first_of("eE");
    const bool is_zero = number.substr(0, letter).find_first_of("123456789") == std::string::npos;
    const bool out_of_range = std::isinf(expected.hi) || (expected.hi == 0 && !is_zero);
    require((got.problem == std::errc::result_out_of_range) == out_of_range, number);
    check_scanned(number);
    if (letter == std::string::npos) return;
    std::string fortran = number;
    fortran[letter] = 'D';
    const tight_text tight(fortran);
    const auto scanned =
        text::scan_number(tight.begin(), tight.end(), text::exponent_letter::e_or_d);
    require(scanned.end == tight.end() && same(text::nearest_dd(scanned).value, expected), fortran);
}

void check_parser(std::string_view text)
{
    const outcome got = read_number(text);
    check_against_double(text, got);
    if (got.problem == std::errc::invalid_argument) {
        require(got.length == 0, text);
        return;
    }
    const std::string number(text.substr(0, got.length));
    if (number.find_first_of("nN") == std::string::npos) check_value(number, got);
    // What follows a number does not matter.
    const outcome alone = read_number(number);
    require(alone.length == got.length && alone.problem == got.problem, text);
    require(same(alone.value, got.value), text);
}

/// Hands out a text in pieces of at most so many characters.
class pieces : public std::streambuf {
public:
    pieces(std::string_view text, std::size_t most) : text_(text), most_(most) {}

protected:
    int_type underflow() override
    {
        if (text_.empty()) return traits_type::eof();
        piece_ = text_.substr(0, most_);
        text_.remove_prefix(piece_.size());
        setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
        return traits_type::to_int_type(piece_[0]);
    }

private:
    std::string_view text_;
    std::size_t most_;
    std::string piece_;
};

/// All numbers of a stream, and its state after each.
std::vector<std::pair<dd_real, std::ios_base::iostate>> numbers_in(std::streambuf& from)
{
    std::istream in(&from);
    std::vector<std::pair<dd_real, std::ios_base::iostate>> all;
    while (in) {
        dd_real x{-7, -7};
        in >> x;
        all.emplace_back(x, in.rdstate());
        if (in.fail() && !in.eof()) {
            in.clear();
            in.ignore();  // what is no number
        }
    }
    return all;
}

void check_streams(std::string_view text)
{
    std::stringbuf whole{std::string(text)};
    const auto expected = numbers_in(whole);
    for (const std::size_t most : {1, 3, 20}) {
        pieces cut(text, most);
        const auto got = numbers_in(cut);
        require(got.size() == expected.size(), text);
        for (std::size_t i = 0; i < got.size(); ++i)
            require(same(got[i].first, expected[i].first) && got[i].second == expected[i].second,
                    text);
    }
}

/// The text in three notations, by MPFR's printf.
void check_digits(dd_real x, int precision)
{
    const auto check = [&](const char* format, notation n) {
        require(to_string(x, {.notation = n, .precision = precision}) ==
                    test::truth(x, format, precision),
                format);
    };
    check("%.*Re", notation::scientific);
    check("%.*Rf", notation::fixed);
    check("%.*Rg", notation::general);
}

void check_shortest(dd_real x)
{
    const std::string text = to_string(x);
    require(same(test::read(text), x), text);
    require(test::is_shortest(x), text);
    std::istringstream in(text);
    dd_real back{-7, -7};
    in >> back;
    require(!in.fail() && in.eof() && same(back, x), text);
}

std::ios_base::fmtflags flags_of(unsigned char bits)
{
    using os = std::ios_base;
    os::fmtflags flags = os::dec;
    if ((bits & 1) != 0) flags |= os::showpos;
    if ((bits & 2) != 0) flags |= os::showpoint;
    if ((bits & 4) != 0) flags |= os::uppercase;
    const std::array notations{os::scientific, os::fixed, os::fmtflags{}, os::fmtflags{}};
    const std::array sides{os::left, os::right, os::internal, os::fmtflags{}};
    return flags | notations[bits >> 3 & 3] | sides[bits >> 5 & 3];
}

template <class T>
std::string printed(T x, unsigned char bits, int precision, int width)
{
    std::ostringstream out;
    out.flags(flags_of(bits));
    out << std::setprecision(precision) << std::setw(width) << std::setfill('*') << x << '|';
    return out.str();
}

/// Not a NaN, whose sign a dd_real does not tell; nor an infinity in capitals with std::fixed,
/// which some standard libraries write in small letters (LWG 4084).
bool is_told_alike(double x, unsigned char bits)
{
    const auto flags = flags_of(bits);
    const bool in_capitals =
        (flags & std::ios_base::fixed) != 0 && (flags & std::ios_base::uppercase) != 0;
    return std::isfinite(x) || (std::isinf(x) && !in_capitals);
}

/// hi, lo, flags, precision, width.
constexpr std::size_t bytes_of_a_style = 2 * sizeof(double) + 3;

void check_writer(const std::uint8_t* data)
{
    std::array<double, 2> words;
    std::memcpy(words.data(), data, sizeof(words));
    const unsigned char flags = data[16];
    const int precision = data[17] % 100, width = data[18] % 100;
    (void)to_string(dd_real(words[0], words[1]));  // a pair that no operation yields, perhaps
    if (is_told_alike(words[0], flags))
        require(printed(dd_real(words[0]), flags, precision, width) ==
                    printed(words[0], flags, precision, width),
                "a double in a stream");
    const dd_real x = text::normalized({words[0], words[1]});
    if (!std::isfinite(x.hi) || !std::isfinite(x.lo)) return;
    check_digits(x, precision);
    check_shortest(x.lo == 0 ? dd_real(x.hi, 0) : x);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_parser(text);
    check_streams(text);
    if (size >= bytes_of_a_style) check_writer(data);
    return 0;
}
