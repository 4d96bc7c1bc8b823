#include "machine.hpp"

#include "data.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"
#include "ddla/version.hpp"

#include <ctime>
#include <fstream>
#include <thread>

namespace bench {

namespace {

std::string now()
{
    const std::time_t t = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&t));
    return text;
}

std::string processor()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

}  // namespace

json machine()
{
    return {{"date", now()},
            {"ddla", DDLA_VERSION},
            {"processor", processor()},
            {"processors", std::thread::hardware_concurrency()}};
}

json record_of_device()
{
    const ddla::device_info info = ddla::devices().at(there.device_index);
    return {{"name", info.name},
            {"architecture", info.architecture},
            {"multiprocessors", info.multiprocessors},
            {"bytes", info.bytes}};
}

void write_results(const std::string& file, const json& results)
{
    if (file.empty()) return;
    std::ofstream out(file);
    out << results.dump(1) << std::endl;
    if (!out) throw ddla::resource_error("cannot write " + file);
}

}  // namespace bench
