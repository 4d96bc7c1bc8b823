// The manual page as it is installed: ddla_manual PAGE prints docs/ddla.1 with all options.
#include "ddla_program.hpp"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char** argv)
try {
    std::ifstream page(argc == 2 ? argv[1] : "");
    std::ostringstream text;
    text << page.rdbuf();
    if (!page || text.str().empty()) {
        std::cerr << "ddla_manual: the manual page cannot be read\n";
        return 2;
    }
    std::cout << ddla::cli::manual_of_ddla(text.str());
    return std::cout.flush() ? 0 : 3;
} catch (const std::exception& e) {
    std::cerr << "ddla_manual: " << e.what() << '\n';
    return 3;
}
