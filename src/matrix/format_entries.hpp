// The text of the memory of formats, JSON:
//
//     {"ddla": "formats", "entries": [
//     {"structure": "0123456789abcdef", "rows": 9, …, "format": "tiles", …, "microseconds": 1.5}
//     ]}
//
// Unknown names are ignored.
#pragma once

#include "ddla/views.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddla::api {

/// What an entry is about.
struct format_key {
    std::uint64_t structure = 0;
    index_t rows = 0, columns = 0, entries = 0;
    std::string place;    ///< the plain() name of the device, or "host"
    std::string vectors;  ///< "double" or "dd"
    std::string values;   ///< the same
    std::string version;  ///< of ddla

    friend bool operator==(const format_key&, const format_key&) = default;
};

struct format_entry {
    format_key key;
    std::string format;
    index_t threads_per_row = 0;
    double microseconds = 0;
};

/// `name` with '_' for characters that its strings cannot hold.
std::string plain(std::string name);

std::string text_of(const std::vector<format_entry>& entries);

/// Nothing if the text is not of this kind.
std::optional<std::vector<format_entry>> entries_of(std::string_view text);

}  // namespace ddla::api
