// ddla completion: what lets a shell complete the command line.
#include "cli/shell/command.hpp"

#include "cli/shell/arguments.hpp"
#include "cli/shell/completion.hpp"

#include <iostream>
#include <memory>

namespace ddla::cli {

command add_completion_command(CLI::App& app)
{
    using writer = std::string (*)(const completed_command&);
    CLI::App* completion =
        add_command(app, "completion", "Print what lets a shell complete the options.");
    const auto write = std::make_shared<writer>();
    require(add_option(*completion, "SHELL", *write,
                       one_of<writer>({{"bash", bash_completion}, {"zsh", zsh_completion}}), "",
                       "bash or zsh"));
    add_footer(*completion, "Examples:\n"
                            "  source <(ddla completion bash)\n"
                            "  ddla completion zsh > ~/.zfunc/_ddla\n\n"
                            "An installed ddla has both where the shells look for them.");
    return {completion, [&app, write] {
                std::cout << (*write)(completion_of(app));
                return exit_converged;
            }};
}

}  // namespace ddla::cli
