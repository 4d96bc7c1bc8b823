// Every operation against QD, bit for bit, for as many pairs as wanted.
//
//     validate_qd [pairs per operation = 1e9] [seed = 1] [threads = all]
//
// Batch k of a seed holds the same pairs whatever the number of threads.  Exit code 0: all bits
// equal; 1: some differ (the first pair of each operation is printed); 2: usage.
#include "../tests/arithmetic/qd_operations.hpp"

#include <ddla/self_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace ddla::test;

constexpr int batch_size = 4800;  // a multiple of the kinds of operands
constexpr int operation_count = static_cast<int>(std::size(operations));

struct settings {
    std::int64_t pairs = 1'000'000'000;
    std::uint64_t seed = 1;
    int threads = static_cast<int>(std::thread::hardware_concurrency());
};

class validation {
public:
    explicit validation(const settings& s) : settings_(s) {}

    /// True if all bits were equal.
    bool run()
    {
        start_ = std::chrono::steady_clock::now();
        std::vector<std::thread> workers;
        for (int i = 0; i < settings_.threads; ++i) workers.emplace_back([this] { work(); });
        if (isatty(STDERR_FILENO) != 0) show_progress();
        for (std::thread& w : workers) w.join();
        return summarise();
    }

private:
    void work()
    {
        std::array<operand_pair, batch_size> batch;
        while (!finished()) {
            auto source = operand_source::part(settings_.seed, next_batch_++);
            for (operand_pair& pair : batch) pair = source.next();
            for (int k = 0; k < operation_count; ++k)
                if (compared_[k] < settings_.pairs) compare(k, batch);
        }
    }

    void compare(int k, const std::array<operand_pair, batch_size>& batch)
    {
        const operation& op = operations[k];
        std::int64_t compared = 0;
        for (const operand_pair& pair : batch) {
            if (!op.domain(pair.x, pair.y)) continue;
            ++compared;
            if (!same(op.ours(pair.x, pair.y), op.theirs(pair.x, pair.y))) report(k, pair);
        }
        compared_[k] += compared;
    }

    void report(int k, const operand_pair& pair)
    {
        if (different_[k]++ > 0) return;
        const std::lock_guard lock(print_);
        std::printf("%s differs: (%a, %a) and (%a, %a)\n", operations[k].name, pair.x.hi, pair.x.lo,
                    pair.y.hi, pair.y.lo);
    }

    std::int64_t least_compared() const
    {
        std::int64_t least = compared_[0];
        for (const auto& n : compared_) least = std::min<std::int64_t>(least, n);
        return least;
    }
    bool finished() const { return least_compared() >= settings_.pairs; }
    double seconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

    void show_progress() const
    {
        while (!finished()) {
            const double done = double(least_compared()) / double(settings_.pairs);
            std::fprintf(stderr, "\r%5.1f %%, %.0f s ", 100 * done, seconds());
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
        }
        std::fprintf(stderr, "\r                    \r");
    }

    bool summarise() const
    {
        std::int64_t total = 0, wrong = 0;
        for (int k = 0; k < operation_count; ++k) {
            std::printf("%-24s %13lld pairs, %lld differ\n", operations[k].name,
                        static_cast<long long>(compared_[k]),
                        static_cast<long long>(different_[k]));
            total += compared_[k];
            wrong += different_[k];
        }
        std::printf("%s: %d operations, %.3g pairs each, seed %llu, %.3g comparisons in %.0f s "
                    "(%.3g a second)\n",
                    wrong == 0 ? "all bits equal" : "BITS DIFFER", operation_count,
                    double(settings_.pairs), static_cast<unsigned long long>(settings_.seed),
                    double(total), seconds(), double(total) / seconds());
        return wrong == 0;
    }

    settings settings_;
    std::atomic<std::uint64_t> next_batch_{0};
    std::array<std::atomic<std::int64_t>, operation_count> compared_{}, different_{};
    std::mutex print_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace

int main(int argc, char** argv)
{
    settings s;
    if (argc > 1) s.pairs = std::llround(std::strtod(argv[1], nullptr));
    if (argc > 2) s.seed = std::strtoull(argv[2], nullptr, 10);
    if (argc > 3) s.threads = std::atoi(argv[3]);
    if (argc > 4 || s.pairs < 1 || s.threads < 1) {
        std::fprintf(stderr, "usage: %s [pairs per operation] [seed] [threads]\n", argv[0]);
        return 2;
    }
    ddla::require_exact_arithmetic();
    return validation(s).run() ? 0 : 1;
}
