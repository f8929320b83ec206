#define _GNU_SOURCE
#include "loops.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <util.h>
#else
#include <pty.h>
#endif

pid_t loops_spawn(char *const arguments[], char *const environment[], int columns, int rows, int *terminal) {
  const struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  const pid_t process = forkpty(terminal, NULL, NULL, &size);
  if (process == 0) {
    execve(arguments[0], arguments, environment);
    _exit(127);
  }
  return process;
}

static pid_t start(char *const arguments[], char *const environment[]) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  pid_t process;
  if (posix_spawnp(&process, arguments[0], &files, NULL, arguments, environment) != 0) process = -1;
  posix_spawn_file_actions_destroy(&files);
  return process;
}

int loops_run(char *const arguments[], char *const environment[]) {
  const pid_t process = start(arguments, environment);
  int status = -1;
  if (process > 0) waitpid(process, &status, 0);
  return status;
}

#ifdef __APPLE__
int loops_run_measured(char *const arguments[], char *const environment[], int64_t *peak) {
  struct rusage usage = {0};
  const pid_t process = start(arguments, environment);
  int status = -1;
  if (process > 0) wait4(process, &status, 0, &usage);
  *peak = usage.ru_maxrss;
  return status;
}
#else
// Linux's ru_maxrss begins with what the parent had when it started the program, so the process is asked for its own peak till it ends.
static void note_peak(const char *path, int64_t *peak) {
  FILE *file = fopen(path, "r");
  if (file == NULL) return;
  char line[256];
  long long kibibytes;
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "VmHWM: %lld", &kibibytes) == 1 && kibibytes * 1024 > *peak) *peak = kibibytes * 1024;
  }
  fclose(file);
}

int loops_run_measured(char *const arguments[], char *const environment[], int64_t *peak) {
  *peak = 0;
  const pid_t process = start(arguments, environment);
  if (process < 0) return -1;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/status", process);
  int status = -1;
  while (waitpid(process, &status, WNOHANG) == 0) {
    note_peak(path, peak);
    usleep(1000);
  }
  return status;
}
#endif
