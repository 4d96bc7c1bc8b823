#include "input_text.hpp"

#include "ddla/error.hpp"
#include "ddla/watched_scope.hpp"
#include "memory_limit.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <zlib.h>

namespace ddla::text {
namespace {

std::string reason(int number)
{
    return std::generic_category().message(number);
}

class open_file {
public:
    explicit open_file(const std::filesystem::path& file)
        : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC))
    {
        if (descriptor_ < 0)
            throw input_error(file.string() + ": cannot be opened: " + reason(errno));
    }
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;
    ~open_file() { ::close(descriptor_); }
    operator int() const { return descriptor_; }

private:
    int descriptor_;
};

struct text_too_large {};

/// Bytes that grow in place, up to a limit.
class growing_bytes {
public:
    explicit growing_bytes(std::size_t most) : most_(std::min<std::size_t>(most, PTRDIFF_MAX)) {}
    growing_bytes(const growing_bytes&) = delete;
    growing_bytes& operator=(const growing_bytes&) = delete;
    ~growing_bytes() { std::free(data_); }

    void reserve(std::size_t bytes)
    {
        if (bytes <= capacity_) return;
        void* larger = std::realloc(data_, bytes);
        if (larger == nullptr) throw std::bad_alloc();
        data_ = static_cast<char*>(larger);
        capacity_ = bytes;
    }
    /// Memory for at least `least` more bytes, or up to one byte more than the limit allows: only
    /// once that is there the text is too long.
    char* room(std::size_t least)
    {
        if (size > most_) throw text_too_large();
        if (capacity_ - size < least)
            reserve(std::min(most_ + 1, std::max(size + least, capacity_ * 2)));
        return data_ + size;
    }
    std::size_t most() const { return most_; }
    std::size_t left() const { return capacity_ - size; }
    const char* data() const { return data_; }
    std::shared_ptr<const char> release()
    {
        char* data = std::exchange(data_, nullptr);
        return {data, [](const char* p) { std::free(const_cast<char*>(p)); }};
    }

    std::size_t size = 0;

private:
    std::size_t most_;
    char* data_ = nullptr;
    std::size_t capacity_ = 0;
};

/// Bytes that are read or decompressed between two looks at the watch.
constexpr std::size_t between_looks = std::size_t{1} << 22;

/// zlib's inflate state.
class inflater {
public:
    explicit inflater(characters compressed) : next_(compressed.first), last_(compressed.last)
    {
        constexpr int with_gzip_header = 16;
        if (inflateInit2(&stream_, MAX_WBITS + with_gzip_header) != Z_OK) throw std::bad_alloc();
    }
    inflater(const inflater&) = delete;
    inflater& operator=(const inflater&) = delete;
    ~inflater() { inflateEnd(&stream_); }

    /// Appends some bytes and returns the status of inflate.
    int step(growing_bytes& to)
    {
        constexpr std::size_t block = std::size_t{1} << 18, most = std::size_t{1} << 30;
        char* room = to.room(block);
        if (stream_.avail_in == 0) {
            const auto piece = std::min(most, static_cast<std::size_t>(last_ - next_));
            stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next_));
            stream_.avail_in = static_cast<uInt>(piece);
            next_ += piece;
        }
        const auto space = static_cast<uInt>(std::min(between_looks, to.left()));
        count_work(operations_between_looks);
        stream_.next_out = reinterpret_cast<Bytef*>(room);
        stream_.avail_out = space;
        const int status = inflate(&stream_, Z_NO_FLUSH);
        to.size += space - stream_.avail_out;
        return status;
    }
    /// Continues with the next gzip member; false if there is none.
    bool next_member()
    {
        if (stream_.avail_in == 0 && next_ == last_) return false;
        return inflateReset(&stream_) == Z_OK;
    }

private:
    const char* next_;
    const char* last_;
    z_stream stream_{};
};

/// Reads all pages; false if one cannot be read.
bool populate(char* data, std::size_t bytes)
{
#ifdef MADV_POPULATE_READ
    for (std::size_t done = 0; done < bytes;) {
        const std::size_t piece = std::min(4 * between_looks, bytes - done);
        count_work(operations_between_looks);
        if (::madvise(data + done, piece, MADV_POPULATE_READ) == 0)
            done += piece;
        else if (errno == EINVAL)
            break;  // Linux before 5.14 does not know it
        else if (errno != EINTR && errno != EAGAIN)
            return false;
    }
#else
    (void)data, (void)bytes;
#endif
    return true;
}

[[noreturn]] void fail_in(const std::string& name, const growing_bytes& text,
                          const std::string& cause)
{
    const characters so_far{text.data(), text.data() + text.size};
    throw input_error(name + ":" + std::to_string(line_of(so_far, so_far.last)) + ": " + cause);
}

void inflate_all(characters compressed, const std::string& name, growing_bytes& text)
{
    inflater state(compressed);
    for (;;) {
        const int status = state.step(text);
        if (status == Z_STREAM_END) {
            if (!state.next_member()) return;
        } else if (status == Z_BUF_ERROR) {
            fail_in(name, text, "the compressed file ends too early");
        } else if (status == Z_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (status != Z_OK) {
            fail_in(name, text, "the compressed data are corrupt");
        }
    }
}

/// Until there is something to read, or the end, or an error that read() names.  A writer that
/// keeps a pipe waiting keeps no signal waiting.
void wait_for(int descriptor)
{
    constexpr int milliseconds = 50;
    pollfd one{descriptor, POLLIN, 0};
    for (int ready = 0; ready == 0 || (ready < 0 && errno == EINTR);) {
        count_work(operations_between_looks);
        ready = ::poll(&one, 1, milliseconds);
    }
}

}  // namespace

input_text::input_text(const std::filesystem::path& file, std::size_t memory_limit, reading how)
{
    const std::string name = file.string();
    const open_file descriptor(file);
    struct stat about {};
    if (::fstat(descriptor, &about) != 0)
        throw input_error(name + ": cannot be read: " + reason(errno));
    if (S_ISDIR(about.st_mode)) throw input_error(name + ": is a directory, not a file");
    try {
        if (S_ISREG(about.st_mode) && about.st_size > 0)
            map(descriptor, static_cast<std::size_t>(about.st_size), how);
        if (memory_ == nullptr) read(descriptor, memory_limit);
        decompress(name, memory_limit);
        text_ = without_mark(text_);
    } catch (const std::system_error& problem) {
        throw input_error(name + ": cannot be read: " + reason(problem.code().value()));
    } catch (const text_too_large&) {
        throw resource_error(name + ": its text takes too many bytes, " +
                             text_of_limit(memory_limit));
    } catch (const std::bad_alloc&) {
        throw resource_error(name + ": not enough memory for its text");
    }
}

/// Leaves it to read() where a page cannot be had: that would end the process by SIGBUS, whereas
/// read() finds the reason, as a broken disk or a file that has become shorter.
void input_text::map(int descriptor, std::size_t bytes, reading how)
{
    void* data = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) return;
    const char* first = static_cast<const char*>(data);
    const std::shared_ptr<const char> mapped(
        first, [bytes](const char* p) { ::munmap(const_cast<char*>(p), bytes); });
    if (how == reading::whole && !populate(static_cast<char*>(data), bytes)) return;
    memory_ = mapped;
    text_ = {first, first + bytes};
}

void input_text::read(int descriptor, std::size_t memory_limit)
{
    growing_bytes bytes(most_memory(memory_limit));
    for (;;) {
        char* room = bytes.room(std::size_t{1} << 16);
        wait_for(descriptor);
        const ssize_t count = ::read(descriptor, room, std::min(between_looks, bytes.left()));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw std::system_error(errno, std::generic_category());
        if (count == 0) break;
        bytes.size += static_cast<std::size_t>(count);
    }
    text_ = {bytes.data(), bytes.data() + bytes.size};
    held_bytes_ = bytes.size;
    memory_ = bytes.release();
}

void input_text::decompress(const std::string& name, std::size_t memory_limit)
{
    if (text_.size() < 2 || std::memcmp(text_.first, "\x1f\x8b", 2) != 0) return;
    growing_bytes text(most_memory(memory_limit));
    text.reserve(std::min(text.most(), static_cast<std::size_t>(text_.size()) * 4 + 1024));
    inflate_all(text_, name, text);
    if (text.size > text.most()) throw text_too_large();
    text_ = {text.data(), text.data() + text.size};
    held_bytes_ = text.size;
    was_compressed_ = true;
    memory_ = text.release();
}

characters without_mark(characters text)
{
    constexpr std::string_view mark = "\xef\xbb\xbf";
    const std::string_view all{text.first, static_cast<std::size_t>(text.size())};
    if (all.starts_with(mark)) text.first += mark.size();
    return text;
}

std::int64_t line_of(characters text, const char* position)
{
    return std::count(text.first, position, '\n') + 1;
}

}  // namespace ddla::text
