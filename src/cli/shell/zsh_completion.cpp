// Completion for zsh, by its function _arguments.
#include "completion.hpp"

namespace ddla::cli {
namespace {

/// Within single quotes, where _arguments gives a meaning to brackets and colons.
std::string quoted(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\'')
            result += "'\\''";
        else if (c == '[' || c == ']' || c == ':' || c == '\\')
            result += std::string("\\") + c;
        else
            result += c;
    }
    return result;
}

/// In an action, which is read twice: a star would be a pattern.
std::string word_list(const std::vector<std::string>& words, const std::string& star)
{
    std::string text;
    for (const std::string& word : words) {
        text += text.empty() ? "" : " ";
        for (const char c : word) text += c == '*' ? star : std::string(1, c);
    }
    return text;
}

/// ":label:action"
std::string value_for_zsh(const completed_option& o)
{
    const std::vector<std::string>& words = o.value.words;
    std::string action = "()";  // a value that nobody can guess
    if (o.value.is_file)
        action = words.empty() ? "_files" : "_ddla_file_or " + word_list(words, "\\\\\\*");
    else if (!words.empty())
        action = "(" + word_list(words, "\\*") + ")";
    return ":" + quoted(o.label) + ":" + action;
}

std::string specification(const completed_option& o)
{
    std::string text;
    for (const std::string& name : o.names)
        text += " \\\n            '" + name + (o.takes_value && name.starts_with("--") ? "=" : "") +
                "[" + quoted(o.help) + "]" + (o.takes_value ? value_for_zsh(o) : "") + "'";
    return text;
}

std::string function_name(const std::string& path)
{
    return "_" + path;
}

std::string function_of(const completed_command& c, const std::string& path)
{
    std::string text;
    for (const completed_command& each : c.commands)
        text += function_of(each, path + "_" + each.name);
    text += function_name(path) +
            "()\n{\n    local curcontext=$curcontext state\n    local -a line\n"
            "    _arguments -C";
    for (const completed_option& o : c.options) text += specification(o);
    int place = 1;
    for (const completed_option& a : c.arguments)
        text += " \\\n            '" + std::to_string(place++) + value_for_zsh(a) + "'";
    if (c.commands.empty()) return text + "\n}\n\n";
    text += " \\\n            '1:command:->command' \\\n            '*::argument:->argument' && "
            "return\n"
            "    case $state in\n    command)\n        local -a commands=(";
    for (const completed_command& each : c.commands)
        text += "\n            '" + each.name + ":" + quoted(each.help) + "'";
    text += ")\n        _describe command commands\n        ;;\n    argument)\n        case "
            "$line[1] in\n";
    for (const completed_command& each : c.commands)
        text += "        " + each.name + ") " + function_name(path + "_" + each.name) + " ;;\n";
    return text + "        esac\n        ;;\n    esac\n}\n\n";
}

}  // namespace

std::string zsh_completion(const completed_command& program)
{
    const std::string function = function_name(program.name);
    return "#compdef " + program.name + "\n# Completion of " + program.name +
           " for zsh: " + program.name +
           " completion zsh writes it.\n\n"
           "_ddla_file_or()\n{\n    _alternative \"words:word:($*)\" 'files:file:_files'\n}\n\n" +
           function_of(program, program.name) +
           "# The file may be loaded when it is needed, or read as a whole.\n"
           "if [[ $funcstack[1] == " +
           function + " ]]; then\n    " + function + " \"$@\"\nelse\n    compdef " + function +
           " " + program.name + "\nfi\n";
}

}  // namespace ddla::cli
