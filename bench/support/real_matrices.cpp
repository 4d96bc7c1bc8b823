#include "generators.hpp"
#include "matrix_set.hpp"

#include "ddla/error.hpp"
#include "ddla/matrix_market.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

namespace bench {

namespace {

namespace fs = std::filesystem;

constexpr index_t enough_to_count = 100'000;

matrix_case made_from(const std::string& name, csr_matrix<double> matrix, index_t at_least)
{
    const index_t copies =
        std::max<index_t>(1, (at_least + matrix.nonzeros() - 1) / matrix.nonzeros());
    const std::string entries = std::to_string(matrix.nonzeros()) + " entries";
    const auto one = std::make_shared<const csr_matrix<double>>(std::move(matrix));
    return {name, "real", copies == 1 ? entries : std::to_string(copies) + " copies of " + entries,
            [one, copies] { return copies == 1 ? *one : replicated(*one, copies); }};
}

/// Unless it is too small.
void add(std::vector<matrix_case>& all, const fs::path& file, bool quick)
try {
    csr_matrix<double> a = ddla::read_matrix<double>(file);
    if (a.nonzeros() > enough_to_count)
        all.push_back(made_from(name_of_matrix(file), std::move(a), quick ? 400'000 : 20'000'000));
} catch (const ddla::error& e) {
    std::cerr << "left out: " << e.what() << '\n';
}

}  // namespace

std::string name_of_matrix(const fs::path& file)
{
    const std::string name = file.filename().string();
    for (const std::string_view ending : {".mtx", ".mtx.gz"})
        if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    return {};
}

std::vector<fs::path> matrix_files(const fs::path& folder, index_t least_entries)
{
    // A line has four characters and two entries at the most.
    const auto large_enough = [&](const fs::path& file) {
        return file.extension() == ".gz" ||
               fs::file_size(file) > static_cast<std::uintmax_t>(2 * least_entries);
    };
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (!name_of_matrix(entry.path()).empty() && large_enough(entry.path()))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<matrix_case> real_matrices(const fs::path& folder, bool quick)
{
    std::vector<matrix_case> all;
    for (const fs::path& file : matrix_files(folder, enough_to_count)) add(all, file, quick);
    return all;
}

}  // namespace bench
