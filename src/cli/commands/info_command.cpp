// ddla info: what a matrix looks like.
#include "cli/shell/command.hpp"

#include "cli/report/info_text.hpp"
#include "cli/report/read_notes.hpp"
#include "cli/shell/arguments.hpp"

#include "ddla/matrix_market.hpp"

#include <iostream>
#include <memory>

namespace ddla::cli {
namespace {

struct info_request {
    std::filesystem::path matrix;
    bool json = false;
};

exit_status run(const info_request& r)
{
    require_readable(r.matrix);
    read_losses lost;
    const auto a = read_any_matrix<double>(r.matrix, 0, &lost);
    const matrix_info info = inspect(a.numbers);
    std::cout << (r.json ? info_json(r.matrix, info, a.is_complex, lost)
                         : info_text(r.matrix, info, a.is_complex) +
                               read_notes({{"matrix", r.matrix.string(), lost}}));
    return exit_converged;
}

}  // namespace

command add_info_command(CLI::App& app)
{
    CLI::App* info = add_command(app, "info", "Print what a matrix looks like.");
    const auto request = std::make_shared<info_request>();
    require(add_option(*info, "A.mtx", request->matrix, input_file, "",
                       "The matrix, .mtx or .mtx.gz; - is the standard input"));
    add_flag(*info, "--json", request->json, "Print it as JSON");
    add_footer(*info, "Examples:\n"
                      "  ddla info a.mtx\n"
                      "  ddla info a.mtx.gz --json");
    return {info, [request] { return run(*request); }};
}

}  // namespace ddla::cli
