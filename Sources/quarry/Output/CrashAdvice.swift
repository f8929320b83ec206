internal import Terminal

/// What a person is told who has seen the program crash.
enum CrashAdvice {
  /// Returns where there is a log of what led to the crash, or how there will be one, and what has become of the data.
  static func text(log path: String?) -> String {
    let log =
      path.map { "The log “\($0.pictured)” has what it did last." }
      ?? "To report it, do the same in `quarry <file> --log crash.log`, which has what was done last."
    return "\(log) What was committed is in the database; what was not is rolled back when it is opened next."
  }
}
