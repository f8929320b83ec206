internal import QuarryEngine

/// Why the program ends before it has done what was asked.
struct Failure: Error {
  var status: ExitStatus
  /// For a person, on standard error; nil where there is nothing to say.
  var message: String?

  static func usage(_ message: String) -> Failure {
    Failure(status: .usage, message: message)
  }

  static func refused(_ message: String) -> Failure {
    Failure(status: .refused, message: message)
  }
}

extension Failure {
  /// What an error means here; nil for one of the command line's parser.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as DatabaseOpenError: self.init(status: .cannotOpen, message: error.description)
    case DatabaseError.SQLITE_INTERRUPT: self.init(status: .interrupted, message: nil)
    case let error as DatabaseError: self.init(status: .refused, message: Self.text(of: error))
    case StandardOutput.WriteError.closed: self.init(status: .success, message: nil)
    case let error as StandardOutput.WriteError: self.init(status: .refused, message: error.description)
    default: return nil
    }
  }

  /// Returns SQLite's message, and where a place in the SQL is known, its line with a mark under the place.
  private static func text(of error: DatabaseError) -> String {
    if error.resultCode == DatabaseError.SQLITE_BUSY { return "another program has locked the database: try again when that has finished" }
    guard let sql = error.sql, let offset = error.offset, let excerpt = SQLExcerpt(sql, offset: offset) else { return error.sentence }
    return "\(error.sentence)\n\(excerpt)"
  }
}
