// Which matrices a command line asks for.
#pragma once

#include "matrix_set.hpp"
#include "program.hpp"

#include <regex>

namespace bench {

struct matrix_options {
    std::string folder, only;
    bool quick = false;

    void add_to(CLI::App& app)
    {
        app.add_flag("--quick", quick, "small matrices only");
        app.add_option("--matrices", folder,
                       "folder of Matrix Market files to take the large ones of")
            ->check(CLI::ExistingDirectory);
        app.add_option("--only", only, "regular expression that the names of matrices match");
    }

    std::vector<matrix_case> cases() const
    try {
        const std::regex wanted(only);
        std::vector<matrix_case> all;
        if (!folder.empty()) all = real_matrices(folder, quick);
        const std::vector<matrix_case> generated = generated_matrices(quick);
        all.insert(all.end(), generated.begin(), generated.end());
        std::erase_if(all,
                      [&](const matrix_case& c) { return !std::regex_search(c.name, wanted); });
        return all;
    } catch (const std::regex_error& e) {
        throw usage_error("--only " + only + ": " + e.what());
    }
};

}  // namespace bench
