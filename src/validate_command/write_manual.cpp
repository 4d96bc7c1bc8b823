// The manual page of ddla-validate as it is installed: ddla_validate_manual PAGE prints it.
#include "cli/shell/manual.hpp"
#include "validate_options.hpp"

int main(int argc, char** argv)
{
    CLI::App app{"", "ddla-validate"};
    ddla::validate::validate_request request;
    ddla::validate::add_options(app, request);
    return ddla::cli::write_manual(argc, argv, ddla::cli::completion_of(app));
}
