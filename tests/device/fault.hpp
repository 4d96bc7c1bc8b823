// A kernel that goes wrong.
#pragma once

namespace test {

/// Returns when the device has noticed.
void write_to_an_illegal_address();

}  // namespace test
