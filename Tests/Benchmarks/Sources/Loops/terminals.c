#define _GNU_SOURCE
#include "loops.h"

#include <fcntl.h>
#include <spawn.h>
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

int loops_run(char *const arguments[], char *const environment[]) {
  int64_t peak;
  return loops_run_measured(arguments, environment, &peak);
}

int loops_run_measured(char *const arguments[], char *const environment[], int64_t *peak) {
  struct rusage usage = {0};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  pid_t process;
  int status = -1;
  if (posix_spawnp(&process, arguments[0], &files, NULL, arguments, environment) == 0) wait4(process, &status, 0, &usage);
  posix_spawn_file_actions_destroy(&files);
#ifdef __APPLE__
  *peak = usage.ru_maxrss;
#else
  *peak = usage.ru_maxrss * 1024;
#endif
  return status;
}
