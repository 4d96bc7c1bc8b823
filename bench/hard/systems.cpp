#include "systems.hpp"

#include "ddla/matrix_market.hpp"

#include <algorithm>
#include <set>

namespace hard {

namespace {

namespace fs = std::filesystem;

/// The file name without its ending; empty if it has another ending.
std::string name_of(const fs::path& file, const std::string& ending)
{
    const std::string name = file.filename().string();
    return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : "";
}

ddla::vector<double> right_hand_side(const std::vector<double>& b)
{
    ddla::vector<double> to(static_cast<ddla::index_t>(b.size()));
    for (ddla::index_t i = 0; i < to.size(); ++i) to.set(i, b[static_cast<std::size_t>(i)]);
    return to;
}

void use_answers(const reference::answers& known, const ddla::csr_matrix<double>& a,
                 const std::function<void(const hard_system&)>& use)
{
    for (const reference::answer& one : known.all) {
        const auto b =
            right_hand_side(one.b.empty() ? reference::right_hand_side(one.rhs, a.rows()) : one.b);
        use({known.matrix, one.rhs, a, b, &one, known.kappa1.value});
    }
}

}  // namespace

std::vector<std::string> matrix_names(const fs::path& answers, const fs::path& matrices)
{
    std::set<std::string> names;
    const auto add = [&](const fs::path& folder, const std::string& ending) {
        if (!fs::is_directory(folder)) return;
        for (const auto& entry : fs::directory_iterator(folder)) {
            const std::string name = name_of(entry.path(), ending);
            if (!name.empty()) names.insert(name);
        }
    };
    add(answers, ".txt.gz");
    add(matrices, ".mtx");
    add(matrices, ".mtx.gz");
    return {names.begin(), names.end()};
}

std::string for_each_system(const std::string& matrix, const fs::path& answers,
                            const fs::path& matrices,
                            const std::function<void(const hard_system&)>& use)
{
    reference::answers known;
    const fs::path file = answers / (matrix + ".txt.gz");
    std::optional<ddla::csr_matrix<double>> a;
    if (fs::exists(file)) {
        known = reference::read_answers(file);
        a = reference::matrix_of(known, matrices);
    } else if (const auto there = reference::file_of(matrix, matrices)) {
        a = ddla::read_matrix<double>(*there);
    }
    if (!a) return "the matrix is not in the folder";
    if (a->rows() != a->columns() || a->rows() == 0) return "not square";
    use_answers(known, *a, use);
    const bool has_ones = std::any_of(known.all.begin(), known.all.end(),
                                      [](const auto& one) { return one.rhs == "ones"; });
    if (!has_ones) {
        const ddla::vector<double> b(a->rows(), 1.0);
        use({matrix, "ones", *a, b});
    }
    return "";
}

}  // namespace hard
