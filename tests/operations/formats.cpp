// The cases of formats on the host.
#include "support/format_place.hpp"

ddla::place test::place_of_formats()
{
    return ddla::host;
}
