#include "options_private.h"

#include <stdio.h>
#include <string.h>

/* Completions and the manual page, from the tables of commands and flags. */

static bool knows(const htz_flag* flag, unsigned command) {
  return flag->commands >> command & 1u;
}

/** The flags of a command as a shell's words. */
static void put_flags(unsigned command) {
  for (unsigned id = 0; id < HTZ_FLAG_COUNT; id++) {
    if (knows(&htz_flags[id], command)) {
      printf(" --%s", htz_flags[id].name);
    }
  }
}

static void put_commands(void) {
  for (unsigned c = 0; c < HTZ_CMD_COUNT; c++) {
    printf("%s%s", c ? " " : "", htz_command_names[c]);
  }
}

static void bash(void) {
  puts("# bash completion of hertzian, made by `hertzian completion bash`\n"
       "_hertzian() {\n"
       "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\" command=play at flags\n"
       "  for at in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
       "    case \"$at\" in");
  fputs("      ", stdout);
  for (unsigned c = 0; c < HTZ_CMD_COUNT; c++) {
    printf("%s%s", c ? "|" : "", htz_command_names[c]);
  }
  puts(") command=\"$at\"; break ;;\n    esac\n  done\n  case \"$before\" in\n"
       "    -i|--instrument|show)\n"
       "      COMPREPLY=($(compgen -f -W \"$(hertzian instruments 2>/dev/null | awk 'NR > 1 && NF && $1 != \"PERFORMANCE\" "
       "{print $1}')\" "
       "-- \"$word\"))\n      return ;;\n  esac\n  case \"$command\" in");
  for (unsigned c = 0; c < HTZ_CMD_COUNT; c++) {
    printf("    %s) flags=\"", htz_command_names[c]);
    put_flags(c);
    puts("\" ;;");
  }
  fputs("  esac\n  case \"$word\" in\n    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$word\")) ;;\n"
        "    *) COMPREPLY=($(compgen -f -- \"$word\"))\n       [ \"$COMP_CWORD\" -eq 1 ] && COMPREPLY+=($(compgen -W \"",
        stdout);
  put_commands();
  puts("\" -- \"$word\")) ;;\n  esac\n}\ncomplete -o filenames -F _hertzian hertzian");
}

static void zsh(void) {
  puts("#compdef hertzian\n# zsh completion of hertzian, made by `hertzian completion zsh`\n_hertzian() {\n"
       "  local command=play at\n  local -a flags");
  fputs("  for at in ${words[2,-1]}; do\n    case $at in\n      ", stdout);
  for (unsigned c = 0; c < HTZ_CMD_COUNT; c++) {
    printf("%s%s", c ? "|" : "", htz_command_names[c]);
  }
  puts(") command=$at; break ;;\n    esac\n  done\n  case $command in");
  for (unsigned c = 0; c < HTZ_CMD_COUNT; c++) {
    printf("    %s) flags=(", htz_command_names[c]);
    put_flags(c);
    puts(") ;;");
  }
  fputs("  esac\n  if [[ $words[CURRENT] == -* ]]; then\n    compadd -- $flags\n  elif [[ $words[CURRENT-1] == "
        "(-i|--instrument|show) ]]; then\n"
        "    compadd -- $(hertzian instruments 2>/dev/null | awk 'NR > 1 && NF && $1 != \"PERFORMANCE\" {print $1}')\n    "
        "_files\n"
        "  else\n    (( CURRENT == 2 )) && compadd -- ",
        stdout);
  put_commands();
  puts("\n    _files\n  fi\n}\n_hertzian \"$@\"");
}

static void fish(void) {
  puts("# fish completion of hertzian, made by `hertzian completion fish`");
  fputs("set -l commands ", stdout);
  put_commands();
  puts("\ncomplete -c hertzian -n \"not __fish_seen_subcommand_from $commands\" -a \"$commands\"");
  for (unsigned c = 0; c < HTZ_CMD_COUNT; c++) {
    for (unsigned id = 0; id < HTZ_FLAG_COUNT; id++) {
      const htz_flag* flag = &htz_flags[id];
      if (!knows(flag, c)) {
        continue;
      }
      printf("complete -c hertzian -n \"__fish_seen_subcommand_from %s\" -l %s", htz_command_names[c], flag->name);
      if (flag->letter) {
        printf(" -s %c", flag->letter);
      }
      printf("%s -d \"%s\"\n", flag->argument == HTZ_ARGUMENT_REQUIRED ? " -r" : "", flag->takes);
    }
  }
}

/** Text as roff has it: nothing at the beginning of a line, and no backslash, is a command. */
static void put_roff(const char* text) {
  bool begins = true;
  for (const char* at = text; *at; at++) {
    if (begins && (*at == '.' || *at == '\'')) {
      fputs("\\&", stdout);
    }
    if (*at == '\\') {
      fputs("\\e", stdout);
    } else if (*at == '-') {
      fputs("\\-", stdout);
    } else {
      fputc(*at, stdout);
    }
    begins = *at == '\n';
  }
}

static void put_flag(const htz_flag* flag) {
  fputs(".TP\n\\fB", stdout);
  if (flag->letter) {
    printf("\\-%c, ", flag->letter);
  }
  fputs("\\-\\-", stdout);
  put_roff(flag->name);
  fputs("\\fR", stdout);
  if (flag->argument != HTZ_ARGUMENT_NONE) {
    fputs(flag->argument == HTZ_ARGUMENT_OPTIONAL ? "[=\\fI" : " \\fI", stdout);
    put_roff(flag->takes);
    fputs(flag->argument == HTZ_ARGUMENT_OPTIONAL ? "\\fR]" : "\\fR", stdout);
  }
  fputc('\n', stdout);
  if (flag->low < flag->high) {
    printf("%g to %g; ", flag->low, flag->high);
  }
  fputs("of", stdout);
  const char* comma = " ";
  for (unsigned c = 0; c < HTZ_CMD_COUNT; c++) {
    if (knows(flag, c)) {
      printf("%s%s", comma, htz_command_names[c]);
      comma = ", ";
    }
  }
  fputc('\n', stdout);
}

static void man(void) {
  printf(".TH HERTZIAN 1 \"\" \"hertzian %s\" \"User Commands\"\n.SH NAME\n"
         "hertzian \\- real\\-time synthesizer of bodies that hit each other\n",
         HTZ_VERSION);
  puts(".SH SYNOPSIS\n.nf");
  put_roff(htz_help_text(NULL));
  puts(".fi");
  for (unsigned c = 0; c < HTZ_CMD_COUNT; c++) {
    const char* text = htz_help_text(htz_command_names[c]);
    printf(".SH %s\n.nf\n", htz_command_names[c]);
    put_roff(text ? text : "");
    puts(".fi");
  }
  puts(".SH FLAGS");
  for (unsigned id = 0; id < HTZ_FLAG_COUNT; id++) {
    put_flag(&htz_flags[id]);
  }
  puts(".SH SEE ALSO\nThe guide and the reference of instrument files, with the documentation of the program.");
}

int htz_cmd_completion(const htz_options* options) {
  static const struct {
    const char* name;
    void (*print)(void);
  } kinds[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}, {"man", man}};
  for (size_t i = 0; options->n_args == 1 && i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(options->args[0], kinds[i].name) == 0) {
      kinds[i].print();
      return HTZ_EXIT_DONE;
    }
  }
  htz_log_say(options->log, HTZ_LOG_ERROR,
              "completion: which? hertzian completion bash, zsh, fish, or man for the manual page");
  return HTZ_EXIT_USAGE;
}
