#include "played.h"

#include "hertzian/instrument/number.h"

#include <math.h>
#include <stddef.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  htz_spec* spec;
  htz_diags diags;
  double number;
  const htz_status st = htz_spec_parse("fuzz.yaml", (const char*)data, size, &spec, &diags);
  if (st) {
    fuzz_require(spec == NULL);
    fuzz_check_faults(&diags, st);
  } else {
    fuzz_require(diags.n == 0);
    fuzz_check_values(spec);
    fuzz_play(spec, fuzz_seed(data, size));
    htz_spec_free(spec);
  }
  if (htz_number_parse((const char*)data, size, &number)) {
    fuzz_require(isfinite(number));
  }
  return 0;
}
