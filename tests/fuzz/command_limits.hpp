// Arguments from the bytes of an input, and which of them a fuzzer may run.
#pragma once

#include "files/market/header.hpp"
#include "files/market/malformed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuzz {

using arguments = std::vector<std::string>;

/// Arguments up to an empty line, then the content of a file.
inline std::pair<arguments, std::string> split(std::string_view input)
{
    arguments words;
    while (!input.empty()) {
        const std::string_view line = input.substr(0, input.find('\n'));
        input.remove_prefix(std::min(input.size(), line.size() + 1));
        if (line.empty()) break;
        const std::string_view word = line.substr(0, line.find('\0'));
        words.emplace_back(word == "\"\"" ? "" : word);
    }
    return {words, std::string(input)};
}

inline std::string joined(const arguments& words)
{
    std::string text = "ddla";
    for (const std::string& word : words) text += " '" + word + "'";
    return text + '\n';
}

/// "8" of "8" and of "--threads=8"
inline std::string value_of(const std::string& word)
{
    const std::size_t sign = word.starts_with("--") ? word.find('=') : std::string::npos;
    return sign == std::string::npos ? word : word.substr(sign + 1);
}

/// Whether a word names a file outside the folder that a command could write, or the standard
/// input, which is the fuzzer's.
inline bool leaves_folder(const arguments& words)
{
    constexpr std::array known{"/", "/dev", "/dev/null", "./a.mtx", "folder/a.mtx", "none/a.mtx"};
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        const std::string value = value_of(word);
        if (value == "-") return true;
        return value.find('/') != std::string::npos &&
               std::find(known.begin(), known.end(), value) == known.end();
    });
}

/// A number that some option takes, and that makes a command slow.
inline bool is_large(const std::string& word)
{
    constexpr double small = 16, too_large_for_all = 1e13;
    const double x = std::strtod(word.c_str(), nullptr);
    return std::isfinite(x) && x > small && x <= too_large_for_all;
}

inline bool is_option(const std::string& word, const std::string& option)
{
    return word == option || word.starts_with(option + '=');
}

/// Seconds above a few milliseconds are too many.
inline bool is_long_time(const std::string& seconds)
{
    constexpr double short_time = 0.002, most = 3600;
    const double x = std::strtod(seconds.c_str(), nullptr);
    return x > short_time && x <= most;
}

/// A matrix of this header needs memory for so many rows and columns.
inline bool is_large_matrix(const std::string& text)
{
    constexpr ddla::index_t most = 1000;
    try {
        const auto about = ddla::text::parse_header({text.data(), text.data() + text.size()});
        return about.rows > most || about.columns > most;
    } catch (const ddla::text::malformed&) {
        return false;
    }
}

inline bool takes_long(const arguments& words, const std::string& matrix)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (is_large(value_of(words[i]))) return true;
        if (!is_option(words[i], "--seconds")) continue;
        const bool is_whole = words[i].find('=') != std::string::npos;
        if (is_whole && is_long_time(value_of(words[i]))) return true;
        if (!is_whole && i + 1 < words.size() && is_long_time(words[i + 1])) return true;
    }
    return is_large_matrix(matrix);
}

/// tune and spmv measure for no longer than they must.
inline arguments in_short_time(arguments words)
{
    const auto is_given = [&](const char* option) {
        return std::any_of(words.begin(), words.end(),
                           [&](const std::string& word) { return is_option(word, option); });
    };
    if (words.empty() || (words[0] != "tune" && words[0] != "spmv")) return words;
    if (!is_given("--seconds")) words.insert(words.begin() + 1, "--seconds=0");
    if (!is_given("--repeat")) words.insert(words.begin() + 1, "--repeat=1");
    return words;
}

}  // namespace fuzz
