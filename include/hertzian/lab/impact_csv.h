#ifndef HERTZIAN_LAB_IMPACT_CSV_H
#define HERTZIAN_LAB_IMPACT_CSV_H

#include "hertzian/instrument/diag.h"
#include "hertzian/lab/closed_form.h"

#include <stddef.h>

/**
   Read impacts from comma-separated text.

   The first line that is neither blank nor a `#` comment names the columns; mass_kg, stiffness_N_per_m_alpha, mu_s_per_m,
   alpha and v_in_m_per_s must be among them, in any order, and any others are ignored. A field may be in double quotes, commas
   and all; a quote within is doubled. Each cause of a fault is reported once.

   @param out *out [*n], to be freed with free(); NULL when there is no row
   @return HTZ_OK; HTZ_BAD_INPUT with every fault in `diags`; HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_impact_csv_parse(const char* name, const char* text, size_t length, htz_impact** out, size_t* n,
                                htz_diags* diags);

#endif
