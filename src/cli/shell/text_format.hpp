// Numbers and sentences for people.
#pragma once

#include "ddla/report_json.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace ddla::cli {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string print(const char* format, ...);

/// "9.5e-13"
std::string scientific(double x);

/// "0.031 s", "12.5 s"
std::string seconds(double s);

/// "12.3 us", "1.23 ms", "2.35 s"
std::string duration(double seconds);

/// 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

/// "973 bytes", "1.5 KiB", "202.4 MiB", "79.6 GiB"
std::string memory(std::size_t bytes);

/// "a.mtx: 3 x 3, 5 nonzeros", or "a.mtx: complex 3 x 3, as real 6 x 6, 20 nonzeros", and a
/// line break; of a complex matrix `m` is the real form.
std::string matrix_line(const reported_matrix& m);

/// The fewest digits that read back as x.
std::string shortest(double x);

/// `text` without line breaks and other control characters.
std::string one_line(std::string text);

/// How wide sentences are, in characters.
inline constexpr std::size_t text_width = 80;
/// `text` broken at spaces into lines of at most `width` characters.
std::string wrapped(std::string_view text, std::size_t width);

}  // namespace ddla::cli
