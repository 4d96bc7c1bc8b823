#include "foreign_file.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace ddla::text {
namespace {

using namespace std::string_view_literals;

/// A word of the shell.
std::string in_quotes(const std::string& text)
{
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("/._-+").find(c) != std::string_view::npos;
    };
    if (!text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), is_plain))
        return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// A file for the shell, and the names that its conversions get.
struct names {
    explicit names(const std::filesystem::path& path)
        : file(in_quotes(path.string())), market(in_quotes(path.stem().string() + ".mtx")),
          text(in_quotes(path.stem().string() + "-utf8.mtx"))
    {
    }
    std::string file;    ///< dir/a.npy
    std::string market;  ///< a.mtx
    std::string text;    ///< a-utf8.mtx
};

/// Python's one line: file and result are its arguments, which no quote in a name can break.
std::string by_python(const names& n, const std::string& code)
{
    return "python3 -c \"import sys, numpy, scipy.io, scipy.sparse; f, t = sys.argv[1:]; " + code +
           "\" " + n.file + " " + n.market;
}

/// The name of the first file in a zip archive; empty if it is cut.
std::string_view first_in_zip(std::string_view text)
{
    constexpr std::size_t length_at = 26, name_at = 30;
    if (text.size() < name_at) return {};
    const std::size_t length = static_cast<unsigned char>(text[length_at]) +
                               256u * static_cast<unsigned char>(text[length_at + 1]);
    return text.substr(name_at, length);
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> all)
{
    return std::find(all.begin(), all.end(), name) != all.end();
}

struct foreign {
    std::string what, command;
};

foreign in_zip(const names& n, std::string_view text)
{
    const std::string_view first = first_in_zip(text);
    if (is_one_of(first, {"indices.npy", "indptr.npy", "row.npy", "col.npy", "format.npy",
                          "shape.npy", "data.npy"}))
        return {"an npz file of scipy.sparse",
                by_python(n, "scipy.io.mmwrite(t, scipy.sparse.load_npz(f))")};
    if (first.ends_with(".npy"))
        return {"an npz file of NumPy",
                by_python(n, "z = numpy.load(f); scipy.io.mmwrite(t, numpy.c_[z[z.files[0]]])")};
    if (first == "[Content_Types].xml")
        return {"a document of Office", "libreoffice --headless --convert-to csv " + n.file};
    return {"a zip archive", "unzip " + n.file};
}

bool begins(std::string_view text, std::string_view with)
{
    return text.substr(0, with.size()) == with;
}

foreign compressed_by(const names& n, std::string_view text)
{
    if (begins(text, "BZh")) return {"compressed by bzip2", "bunzip2 -k " + n.file};
    if (begins(text, "\xfd"
                     "7zXZ\0"sv))
        return {"compressed by xz", "unxz -k " + n.file};
    if (begins(text, "\x28\xb5\x2f\xfd"sv)) return {"compressed by zstd", "unzstd " + n.file};
    if (begins(text, "\x04\x22\x4d\x18"sv)) return {"compressed by lz4", "unlz4 " + n.file};
    if (begins(text, "\x1f\x9d"sv)) return {"compressed by compress", "gunzip -k " + n.file};
    if (begins(text, "7z\xbc\xaf\x27\x1c"sv)) return {"a 7z archive", "7z x " + n.file};
    if (begins(text, "PK\3\4"sv)) return in_zip(n, text);
    constexpr std::size_t tar_at = 257;
    if (text.size() > tar_at + 5 && text.substr(tar_at, 5) == "ustar")
        return {"a tar archive", "tar -xf " + n.file};
    return {};
}

/// Text of two or four bytes a character, with a mark at its beginning or by its zeros.
foreign in_wide_text(const names& n, std::string_view text)
{
    const auto converted = [&](const char* code) {
        return foreign{std::string("text in ") + code,
                       std::string("iconv -f ") + code + " -t UTF-8 " + n.file + " > " + n.text};
    };
    if (begins(text, "\xff\xfe\0\0"sv) || begins(text, "\0\0\xfe\xff"sv))
        return converted("UTF-32");
    if (begins(text, "\xff\xfe"sv) || begins(text, "\xfe\xff"sv)) return converted("UTF-16");
    if (text.size() < 4) return {};
    if (text[0] != 0 && text[1] == 0 && text[2] != 0 && text[3] == 0) return converted("UTF-16LE");
    if (text[0] == 0 && text[1] != 0 && text[2] == 0 && text[3] != 0) return converted("UTF-16BE");
    return {};
}

foreign of_program(const names& n, std::string_view text)
{
    if (begins(text, "\x93NUMPY"sv))
        return {"a NumPy array", by_python(n, "scipy.io.mmwrite(t, numpy.c_[numpy.load(f)])")};
    if (begins(text, "\x89HDF\r\n\x1a\n"sv) || begins(text, "MATLAB 7.3 MAT-file"))
        return {begins(text, "MATLAB") ? "a MAT file of MATLAB 7.3 (HDF5)" : "an HDF5 file",
                by_python(n, "import h5py; h = h5py.File(f); "
                             "g = next(h[k] for k in h if k[0] != '#'); "
                             "g = g['A'] if hasattr(g, 'keys') and 'A' in g else g; "
                             "scipy.io.mmwrite(t, scipy.sparse.csc_matrix((g['data'], g['ir'], "
                             "g['jc']), (g.attrs['MATLAB_sparse'], len(g['jc']) - 1)) "
                             "if hasattr(g, 'keys') else g[()].T)")};
    if (begins(text, "MATLAB 5.0 MAT-file"))
        return {"a MAT file of MATLAB",
                by_python(n, "v = next(v for k, v in scipy.io.loadmat(f).items() if k[0] != '_'); "
                             "scipy.io.mmwrite(t, v['A'][0, 0] if v.dtype.names else v)")};
    return {};
}

/// Where gunzip puts a file, and the command that does.
struct unpacked {
    std::filesystem::path file;
    std::string command;
};

unpacked unpack(const std::filesystem::path& file)
{
    std::filesystem::path to = file;
    if (to.extension() == ".gz") {
        to.replace_extension();
        return {to, "gunzip -k " + in_quotes(file.string()) + " && "};
    }
    to += ".unpacked";
    return {to,
            "gunzip -c < " + in_quotes(file.string()) + " > " + in_quotes(to.string()) + " && "};
}

}  // namespace

void refuse_foreign(const std::filesystem::path& file, characters text, bool was_compressed)
{
    const std::string_view begin{text.first, static_cast<std::size_t>(text.size())};
    const unpacked plain = was_compressed ? unpack(file) : unpacked{file, ""};
    const names n(plain.file);
    for (const auto& look : {compressed_by, of_program, in_wide_text}) {
        const foreign found = look(n, begin);
        if (!found.what.empty())
            throw input_error(file.string() + ": is " + found.what +
                              ", which is not read: convert it by " + plain.command +
                              found.command);
    }
}

}  // namespace ddla::text
