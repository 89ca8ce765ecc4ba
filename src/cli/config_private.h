#ifndef HERTZIAN_CLI_CONFIG_PRIVATE_H
#define HERTZIAN_CLI_CONFIG_PRIVATE_H

#include "config.h"

/** The flag that a key names. @return HTZ_FLAG_COUNT with `why` filled when there is none */
htz_flag_id htz_config_key(const char* key, char* why, size_t why_size);

/** Keep an entry. @return HTZ_OK; HTZ_BAD_INPUT with `why` filled when the flag does not take that value; HTZ_NO_MEMORY */
htz_status htz_config_add(htz_config* config, htz_layer layer, htz_flag_id flag, const char* shown, const char* value,
                          char* why, size_t why_size);

#endif
