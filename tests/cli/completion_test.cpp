// What shells offer is what the command takes.
#include "catch.hpp"
#include "process.hpp"
#include "support/patterns.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace cli_test;

namespace {

using words = std::set<std::string>;

words lines_of(const std::string& text)
{
    words all;
    for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos;
         begin = end + 1)
        if (end > begin) all.insert(text.substr(begin, end - begin));
    return all;
}

/// What bash offers for the last of the words, in a folder without files.
words offered(const scratch& folder, const arguments& line)
{
    static const std::string script = run({"completion", "bash"}).out;
    arguments options{"--norc",
                      "-c",
                      "cd \"$1\" && eval \"$2\" && shift 2 && "
                      "COMP_WORDS=(\"$@\") && COMP_CWORD=$(($# - 1)) && _ddla; "
                      "printf '%s\\n' \"${COMPREPLY[@]}\"",
                      "bash",
                      folder.path().string(),
                      script,
                      "ddla"};
    options.insert(options.end(), line.begin(), line.end());
    const result r = run_program("/bin/bash", options);
    CHECK(r.err == "");
    return lines_of(r.out);
}

const std::vector<arguments> commands{{},
                                      {"solve"},
                                      {"check"},
                                      {"tune"},
                                      {"spmv"},
                                      {"info"},
                                      {"generate"},
                                      {"convert"},
                                      {"devices"},
                                      {"completion"},
                                      {"help"},
                                      {"generate", "poisson2d"},
                                      {"generate", "poisson3d"},
                                      {"generate", "convection-diffusion"},
                                      {"generate", "toeplitz"},
                                      {"generate", "hilbert-like"},
                                      {"generate", "random"},
                                      {"generate", "skewed"}};

arguments with(arguments line, const arguments& more)
{
    line.insert(line.end(), more.begin(), more.end());
    return line;
}

/// "--name" of every option in the help, and its label.
std::map<std::string, std::string> options_in_help(const arguments& command)
{
    std::map<std::string, std::string> all;
    const std::string help = run(with(command, {"--help"})).out;
    for (const auto& option : test::matches_in(help, "\n  (?:-h,)?(--[a-z-]+) ?(\\S*)"))
        all[option[1]] = option[2];
    return all;
}

/// What a wrong value of the option is answered with: "… is not one of a, b" as a set.
words taken_by(const arguments& command, const std::string& option)
{
    const std::string err = run(with(command, {option, "no-such-word"})).err;
    const auto lists = test::matches_in(err, "is not one of ([^(\n]*)");
    words all;
    if (lists.empty()) return all;
    for (const auto& word : test::matches_in(lists.front()[1], "[^, ]+")) all.insert(word[0]);
    return all;
}

}  // namespace

TEST_CASE("bash offers every option of the help and no other", "[shells]")
{
    const scratch folder;
    for (const arguments& command : commands) {
        words wanted{"-h"};
        for (const auto& [name, label] : options_in_help(command)) wanted.insert(name);
        INFO("ddla " << (command.empty() ? "" : command.back()));
        CHECK(wanted.size() > 1);
        CHECK(offered(folder, with(command, {"-"})) == wanted);
    }
}

TEST_CASE("bash offers the values that options take", "[shells]")
{
    const scratch folder;
    int of_words = 0;
    for (const arguments& command : commands)
        for (const auto& [option, label] : options_in_help(command)) {
            if (label.empty()) continue;
            const words taken = taken_by(command, option);
            INFO(option << ' ' << label);
            if (!taken.empty()) {
                ++of_words;
                CHECK(offered(folder, with(command, {option, ""})) == taken);
            } else if (label.find('|') != std::string::npos) {
                // A file, or one of the words that are written small.
                words wanted;
                for (const auto& word : test::matches_in(label, "[^|]+"))
                    if (word[0] != "FILE") wanted.insert(word[0]);
                CHECK(offered(folder, with(command, {option, ""})) == wanted);
            }
        }
    CHECK(of_words > 15);
    CHECK(offered(folder, {"solve", "--method", "=", "l"}) == words{"lsmr"});
    CHECK(offered(folder, {"solve", "--method", "="}).count("idr") == 1);
    CHECK(offered(folder, {"solve", "--tol", ""}).count("--tol") == 0);
}

TEST_CASE("bash takes the script as the help says", "[shells]")
{
    const std::string line = "source <('" DDLA_COMMAND "' completion bash) && complete -p ddla";
    const result r = run_program("/bin/bash", {"--norc", "-c", line});
    CHECK(r.err == "");
    CHECK(r.out.find("_ddla") != std::string::npos);
}

TEST_CASE("bash offers commands, kinds of matrices and files", "[shells]")
{
    const scratch folder;
    folder.write("a.mtx", "");
    words all;
    for (const arguments& command : commands)
        if (command.size() == 1) all.insert(command.front());
    CHECK(offered(folder, {""}) == all);
    CHECK(offered(folder, {"generate", "hil"}) == words{"hilbert-like"});
    CHECK(offered(folder, {"solve", ""}) == words{"a.mtx"});
    CHECK(offered(folder, {"solve", "--output", "a"}) == words{"a.mtx"});
    CHECK(offered(folder, {"solve", "--rhs", ""}) == words{"a.mtx", "ones", "A*ones"});
    CHECK(offered(folder, {"completion", ""}) == words{"bash", "zsh"});
}

TEST_CASE("zsh completes commands, options and values", "[shells]")
{
    if (run_program("/bin/sh", {"-c", "command -v zsh"}).exit_status != 0)
        SKIP_CASE("zsh is not installed");
    const scratch folder;
    folder.write("_ddla", run({"completion", "zsh"}).out);
    // Types each line and the tab key into a terminal with zsh, and asks it what stands there.  Of
    // the first line, for which zsh loads what completes, a busy machine may be asked too early.
    const char* const driver =
        "zmodload zsh/zpty && cd $1 && shift && zpty -b z 'zsh -f -i' || exit 1\n"
        "zpty -w z 'PS1=; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; "
        "show() { print -r -- \"$BUFFER\" >> line; BUFFER= }; zle -N show; bindkey ^X show; "
        ": >> ready'\n"
        "for ((k = 0; k < 200; ++k)); do [[ -e ready ]] && break; sleep 0.05; done\n"
        "n=0\n"
        "for line in \"$@\"; do\n"
        "    zpty -w -n z \"$line\"$'\\t'; ((++n))\n"
        "    for ((k = 0; k < 100; ++k)); do\n"
        "        zpty -r -t z >/dev/null; sleep 0.05\n"
        "        ((k % 10 == 9)) && zpty -w -n z $'\\x18'\n"
        "        [[ -e line && $(wc -l < line) -ge $n ]] && break\n"
        "    done\n"
        "done\n"
        "zpty -d z; cat line\n";
    const result r = run_program(
        "/bin/sh", {"-c", "exec zsh -f -c \"$@\"", "sh", driver, "zsh", folder.path().string(),
                    "ddla sp", "ddla sol", "ddla solve --meth", "ddla solve --method lsm",
                    "ddla generate toep", "ddla generate toeplitz --gam", "ddla check --rhs A"});
    INFO(r.out << r.err);
    words lines = lines_of(r.out);
    lines.erase("ddla spmv");
    lines.erase("ddla spmv ");
    CHECK(lines == words{"ddla solve ", "ddla solve --method=", "ddla solve --method lsmr ",
                         "ddla generate toeplitz ",
                         "ddla generate toeplitz --gamma=", "ddla check --rhs A\\*ones "});
}
