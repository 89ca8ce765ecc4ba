// Everything that a file of this name must not do. test_lint.py checks that the link test finds each of them.
#include "planted.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

double planted_on_the_audio_thread(double x) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  double* volatile copy = malloc(sizeof *copy); // volatile, or a compiler leaves out the pair malloc and free
  pthread_mutex_lock(&lock);
  if (copy) {
    *copy = planted_setup_only(x);
    printf("%g\n", *copy);
    x = *copy;
  }
  usleep(1);
  free(copy);
  return x;
}

double planted_innocent(double x) {
  return planted_other_rt(x);
}
