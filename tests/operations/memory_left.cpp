// Memory that the machine lacks is told with both numbers, before it is touched.
#include "catch.hpp"
#include "factor/supernodal/definite.hpp"
#include "storage/memory.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/vector.hpp"

#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace {

/// So many bytes of addresses are left to this process, until it is destroyed.
class few_addresses {
public:
    explicit few_addresses(std::int64_t bytes)
    {
        ::getrlimit(RLIMIT_AS, &before_);
        std::int64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit now = before_;
        now.rlim_cur = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE) + bytes);
        ::setrlimit(RLIMIT_AS, &now);
    }
    few_addresses(const few_addresses&) = delete;
    few_addresses& operator=(const few_addresses&) = delete;
    ~few_addresses() { ::setrlimit(RLIMIT_AS, &before_); }

private:
    rlimit before_ = {};
};

/// The text of the error, but for the number behind "and ", which is at most `most`.
template <class Work>
std::string told(const Work& work, double most)
{
    std::string text;
    try {
        work();
    } catch (const ddla::resource_error& e) {
        text = e.what();
    }
    const std::size_t begin = text.find(", and ");
    if (begin == std::string::npos) return text;
    std::size_t length = 0;
    const double left = std::stod(text.substr(begin + 6), &length);
    CHECK(left <= most);
    CHECK(left > 0.9 * most);
    return text.replace(begin + 6, length, "N");
}

constexpr std::int64_t million = 1'000'000;

}  // namespace

TEST_CASE("an array that the machine has no room for is refused with both numbers")
{
#if defined(DDLA_SANITIZED)
    SKIP_CASE("an address sanitizer needs all addresses");
#endif
    const few_addresses limit(300 * million);
    CHECK(told([] { const ddla::vector<double> x(100 * million); }, 3e8) ==
          "out of memory on the host: 800000000 bytes were needed, and N are left");
    const ddla::vector<double> fits(10 * million);
    CHECK(fits.size() == 10 * million);
    ddla::require_memory(1 << 20);
    CHECK(ddla::memory_left().value() <= 300 * million - 80 * million);
}

TEST_CASE("factors that the machine has no room for are refused with both numbers")
{
#if defined(DDLA_SANITIZED)
    SKIP_CASE("an address sanitizer needs all addresses");
#endif
    using factors = ddla::factor::definite_factors<ddla::dd_real>;
    const auto a = ddla::generate::poisson3d(32, 32, 32);
    const std::int64_t bytes = factors::make(a.view(), {}).about().bytes;
    REQUIRE(bytes > 80 * million);
    const few_addresses limit(75 * million);
    CHECK_THROWS_WITH(factors::make(a.view(), {}),
                      Catch::Contains("out of memory on the host: factors need ") &&
                          Catch::Contains(" are left; with a smaller most_memory"));
}

namespace {

/// /proc and /sys of another machine.
class pretended_machine {
public:
    pretended_machine() { std::filesystem::create_directories(root_); }
    pretended_machine(const pretended_machine&) = delete;
    pretended_machine& operator=(const pretended_machine&) = delete;
    ~pretended_machine() { std::filesystem::remove_all(root_); }

    void write(const std::string& file, const std::string& text) const
    {
        const std::filesystem::path path = root_.string() + file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    std::int64_t left() const { return ddla::memory_left(root_.string()).value_or(-1); }

private:
    const std::filesystem::path root_ =
        std::filesystem::temp_directory_path() / ("ddla-memory-" + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("what is left is the least of the machine's and of its groups', with their caches")
{
    const pretended_machine m;
    CHECK(m.left() == -1);
    m.write("/proc/meminfo", "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable: 4000 kB\n"
                             "SwapTotal: 50 kB\nSwapFree: 8 kB\n");
    CHECK(m.left() == 4008 * 1024);
    // Version 2: a job in a slice without a limit, in a container with one.
    m.write("/proc/self/cgroup", "0::/container/slice/job\n");
    const std::string group = "/sys/fs/cgroup/container";
    m.write(group + "/slice/memory.max", "max\n");
    m.write(group + "/slice/memory.current", "900\n");
    CHECK(m.left() == 4008 * 1024);
    m.write(group + "/memory.max", "1000000\n");
    m.write(group + "/memory.current", "700000\n");
    m.write(group + "/memory.stat", "anon 100\ninactive_file 30000\nactive_file 20000\n");
    CHECK(m.left() == 350'000 + 8 * 1024);
    m.write(group + "/slice/job/memory.max", "100000\n");
    m.write(group + "/slice/job/memory.current", "120000\n");
    CHECK(m.left() == 0);
    // Version 1, whose group is seen as the top.
    m.write("/proc/self/cgroup", "3:cpu:/a\n4:cpuset,memory:/elsewhere\n");
    m.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "500000\n");
    m.write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "100000\n");
    CHECK(m.left() == 400'000 + 8 * 1024);
}
