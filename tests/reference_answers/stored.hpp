// The stored answers, one matrix after the other.
#pragma once

#include "catch.hpp"
#include "support/reference_answers.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace reference {

/// Beside the program, where the device tests were packed, else in the sources.
inline std::filesystem::path answers_folder()
{
    const auto packed =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / "reference_answers";
    return std::filesystem::is_directory(packed) ? packed : DDLA_REFERENCE_ANSWERS;
}

inline std::vector<std::filesystem::path> answer_files()
{
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(answers_folder()))
        if (file.path().string().ends_with(".txt.gz")) files.push_back(file.path());
    std::sort(files.begin(), files.end());
    return files;
}

inline std::string matrix_name(const std::filesystem::path& file)
{
    return file.stem().stem().string();
}

/// Calls visit(answers, matrix) for the real or for the generated ones whose matrix is there, and
/// returns how many files were left out.
inline int
for_each_stored(bool real,
                const std::function<void(const answers&, const ddla::csr_matrix<double>&)>& visit)
{
    const char* const set = std::getenv("DDLA_TEST_MATRICES");
    int missing = 0;
    for (const auto& file : answer_files()) {
        if (is_generated(matrix_name(file)) == real) continue;
        INFO(file.filename().string());
        const answers stored = read_answers(file);
        auto a = matrix_of(stored, DDLA_EXAMPLES);
        if (!a && set) a = matrix_of(stored, set);
        if (a)
            visit(stored, *a);
        else
            ++missing;
    }
    return missing;
}

/// Why a test of real matrices does not count as passed; empty if all were there.
inline std::string reason_of(int missing)
{
    if (missing == 0) return {};
    return std::to_string(missing) + " matrices are not there: set DDLA_TEST_MATRICES to their "
                                     "folder; those that are there passed";
}

}  // namespace reference
