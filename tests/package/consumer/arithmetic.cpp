// 1 + 1e-30 is 1 in double, not in double-double: and only if the compiler kept it exact.
#include <ddla/dd_real.hpp>

int main()
{
    const ddla::dd_real x = ddla::dd_real(1.0) + ddla::dd_real(1e-30);
    return x.hi == 1.0 && x.lo == 1e-30 ? 0 : 1;
}
