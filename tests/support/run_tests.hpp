// What the main of a test program calls: runs its cases, and says at the end how many passed,
// failed and were skipped, in a line that scripts/test and tests/device/run read.
#pragma once

namespace test {

/// 0 if a case passed and none failed, 4 if all were skipped, else 1.
int run_tests(int argc, char** argv);

/// The same; but where something is missing, which `missing` names, all cases are skipped.
int run_tests(const char* missing, int argc, char** argv);

}  // namespace test
