#include "workbench.hpp"

#include "ddla/host_threads.hpp"
#include "ddla/version.hpp"

#include <ctime>
#include <fstream>

namespace bench {

using ddla::dd_real;
using ddla::index_t;

ddla::vector<dd_real> operand(index_t n)
{
    ddla::vector<dd_real> x(n);
    for (index_t i = 0; i < n; ++i)
        x.set(i, dd_real(static_cast<double>((i * 7919) % 2003 - 1001)) / 1003);
    return x;
}

double copy_speed(int threads)
{
    ddla::set_host_threads(threads);
    const ddla::vector<double> x(1 << 25, 1.0);
    ddla::vector<double> y(x.size());
    const auto seconds = take_turns({[&] { ddla::copy(x, y); }}, 7, 0.1);
    return 16.0 * static_cast<double>(x.size()) / median(seconds[0]);
}

std::string processor()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

json environment()
{
    const std::time_t t = std::time(nullptr);
    char date[32];
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&t));
    return {{"date", date},
            {"ddla", DDLA_VERSION},
            {"processor", processor()},
            {"processors", std::thread::hardware_concurrency()},
            {"lis", lis_version()}};
}

#if !defined(DDLA_BENCH_LIS)
std::string lis_version()
{
    return "none";
}
#endif

}  // namespace bench
