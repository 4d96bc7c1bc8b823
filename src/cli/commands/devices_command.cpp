// ddla devices: the GPUs that ddla sees, and whether it can solve there.
#include "cli/shell/command.hpp"

#include "cli/report/report_json.hpp"
#include "cli/shell/text_format.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

namespace ddla::cli {
namespace {

struct found_device {
    device_info info;
    device_state state;
};

std::string architecture(const device_info& info)
{
    return "sm_" + std::to_string(info.architecture);
}

std::string gibibytes(std::size_t bytes)
{
    return print("%.1f GiB", static_cast<double>(bytes) / (1 << 30));
}

/// A sentence as an indented paragraph, and a line break; nothing for nothing.
std::string paragraph(const std::string& sentence)
{
    if (sentence.empty()) return "";
    std::string text = "  ";
    for (const char c : wrapped(one_line(sentence), text_width - 2))
        text += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return text + '\n';
}

std::string device_text(std::size_t number, const found_device& d)
{
    const auto line = [](const char* label, const std::string& text) {
        return print("  %-15s  %s\n", label, text.c_str());
    };
    const std::string heading = "device " + std::to_string(number) + ": " + d.info.name;
    const std::string free = d.state.usable() ? ", " + gibibytes(d.state.free_bytes) + " free" : "";
    return '\n' + one_line(heading) + '\n' + line("architecture", architecture(d.info)) +
           line("multiprocessors", std::to_string(d.info.multiprocessors)) +
           line("memory", gibibytes(d.info.bytes) + free) +
           line("usable", d.state.usable() ? "yes" : "no") + paragraph(d.state.problem);
}

std::string devices_text(const std::vector<found_device>& found)
{
    const cuda_versions cuda = versions_of_cuda();
    std::string text =
        "built with CUDA " + cuda.runtime + ", driver for CUDA " + cuda.driver + '\n';
    for (std::size_t i = 0; i < found.size(); ++i) text += device_text(i, found[i]);
    return text;
}

json text_or_null(const std::string& text)
{
    return text.empty() ? json() : json(text);
}

std::string devices_json(const std::vector<found_device>& found, const std::string& problem)
{
    const cuda_versions cuda = versions_of_cuda();
    json devices = json::array();
    for (std::size_t k = 0; k < found.size(); ++k)
        devices.push_back({{"number", k},
                           {"name", found[k].info.name},
                           {"architecture", architecture(found[k].info)},
                           {"multiprocessors", found[k].info.multiprocessors},
                           {"bytes", found[k].info.bytes},
                           {"free_bytes", found[k].state.free_bytes},
                           {"usable", found[k].state.usable()},
                           {"problem", text_or_null(found[k].state.problem)}});
    return text_of({{"cuda_driver", text_or_null(cuda.driver)},
                    {"cuda_runtime", text_or_null(cuda.runtime)},
                    {"problem", text_or_null(problem)},
                    {"devices", devices}});
}

std::vector<found_device> find_devices()
{
    std::vector<found_device> found;
    for (const device_info& info : devices())
        found.push_back({info, state_of_device(static_cast<int>(found.size()))});
    return found;
}

/// Why nothing can be solved on a device; empty if something can.
std::string problem_of(const std::vector<found_device>& found)
{
    if (found.empty()) return why_no_device();
    const auto usable = [](const found_device& d) { return d.state.usable(); };
    if (std::any_of(found.begin(), found.end(), usable)) return "";
    return "device 0: " + found[0].state.problem;
}

exit_status run(bool as_json)
{
    const std::vector<found_device> found = find_devices();
    const std::string problem = problem_of(found);
    if (as_json)
        std::cout << devices_json(found, problem);
    else if (!found.empty())
        std::cout << devices_text(found);
    if (!problem.empty()) throw resource_error(problem);
    return exit_converged;
}

}  // namespace

command add_devices_command(CLI::App& app)
{
    CLI::App* devices = add_command(app, "devices", "List the GPUs that ddla can use.");
    const auto as_json = std::make_shared<bool>(false);
    add_flag(*devices, "--json", *as_json, "Print the list as JSON");
    add_footer(*devices,
               "Examples:\n"
               "  ddla devices\n"
               "  ddla devices --json\n"
               "  ddla devices >/dev/null 2>&1 && ddla solve a.mtx --place device\n\n"
               "Exit status: 0 if ddla can use at least one device, 3 if not; then a line on the\n"
               "standard error output says why.");
    return {devices, [as_json] { return run(*as_json); }};
}

}  // namespace ddla::cli
