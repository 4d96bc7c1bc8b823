// Files that the command writes: checked before the work, whole or not there after it.
#pragma once

#include <filesystem>
#include <string_view>

namespace ddla::cli {

/// Throws resource_error unless `file` can be created or replaced.  Leaves nothing behind.
void require_writable(const std::filesystem::path& file);

/// The same for a file that the library writes: it must be a regular one, or not there yet.
void require_replaceable(const std::filesystem::path& file);

/// Write `text` beside `file`, then rename, so that a failure leaves the old file as it was.
/// What is not a regular file (a pipe, /dev/stdout) is written as it is.
void write_text(const std::filesystem::path& file, std::string_view text);

} // namespace ddla::cli
