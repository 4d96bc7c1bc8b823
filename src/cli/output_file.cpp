// Files that the command writes.
#include "output_file.hpp"

#include "ddla/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace ddla::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& cause)
{
    throw resource_error(file.string() + ": cannot be written: " + cause);
}

[[noreturn]] void fail(const fs::path& file)
{
    fail(file, std::strerror(errno));
}

/// True for what must not be replaced by a regular file: pipes and devices, and the names by which
/// a process finds its own open files.
bool is_special(const fs::path& file)
{
    for (const char* own : {"/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"})
        if (file.string().rfind(own, 0) == 0) return true;
    std::error_code ignored;
    const fs::file_status status = fs::status(file, ignored);
    return fs::exists(status) && !fs::is_regular_file(status);
}

/// A file open for writing, with `beside` removed unless it was renamed to `target`.
class written_file {
public:
    explicit written_file(const fs::path& target)
        : target_(target), beside_(is_special(target) ? target : name_beside(target))
    {
        const int create = renames() ? O_CREAT | O_EXCL : O_APPEND;
        descriptor_ = ::open(beside_.c_str(), O_WRONLY | O_CLOEXEC | create, 0666);
        if (descriptor_ < 0) fail(target_);
    }
    written_file(const written_file&) = delete;
    written_file& operator=(const written_file&) = delete;
    ~written_file()
    {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (renames() && !renamed_) ::unlink(beside_.c_str());
    }

    void write(std::string_view text)
    {
        while (!text.empty()) {
            const ::ssize_t written = ::write(descriptor_, text.data(), text.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail(target_);
            text.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    void finish()
    {
        const int closed = ::close(std::exchange(descriptor_, -1));
        if (closed != 0) fail(target_);
        if (renames() && ::rename(beside_.c_str(), target_.c_str()) != 0) fail(target_);
        renamed_ = true;
    }

private:
    static fs::path name_beside(const fs::path& target)
    {
        return target.string() + "." + std::to_string(::getpid()) + ".part";
    }
    bool renames() const { return beside_ != target_; }

    fs::path target_, beside_;
    int descriptor_ = -1;
    bool renamed_ = false;
};

/// Where a chain of links leads, so that the file it names is replaced, not the link.
fs::path resolved(const fs::path& file)
{
    std::error_code ignored;
    const fs::path target = fs::canonical(file, ignored);
    return target.empty() || is_special(file) ? file : target;
}

} // namespace

void require_writable(const fs::path& file)
{
    const fs::path target = resolved(file);
    if (fs::is_directory(target)) fail(file, "it is a directory");
    const bool as_it_is = is_special(target) || fs::exists(target);
    if (as_it_is && ::access(target.c_str(), W_OK) != 0) fail(file);
    if (!is_special(target)) written_file probe(target);
}

void require_replaceable(const fs::path& file)
{
    require_writable(file);
    if (is_special(file)) fail(file, "it is not a regular file");
}

void write_text(const fs::path& file, std::string_view text)
{
    written_file out(resolved(file));
    out.write(text);
    out.finish();
}

} // namespace ddla::cli
