// The text of a file: mapped, read, or decompressed.
#pragma once

#include "text/decimal_scan.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace ddla::text {

class input_text {
public:
    /// Files that begin as gzip files do are decompressed, whatever their name.  Throws input_error
    /// if the file cannot be read, resource_error if memory does not suffice.
    explicit input_text(const std::filesystem::path& file);

    characters text() const { return text_; }

private:
    void map(int descriptor, std::size_t bytes);
    void read(int descriptor);
    void decompress(const std::string& name);

    std::shared_ptr<const char> memory_;
    characters text_;
};

/// The line of a position, from 1.
std::int64_t line_of(characters text, const char* at);

}  // namespace ddla::text
