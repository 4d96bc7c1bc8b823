// ddla convert: a matrix in another form of file.
#include "cli/shell/command.hpp"

#include "cli/report/read_notes.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/interrupt.hpp"

#include "ddla/binary_matrix.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/output_file.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>

namespace ddla::cli {
namespace {

struct convert_request {
    std::filesystem::path matrix, output;
    bool wide_values = false;
};

bool is_binary(const std::filesystem::path& file)
{
    const std::filesystem::path plain = file.extension() == ".gz" ? file.stem() : file;
    std::string end = plain.extension().string();
    std::transform(end.begin(), end.end(), end.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return end == ".ddla";
}

template <scalar V>
void convert(const convert_request& r)
{
    read_losses lost;
    const auto a = read_any_matrix<V>(r.matrix, 0, &lost);
    if (is_binary(r.output))
        write_binary_matrix(r.output, a.numbers, a.is_complex);
    else if (a.is_complex)
        throw input_error(r.matrix.string() + " is complex: name the output .ddla");
    else
        write_matrix(r.output, a.numbers, "from " + r.matrix.filename().string());
    std::cout << read_notes({{"matrix", r.matrix.string(), lost}});
}

exit_status run(const convert_request& r)
{
    require_readable(r.matrix);
    const file_form form =
        is_binary(r.output) ? file_form::binary_matrix : file_form::matrix_market;
    require_name_of(form, r.output);
    require_writable(r.output);
    const interrupt_guard interrupt;  // the file is written whole
    r.wide_values ? convert<dd_real>(r) : convert<double>(r);
    return exit_converged;
}

}  // namespace

command add_convert_command(CLI::App& app)
{
    CLI::App* convert = add_command(app, "convert", "Write a matrix as a binary file, or as text.");
    const auto request = std::make_shared<convert_request>();
    require(add_option(*convert, "A.mtx", request->matrix, input_file, "",
                       "The matrix, in any form that is read"));
    require(add_option(*convert, "--output", request->output, file_name, "FILE",
                       "Write to FILE: .ddla is binary, .mtx is text;\n.gz behind it compresses"));
    add_option(
        *convert, "--values", request->wide_values,
        one_of<bool>({{number_traits<double>::name, false}, {number_traits<dd_real>::name, true}}),
        "double|dd", "How decimal values are rounded (double)");
    add_footer(*convert,
               "A binary file is read several times as fast, and ranks read their own rows.\n"
               "Examples:\n"
               "  ddla convert a.mtx --output a.ddla\n"
               "  ddla convert a.mtx.gz --values dd --output a.ddla");
    return {convert, [request] { return run(*request); }};
}

}  // namespace ddla::cli
