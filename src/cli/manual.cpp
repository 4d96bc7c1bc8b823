#include "manual.hpp"

#include "ddla/error.hpp"

namespace ddla::cli {
namespace {

bool names(const std::string& page, const std::string& option)
{
    const std::string wanted = "Fl " + option.substr(1);
    for (std::size_t at = page.find(wanted); at != std::string::npos;
         at = page.find(wanted, at + 1))
        if (at + wanted.size() == page.size() || page[at + wanted.size()] == ' ' ||
            page[at + wanted.size()] == '\n')
            return true;
    return false;
}

/// A line of mdoc: what begins with a dot would be a macro, and a backslash an escape.
std::string plain_text(const std::string& text)
{
    std::string line = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
    for (const char c : text) line += c == '\\' ? std::string("\\e") : std::string(1, c);
    return line + ".\n";
}

/// "Cm shift Ns | Ns Cm refuse", "Ar N"
std::string value_text(const completed_option& o)
{
    if (!o.takes_value) return "";
    if (o.value.words.empty() || o.value.is_file) return " Ar " + o.label;
    std::string text;
    for (const std::string& word : o.value.words)
        text += (text.empty() ? " Cm " : " Ns | Ns Cm ") + word;
    return text;
}

std::string item_of(const completed_option& o)
{
    return ".It Fl " + o.names.back().substr(1) + value_text(o) + "\n" + plain_text(o.help);
}

}  // namespace

std::string completed_manual(const std::string& page, const completed_command& program)
{
    std::string all = page;
    for (const completed_command& c : program.commands) {
        std::string items;
        for (const completed_option& o : c.options)
            if (!names(page, o.names.back())) items += item_of(o);
        if (items.empty()) continue;
        const std::string place = ".\\\" further options of " + c.name + "\n";
        const std::size_t at = all.find(place);
        if (at == std::string::npos)
            throw internal_error("the manual page has no place for further options of " + c.name);
        all.insert(at, items);
    }
    return all;
}

}  // namespace ddla::cli
