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

/// The options of factors and preconditioners that limit what these take.
enum class limit_kind {
    work,    ///< most_work
    memory,  ///< most_memory
    fill,    ///< most_fill
};
inline const char* to_string(limit_kind kind)
{
    switch (kind) {
    case limit_kind::work:
        return "work";
    case limit_kind::memory:
        return "memory";
    case limit_kind::fill:
        return "fill";
    }
    return "unknown";
}

/// Factors would take more than one of their options allows.
class limit_error : public resource_error {
public:
    limit_error(limit_kind kind, const std::string& text) : resource_error(text), kind_(kind) {}
    limit_kind kind() const noexcept { return kind_; }

private:
    limit_kind kind_;
};

/// ddla itself is wrong, or was built by a compiler that broke its arithmetic.
class internal_error : public error {
public:
    using error::error;
};

}  // namespace ddla
