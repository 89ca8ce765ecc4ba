// Tables of impacts: quotes, order and extra columns; one line per cause where something is wrong.
#include "check.h"

#include "hertzian/lab/impact_csv.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "mass_kg,stiffness_N_per_m_alpha,mu_s_per_m,alpha,v_in_m_per_s\n"

static htz_diags diags;
static htz_impact* rows;
static size_t n;

static htz_status parse(const char* text) {
  return htz_impact_csv_parse("t.csv", text, strlen(text), &rows, &n, &diags);
}

static void good_tables(void** state) {
  (void)state;
  static const char* const texts[] = {
      HEAD "0.01,1e7,0.1,1.5,0.3\n",
      "\xEF\xBB\xBF# a comment\r\n\r\n\"mass_kg\", \"stiffness_N_per_m_alpha\" ,mu_s_per_m,alpha,v_in_m_per_s\r\n 0.01 , "
      "\"1e7\",0.1,1.5,0.3\r\n",
      "\"what, and where\",alpha,v_in_m_per_s,\"a \"\"quoted\"\" name, too\",mass_kg,stiffness_N_per_m_alpha,mu_s_per_m\n"
      "\"steel, on wood\",1.5,0.3,\"x,\"\"y\"\",z\",0.01,1e7,0.1\n",
      "mass_kg,stiffness_N_per_m_alpha,mu_s_per_m,alpha,v_in_m_per_s,remark\n0.01,1e7,0.1,1.5,0.3", // the remark may be left out
      "mass_kg,stiffness_N_per_m_alpha,mu_s_per_m,alpha,v_in_m_per_s\r0.01,1e7,0.1,1.5,0.3\r", // lines that end as they did on old Macs
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    assert_int_equal(parse(texts[i]), HTZ_OK);
    assert_int_equal(n, 1);
    const htz_impact want = {.mass = 0.01, .stiffness = 1e7, .exponent = 1.5, .viscosity = 0.1, .speed = 0.3};
    assert_memory_equal(&rows[0], &want, sizeof want);
    free(rows);
  }
  assert_int_equal(parse(HEAD), HTZ_OK);
  assert_null(rows);
  // Any viscosity from 0 on, as the flags take it.
  assert_int_equal(parse(HEAD "1,1e7,0,1,1\n1,1e7,-0,1,1\n1,1e7,1e-13,1,1\n1,1e7,1e-320,1,1\n"), HTZ_OK);
  assert_int_equal(n, 4);
  assert_true(rows[2].viscosity == 1e-13 && rows[3].viscosity > 0.0);
  free(rows);
}

static void one_line_per_cause(void** state) {
  (void)state;
  static const struct {
    const char* text;
    unsigned line;
    const char* says;
  } cases[] = {
      {"mass_kg;stiffness_N_per_m_alpha;mu_s_per_m;alpha;v_in_m_per_s\n0,01;1e7;0,1;1,5;0,3\n0,01;1e7;0,1;1,5;0,3\n", 1,
       "separated by semicolons"},
      {"mass_kg\tstiffness_N_per_m_alpha\tmu_s_per_m\talpha\tv_in_m_per_s\n0.01\t1\t1\t1\t1\n", 1, "separated by tabs"},
      {"mass_kg,alpha,v_in_m_per_s\n1,1,1\n", 1, "no column stiffness_N_per_m_alpha, mu_s_per_m; needed are"},
      {"0.01,1e7,0.1,1.5,0.3\n", 1, "no column that is needed"},
      {"mass_kg,mass_kg,stiffness_N_per_m_alpha,mu_s_per_m,alpha,v_in_m_per_s\n", 1, "stands twice"},
      {HEAD "0.01,1e7\n", 2, "2 values for 5 columns; none for mu_s_per_m, alpha, v_in_m_per_s"},
      {HEAD "x\n", 2, "1 value for 5 columns"},
      {HEAD "0,01,1e7,0.1,1.5,0.3\n", 2, "6 values for 5 columns"},
      {HEAD "0.01,\"1,7\",0.1,1.5,0.3\n", 2, "\"1,7\" is not a number"},
      {HEAD "0.01,\"1e7,0.1,1.5,0.3\n", 2, "a quote that does not end"},
      {HEAD "0.01,\"1e7\"x,0.1,1.5,0.3\n", 2, "\"\"1e7\"x\" is not a number"},
      {HEAD "0.01,,0.1,1.5,0.3\n", 2, "no value for stiffness"},
      {HEAD "0.01,1e7,0.1,0.5,0.3\n", 2, "alpha: 0.5 is out of range; allowed is 1 to 4"},
      {HEAD "nan,1e7,0.1,1.5,0.3\n", 2, "mass_kg"},
      {"", 1, "no line of column names"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    assert_int_equal(parse(cases[i].text), HTZ_BAD_INPUT);
    assert_null(rows);
    assert_int_equal(diags.n, 1);
    assert_int_equal(diags.item[0].line, cases[i].line);
    assert_non_null(strstr(diags.item[0].text, cases[i].says));
  }
  // Two causes are two lines.
  assert_int_equal(parse(HEAD "0.01,1e7,-1,0.5,0.3\n"), HTZ_BAD_INPUT);
  assert_int_equal(diags.n, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(good_tables), cmocka_unit_test(one_line_per_cause)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
