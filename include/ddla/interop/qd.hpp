// Exact conversion from and to the dd_real of the QD library.
//
//     const ::dd_real theirs = ddla::to_qd(ddla::dd_real(1) / 3);
//     const ddla::dd_real back = ddla::from_qd(theirs);
#pragma once

#include "../dd_real.hpp"

#include <qd/dd_real.h>

namespace ddla {

inline ::dd_real to_qd(dd_real x)
{
    return {x.hi, x.lo};
}

inline dd_real from_qd(const ::dd_real& x)
{
    return {x.x[0], x.x[1]};
}

}  // namespace ddla
