// What ddla throws.  Every message is one sentence that names the place and the numbers.
//
//     try {
//         ddla::solve(a, b, x);
//     } catch (const ddla::input_error& e) {      // what the caller gave
//         std::cerr << e.what() << "\n";
//     } catch (const ddla::resource_error& e) {   // what the machine, or a limit, does not allow
//         std::cerr << e.what() << "\n";
//     }
#pragma once

#include <stdexcept>
#include <string>

namespace ddla {

/// Base of what ddla throws itself.  (The standard library may add std::bad_alloc.)
class error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The caller's data are wrong: shapes, indices, values, a malformed file, a bad option.
class input_error : public error {
public:
    using error::error;
};

/// The machine cannot: out of memory, full disk, unreadable file, no such device.
class resource_error : public error {
public:
    using error::error;
};

/// Factors would take more work or memory than their options allow (most_work, most_memory).
class limit_error : public resource_error {
public:
    using resource_error::resource_error;
};

/// ddla itself is wrong, or was built by a compiler that broke its arithmetic.
class internal_error : public error {
public:
    using error::error;
};

}  // namespace ddla
