#ifndef QUARRY_CNCURSES_H
#define QUARRY_CNCURSES_H

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

// Swift imports neither a macro that casts or calls, nor a function with variable arguments, nor C's variable globals in Swift 6 mode.

static inline SCREEN *quarry_newterm(const char *term) { return newterm(term, stdout, stdin); }

static inline int quarry_keypad(int on) { return keypad(stdscr, on != 0); }

/// Takes the screen: the first refresh after newterm or endwin switches to it.
static inline int quarry_refresh(void) { return wrefresh(stdscr); }

static inline void quarry_delete_current_terminal(void) {
  TERMINAL *current = cur_term;
  set_curterm(NULL);
  if (current) del_curterm(current);
}

static inline char *quarry_tparm(const char *capability, long a, long b) { return tparm(capability, a, b, 0L, 0L, 0L, 0L, 0L, 0L, 0L); }

/// Whether ncurses could read the names of all capabilities that the entry of the terminal adds to the standard ones.
///
/// In a damaged entry it leaves out those that it cannot read, and then compares a name with each without a check.
static inline int quarry_has_all_names(void) {
#if NCURSES_XNAMES
  const TERMTYPE *type = &cur_term->type;
  int count = type->ext_Booleans + type->ext_Numbers + type->ext_Strings;
  for (int i = 0; i < count; i++)
    if (!type->ext_Names || !type->ext_Names[i]) return 0;
#endif
  return 1;
}

/// The string of a capability, or NULL where the terminal has none; tigetstr's (char *)-1 is NULL too.
static inline const char *quarry_string(const char *name) {
  char *value = tigetstr(name);
  return value == (char *)-1 ? NULL : value;
}

// Names of their own for what Swift's C libraries and the types here both call read and write.
static inline ssize_t quarry_read(int descriptor, void *buffer, size_t count) { return read(descriptor, buffer, count); }

static inline ssize_t quarry_write(int descriptor, const void *bytes, size_t count) { return write(descriptor, bytes, count); }

static inline void quarry_put_byte(int descriptor, unsigned char byte) {
  ssize_t ignored = write(descriptor, &byte, 1);
  (void)ignored;
}

static inline int quarry_window_size(int descriptor, struct winsize *size) { return ioctl(descriptor, TIOCGWINSZ, size); }

static inline int quarry_set_window_size(int descriptor, const struct winsize *size) { return ioctl(descriptor, TIOCSWINSZ, size); }

/// Sets what a signal does; a NULL handler is the signal's default.
static inline int quarry_handle_signal(int number, void (*handler)(int), int flags, struct sigaction *previous) {
  struct sigaction action;
  action.sa_handler = handler ? handler : SIG_DFL;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, previous);
}

static inline int quarry_is_ignored(const struct sigaction *action) { return action->sa_handler == SIG_IGN; }

#endif
