// The cases of formats on the device.
#include "support/format_place.hpp"

ddla::place test::place_of_formats()
{
    return ddla::device(0);
}
