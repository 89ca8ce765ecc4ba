#include "hertzian/host/performance.h"

size_t htz_setting_param(const htz_setting* setting, const htz_spec* spec) {
  return setting->name[0] ? htz_spec_param_find(spec, setting->name) : setting->param;
}
