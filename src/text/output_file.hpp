// A file that is there whole or not at all.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ddla::text {

class compressor;

/// Writes beside the target; commit() moves the result there, and without it nothing is left.  An
/// existing target that is no regular file (a device, a pipe) is written directly.  A name that
/// ends in .gz compresses.  Throws input_error if it cannot be created, resource_error if writing
/// fails, both with the system's reason.
class output_file {
public:
    explicit output_file(const std::filesystem::path& target);
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file();

    void write(std::string_view text);
    void commit();

private:
    void open_directly();
    void open_beside();
    void write_bytes(std::string_view bytes);

    std::string name_;                 ///< as the caller wrote it
    std::filesystem::path target_;     ///< behind symbolic links
    std::filesystem::path temporary_;  ///< empty if the target is written directly
    int descriptor_ = -1;
    std::unique_ptr<compressor> compressor_;
};

}  // namespace ddla::text
