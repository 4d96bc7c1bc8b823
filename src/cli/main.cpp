// ddla: solve with, multiply, inspect and generate sparse matrices from the command line.
#include "ddla_program.hpp"

#include "cli/shell/ranks.hpp"

int main(int argc, char** argv)
{
    if (const int refused = ddla::cli::hand_over_to_ranks(argv)) return refused;
    return ddla::cli::run_ddla(argc, argv);
}
