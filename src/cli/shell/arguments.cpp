// Option values: strict parsing.
#include "arguments.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
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

void require_readable(const std::filesystem::path& file)
{
    if (::access(file.c_str(), R_OK) != 0)
        throw input_error(file.string() + ": cannot be read: " + std::strerror(errno));
    if (std::filesystem::is_directory(file))
        throw input_error(file.string() + ": cannot be read: it is a directory");
}

}  // namespace ddla::cli
