// Foreign text in a message: quoted, printable, short.
#pragma once

#include <string>
#include <string_view>

namespace ddla::text {

inline std::string quote(std::string_view text)
{
    constexpr std::size_t longest = 40;
    constexpr char hex[] = "0123456789abcdef";
    std::string result = "'";
    for (const char c : text.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7F) {
            result += c;
        } else {
            result += "\\x";
            result += hex[byte / 16];
            result += hex[byte % 16];
        }
    }
    return result + (text.size() > longest ? "...'" : "'");
}

}  // namespace ddla::text
