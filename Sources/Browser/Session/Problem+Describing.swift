import QuarryEngine

extension Problem {
  /// That something was ended before it had come to its own end.
  static let stopped = Problem("stopped")

  /// Puts any error into a sentence for a person.
  init(describing error: any Error) {
    if let problem = error as? Problem {
      self = problem
    } else if error is CancellationError {
      self = .stopped
    } else {
      self.init(String(describing: error))
    }
  }
}
