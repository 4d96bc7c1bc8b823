// The manual page as it is installed: ddla_manual PAGE prints docs/ddla.1 with all options.
#include "ddla_program.hpp"

int main(int argc, char** argv)
{
    return ddla::cli::write_manual_of_ddla(argc, argv);
}
