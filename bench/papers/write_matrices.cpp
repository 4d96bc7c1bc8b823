// bench_papers_matrices FOLDER: the matrices of the papers that a formula makes, as files.
#include "paper_matrices.hpp"

#include "support/program.hpp"

#include "ddla/matrix_market.hpp"

int main(int argc, char** argv)
{
    std::string folder;
    CLI::App app("Writes the matrices of the papers that a formula makes");
    app.add_option("folder", folder)->required()->check(CLI::ExistingDirectory);
    return bench::run_program("bench_papers_matrices", app, argc, argv, [&] {
        ddla::write_matrix(std::filesystem::path(folder) / "wathen120.mtx",
                           bench::wathen(120, 100, 1), "Wathen 1987, 120 x 100 elements");
        return 0;
    });
}
