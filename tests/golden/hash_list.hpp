// Named hashes, their text and how two lists differ.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace golden {

struct named_hash {
    std::string name;
    std::uint64_t hash;

    friend bool operator==(const named_hash&, const named_hash&) = default;
};
using hash_list = std::vector<named_hash>;

/// One line a hash, "name hash", the hash with 16 hexadecimal digits.
std::string to_text(const hash_list& hashes);

/// Reads that text; lines that are empty or begin with # are skipped.  Throws
/// std::invalid_argument for any other line and for a name that stands there twice.
hash_list parse(std::string_view text);

/// One sentence for each name that the lists do not hold with one hash; none if they are equal.
std::vector<std::string> differences(const hash_list& expected, const hash_list& computed);

/// Those of `computed` that `expected` does not name.
hash_list added_to(const hash_list& expected, const hash_list& computed);

/// `text`, the content of a file of hashes, as it stands and below it, under a comment, the hashes
/// that it lacks.  Throws std::invalid_argument, with the differences, where one that it has is
/// computed otherwise, or by no case: adding changes nothing.
std::string with_added(std::string_view text, const hash_list& computed, std::string_view comment);

}  // namespace golden
