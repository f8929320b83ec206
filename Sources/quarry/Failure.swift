internal import Browser
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows
internal import Terminal

/// The reason why the program exits before it has completed its task.
struct Failure: Error {
  var status: ExitStatus
  /// The message for the user on standard error, or nil for no message.
  var message: String?

  static func usage(_ message: String) -> Failure {
    Failure(status: .usage, message: message)
  }

  static func refused(_ message: String) -> Failure {
    Failure(status: .refused, message: message)
  }
}

extension Failure {
  /// Creates the failure for an error.
  ///
  /// Returns nil for an error of the command-line parser.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as AddressError: self.init(status: .usage, message: error.description)
    case let error as DqliteAddressError: self.init(status: .usage, message: error.description)
    case let error as DatabaseOpenError: self.init(status: .cannotOpen, message: error.description + error.advice)
    case DatabaseError.SQLITE_INTERRUPT, is CancellationError: self.init(status: .interrupted, message: nil)
    case let error as DatabaseError: self.init(status: .refused, message: Self.text(of: error))
    case let error as DataSourceError: self.init(status: error.isOfOpening ? .cannotOpen : .refused, message: error.description)
    case let error as ThreadError: self.init(status: .refused, message: error.description)
    case let error as PrivateFileError: self.init(status: .refused, message: error.description)
    case let error as SystemError: self.init(status: .refused, message: error.description)
    case let error as FileReadError: self.init(status: error.exitStatus, message: error.description)
    case let error as ImportFailure: self.init(status: error.exitStatus, message: error.sentence)
    case let error as ChangesTooLarge: self.init(status: .refused, message: error.description)
    case let error as ChangesUnrecorded: self.init(status: .refused, message: error.description)
    case StandardOutput.WriteError.closed: self.init(status: .success, message: nil)
    case let error as OutputFileError: self.init(status: error.isOfPath ? .usage : .refused, message: error.description)
    case let error as StandardOutput.WriteError: self.init(status: .refused, message: error.description)
    default: return nil
    }
  }

  /// Returns SQLite's message.
  ///
  /// If the position in the SQL is known, adds its line with a mark.
  private static func text(of error: DatabaseError) -> String {
    if error.resultCode == DatabaseError.SQLITE_BUSY { return "the database is locked by another program: try again when it has finished" }
    guard let sql = error.sql, let offset = error.offset, let excerpt = SQLExcerpt(sql, offset: offset) else { return error.sentence }
    return "\(error.sentence)\n\(excerpt)"
  }
}

extension Failure {
  /// Prints the report of completed work.
  ///
  /// If the report cannot be written, throws an error that includes it.
  ///
  /// - Parameter done: A clause about the work: `imported 3 rows`.
  static func reporting(done: @autoclosure () -> String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error where VerbOutput.isFault(error) && !StandardOutput.isClosed(error) {
      throw refused("\(error); \(done())")
    }
  }
}

extension FileReadError {
  /// The exit status, which distinguishes a file that cannot be opened from errors in its contents.
  fileprivate var exitStatus: ExitStatus {
    switch kind {
    case .noSuchFile, .isFolder, .system, .database, .binary: .cannotOpen
    case .noColumn: .usage
    case .noRecordAfter: .usage
    case .empty, .encoding, .tooManyColumns, .tooManyKeys, .tooLong, .unreadable, .changed: .refused
    }
  }
}

extension ImportFailure {
  /// The reason, without the advice to write a rejects file if the user is on another machine.
  fileprivate var sentence: String {
    guard SSHSession.current != nil, case .row(let reject) = reason else { return description }
    return "\(reject.clause); nothing was imported: correct the row, or import the file on this host with --rejects, which saves such rows"
  }

  fileprivate var exitStatus: ExitStatus {
    switch reason {
    case .plan: .usage
    case .row, .references, .rejectsFile: .refused
    }
  }
}

/// An error for a remote program that has reported its failure.
///
/// This program exits with the same status.
struct PassedStatus: Error {
  var status: Int32
}

/// The exit statuses of the program.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  /// The database or the SQL caused an error, or the output could not be written.
  case refused = 1
  /// The command line is wrong.
  case usage = 2
  /// A file cannot be opened as a database.
  case cannotOpen = 3
  case interrupted = 130
}

/// The line of an SQL text at which an error begins, with a mark at its position.
struct SQLExcerpt: CustomStringConvertible {
  let description: String

  /// The maximum number of characters shown on each side of the position.
  private static let reach = 60

  /// Finds the line of an error.
  ///
  /// Returns nil if the text has no such position.
  ///
  /// - Parameter offset: The start of the error, in bytes of UTF-8.
  init?(_ sql: String, offset: Int) {
    guard let position = sql.utf8.index(sql.startIndex, offsetBy: offset, limitedBy: sql.endIndex) else { return nil }
    let start = sql[..<position].lastIndex(where: \.isNewline).map { sql.index(after: $0) } ?? sql.startIndex
    let end = sql[position...].firstIndex(where: \.isNewline) ?? sql.endIndex
    let number = sql[..<start].count { $0.isNewline } + 1
    let before = String(Self.glyphs(sql[start..<position]).suffix(Self.reach))
    let after = String(Self.glyphs(sql[position..<end]).prefix(Self.reach))
    let head = "  line \(number): "
    let indent = String(repeating: " ", count: head.count + TextWidth.columns(of: before))
    description = "\(head)\(before)\(after)\n\(indent)^"
  }

  /// Replaces control characters by pictures, so that no text can control the terminal.
  private static func glyphs(_ text: Substring) -> String {
    String(text.map { $0 == "\t" ? " " : TextWidth.glyph(for: $0) })
  }
}
