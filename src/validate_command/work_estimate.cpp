// What a factorisation takes.
#include "work_estimate.hpp"

#include "cli/shell/text_format.hpp"

#include "ddla/error.hpp"

#include <chrono>

namespace ddla::validate {

using cli::memory;
using cli::print;

namespace {

/// Each solve takes an operation an entry.  The estimates of norms take 4 or 5 as a rule (at most
/// 11: Higham 1988), refinement 2 or more; what that leaves out, the clock finds.
constexpr double solves_of_norm = 5, solves_of_level = solves_of_norm + 1 + 2;
/// cond(A, x), and the error bounds of two solutions.
constexpr double solves_after_last = 3 * solves_of_norm;

double operations_of_level(const work_counts& counts)
{
    return static_cast<double>(counts.operations) +
           solves_of_level * static_cast<double>(counts.entries);
}

}  // namespace

std::size_t bytes_of_entry(int bits)
{
    // malloc adds 8 bytes, and gives multiples of 16, at least 32.
    const std::size_t digits = (static_cast<std::size_t>(bits) / 8 + 8 + 15) / 16 * 16;
    return sizeof(mp_number) + std::max<std::size_t>(digits, 32) + sizeof(column_t);
}

double seconds_of_operation(int bits)
{
    using clock = std::chrono::steady_clock;
    constexpr int vectors = 20, length = 1000;
    mp_vector x(length, mp_number(bits, 1.0)), a(length, mp_number(bits, 3.0));
    for (mp_number& e : a) e /= mp_number(bits, 7.0);
    const auto begin = clock::now();
    for (int k = 0; k < vectors; ++k)
        for (std::size_t i = 0; i < x.size(); ++i) subtract_product(x[i], a[i], a[0]);
    return std::chrono::duration<double>(clock::now() - begin).count() / (vectors * length);
}

work_counts work_estimate::count(const sparse_columns& a, const std::vector<column_t>& order,
                                 const reference_guard& guard)
{
    if (a.n > limits_.rows)
        refuse(print("%lld rows, the limit is %lld", static_cast<long long>(a.n),
                     static_cast<long long>(limits_.rows)));
    const double each = seconds_of_operation(128) + seconds_of_operation(256);
    const auto look = [&](index_t k, std::int64_t entries, std::int64_t operations) {
        guard.ask({"fill of column", 53, k, a.n});  // not the clock: the estimate has numbers
        check({entries, operations}, 256, operations_of_level({entries, operations}) * each,
              print(" at column %lld of %lld", static_cast<long long>(k),
                    static_cast<long long>(a.n)));
        return true;
    };
    const auto trial = factorise(a, order, 0.0, {.count_only = true, .watch = look});
    return {trial.entries(), trial.operations};
}

void work_estimate::add_level(const work_counts& counts, int bits)
{
    const double each = seconds_of_operation(bits);
    seconds_ += operations_of_level(counts) * each;
    const double judging = solves_after_last * static_cast<double>(counts.entries) * each;
    check(counts, bits, seconds_ + judging, "");
}

void work_estimate::check(const work_counts& counts, int bits, double seconds,
                          const std::string& where) const
{
    const std::size_t bytes = static_cast<std::size_t>(counts.entries) * bytes_of_entry(bits);
    if (bytes > limits_.bytes)
        refuse(print("the factors have %lld entries%s, which take %s at %d bits; the limit is %s "
                     "(--max-memory)",
                     static_cast<long long>(counts.entries), where.c_str(), memory(bytes).c_str(),
                     bits, memory(limits_.bytes).c_str()));
    if (seconds > limits_.seconds)
        refuse(print("the factorisation has %lld operations%s, which with the solves take about "
                     "%.3g seconds to %d bits; the limit is %.3g (--max-seconds)",
                     static_cast<long long>(counts.operations), where.c_str(), seconds, bits,
                     limits_.seconds));
}

void work_estimate::refuse(const std::string& what) const
{
    throw resource_error(file_ + ": the reference solution is too much work: " + what);
}

}  // namespace ddla::validate
