// Exchanges between blocks that do not keep pace; slots are known to nvcc only.
#pragma once

namespace test {

/// Two blocks of device 0 meet so often; each waits at every second meeting before it looks whether
/// the other has come, long enough for that one to go on.  Throws if they do not come to an end.
void meet_at_unlike_pace(int times);

}  // namespace test
