// What all parts of the benchmark share.
#pragma once

#include "data.hpp"
#include "rivals.hpp"
#include "timing.hpp"

#include "ddla/stream.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace bench {

using json = nlohmann::ordered_json;

/// Results that must agree: speed of a wrong rival proves nothing.
class agreements {
public:
    void require(bool holds, const std::string& what)
    {
        if (holds) return;
        std::printf("DISAGREEMENT: %s\n", what.c_str());
        ++failures_;
    }
    int failures() const { return failures_; }

private:
    int failures_ = 0;
};

struct workbench {
    bool quick = false;
    cuda_stream native{};  ///< of all work that is timed
    ddla::stream on{there, native};
    bench::rivals rivals{native};
    bench::cubes cubes{};
    bench::agreements agreements{};
    double copy_speed = 0;  ///< bytes read and written a microsecond
    json results{};
};

/// Date, versions, device.
json environment(const rivals& by);

// Each part prints its table and adds its records to the results.
void measure_copy(workbench& w);
void measure_vectors(workbench& w);
void measure_products(workbench& w);
void measure_solvers(workbench& w);

}  // namespace bench
