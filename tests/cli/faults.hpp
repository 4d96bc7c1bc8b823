// Programs on a system that fails them (fault_shim.cpp).
#pragma once

#include "process.hpp"

#include <optional>
#include <sys/resource.h>

namespace cli_test {

/// While it lives, programs start with one thread and little memory: `tune` and `spmv` then measure
/// copies of 32 MB, not of 256, which took nine tenths of the time of these tests.
class small_programs {
public:
    small_programs();
    small_programs(const small_programs&) = delete;
    small_programs& operator=(const small_programs&) = delete;
    ~small_programs();

protected:
    /// A variable of the environment, until the end.
    void set(const std::string& name, const std::string& value);

private:
    std::vector<std::pair<std::string, std::optional<std::string>>> before_;
    rlimit memory_before_{};
};

/// While it lives, programs start with the shim: from the `from`-th call on (see there).
class fault : small_programs {
public:
    fault(const std::string& call, const std::string& action, int from,
          const std::filesystem::path& under = {});
    /// The most calls that a program made which came to its end.
    int calls() const;

private:
    scratch folder_;
};

/// How often `ddla OPTIONS...` makes the call.
int calls_of(const arguments& options, const std::string& call,
             const std::filesystem::path& under = {});

/// What a program must end with that was to write these files, when the disk is full from one of
/// its calls on, and where a file that is not written whole may not be seen.
void check_full_disks(const std::string& program, const scratch& folder, const arguments& options,
                      const std::vector<std::string>& outputs);

/// What a program must end with that has no memory left from one of its allocations on: exit status
/// 3 and a line that says so, with whole files or none.
void check_lack_of_memory(const std::string& program, const scratch& folder,
                          const arguments& options, const std::vector<std::string>& outputs);

/// `ddla OPTIONS...` gets SIGINT at so many moments, from its start to after its end: it must end
/// by that signal with nothing done, or say that it was interrupted, or have finished; with whole
/// files or none.  Moments are counted by calls.
struct interrupted_run {
    arguments options;
    std::vector<std::string> outputs;  ///< names in the folder
    int finished = 0;                  ///< the exit status
};
void check_interrupts(const scratch& folder, const interrupted_run& r, int moments);

/// Whether the file is as a program leaves it that has written all of it.
bool is_whole(const std::filesystem::path& file);

}  // namespace cli_test
