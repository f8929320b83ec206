// Linked into the packaged program. Swift's runtime reads /proc before main, and stops with a sentence that helps nobody where it is missing.

#include <unistd.h>

__attribute__((constructor(101))) static void requireProc(void) {
  static const char message[] = "quarry: /proc is not mounted, which the program needs to start; run `mount -t proc proc /proc`\n";
  if (access("/proc/self/cmdline", R_OK) == 0) return;
  ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
  (void)ignored;
  _exit(1);
}
