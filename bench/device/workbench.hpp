// What all parts of the benchmark share.
#pragma once

#include "support/agreements.hpp"
#include "support/data.hpp"
#include "support/environment.hpp"
#include "support/rivals.hpp"
#include "support/timing.hpp"

#include "ddla/stream.hpp"

namespace bench {

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

// Each part prints its table and adds its records to the results.
void measure_copy(workbench& w);
void measure_vectors(workbench& w);
void measure_products(workbench& w);
void measure_solvers(workbench& w);

}  // namespace bench
