// A build without device code.
#include "rival_times.hpp"
#include "set.hpp"

#include "ddla/error.hpp"

namespace bench {

rival_timer make_rival_timer(agreements&)
{
    return {};
}

int measure_set(const set_options&)
{
    throw ddla::resource_error("--set: ddla was built without device code");
}

}  // namespace bench
