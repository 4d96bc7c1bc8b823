// Where and with what was measured.
#pragma once

#include "rivals.hpp"

#include <nlohmann/json.hpp>

namespace bench {

using json = nlohmann::ordered_json;

/// Date, versions, device.
json environment(const rivals& by);

}  // namespace bench
