#include "manual.hpp"

#include "ddla/error.hpp"

#include <fstream>
#include <iostream>
#include <sstream>

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

/// Lines of mdoc, one a sentence: what begins with a dot would be a macro, and a backslash an
/// escape.
std::string plain_text(const std::string& text)
{
    std::string line = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
    for (const char c : text) line += c == '\\' ? std::string("\\e") : std::string(1, c);
    for (std::size_t end; (end = line.find(".  ")) != std::string::npos;)
        line.replace(end, 3, ".\n");
    return line + ".\n";
}

/// "Cm shift Ns | Ns Cm refuse", "Ar N"
std::string value_in_manual(const completed_option& o)
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
    return ".It Fl " + o.names.back().substr(1) + value_in_manual(o) + "\n" + plain_text(o.help);
}

/// Before the line `place`.
void insert_at(std::string& page, const std::string& place, const std::string& items)
{
    if (items.empty()) return;
    const std::size_t found = page.find(place + "\n");
    if (found == std::string::npos)
        throw internal_error("the manual page has no place for " + place.substr(4));
    page.insert(found, items);
}

/// Puts what the page does not name into `all`.
void add_items(std::string& all, const std::string& page, const completed_command& c)
{
    std::string items;
    for (const completed_option& o : c.options)
        if (!names(page, o.names.back())) items += item_of(o);
    insert_at(all, ".\\\" further options of " + c.name, items);
}

}  // namespace

std::string completed_manual(const std::string& page, const completed_command& program)
{
    std::string all = page;
    add_items(all, page, program);
    for (const completed_command& c : program.commands) add_items(all, page, c);
    return all;
}

std::string with_values(const std::string& page, const described_values& values)
{
    std::string items, all = page;
    for (const auto& [value, text] : values.all)
        if (page.find("\n.It Cm " + value + "\n") == std::string::npos)
            items += ".It Cm " + value + "\n" + text + "\n";
    insert_at(all, values.place, items);
    return all;
}

int write_manual(int argc, char** argv, const completed_command& program,
                 const std::vector<described_values>& values)
try {
    std::ifstream file(argc == 2 ? argv[1] : "");
    std::ostringstream text;
    text << file.rdbuf();
    if (!file || text.str().empty())
        throw input_error("the manual page cannot be read: one argument, its file");
    std::string page = completed_manual(text.str(), program);
    for (const described_values& of_option : values) page = with_values(page, of_option);
    std::cout << page;
    if (!std::cout.flush()) throw resource_error("the standard output cannot be written");
    return 0;
} catch (const error& e) {
    std::cerr << program.name << " manual: " << e.what() << '\n';
    return 1;
}

}  // namespace ddla::cli
