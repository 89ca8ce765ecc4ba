#ifndef HTZ_TEST_PLANTED_H
#define HTZ_TEST_PLANTED_H

double planted_on_the_audio_thread(double x);
double planted_innocent(double x);
double planted_other_rt(double x);
double planted_setup_only(double x);

#endif
