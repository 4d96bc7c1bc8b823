// Counts results that should agree and do not.
#pragma once

#include <cstdio>
#include <string>

namespace bench {

/// Results that must agree: speed of a wrong rival proves nothing.
class agreements {
public:
    void require(bool holds, const std::string& what)
    {
        if (holds) return;
        std::printf("DISAGREEMENT: %s\n", what.c_str());
        ++failures_;
    }
    int failures() const { return failures_; }

private:
    int failures_ = 0;
};

}  // namespace bench
