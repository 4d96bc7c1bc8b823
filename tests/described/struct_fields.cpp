#include "struct_fields.hpp"

#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace described_test {
namespace {

/// Without comments of C and C++, without what stands in <> or () and without initializers.
std::string plain(const std::string& text)
{
    std::string code =
        std::regex_replace(text, std::regex(R"(//[^\n]*|/\*[^*]*\*+([^/*][^*]*\*+)*/)"), "");
    std::string result;
    int depth = 0;
    bool value = false;
    for (const char c : code) {
        if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
        if (depth == 0 && c == '=') value = true;
        if (depth == 0 && (c == ';' || c == ',')) value = false;
        if (depth == 0 && !value) result += c;
        if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    }
    return result;
}

std::string between(const std::string& text, const std::string& from, const std::string& to)
{
    const std::size_t begin = text.find(from);
    if (begin == std::string::npos) throw std::runtime_error("there is no \"" + from + "\"");
    const std::size_t end = text.find(to, begin + from.size());
    if (end == std::string::npos) throw std::runtime_error("\"" + from + "\" has no end");
    return text.substr(begin + from.size(), end - begin - from.size());
}

/// The last name of each part between commas, of each declaration.
words declared(const std::string& body)
{
    words all;
    std::istringstream declarations(plain(body));
    for (std::string one; std::getline(declarations, one, ';');) {
        std::istringstream parts(one);
        for (std::string part; std::getline(parts, part, ',');) {
            std::smatch name;
            if (std::regex_search(part, name, std::regex(R"((\w+)\s*$)"))) all.push_back(name[1]);
        }
    }
    return all;
}

words names_in(const std::string& list)
{
    words all;
    const std::regex name(R"(\w+)");
    for (std::sregex_iterator i(list.begin(), list.end(), name), end; i != end; ++i)
        all.push_back(i->str());
    return all;
}

}  // namespace

std::string source(const std::string& path)
{
    std::ifstream file(std::string(DDLA_SOURCE) + "/" + path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw std::runtime_error(path + " cannot be read");
    return text.str();
}

words fields_of_cpp(const std::string& path, const std::string& name)
{
    std::string body = between(source(path), "\nstruct " + name + " {\n", "\n};\n");
    // Members behind an empty line are functions.
    return declared(std::regex_replace(body, std::regex(R"(\n\n[^]*)"), ""));
}

words fields_of_c(const std::string& name)
{
    const std::string header = source("bindings/c/ddla.h");
    const std::size_t end = header.find("\n} " + name + ";");
    if (end == std::string::npos) throw std::runtime_error("ddla.h has no " + name);
    const std::size_t begin = header.rfind("typedef struct {", end);
    return declared(header.substr(begin + 16, end - begin - 16) + "\n");
}

words fields_of_fortran(const std::string& path, const std::string& name)
{
    const std::string body =
        between(source(path), "type, bind(C) :: " + name + "\n", "end type " + name);
    words all;
    std::istringstream lines(std::regex_replace(body, std::regex(R"(&\s*\n)"), " "));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colons = line.find("::");
        if (colons == std::string::npos) continue;
        for (std::string& field : names_in(line.substr(colons + 2))) all.push_back(field);
    }
    return all;
}

words arguments_of_fortran(const std::string& path, const std::string& name)
{
    return names_in(between(source(path), "subroutine " + name + "(", ")"));
}

std::set<std::string> set_of(const words& all)
{
    return {all.begin(), all.end()};
}

std::set<std::string> joined(const words& all, const words& more)
{
    std::set<std::string> both = set_of(all);
    both.insert(more.begin(), more.end());
    return both;
}

}  // namespace described_test
