// Computes the golden cases at a place and compares their hashes with tests/golden/hashes.txt, as
// it was when this program was built; or writes that file; or adds those of new cases to it.
#include "cases.hpp"
#include "embedded.hpp"

#include "ddla/devices.hpp"
#include "ddla/output_file.hpp"
#include "ddla/version.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr const char* usage =
    "usage: golden_hashes [--place host | --place device] [--write FILE | --add FILE]\n"
    "--add writes the hashes that FILE lacks, and none if another differs from FILE.\n"
    "exit status: 0 equal or written, 1 different, 2 bad usage, 3 failed, 4 no such device\n";

enum exit_status { equal = 0, different = 1, bad_usage = 2, failed = 3, skipped = 4 };

struct request {
    ddla::place at = ddla::host;
    std::string write_to = {}, add_to = {};
};

/// Nothing for arguments that make no sense.
std::optional<request> parse_arguments(const std::vector<std::string>& arguments)
{
    request wanted;
    for (std::size_t next = 0; next < arguments.size(); next += 2) {
        if (next + 1 == arguments.size()) return {};
        const std::string &option = arguments[next], &value = arguments[next + 1];
        if (option == "--write")
            wanted.write_to = value;
        else if (option == "--add")
            wanted.add_to = value;
        else if (option == "--place" && value == "host")
            wanted.at = ddla::host;
        else if (option == "--place" && value == "device")
            wanted.at = ddla::device(0);
        else
            return {};
    }
    if (!wanted.write_to.empty() && !wanted.add_to.empty()) return {};
    return wanted;
}

std::string name_of(ddla::place at)
{
    if (at.is_host()) return to_string(at);
    return to_string(at) + ", " + ddla::devices()[static_cast<std::size_t>(at.device_index)].name;
}

std::string content_of(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) throw std::runtime_error("cannot read " + file);
    return text;
}

void replace(const std::string& file, const std::string& text)
{
    ddla::output_file out(file);
    out.write(text);
    out.commit();
}

void write(const std::string& file, ddla::place at, const golden::hash_list& hashes)
{
    replace(file,
            "# Golden hashes: the bits of results, the same at every place; CONTRIBUTING.md says "
            "when they may change.\n"
            "# Made by ddla " DDLA_VERSION "\n"
            "# Made at " +
                name_of(at) + '\n' + golden::to_text(hashes));
}

int add(const std::string& file, ddla::place at, const golden::hash_list& hashes)
try {
    const std::string before = content_of(file);
    const std::string comment = "Added by ddla " DDLA_VERSION " at " + name_of(at);
    const std::string after = golden::with_added(before, hashes, comment);
    for (const auto& one : golden::added_to(golden::parse(before), hashes))
        std::printf("added: %s\n", one.name.c_str());
    if (after == before)
        std::printf("nothing to add: all %zu cases are in %s\n", hashes.size(), file.c_str());
    else
        replace(file, after);
    return equal;
} catch (const std::invalid_argument& e) {
    std::printf("%s: %s\n", file.c_str(), e.what());
    return different;
}

int compare(ddla::place at, const golden::hash_list& hashes)
{
    const auto found = golden::differences(golden::parse(golden::text_of_hashes), hashes);
    for (const std::string& difference : found) std::printf("%s\n", difference.c_str());
    std::printf("%zu golden cases at %s: %zu differ\n", hashes.size(), name_of(at).c_str(),
                found.size());
    return found.empty() ? equal : different;
}

}  // namespace

int main(int argc, char** argv)
try {
    const std::optional<request> parsed = parse_arguments({argv + 1, argv + argc});
    if (!parsed) {
        std::fputs(usage, stderr);
        return bad_usage;
    }
    const request& wanted = *parsed;
    if (wanted.at.device_index >= static_cast<int>(ddla::devices().size())) {
        std::printf("skipped: there is no %s\n", to_string(wanted.at).c_str());
        return skipped;
    }
    const golden::hash_list hashes = golden::compute(wanted.at);
    if (!wanted.add_to.empty()) return add(wanted.add_to, wanted.at, hashes);
    if (wanted.write_to.empty()) return compare(wanted.at, hashes);
    write(wanted.write_to, wanted.at, hashes);
    return equal;
} catch (const std::exception& e) {
    std::fprintf(stderr, "golden_hashes: %s\n", e.what());
    return failed;
}
