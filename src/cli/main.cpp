// ddla: solve with, multiply, inspect and generate sparse matrices from the command line.
#include "ddla_program.hpp"

int main(int argc, char** argv)
{
    return ddla::cli::run_ddla(argc, argv);
}
