/// How the program ends.
enum ExitStatus: Int32 {
  case success = 0
  /// The database or the SQL says no, or what was found could not be written out.
  case refused = 1
  /// The command line is wrong.
  case usage = 2
  /// A file cannot be opened as a database.
  case cannotOpen = 3
  case interrupted = 130
}
