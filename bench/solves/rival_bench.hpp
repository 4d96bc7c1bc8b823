// BiCGStab from cuBLAS and cuSPARSE, timed and compared with ddla's.
#pragma once

#include "rival_times.hpp"

#include "support/agreements.hpp"
#include "support/rivals.hpp"
#include "support/timing.hpp"

namespace bench {

struct reference;
struct rival_time;

class rival_bench {
public:
    /// Residuals that are not ddla's are failures there.
    explicit rival_bench(agreements& all) : agreements_(all) {}

    cudaStream_t stream() const { return native_; }
    const rivals& libraries() const { return rivals_; }
    /// As rival_timer.
    json time(const std::string& name, const linear_system& s, int iterations) const;

private:
    json record_of(const std::string& name, const char* who, const rival_time& t,
                   const reference& expected) const;

    agreements& agreements_;
    cuda_stream native_{};
    rivals rivals_{native_};
};

}  // namespace bench
