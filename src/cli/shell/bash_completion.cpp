// Completion for bash, without the package bash-completion.
#include "completion.hpp"

namespace ddla::cli {
namespace {

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// Assignments to `words` and `files`, which bash offers.
std::string offer(const completed_value& value)
{
    return "words='" + joined(value.words) + "' files=" + (value.is_file ? "1" : "");
}

std::vector<std::string> names_of(const completed_command& c)
{
    std::vector<std::string> names;
    for (const completed_option& o : c.options)
        names.insert(names.end(), o.names.begin(), o.names.end());
    return names;
}

/// Cases of "PATH OPTION" for all options with a value.
std::string value_cases(const completed_command& c, const std::string& path)
{
    std::string text;
    for (const completed_option& o : c.options)
        for (const std::string& name : o.names)
            if (o.takes_value)
                text += "        '" + path + ' ' + name + "') " + offer(o.value) + " ;;\n";
    for (const completed_command& each : c.commands)
        text += value_cases(each, path + '/' + each.name);
    return text;
}

/// Cases of "PATH": its options, its commands, and what its arguments are.
std::string command_cases(const completed_command& c, const std::string& path)
{
    std::string text = "    '" + path + "')\n        options='" + joined(names_of(c)) + "'\n";
    completed_value argument;
    for (const completed_command& each : c.commands) argument.words.push_back(each.name);
    for (const completed_option& a : c.arguments) {
        argument.is_file = argument.is_file || a.value.is_file;
        argument.words.insert(argument.words.end(), a.value.words.begin(), a.value.words.end());
    }
    text += "        " + offer(argument) + "\n        ;;\n";
    for (const completed_command& each : c.commands)
        text += command_cases(each, path + '/' + each.name);
    return text;
}

/// Cases of "PATH/WORD" for all commands.
std::string path_cases(const completed_command& c, const std::string& path)
{
    std::string text;
    for (const completed_command& each : c.commands) {
        const std::string below = path + '/' + each.name;
        text += (text.empty() ? "" : " | ") + ("'" + below + "'");
        if (const std::string more = path_cases(each, below); !more.empty()) text += " | " + more;
    }
    return text;
}

/// The words that choose a command, one after the other, as a path.
std::string find_path(const completed_command& program)
{
    return "    local path=" + program.name +
           " words= files= options= k\n"
           "    # --option=value comes as three words.\n"
           "    if [[ $word == '=' ]]; then\n"
           "        word=''\n"
           "    elif [[ $before == '=' ]] && ((COMP_CWORD > 1)); then\n"
           "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "    fi\n"
           "    for ((k = 1; k < COMP_CWORD; ++k)); do\n"
           "        case $path/${COMP_WORDS[k]} in\n"
           "        " +
           path_cases(program, program.name) +
           ") path+=/${COMP_WORDS[k]} ;;\n"
           "        esac\n"
           "    done\n";
}

}  // namespace

std::string bash_completion(const completed_command& program)
{
    const std::string& name = program.name;
    return "# Completion of " + name + " for bash: " + name +
           " completion bash writes it.\n"
           "_" +
           name +
           "()\n"
           "{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n" +
           find_path(program) + "    case $path in\n" + command_cases(program, name) +
           "    esac\n"
           "    if [[ $word == -* ]]; then\n"
           "        words=$options files=\n"
           "    else\n"
           "        case \"$path $before\" in\n" +
           value_cases(program, name) +
           "        *) [[ $words$files ]] || words=$options ;;\n"
           "        esac\n"
           "    fi\n"
           "    COMPREPLY=()\n"
           "    [[ $words ]] && mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "    if [[ $files ]]; then\n"
           "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$word\")\n"
           "        compopt -o filenames 2>/dev/null\n"
           "    fi\n"
           "}\n"
           "complete -F _" +
           name + " " + name + "\n";
}

}  // namespace ddla::cli
