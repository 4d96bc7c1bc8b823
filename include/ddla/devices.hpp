// The devices that this process can see, and why it sees none.
//
//     for (const ddla::device_info& d : ddla::devices()) std::cout << d.name << "\n";
//     if (ddla::devices().empty()) std::cout << ddla::why_no_device() << "\n";
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ddla {

struct device_info {
    std::string name;
    int architecture;  ///< 90 for sm_90
    int multiprocessors;
    std::size_t bytes;  ///< of memory
};

/// device(i) is element i.  Empty without a device, without a driver, or in a build for the host.
std::vector<device_info> devices();

/// Why devices() is empty, in one sentence; empty if it is not.
std::string why_no_device();

/// Whether ddla can use a device now.
struct device_state {
    std::size_t free_bytes = 0;  ///< of memory
    std::string problem;         ///< why it cannot be used, in one sentence; empty if it can

    bool usable() const { return problem.empty(); }
};

/// Initialises the device for this process, which takes tenths of a second and some of its memory.
/// A failure of the device is reported in `problem`, not thrown.
device_state state_of_device(int index);

/// ddla keeps the device memory that its calls have given back, for the next ones.  This hands what
/// nobody uses back to the system, for other libraries or processes; the next call that needs
/// memory pays for it again.  Waits for ddla's own stream; memory of calls that are under way on
/// other streams stays.  (ddla does the same by itself when an allocation of its own finds no
/// room.) Throws resource_error if there is no such device.
void release_kept_memory(int index);

/// Versions of CUDA, as in "13.0"; empty where there is none.
struct cuda_versions {
    std::string driver;   ///< the latest that the driver knows
    std::string runtime;  ///< what ddla was built with
};

cuda_versions versions_of_cuda();

}  // namespace ddla
