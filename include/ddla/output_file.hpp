// A file that is there whole or not at all.
//
//     ddla::output_file out("report.json");
//     out.write("{}\n");
//     out.commit();          // without it nothing is left
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ddla {

/// Writes beside the target; commit() moves the result there.  What writes_in_place() is written
/// directly.  A name that ends in .gz compresses.  Throws resource_error, with the system's reason,
/// if the file cannot be created or written, beyond a limit of the size of files (ulimit -f), too:
/// SIGXFSZ is held back meanwhile.
class output_file {
public:
    explicit output_file(const std::filesystem::path& target);
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file();

    void write(std::string_view text);
    void commit();

private:
    class compressor;

    void open_directly();
    void open_beside();
    void write_bytes(std::string_view bytes);

    std::string name_;                 ///< as the caller wrote it
    std::filesystem::path target_;     ///< behind symbolic links
    std::filesystem::path temporary_;  ///< empty if the target is written directly
    int descriptor_ = -1;
    std::unique_ptr<compressor> compressor_;
};

/// True for what a regular file must not replace: devices, pipes, and the names by which a process
/// finds its own open files (/dev/stdout, /dev/fd/1, …).
bool writes_in_place(const std::filesystem::path& file);

/// What is written to a file.
enum class file_form { matrix_market, binary_matrix, json, csv, svg, html };

/// Throws input_error if the end of the name promises another form: x.npy, x.csv, x.mtx.xz.  Ends
/// that promise none, as x.txt, are free.
void require_name_of(file_form form, const std::filesystem::path& file);

/// Throws resource_error unless `file` can be created or replaced now.  Leaves nothing behind.
void require_writable(const std::filesystem::path& file);

}  // namespace ddla
