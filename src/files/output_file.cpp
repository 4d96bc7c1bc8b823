#include "ddla/output_file.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>
#include <zlib.h>

namespace ddla {

namespace {

std::string reason(int number)
{
    return std::generic_category().message(number);
}

[[noreturn]] void fail_to_create(const std::string& name, int number)
{
    throw resource_error(name + ": cannot be written: " + reason(number));
}

[[noreturn]] void fail_to_write(const std::string& name, int number)
{
    throw resource_error(name + ": writing failed: " + reason(number));
}

/// Writing beyond the limit of sizes sends SIGXFSZ, which ends the process and leaves half a file.
/// Here it waits, write() says EFBIG, and what was sent is taken back.
class held_size_signal {
public:
    held_size_signal()
    {
        sigset_t pending;
        sigemptyset(&set_);
        sigaddset(&set_, SIGXFSZ);
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
        pthread_sigmask(SIG_BLOCK, &set_, &before_);
    }
    held_size_signal(const held_size_signal&) = delete;
    held_size_signal& operator=(const held_size_signal&) = delete;
    ~held_size_signal()
    {
        const int kept = errno;
        const timespec now{};
        if (!was_pending_)
            while (sigtimedwait(&set_, nullptr, &now) < 0 && errno == EINTR) {
            }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = kept;
    }

private:
    sigset_t set_{}, before_{};
    bool was_pending_ = false;
};

/// The end of a name without its point, in small letters.
std::string suffix_of(const std::filesystem::path& file)
{
    std::string suffix = file.extension().string();
    suffix.erase(0, 1);
    for (char& c : suffix)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return suffix;
}

struct form_name {
    const char* text;
    const char* suffix;
};

form_name name_of(file_form form)
{
    switch (form) {
    case file_form::binary_matrix:
        return {"a binary matrix", "ddla"};
    case file_form::json:
        return {"JSON", "json"};
    case file_form::csv:
        return {"CSV", "csv"};
    case file_form::svg:
        return {"SVG", "svg"};
    case file_form::html:
        return {"HTML", "html"};
    case file_form::matrix_market:
        break;
    }
    return {"Matrix Market text", "mtx"};
}

template <class... Names>
bool is_one_of(const std::string& suffix, Names... names)
{
    return ((suffix == names) || ...);
}

/// Ends that programs take for a form of file.
bool promises_a_form(const std::string& s)
{
    return is_one_of(s, "mtx", "ddla", "json", "csv", "svg", "html", "htm", "npy", "npz", "mat",
                     "h5", "hdf5", "tsv", "xls", "xlsx", "ods", "xml", "png", "jpg", "jpeg", "gif",
                     "pdf", "eps", "hb", "rb", "rua", "rsa", "rza", "cua", "csa", "pua", "psa");
}

}  // namespace

void require_name_of(file_form form, const std::filesystem::path& file)
{
    const std::string end = suffix_of(file);
    if (is_one_of(end, "bz2", "xz", "zst", "lz4", "zip", "7z", "tar", "tgz"))
        throw input_error(file.string() + ": is not compressed as ." + end + " promises: name it " +
                          file.stem().string() + ".gz");
    const std::filesystem::path plain = end == "gz" ? file.stem() : file.filename();
    const std::string suffix = suffix_of(plain);
    const form_name is = name_of(form);
    if (suffix == is.suffix || (form == file_form::html && suffix == "htm") ||
        !promises_a_form(suffix))
        return;
    throw input_error(file.string() + ": is written as " + is.text + ", not as ." + suffix +
                      " promises: name it " + plain.stem().string() + "." + is.suffix +
                      (end == "gz" ? ".gz" : ""));
}

/// zlib's deflate state.
class output_file::compressor {
public:
    compressor()
    {
        constexpr int with_gzip_header = 16, memory_level = 8;
        if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + with_gzip_header,
                         memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    compressor(const compressor&) = delete;
    compressor& operator=(const compressor&) = delete;
    ~compressor() { deflateEnd(&stream_); }

    /// Calls write(bytes) with the compressed bytes of `text`.
    template <class Write>
    void put(std::string_view text, bool end, Write write)
    {
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
        stream_.avail_in = static_cast<uInt>(text.size());
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
            stream_.avail_out = static_cast<uInt>(out_.size());
            deflate(&stream_, end ? Z_FINISH : Z_NO_FLUSH);
            write(std::string_view(out_.data(), out_.size() - stream_.avail_out));
        } while (stream_.avail_out == 0);
    }

private:
    z_stream stream_{};
    std::vector<char> out_ = std::vector<char>(std::size_t{1} << 17);
};

output_file::output_file(const std::filesystem::path& target)
    : name_(target.string()), target_(target)
{
    std::error_code ignored;
    const auto status = std::filesystem::status(target, ignored);
    if (std::filesystem::is_directory(status)) fail_to_create(name_, EISDIR);
    if (std::filesystem::exists(status) && !writes_in_place(target)) {
        const auto behind_links = std::filesystem::canonical(target, ignored);
        if (!ignored) target_ = behind_links;
    }
    if (target.extension() == ".gz") compressor_ = std::make_unique<compressor>();
    if (writes_in_place(target))
        open_directly();
    else
        open_beside();
}

output_file::~output_file()
{
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void output_file::open_directly()
{
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor_ < 0) fail_to_create(name_, errno);
}

void output_file::open_beside()
{
    static std::atomic<int> ordinal = 0;
    constexpr int attempts = 100;  // other processes may have left such files
    for (int i = 0; i < attempts; ++i) {
        temporary_ = target_;
        temporary_ += ".part-" + std::to_string(::getpid()) + "-" + std::to_string(ordinal++);
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ >= 0 || errno != EEXIST) break;
    }
    if (descriptor_ < 0) {
        const int number = errno;
        temporary_.clear();
        fail_to_create(name_, number);
    }
    struct stat before {};
    if (::stat(target_.c_str(), &before) == 0) ::fchmod(descriptor_, before.st_mode & 07777);
}

void output_file::write(std::string_view text)
{
    if (compressor_ == nullptr) return write_bytes(text);
    constexpr std::size_t most = std::size_t{1} << 30;
    for (; !text.empty(); text.remove_prefix(std::min(most, text.size())))
        compressor_->put(text.substr(0, most), false,
                         [&](std::string_view bytes) { write_bytes(bytes); });
}

void output_file::write_bytes(std::string_view bytes)
{
    const held_size_signal no_signal;
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail_to_write(name_, errno);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

void output_file::commit()
{
    if (compressor_ != nullptr)
        compressor_->put({}, true, [&](std::string_view bytes) { write_bytes(bytes); });
    // A full disk may be reported only here.
    if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail_to_write(name_, errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail_to_write(name_, errno);
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_to_write(name_, errno);
    temporary_.clear();
}

bool writes_in_place(const std::filesystem::path& file)
{
    for (const char* own : {"/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"})
        if (file.string().rfind(own, 0) == 0) return true;
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
           !std::filesystem::is_directory(status);
}

void require_writable(const std::filesystem::path& file)
{
    // An existing file is replaced, but one that says it is read-only is not.
    if (::access(file.c_str(), F_OK) == 0 && ::access(file.c_str(), W_OK) != 0)
        fail_to_create(file.string(), errno);
    const output_file probe(file);
}

}  // namespace ddla
