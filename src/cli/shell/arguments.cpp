// Option values: strict parsing.
#include "arguments.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace ddla::cli {
namespace {

/// The whole of `text` as a number, or an error code.
template <class T>
std::errc parse_whole(const std::string& text, T& value)
{
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, value);
    if (code == std::errc() && rest != end) return std::errc::invalid_argument;
    return code;
}

}  // namespace

void reject(const std::string& option, const std::string& value, const std::string& wanted)
{
    throw input_error(option + ": \"" + value + "\" is not " + wanted);
}

std::function<index_t(const std::string&, const std::string&)> integer_between(index_t low,
                                                                               index_t high)
{
    return [low, high](const std::string& option, const std::string& value) {
        index_t n = 0;
        if (parse_whole(value, n) != std::errc() || n < low || n > high)
            reject(option, value,
                   "an integer from " + std::to_string(low) + " to " + std::to_string(high));
        return n;
    };
}

namespace {

/// The power of 1024 whose unit ends a text, and the text before it: 0 for none.  "GiB" and "g" are
/// "G"; "GB" is nothing, for it means 10^9 to some.
int power_of_unit(std::string& text)
{
    constexpr std::string_view units = "KMGTkmgt";
    const std::size_t unit = text.size() - (text.ends_with("iB") ? 3 : 1);
    const std::size_t at = unit < text.size() ? units.find(text[unit]) : units.npos;
    if (at == units.npos) return 0;
    text.resize(unit);
    return static_cast<int>(at % 4) + 1;
}

/// Whole numbers without a unit; empty for what is no number of bytes, or beyond 2^63.
std::optional<index_t> bytes_in(std::string text)
{
    const int power = power_of_unit(text);
    if (power == 0) {
        index_t n = 0;
        return parse_whole(text, n) == std::errc() ? std::optional(n) : std::nullopt;
    }
    double x = 0;
    if (text.find_first_not_of("0123456789.") != text.npos || parse_whole(text, x) != std::errc())
        return {};
    const double bytes = std::ldexp(x, 10 * power);
    if (bytes >= 0x1p63) return {};
    return static_cast<index_t>(bytes);
}

}  // namespace

std::function<index_t(const std::string&, const std::string&)> bytes_between(index_t low,
                                                                             index_t high)
{
    return [low, high](const std::string& option, const std::string& value) {
        const std::optional<index_t> n = bytes_in(value);
        if (!n || *n < low || *n > high)
            reject(option, value,
                   "a number of bytes from " + std::to_string(low) + " to " + std::to_string(high) +
                       ", such as 512M or 8G");
        return *n;
    };
}

std::function<double(const std::string&, const std::string&)>
number_where(std::string wanted, std::function<bool(double)> holds)
{
    return [wanted, holds](const std::string& option, const std::string& value) {
        double x = 0;
        if (parse_whole(value, x) != std::errc() || !std::isfinite(x) || !holds(x))
            reject(option, value, wanted);
        return x;
    };
}

std::filesystem::path file_name(const std::string& option, const std::string& value)
{
    if (value.empty()) reject(option, value, "a file name");
    // An option of another command, or a misspelt one, would become a file.
    if (value.starts_with("--"))
        reject(option, value, "a file name (one that begins with -- is ./" + value + ")");
    return value;
}

namespace {

const char* const standard_input = "/dev/stdin";

}  // namespace

std::filesystem::path input_file(const std::string& option, const std::string& value)
{
    return value == "-" ? standard_input : file_name(option, value);
}

bool is_standard_input(const std::filesystem::path& file)
{
    return file == standard_input;
}

void require_readable(const std::filesystem::path& file)
{
    if (::access(file.c_str(), R_OK) != 0)
        throw input_error(file.string() + ": cannot be read: " + std::strerror(errno));
    if (std::filesystem::is_directory(file))
        throw input_error(file.string() + ": cannot be read: it is a directory");
}

}  // namespace ddla::cli
