/// Keys for scripted and random sessions.
enum Keys {
  /// Keys that open screens and move in them.
  static let looking = [
    "j", "k", "l", "h", "G", "gg", "\r", "\u{1B}", "gf", "gi", "gs", "gu", "gd", "gr", "gv", "#", "?", ":", "/", "p\r", "n", "&", "s", "gS",
    "gF",
    "v", "V", "gy", "y", "\u{10}", "i", "e", "g/", "\t", " ", "+", "-", "\u{1B}[6~", "\u{1B}[5~", "\u{1B}[B", "\u{1B}[C", "\u{1B}OS", "gk",
    "F",
    ":profile\r", ":structure\r", ":help\r", "R", "]", "[", "z", "x", "\u{1B}OP", "\u{1B}[<0;10;5M\u{1B}[<0;10;5m", "D", "a",
  ]

  /// Keys that stage changes, commit and undo them, and run SQL.
  static let changing = [
    "e7\r", "ex\u{1B}", "dd", "o", "O", "u", "\u{12}", "\u{13}", "\u{13}\r", "\u{1B}OSDELETE FROM t WHERE id = 3\u{1B}[15~", "I", "X",
    "\r\r", "=",
    "y", "n", "\u{1B}OSUPDATE t SET n = n + 1\u{1B}[15~", "gu\ru\r", "\u{4}", "\u{15}", "\u{17}", "\u{C}", "5j", "99G", "ta",
  ]
}
