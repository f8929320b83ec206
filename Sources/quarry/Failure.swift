internal import Browser
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows
internal import Terminal

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
  /// Makes the failure that an error means here; nil for one of the command line's parser.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as AddressError: self.init(status: .usage, message: error.description)
    case let error as DqliteAddressError: self.init(status: .usage, message: error.description)
    case let error as DatabaseOpenError: self.init(status: .cannotOpen, message: error.description + NearbyFiles.question(about: error))
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

  /// Returns SQLite's message, and where a place in the SQL is known, its line with a mark under the place.
  private static func text(of error: DatabaseError) -> String {
    if error.resultCode == DatabaseError.SQLITE_BUSY { return "another program has locked the database: try again when that has finished" }
    guard let sql = error.sql, let offset = error.offset, let excerpt = SQLExcerpt(sql, offset: offset) else { return error.sentence }
    return "\(error.sentence)\n\(excerpt)"
  }
}

extension Failure {
  /// Prints a report of work that is done, and throws an error that says so if it cannot be written.
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
  /// A file that cannot be opened is one thing, and what is wrong in it another.
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
  /// What is the matter, without the advice to write rejects where the person is on another machine than they would be.
  fileprivate var sentence: String {
    guard SSHSession.current != nil, case .row(let reject) = reason else { return description }
    return "\(reject.clause); nothing was imported: mend the row, or import the file on this host, where --rejects takes such rows"
  }

  fileprivate var exitStatus: ExitStatus {
    switch reason {
    case .plan: .usage
    case .row, .references, .rejectsFile: .refused
    }
  }
}

/// The program on another machine has ended, and has said why: this one ends as it did.
struct PassedStatus: Error {
  var status: Int32
}

/// How the program ends.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  /// The database or the SQL says no, or what was found could not be written out.
  case refused = 1
  /// The command line is wrong.
  case usage = 2
  /// A file cannot be opened as a database.
  case cannotOpen = 3
  case interrupted = 130
}

/// The line of an SQL text at which an error begins, with a mark under the place.
struct SQLExcerpt: CustomStringConvertible {
  let description: String

  /// How much of a long line is shown on each side of the place.
  private static let reach = 60

  /// Finds the line of an error; nil where the text has no such place.
  ///
  /// - Parameter offset: Where the error begins, in bytes of UTF-8.
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

  /// Shows control characters as pictures, so that no text can control the terminal.
  private static func glyphs(_ text: Substring) -> String {
    String(text.map { $0 == "\t" ? " " : TextWidth.glyph(for: $0) })
  }
}
