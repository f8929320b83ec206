import QuarryEngine

extension Problem {
  /// Puts any error into a sentence for a person.
  init(describing error: any Error) {
    if let problem = error as? Problem {
      self = problem
    } else {
      self.init(String(describing: error))
    }
  }
}
