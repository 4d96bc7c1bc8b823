#include "paper_matrices.hpp"

#include "support/generators.hpp"
#include "support/row_builder.hpp"

#include "ddla/error.hpp"
#include "ddla/matrix_market.hpp"

#include <array>
#include <iostream>
#include <memory>

namespace bench {

using namespace ddla;

namespace {

using shared_matrix = std::shared_ptr<const csr_matrix<double>>;

/// Null for a file that cannot be read, which is said, and for a matrix that is not wanted.
shared_matrix wanted_matrix(const std::filesystem::path& file, const paper_set& set)
try {
    csr_matrix<double> a = read_matrix<double>(file);
    if (a.rows() != a.columns() || a.rows() < set.least_rows) return nullptr;
    return std::make_shared<const csr_matrix<double>>(std::move(a));
} catch (const error& e) {
    std::cerr << "left out: " << e.what() << '\n';
    return nullptr;
}

matrix_case at_size(const std::string& name, const shared_matrix& one, index_t entries)
{
    const index_t copies = std::max<index_t>(1, (entries + one->nonzeros() - 1) /
                                                    std::max<index_t>(1, one->nonzeros()));
    if (entries == 0) return {name, own_size, "", [one] { return *one; }};
    return {name, replicated_size, std::to_string(copies) + " copies",
            [one, copies] { return copies == 1 ? *one : replicated(*one, copies); }};
}

/// Rows of 1 to `most` entries at random places.
matrix_case random_lengths(const std::string& name, const std::string& note, index_t n,
                           index_t most)
{
    return {name, "density", note, [n, most] {
                return random_rows(n, n, [most](index_t i) {
                    random_numbers length(41, static_cast<std::uint64_t>(i));
                    return 1 + length.below(most);
                });
            }};
}

/// As the EVC-HYB paper draws them: n of 5000 to 65,000, 1 to n / 20 entries in a row; and matrices
/// of 1 to 5 % of the entries of a dense one, which it says they have.
void add_densities(std::vector<matrix_case>& all, bool quick)
{
    for (const index_t n : {5'000, 10'000, 20'000, 40'000, 65'000}) {
        if (quick && n > 5'000) continue;
        const std::string name = "density " + std::to_string(n);
        all.push_back(random_lengths(name, "1 to n / 20 entries a row", n, n / 20));
        for (const index_t percent : {1, 2, 3, 4, 5}) {
            const std::string share = std::to_string(percent) + " %";
            all.push_back(random_lengths(name + ", " + share, share + " of all entries", n,
                                         n * percent / 50));
        }
    }
}

/// The mass matrix of a serendipity element, times 45: Wathen 1987.
constexpr std::array<std::array<int, 8>, 8> element{{{6, -6, 2, -8, 3, -8, 2, -6},
                                                     {-6, 32, -6, 20, -8, 16, -8, 20},
                                                     {2, -6, 6, -6, 2, -8, 3, -8},
                                                     {-8, 20, -6, 32, -6, 20, -8, 16},
                                                     {3, -8, 2, -6, 6, -6, 2, -8},
                                                     {-8, 16, -8, 20, -6, 32, -6, 20},
                                                     {2, -8, 3, -8, 2, -6, 6, -6},
                                                     {-6, 20, -8, 16, -8, 20, -6, 32}}};

}  // namespace

csr_matrix<double> wathen(index_t nx, index_t ny, std::uint64_t seed)
{
    const index_t n = 3 * nx * ny + 2 * nx + 2 * ny + 1;
    coordinates<double> all{.rows = n, .columns = n};
    random_numbers random(seed);
    for (index_t j = 1; j <= ny; ++j)
        for (index_t i = 1; i <= nx; ++i) {
            // Rows of nodes: 2 nx + 1 of corners and middles of edges, nx + 1 of middles, in turn.
            const index_t top = 3 * j * nx + 2 * i + 2 * j,
                          middle = (3 * j - 1) * nx + 2 * j + i - 1,
                          bottom = 3 * (j - 1) * nx + 2 * i + 2 * j - 3;
            const std::array<index_t, 8> node{top,        top - 1, top - 2,    middle - 1,
                                              bottom - 1, bottom,  bottom + 1, middle};
            const double density = 50 * (random.symmetric() + 1);
            for (std::size_t r = 0; r < node.size(); ++r)
                for (std::size_t c = 0; c < node.size(); ++c)
                    all.add(node[r], node[c], density * element[r][c] / 45);
        }
    return csr_matrix<double>(all);
}

std::vector<matrix_case> paper_matrices(const paper_set& set)
{
    std::vector<matrix_case> all;
    if (!set.folder.empty())
        for (const auto& file : matrix_files(set.folder, 0))
            if (const shared_matrix one = wanted_matrix(file, set))
                for (const index_t entries : set.entries)
                    all.push_back(at_size(name_of_matrix(file), one, entries));
    const auto nodes = std::make_shared<const csr_matrix<double>>(wathen(120, 100, 1));
    for (const index_t entries : set.entries) all.push_back(at_size("wathen120", nodes, entries));
    if (set.densities) add_densities(all, set.quick);
    if (set.generated) {
        const std::vector<matrix_case> more = generated_matrices(set.quick);
        all.insert(all.end(), more.begin(), more.end());
    }
    std::stable_sort(all.begin(), all.end(), [](const matrix_case& a, const matrix_case& b) {
        return (a.kind == own_size) > (b.kind == own_size);  // the short ones first
    });
    return all;
}

}  // namespace bench
