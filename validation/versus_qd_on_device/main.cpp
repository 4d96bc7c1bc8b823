// Every operation on a device against QD on the host, bit for bit, for as many pairs as wanted.
//
//     validate_qd_on_device [--pairs N] [--seed S] [--threads T] [--place device|host]
//
// N pairs per operation (1e9) where the two must agree; T threads for QD (all).  Both sides make
// the pairs, those of a batch the same on every machine.  --place host puts the host in the place
// of the device.  Exit code 0: all bits equal; 1: some differ (the first pairs of each operation
// are printed, with both results); 2: usage, or no device.
#include "../../tests/arithmetic/qd_operations.hpp"
#include "batches.hpp"

#include <ddla/self_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

// Outside ddla, dd_real is QD's.
namespace ddla::test {
namespace {

constexpr int chunk = 64;   // batches that a thread takes at once: 393,216 pairs
constexpr int printed = 3;  // pairs of an operation

struct settings {
    std::int64_t pairs = 1'000'000'000;
    std::uint64_t seed = 1;
    int threads = static_cast<int>(std::thread::hardware_concurrency());
    bool on_device = true;
};

/// QD's operations, and the operands themselves: both sides must make the same ones.
std::vector<operation> compared_operations()
{
    std::vector<operation> all(std::begin(operations), std::end(operations));
    const auto x = [](dd_real a, dd_real) { return a; };
    const auto y = [](dd_real, dd_real b) { return b; };
    all.push_back({"operand x", x, x, anywhere});
    all.push_back({"operand y", y, y, anywhere});
    return all;
}

int number_of(std::string_view name)
{
    int number = 0;
    const auto found = [&](const auto& names) {
        for (const char* here : names) {
            if (here == name) return true;
            ++number;
        }
        return false;
    };
    if (found(sums_by_number) || found(products_by_number) || found(quotients_by_number) ||
        found(others_by_number))
        return number;
    throw std::logic_error("no operation of the device is called " + std::string(name));
}

domain domain_of(const operation& op)
{
    constexpr struct {
        bool (*contains)(dd_real, dd_real);
        domain where;
    } all[] = {{anywhere, domain::anywhere},          {nonzero, domain::nonzero},
               {product_in_range, domain::product},   {square_in_range, domain::square},
               {quotient_in_range, domain::quotient}, {remainder_in_range, domain::remainder},
               {inverse_in_range, domain::inverse},   {root_in_range, domain::root}};
    for (const auto& known : all)
        if (known.contains == op.domain) return known.where;
    throw std::logic_error(std::string("the device does not know the domain of ") + op.name);
}

class validation {
public:
    explicit validation(const settings& s)
        : settings_(s), operations_(compared_operations()), compared_(operations_.size()),
          different_(operations_.size())
    {
        if (operations_.size() > most_operations) throw std::logic_error("too many operations");
        all_.seed = s.seed;
        all_.count = static_cast<int>(operations_.size());
        for (int k = 0; k < all_.count; ++k) {
            all_.operation[k] = static_cast<unsigned char>(number_of(operations_[k].name));
            all_.where[k] = domain_of(operations_[k]);
        }
    }

    /// True if all bits were equal.
    bool run()
    {
        const auto start = std::chrono::steady_clock::now();
        std::vector<std::thread> workers;
        for (int i = 0; i < settings_.threads; ++i)
            workers.emplace_back([this] { guarded_work(); });
        for (std::thread& w : workers) w.join();
        if (error_) throw std::runtime_error(*error_);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        return summarise(taken.count());
    }

private:
    void guarded_work()
    {
        try {
            work();
        } catch (const std::exception& e) {
            const std::lock_guard lock(print_);
            error_ = e.what();
            failed_ = true;
        }
    }
    void work()
    {
        const auto place = settings_.on_device ? results_on_device(all_) : results_on_host(all_);
        std::vector<operand_pair> pairs(pairs_of_batch);
        while (!finished()) {
            const std::uint64_t first = next_batch_.fetch_add(chunk);
            const std::vector<std::uint64_t> hash = place->hashes(first, chunk);
            for (int b = 0; b < chunk; ++b) {
                for (int group = 0; group < groups_of_batch; ++group)
                    each_pair(all_.seed, first + b, group,
                              [&](int i, const operand_pair& p) { pairs[i] = p; });
                for (int k = 0; k < all_.count; ++k)
                    if (compared_[k] < settings_.pairs &&
                        hash_by_qd(k, pairs) != hash[b * all_.count + k])
                        look_closer(k, first + b, pairs, *place);
            }
        }
    }
    std::uint64_t hash_by_qd(int k, const std::vector<operand_pair>& pairs)
    {
        const operation& op = operations_[k];
        std::uint64_t hash = 0;
        std::int64_t compared = 0;
        for (int i = 0; i < pairs_of_batch; ++i) {
            const auto [x, y] = pairs[i];
            if (!op.domain(x, y)) continue;
            ++compared;
            hash += part_of_hash(op.theirs(x, y), i);
        }
        compared_[k] += compared;
        return hash;
    }
    void look_closer(int k, std::uint64_t batch, const std::vector<operand_pair>& pairs,
                     place_of_results& place)
    {
        const operation& op = operations_[k];
        const std::vector<dd_real> ours = place.results(batch, k);
        std::int64_t found = 0;
        for (int i = 0; i < pairs_of_batch; ++i) {
            const auto [x, y] = pairs[i];
            if (!op.domain(x, y)) continue;
            const dd_real theirs = op.theirs(x, y);
            if (same(ours[i], theirs)) continue;
            if (different_[k] + found++ < printed) print(op.name, pairs[i], ours[i], theirs);
        }
        if (found == 0) {
            const std::lock_guard lock(print_);
            std::printf("%s: the hash of batch %llu differs, no result does\n", op.name,
                        static_cast<unsigned long long>(batch));
            found = 1;
        }
        different_[k] += found;
    }
    void print(const char* name, const operand_pair& p, dd_real ours, dd_real theirs)
    {
        const std::lock_guard lock(print_);
        std::printf("%s differs: (%a, %a) and (%a, %a): (%a, %a), QD (%a, %a)\n", name, p.x.hi,
                    p.x.lo, p.y.hi, p.y.lo, ours.hi, ours.lo, theirs.hi, theirs.lo);
    }

    bool finished() const
    {
        return failed_ || std::all_of(compared_.begin(), compared_.end(),
                                      [&](const auto& n) { return n >= settings_.pairs; });
    }
    bool summarise(double seconds) const
    {
        std::int64_t total = 0, wrong = 0;
        for (int k = 0; k < all_.count; ++k) {
            std::printf("%-24s %13lld pairs, %lld differ\n", operations_[k].name,
                        static_cast<long long>(compared_[k]),
                        static_cast<long long>(different_[k]));
            total += compared_[k];
            wrong += different_[k];
        }
        std::printf("%s on the %s: %d operations, %.3g pairs each, seed %llu, %.3g comparisons in "
                    "%.0f s\n",
                    wrong == 0 ? "all bits equal" : "BITS DIFFER",
                    settings_.on_device ? "device" : "host", all_.count, double(settings_.pairs),
                    static_cast<unsigned long long>(settings_.seed), double(total), seconds);
        return wrong == 0;
    }

    settings settings_;
    std::vector<operation> operations_;
    task all_{};
    std::atomic<std::uint64_t> next_batch_{0};
    std::vector<std::atomic<std::int64_t>> compared_, different_;
    std::atomic<bool> failed_{false};
    std::mutex print_;
    std::optional<std::string> error_;
};

/// Nothing if they are wrong.
std::optional<settings> parsed(int argc, char** argv)
{
    settings s;
    for (int k = 1; k < argc; k += 2) {
        const std::string_view option = argv[k];
        if (k + 1 == argc) return {};
        const char* const value = argv[k + 1];
        if (option == "--pairs")
            s.pairs = std::llround(std::strtod(value, nullptr));
        else if (option == "--seed")
            s.seed = std::strtoull(value, nullptr, 10);
        else if (option == "--threads")
            s.threads = std::atoi(value);
        else if (option == "--place" &&
                 (value == std::string_view("device") || value == std::string_view("host")))
            s.on_device = value == std::string_view("device");
        else
            return {};
    }
    if (s.pairs < 1 || s.threads < 1) return {};
    return s;
}

}  // namespace
}  // namespace ddla::test

int main(int argc, char** argv)
{
    const auto s = ddla::test::parsed(argc, argv);
    if (!s) {
        std::fprintf(stderr,
                     "usage: %s [--pairs N] [--seed S] [--threads T] [--place device|host]\n",
                     argv[0]);
        return 2;
    }
    try {
        ddla::require_exact_arithmetic();
        return ddla::test::validation(*s).run() ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", argv[0], e.what());
        return 2;
    }
}
