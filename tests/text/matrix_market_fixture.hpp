// Matrix Market texts, written to files of a directory that goes with the test.
#pragma once

#include "ddla/error.hpp"
#include "ddla/matrix_market.hpp"
#include "decimal_truth.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <zlib.h>

namespace ddla::test {

/// A directory of one's own; gone at the end.
class directory {
public:
    directory()
    {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "ddla-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory");
        path_ = pattern;
    }
    directory(const directory&) = delete;
    directory& operator=(const directory&) = delete;
    ~directory()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    std::size_t files() const
    {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_),
                                                      std::filesystem::directory_iterator()));
    }

private:
    std::filesystem::path path_;
};

inline std::filesystem::path put(const std::filesystem::path& file, std::string_view content)
{
    std::ofstream(file, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
    return file;
}

inline std::string content_of(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What read() says of a bad file.
template <class Read>
std::string complaint(Read read)
{
    try {
        read();
    } catch (const input_error& problem) {
        return problem.what();
    }
    return {};
}

inline std::string compressed(const std::string& text)
{
    std::string out(text.size() + 1000, '\0');
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(out.size() - stream.avail_out);
    deflateEnd(&stream);
    return out;
}

/// "1 1 2\n1 3 0.5\n": row, column, value of each stored entry.
template <scalar V>
std::string listing(const csr_matrix<V>& a)
{
    std::string result;
    const csr<V> view = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            result += std::to_string(i + 1) + " " + std::to_string(view.column[k] + 1) + " " +
                      to_string(dd_real(view.value.get(k))) + "\n";
    return result;
}

template <scalar V>
bool same(const csr_matrix<V>& a, const csr_matrix<V>& b)
{
    const csr<V> x = a.view(), y = b.view();
    if (x.rows != y.rows || x.columns != y.columns || x.nonzeros() != y.nonzeros()) return false;
    for (index_t i = 0; i <= x.rows; ++i)
        if (x.row_begin[i] != y.row_begin[i]) return false;
    for (index_t k = 0; k < x.nonzeros(); ++k)
        if (x.column[k] != y.column[k] || !same(x.value.get(k), y.value.get(k))) return false;
    return true;
}

}  // namespace ddla::test
