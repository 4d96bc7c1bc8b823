#include "workbench.hpp"

#include "ddla/host_threads.hpp"

#include <cstdio>

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

json machine_with_lis()
{
    json all = machine();
    all["lis"] = lis_version();
    return all;
}

void print(const json& machine, std::initializer_list<const char*> names)
{
    std::string line;
    for (const std::string name : names) {
        if (!line.empty()) line += ", ";
        if (name != "processor") line += name + " ";
        line += machine[name].get<std::string>();
    }
    std::printf("%s\n", line.c_str());
}

#if !defined(DDLA_BENCH_LIS)
std::string lis_version()
{
    return "none";
}
#endif

}  // namespace bench
