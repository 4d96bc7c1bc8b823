// Those that solve with incomplete factors: ddla in a precision at a place, and its rivals.
#pragma once

#include "support/machine.hpp"

#include "ddla/csr_matrix.hpp"

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

enum class factors_kind { ilu, ic };  ///< without fill
enum class krylov_method { bicgstab, cg, fgmres };

std::string_view to_string(factors_kind kind);
std::string_view to_string(krylov_method method);

struct build_outcome {
    double seconds = 0;
    double fill = NAN;        ///< entries of the factors over those of A; NaN: not told
    std::int64_t shifts = 0;  ///< pivots that were changed
};

/// What is asked of a solve.
struct demand {
    krylov_method method;
    factors_kind factors;
    double tolerance;     ///< of the residual over b
    double most_seconds;  ///< then it ends as "time limit"
    std::int64_t most_iterations;
};

struct solve_outcome {
    bool claims = false;  ///< it says that x has the tolerance
    std::string status;   ///< in its own words
    std::int64_t iterations = 0;
    double seconds = 0;        ///< from factors, b and x = 0 in memory to x
    double true_residual = 1;  ///< of the x that was returned, relative to b, recomputed
};

/// Works on one system.  All functions throw what ddla throws where something cannot be done.
class contender {
public:
    virtual ~contender() = default;
    /// "who", "place", "precision" and, on the host, "threads".
    virtual json about() const = 0;
    virtual bool has(factors_kind) const { return true; }
    virtual bool has(krylov_method) const { return true; }
    /// Whether x can have such residuals.
    virtual bool can_reach(double tolerance) const = 0;
    /// Makes the factors that solves use from then on.
    virtual build_outcome build(factors_kind kind) = 0;
    /// Of one solve with both triangles; NaN where it cannot be told.
    virtual double apply_seconds() = 0;
    virtual solve_outcome solve(const demand& d) = 0;
};

struct contender_maker {
    json about;
    /// Of a matrix at the host, which outlives it; b is all ones.
    std::function<std::unique_ptr<contender>(const ddla::csr_matrix<double>& a)> make;
};

/// ddla in double, in double-double, and in double-double refining by corrections in double.
std::vector<contender_maker> ddla_at(ddla::place at, int threads);
/// Empty where a build has none.
std::vector<contender_maker> lis(int threads);
std::vector<contender_maker> cusparse();
/// Versions of libraries and the device; only what is there.
json environment_of_rivals(bool with_device);

/// Wall-clock time, or processor time of this process: on a busy machine, what one thread takes.
struct bench_clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<bench_clock>;
    static constexpr bool is_steady = true;

    static inline bool of_processor = false;
    static time_point now() noexcept;
};

inline double seconds_since(bench_clock::time_point begin)
{
    return std::chrono::duration<double>(bench_clock::now() - begin).count();
}

/// The median of five batches of calls, each of 20 ms or one call; wait() ends a batch.
double seconds_of_call(const std::function<void()>& call, const std::function<void()>& wait);

}  // namespace bench
