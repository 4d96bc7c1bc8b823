// A method in a process of its own, with limits: crashes and hangs are results like others.
#pragma once

#include "methods.hpp"

namespace hard {

struct limits {
    double seconds = 20;        ///< of the processor, rounded up to whole seconds
    double wall_seconds = 600;  ///< against hangs
    double bytes = 0;           ///< of address space more than before; 0: as many as it likes
};

struct child_result {
    outcome said;
    std::string end;        ///< "ok", "time limit", "hang", "crash SIGNAL", "exit CODE"
    double peak_bytes = 0;  ///< growth of the resident memory
    ddla::vector<ddla::dd_real> x;
};

/// Throws resource_error if no process can be started.
child_result run_in_child(const method& m, const problem& p, const limits& most);

}  // namespace hard
