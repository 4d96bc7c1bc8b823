// A temporary folder of some matrices, in which commands run: what they leave there is looked at.
#pragma once

#include "command_limits.hpp"
#include "require.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <system_error>

namespace fuzz {

namespace fs = std::filesystem;

/// Commands run in its folder `work`.
class command_folder {
public:
    command_folder() : path_(make())
    {
        fs::create_directories(work() / "folder");
        ::setenv("HOME", (path_ / "home").c_str(), 1);
        make_files();
        for (const auto& entry : fs::recursive_directory_iterator(path_))
            if (entry.is_regular_file()) files_[entry.path()] = content(entry.path());
    }
    command_folder(const command_folder&) = delete;
    command_folder& operator=(const command_folder&) = delete;
    ~command_folder()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    /// What `command` returns, run in the folder with `matrix` as input.mtx.  No file may be left
    /// that none of the words names.
    template <class Command>
    auto inside(const arguments& words, const std::string& matrix, const Command& command)
    {
        write(work() / "input.mtx", matrix);
        const fs::path before = fs::current_path();
        fs::current_path(work());
        const auto result = command();
        fs::current_path(before);
        check_files(words);
        if (may_write(words)) restore();
        return result;
    }

private:
    static fs::path make()
    {
        std::string name = (fs::temp_directory_path() / "ddla-fuzz-XXXXXX").string();
        require(::mkdtemp(name.data()) != nullptr, "a temporary folder");
        return fs::canonical(name);
    }
    static void write(const fs::path& file, const std::string& text)
    {
        std::ofstream out(file, std::ios::binary);
        out << text;
        require(static_cast<bool>(out.flush()), file.string());
    }
    static std::string content(const fs::path& file)
    {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    fs::path work() const { return path_ / "work"; }

    void make_files() const
    {
        using namespace ddla;
        const auto a = generate::toeplitz(12, 1.5);
        write_matrix(work() / "a.mtx", a);
        write_matrix(work() / "a.mtx.gz", a);
        write_matrix(work() / "spd.mtx", generate::poisson2d(4, 3));
        write_matrix(work() / "dd.mtx", generate::hilbert_like<dd_real>(12, 3));
        write_vector(work() / "x.mtx", vector<dd_real>(12, dd_real(1) / dd_real(3)));
        const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
        write(work() / "rectangle.mtx", banner + "3 2 2\n1 1 1\n3 2 -1e300\n");
        write(work() / "zero.mtx", banner + "12 12 0\n");
        write(work() / "empty.mtx", banner + "0 0 0\n");
        write(work() / "broken.mtx", banner + "2 2 1\n1 1 one\n");
    }

    /// Everything is a file of before, or one that a word names.
    void check_files(const arguments& words) const
    {
        for (const auto& entry : fs::recursive_directory_iterator(path_)) {
            const fs::path& file = entry.path();
            if (entry.is_directory() || files_.contains(file)) continue;
            const std::string name = file.lexically_relative(work()).string();
            const bool is_named =
                name == "input.mtx" ||
                std::any_of(words.begin(), words.end(), [&](const std::string& word) {
                    return fs::path(value_of(word)).lexically_normal() == name;
                });
            require(is_named, joined(words) + "left " + file.string());
        }
    }

    static bool may_write(const arguments& words)
    {
        return std::any_of(words.begin(), words.end(), [](const std::string& word) {
            return is_option(word, "--output") || is_option(word, "--report") ||
                   is_option(word, "--history");
        });
    }

    void restore() const
    {
        std::vector<fs::path> others;
        for (const auto& entry : fs::recursive_directory_iterator(path_))
            if (!entry.is_directory() && !files_.contains(entry.path()))
                others.push_back(entry.path());
        for (const fs::path& file : others) fs::remove(file);
        for (const auto& [file, text] : files_) write(file, text);
    }

    fs::path path_;
    std::map<fs::path, std::string> files_;  ///< as they were made
};

}  // namespace fuzz
