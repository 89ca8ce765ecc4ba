#ifndef HERTZIAN_H
#define HERTZIAN_H

/**
   libhertzian: instruments whose parts hit each other, for any program that wants to play them.

   A model is an instrument as its file describes it. A synth is an engine at one sample rate; parts are models built for it, given to
   MIDI channels. Events carry the frame at which they are to happen, to the sample, and htz_synth_process() produces the sound.

   Threads. Models are read-only once loaded: any thread. Building is slow (a piano takes a tenth of a second) and may run on any thread
   while the synth plays. Functions marked "audio" belong to the one thread that calls htz_synth_process(); they neither allocate nor lock
   nor wait, and their work is bounded. htz_synth_post() is for one other thread. Creating and freeing a synth is for when nobody plays it.

   Where NULL is allowed it says so; models, synths and parts that functions are given are otherwise not NULL, with three exceptions for
   calls in a row: htz_synth_build() of no model or for no synth gives no part, htz_synth_attach() of no part gives -1 and
   htz_synth_part_set() of none false.

   Compiles as C11 and C++17. Every symbol begins with htz_, every macro with HTZ_.
*/

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(HTZ_STATIC) || !defined(__GNUC__)
#define HTZ_API
#else
#define HTZ_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define HTZ_API_VERSION 1 /**< grows when something is added; the library's so-version when something changes */

/** Version of the library, such as "0.2.0". Any thread. */
HTZ_API const char* htz_version(void);

/* ------------------------------------------------------------------ faults */

typedef enum {
  HTZ_FAULT_NONE = 0,
  HTZ_FAULT_MEMORY,  /**< no memory to be had */
  HTZ_FAULT_VALUE,   /**< an argument is out of its range, or a capacity used up */
  HTZ_FAULT_FILE,    /**< no such file or instrument, or it cannot be read */
  HTZ_FAULT_CONTENT, /**< what the file says is wrong */
  HTZ_FAULT_BUILD    /**< the model cannot be built at this sample rate */
} htz_fault_kind;

/** Why a function failed. Filled on failure only, where the caller gave one; NULL is always allowed. */
typedef struct {
  htz_fault_kind kind;
  unsigned line;   /**< in the instrument file, from 1; 0: the file as a whole, or none */
  unsigned column; /**< from 1 */
  size_t more;     /**< further faults of the same file */
  char text[1024]; /**< one line: which file and where in it, what is wrong, what is allowed */
} htz_fault;

/* ------------------------------------------------------------------ models: load and describe */

typedef struct htz_model htz_model;

typedef struct {
  const char* id;    /**< file name without folder and ending */
  const char* name;  /**< as shown to a player */
  const char* about; /**< what is physical in it, one line; "" when the file does not say */
  int key_low;       /**< lowest MIDI key of the real instrument */
  int key_high;      /**< highest */
  size_t n_params;   /**< parameters that change anything about it, for htz_model_param() */
  size_t n_controls; /**< MIDI controllers that it declares, for htz_model_control() */
} htz_model_info;

typedef enum {
  HTZ_PARAM_LINEAR = 0, /**< equal steps of a controller are equal differences */
  HTZ_PARAM_LOG,        /**< equal ratios; minimum > 0 */
  HTZ_PARAM_STEPS       /**< whole numbers only */
} htz_param_scale;

typedef struct {
  unsigned number;         /**< for htz_synth_set() and the like; the same for all models */
  const char* name;        /**< such as "mallet.hardness" */
  const char* unit;        /**< SI, or "" for a pure number */
  const char* doc;         /**< what it does, one line */
  double minimum, maximum; /**< allowed on this model [unit] */
  double initial;          /**< [unit] */
  htz_param_scale scale;
  const char* const* words; /**< names of the values 0, 1, ... of a choice, closed by NULL; else NULL */
} htz_param_info;

typedef struct {
  unsigned cc;      /**< MIDI controller 0..127, or 128: channel pressure */
  unsigned param;   /**< number of the parameter that it moves */
  double low, high; /**< its values at 0 and 127 [unit of the parameter] */
} htz_control_info;

/**
   Load an instrument: a name as `hertzian -i` takes it ("piano"), or a path.

   @return the model, to be freed by htz_model_free(); NULL on failure. Any thread but the audio thread
*/
HTZ_API htz_model* htz_model_load(const char* name, htz_fault* fault);

/** The same from the text of an instrument file [size bytes]; `name` stands for the file. */
HTZ_API htz_model* htz_model_parse(const char* name, const char* text, size_t size, htz_fault* fault);

/** Free a model; NULL is allowed. Parts built from it must be gone, and synths that were given them. */
HTZ_API void htz_model_free(htz_model* model);

/** What the model is. Strings live as long as the model. Any thread. */
HTZ_API htz_model_info htz_model_describe(const htz_model* model);

/** Parameter `index` (0 .. n_params - 1). @return false, with nothing written, beyond the last. Any thread. */
HTZ_API bool htz_model_param(const htz_model* model, size_t index, htz_param_info* out);

/** The parameter called `name`. @return false when this model has none of that name. Any thread. */
HTZ_API bool htz_model_find_param(const htz_model* model, const char* name, htz_param_info* out);

/** Controller `index` (0 .. n_controls - 1). @return false beyond the last. Any thread. */
HTZ_API bool htz_model_control(const htz_model* model, size_t index, htz_control_info* out);

/** Call `each` with the id and path of every installed instrument, sorted by id; it returns false to stop. @return how many were named */
HTZ_API size_t htz_model_list(bool (*each)(void* user, const char* id, const char* path), void* user);

/* ------------------------------------------------------------------ the synth */

typedef struct htz_synth htz_synth;
typedef struct htz_synth_part htz_synth_part;

enum {
  HTZ_SYNTH_PARTS = 64,           /**< parts of a synth, at most */
  HTZ_SYNTH_EVENTS = 4096,        /**< events waiting for their frame, unless the description says otherwise */
  HTZ_SYNTH_EVENTS_MAX = 1 << 20, /**< as many as it may say */
  HTZ_ALL_CHANNELS = 0xFFFF
};

typedef struct {
  double rate_hz; /**< sample rate, 8000 to 384000 [Hz] */
  uint32_t block; /**< frames of every call of htz_synth_process(), if they are always the same; 0: they vary */
  size_t events;  /**< events that may wait for their frame; 0: HTZ_SYNTH_EVENTS */
  double gain_db; /**< on everything [dB]; 0 is as `hertzian render` writes it */
  bool limiter;   /**< turn down what is beyond -1 dBFS, for ears and loudspeakers */
} htz_synth_desc;

/** @return the synth, silent and without parts; NULL on failure */
HTZ_API htz_synth* htz_synth_new(const htz_synth_desc* desc, htz_fault* fault);

/** Free a synth and the parts that it was given; NULL is allowed. */
HTZ_API void htz_synth_free(htz_synth* synth);

/**
   Build a model for the sample rate of `synth`: all the work and memory are here. Any thread but the audio thread.

   It plays in the room that `hertzian play` and `render` put it in; set the parameter "room" to 0 for the instrument alone. Its strokes
   differ from each other as a player's do; set "human" to 0 for the same stroke every time.
   @return the part, to be given to the synth or to htz_synth_discard(); NULL on failure
*/
HTZ_API htz_synth_part* htz_synth_build(const htz_synth* synth, const htz_model* model, htz_fault* fault);

/**
   Set a parameter that the part begins with, and that a controller reset goes back to. Before it is given to the synth.

   @return false, with nothing changed, when the model has no such parameter or not that range
*/
HTZ_API bool htz_synth_part_set(htz_synth_part* part, unsigned param, double value);

/** Free a part that no synth was given; NULL is allowed. Not on the audio thread. */
HTZ_API void htz_synth_discard(htz_synth_part* part);

/**
   Let `part` play what comes on `channels` (bit c: channel c, from 0): from its next note on, each of them plays the part that it was
   given last, while what it had rings on. The synth owns the part from now on. Audio thread, or any while nobody plays.

   @return the part's number, from 0; -1, with nothing changed, when the synth is full, was not the one it was built for or has the part
           already, or `channels` are none of the sixteen
*/
HTZ_API int htz_synth_attach(htz_synth* synth, htz_synth_part* part, unsigned channels);

/** First frame that the next htz_synth_process() produces, as events count them: 0 at the start. Audio thread. */
HTZ_API uint64_t htz_synth_now(const htz_synth* synth);

/**
   Frames between an event's frame and its sound: 0 where `block` is a multiple of 64, else up to 63. Constant. Any thread.
*/
HTZ_API uint32_t htz_synth_latency(const htz_synth* synth);

/**
   Play one MIDI message at `frame`; one in the past is played at once. Events of the same frame keep their order.

   @param bytes [size] one whole message: a channel message (0x80..0xEF), 0xFF, reset of everything, or system exclusive from F0 to F7:
                resets, master volume and tuning, the MIDI Tuning Standard
   @return false when it is no such message, or too many wait. Audio thread
*/
HTZ_API bool htz_synth_midi(htz_synth* synth, uint64_t frame, const uint8_t* bytes, size_t size);

/**
   Set parameter number `param` of part `part` at `frame`. What is out of its range is limited; NaN: back to the initial value.

   @return false when there is no such part or parameter, or too many events wait. Audio thread
*/
HTZ_API bool htz_synth_set(htz_synth* synth, int part, unsigned param, double value, uint64_t frame);

/** The same from another thread than the audio thread, one at a time, to happen as soon as it is seen; a part that is not there is ignored. @return false when too many wait */
HTZ_API bool htz_synth_post(htz_synth* synth, int part, unsigned param, double value);

/**
   Produce the next `frames` frames: left[i * stride] and right[i * stride], overwritten; full scale is 1. Interleaved stereo has right =
   left + 1 and stride 2, separate channels have stride 1. Any number of frames, from 0 up. Audio thread.
*/
HTZ_API void htz_synth_process(htz_synth* synth, float* left, float* right, size_t stride, uint32_t frames);

/** True when nothing sounds and nothing waits: silence from here on, unless new events come. Audio thread. */
HTZ_API bool htz_synth_silent(const htz_synth* synth);

/** Counters; all but `ringing` only grow. */
typedef struct {
  uint64_t notes;    /**< note-ons played */
  uint64_t refused;  /**< strokes on keys with nothing to strike, or more at once than a key takes */
  uint64_t unplayed; /**< note-ons on channels without a part */
  uint64_t dropped;  /**< events refused because too many waited */
  uint64_t resets;   /**< keys reset because their state was not finite or ran away */
  uint64_t bounds;   /**< contact steps that hit a bound of the solver */
  uint64_t limited;  /**< frames turned down by the limiter */
  uint32_t ringing;  /**< keys awake */
} htz_synth_counters;

/** One pass over all keys. Audio thread. */
HTZ_API htz_synth_counters htz_synth_count(const htz_synth* synth);

#ifdef __cplusplus
}
#endif

#endif
