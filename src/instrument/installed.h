#ifndef HERTZIAN_INSTRUMENT_INSTALLED_H
#define HERTZIAN_INSTRUMENT_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

/**
   The folder of instruments that was installed together with this program or library, wherever that tree stands now.

   @param path [size]
   @return false when it cannot be told, or this code does not run from an installed tree. Set-up thread.
*/
bool htz_installed_instruments(char* path, size_t size);

#endif
