#include "live_history_private.h"

#include "history_trim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct timespec glance = {0, 20 * 1000000L}; // 20 ms between two looks at the ring: what a crash may cost
static const double slack_s = 15.0;       // [s] that a take's first frame may be known after it was played: the recorder's ring
static const unsigned sync_every = 25;    // looks: twice a second
static const unsigned trim_every = 30000; // looks: every ten minutes

enum {
  RECENT_MOST = 1 << 20, // messages remembered at most; a take that begins before has those in its lead-in
  FULL = 240 << 20,      // bytes of a history: a song of 256 MiB is the longest that is read, and a lead-in is one
  PRESSED = 64,          // value from which a controller is pressed
};

static void note(htz_history* h, const htz_history_file* f, htz_status status) {
  const int error = status ? (errno ? errno : EIO) : 0;
  if (!error || !f->wanted) {
    return;
  }
  pthread_mutex_lock(&h->lock);
  if (!h->state.error) {
    h->state.error = error;
    snprintf(h->state.path, sizeof h->state.path, "%s", f->path);
  }
  pthread_mutex_unlock(&h->lock);
}

static htz_history_recent* at(const htz_history* h, uint64_t number) {
  return &h->recent[number & (h->room - 1)];
}

static void forget_oldest(htz_history* h) {
  const htz_midi_message* m = &at(h, h->from)->message;
  htz_chase_follow(&h->chase, m);
  htz_history_forget_dial(h, m);
  h->chased = m->frame;
  h->from++;
}

// Room for one more; what is full and cannot grow forgets the oldest.
static void make_room(htz_history* h) {
  if (h->to - h->from < h->room) {
    return;
  }
  const size_t wanted = 2 * h->room;
  htz_history_recent* grown = wanted <= RECENT_MOST ? malloc(wanted * sizeof *grown) : NULL;
  if (!grown) {
    forget_oldest(h);
    return;
  }
  for (uint64_t n = h->from; n < h->to; n++) {
    grown[n & (wanted - 1)] = *at(h, n);
  }
  free(h->recent);
  h->recent = grown;
  h->room = wanted;
}

static void watch_controllers(htz_history* h, const htz_midi_message* m) {
  const int wanted[2] = {h->desc.toggle, h->desc.mark};
  for (size_t i = 0; i < 2 && (m->status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_CONTROL; i++) {
    if (m->data1 == wanted[i]) {
      const bool down = m->data2 >= PRESSED;
      pthread_mutex_lock(&h->lock);
      *(i == 0 ? &h->state.toggles : &h->state.marks) += down && !h->down[i];
      pthread_mutex_unlock(&h->lock);
      h->down[i] = down;
    }
  }
}

static void hear(htz_history* h, htz_midi_message* m) {
  watch_controllers(h, m);
  htz_history_name_part(h, m);
  make_room(h);
  h->any = h->any || !htz_history_is_dial(m);
  *at(h, h->to) = (htz_history_recent){*m, htz_smf_writer_place(h->files[0].writer)};
  h->to++;
  h->full = h->full || htz_smf_writer_place(h->files[0].writer) > FULL;
  for (size_t i = h->full ? 1 : 0; i < HTZ_HISTORY_FILES; i++) {
    if (h->files[i].writer) {
      htz_history_put(h, h->files[i].writer, m); // what cannot be written is found when it is synced
      h->files[i].changed = true;
    }
  }
}

static void forget(htz_history* h) {
  const uint64_t now = atomic_load_explicit(&h->desc.live->view.frames, memory_order_relaxed);
  const uint64_t span = (uint64_t)((h->desc.preroll_s + slack_s) * h->desc.live->rate_hz);
  while (h->from < h->to && at(h, h->from)->message.frame + span < now) {
    forget_oldest(h);
  }
}

static void tend_file(htz_history* h, htz_history_file* f, bool due) {
  if (!f->writer) {
    return;
  }
  int error = 0;
  note(h, f, htz_smf_writer_sync(f->writer));
  if (f->job > 0 && htz_disk_sync_done(h->desc.sync, f->job, &error)) {
    f->job = 0;
    errno = error;
    note(h, f, error ? HTZ_IO : HTZ_OK);
  }
  if (due && f->changed && f->job == 0) {
    // A descriptor of its own: the file may be closed meanwhile.
    const int own = fcntl(htz_smf_writer_descriptor(f->writer), F_DUPFD_CLOEXEC, 0);
    f->job = own >= 0 ? htz_disk_sync_close(h->desc.sync, own, &error) : 0;
    f->changed = f->job == 0;
  }
}

static void close_file(htz_history* h, htz_history_file* f, uint64_t frame) {
  if (f->writer) {
    const int kept = f->wanted || h->named ? fcntl(htz_smf_writer_descriptor(f->writer), F_DUPFD_CLOEXEC, 0) : -1;
    int error = 0;
    note(h, f, htz_smf_writer_close(f->writer, frame));
    f->writer = NULL;
    f->job = kept >= 0 ? htz_disk_sync_close(h->desc.sync, kept, &error) : 0;
  }
}

// And what was dialled in since, before message `end`.
static void put_dials(htz_history* h, htz_smf_writer* writer, uint64_t end) {
  for (uint64_t n = h->from; n < end; n++) {
    htz_midi_message m = at(h, n)->message;
    m.frame = 0;
    const bool lasts = m.data2 == HTZ_SAID_ORDER || m.data2 == HTZ_SAID_SONG || m.data2 == HTZ_SAID_BEGIN;
    if (htz_history_is_dial(&m) && lasts) {
      htz_history_put(h, writer, &m);
    }
  }
}

// The take has begun: a file that begins with it.
static void begin_take(htz_history* h, htz_history_take_midi* t) {
  uint64_t n = h->from;
  htz_chase chase = h->chase;
  uint64_t last = h->chased;
  for (; n < h->to && at(h, n)->message.frame < t->first; n++) {
    htz_chase_follow(&chase, &at(h, n)->message);
    last = at(h, n)->message.frame;
  }
  t->fed = n;
  const uint64_t place = n < h->to ? at(h, n)->place : htz_smf_writer_place(h->files[0].writer);
  htz_status status = htz_smf_writer_open(t->file.path, h->desc.live->rate_hz, &t->file.writer);
  if (!status) {
    htz_history_put_arguments(t->file.writer, h->played, h->n_played);
  }
  const bool led_in = place > h->begins && !h->full;
  if (!status && place > h->begins) {
    htz_chase_write(&chase, t->file.writer);
    htz_history_put_dialled(h, t->file.writer);
    put_dials(h, t->file.writer, n);
    status = !led_in ? HTZ_OK : htz_smf_writer_lead(t->file.writer, h->files[0].writer, h->begins, place, last, t->first);
  }
  if (!status) {
    htz_disk_sync_name(h->desc.sync, t->file.path);
  }
  t->file.changed = true;
  note(h, &t->file, status);
}

static void feed(htz_history* h, htz_history_take_midi* t, uint64_t end) {
  t->fed = t->fed < h->from ? h->from : t->fed;
  for (; t->fed < h->to && at(h, t->fed)->message.frame < end; t->fed++) {
    htz_midi_message m = at(h, t->fed)->message;
    m.frame -= m.frame < t->first ? m.frame : t->first;
    htz_history_put(h, t->file.writer, &m);
    t->file.changed = true;
  }
}

// @return whether the take is over, and its file whole
static bool tend_take(htz_history* h, htz_history_take_midi* t, const htz_recorder_span* begins, const htz_recorder_span* ends,
                      bool due) {
  if (!t->begun && (begins->begun || ends->over)) {
    t->begun = true;
    t->first = begins->first;
    begin_take(h, t);
  }
  if (t->file.writer) {
    feed(h, t, ends->over ? ends->end : UINT64_MAX);
    tend_file(h, &t->file, due);
  }
  if (!ends->over) {
    return false;
  }
  close_file(h, &t->file, ends->end - t->first);
  return true;
}

static void tend_takes(htz_history* h, htz_recorder_span spans[HTZ_HISTORY_TAKES][2], bool due) {
  for (size_t i = 0; i < HTZ_HISTORY_TAKES; i++) {
    htz_history_take_midi* t = &h->takes[i];
    if (spans[i][0].number > 0 && tend_take(h, t, &spans[i][0], &spans[i][1], due)) {
      pthread_mutex_lock(&h->lock);
      t->recorder = NULL;
      pthread_mutex_unlock(&h->lock);
    }
  }
}

// Asked before the ring is found empty: of a take that is over, all messages have come.
static void ask_takes(htz_history* h, htz_recorder_span spans[HTZ_HISTORY_TAKES][2]) {
  memset(spans, 0, HTZ_HISTORY_TAKES * sizeof spans[0]);
  pthread_mutex_lock(&h->lock);
  for (size_t i = 0; i < HTZ_HISTORY_TAKES; i++) {
    const htz_history_take_midi* t = &h->takes[i];
    if (t->recorder) {
      const htz_recorder_span gone = {.number = t->number, .over = true}; // so many takes since that it is forgotten
      for (size_t k = 0; k < 2; k++) {
        if (!htz_recorder_where(t->recorder, k == 0 ? t->number : t->last, &spans[i][k])) {
          spans[i][k] = gone;
        }
      }
    }
  }
  pthread_mutex_unlock(&h->lock);
}

static void put_marks(htz_history* h) {
  htz_history_marker marks[HTZ_HISTORY_MARKS];
  pthread_mutex_lock(&h->lock);
  const size_t n = h->n_marks;
  memcpy(marks, h->marks, n * sizeof marks[0]);
  h->n_marks = 0;
  pthread_mutex_unlock(&h->lock);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < HTZ_HISTORY_FILES; k++) {
      if (h->files[k].writer) {
        htz_smf_writer_marker(h->files[k].writer, marks[i].frame, marks[i].text);
      }
    }
    for (size_t k = 0; k < HTZ_HISTORY_TAKES; k++) {
      htz_history_take_midi* t = &h->takes[k];
      if (t->file.writer && marks[i].frame >= t->first) {
        htz_smf_writer_marker(t->file.writer, marks[i].frame - t->first, marks[i].text);
      }
    }
  }
}

void* htz_history_run(void* user) {
  htz_history* h = user;
  unsigned looks = 0;
  for (bool over = false; !over;) {
    htz_midi_message message;
    htz_recorder_span spans[HTZ_HISTORY_TAKES][2];
    // Asked before the ring is found empty, or its last messages could come in between.
    pthread_mutex_lock(&h->lock);
    over = h->stopping;
    const uint64_t end = h->end;
    pthread_mutex_unlock(&h->lock);
    ask_takes(h, spans);
    while (htz_ring_peek(&h->desc.live->played, &message)) {
      hear(h, &message);
      htz_ring_pop(&h->desc.live->played, NULL); // only now: roles that it names are kept until then
    }
    if (h->named && looks % trim_every == 0) {
      htz_history_trim(h->folder, h->desc.keep_mib);
    }
    const bool due = ++looks % sync_every == 0;
    tend_takes(h, spans, due);
    put_marks(h);
    forget(h);
    for (size_t i = 0; i < HTZ_HISTORY_TAKES && over; i++) {
      over = spans[i][0].number == 0; // the recorder is about to end it
    }
    for (size_t i = 0; i < HTZ_HISTORY_FILES; i++) {
      if (over) {
        close_file(h, &h->files[i], end);
      } else {
        tend_file(h, &h->files[i], due);
      }
    }
    pthread_mutex_lock(&h->lock);
    h->state.full = h->full;
    h->state.lost = htz_ring_refused(&h->desc.live->played);
    h->finished = over;
    pthread_mutex_unlock(&h->lock);
    if (!over) {
      nanosleep(&glance, NULL);
    }
  }
  return NULL;
}
