// The text of a file: mapped, read, or decompressed.
#pragma once

#include "files/decimal/decimal_scan.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace ddla::text {

/// In parts: pages of a file that is mapped are read when they are used; a disk that breaks then
/// ends the process.
enum class reading { whole, in_parts };

class input_text {
public:
    /// Files that begin as gzip files do are decompressed, whatever their name.  Throws input_error
    /// if the file cannot be read, resource_error if memory does not suffice.
    /// The text may take memory_limit bytes, 0: all that the machine has; a file that is mapped
    /// takes none.
    explicit input_text(const std::filesystem::path& file, std::size_t memory_limit = 0,
                        reading how = reading::whole);

    characters text() const { return text_; }
    std::size_t held_bytes() const { return held_bytes_; }
    bool was_compressed() const { return was_compressed_; }

private:
    void map(int descriptor, std::size_t bytes, reading how);
    void read(int descriptor, std::size_t memory_limit);
    void decompress(const std::string& name, std::size_t memory_limit);

    std::shared_ptr<const char> memory_;
    characters text_;
    std::size_t held_bytes_ = 0;
    bool was_compressed_ = false;
};

/// Without the byte-order mark that some editors put before UTF-8.
characters without_mark(characters text);

/// The line of a position, from 1.
std::int64_t line_of(characters text, const char* position);

}  // namespace ddla::text
