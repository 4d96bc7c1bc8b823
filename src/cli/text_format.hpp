// Numbers and sentences for people.
#pragma once

#include <string>
#include <string_view>

namespace ddla::cli {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string print(const char* format, ...);

/// "9.5e-13"
std::string scientific(double x);

/// "0.031 s", "12.5 s"
std::string seconds(double s);

/// "973 bytes", "1.5 KiB", "202.4 MiB", "79.6 GiB"
std::string memory(std::size_t bytes);

/// The fewest digits that read back as x.
std::string shortest(double x);

/// `text` without line breaks and other control characters.
std::string one_line(std::string text);

/// `text` broken at spaces into lines of at most `width` characters.
std::string wrapped(std::string_view text, std::size_t width);

}  // namespace ddla::cli
