internal import Libc

/// The origin of an error, with the details needed to describe it.
package struct DatabaseErrorOrigin: Hashable, Sendable {
  /// The path of the connection's main database.
  package var path: String
  var isReadonly: Bool
  var isImmutable: Bool
  /// The tables that the statement reads, if the error may be in one of them.
  var tables: [String] = []
  /// The path of the database of these tables, if it is not the main database.
  var tablesPath: String?
  /// The file that the statement was to attach, if the error is about an ATTACH.
  var attachment: Attachment?

  package init(
    path: String, isReadonly: Bool, isImmutable: Bool, tables: [String] = [], tablesPath: String? = nil, attachment: Attachment? = nil
  ) {
    self.path = path
    self.isReadonly = isReadonly
    self.isImmutable = isImmutable
    self.tables = tables
    self.tablesPath = tablesPath
    self.attachment = attachment
  }

  /// An attached file, with its path if it is a text in the statement.
  package struct Attachment: Hashable, Sendable {
    var path: String?

    /// Parses an ATTACH; nil for any other statement.
    init?(_ sql: String) {
      guard StatementKind(of: sql).attachesDatabase else { return nil }
      let bytes = Array(sql.utf8)
      var tokenizer = SQLTokenizer(bytes)
      var tokens: [SQLToken] = []
      while tokens.count < 4, let token = tokenizer.next() { tokens.append(token) }
      // ATTACH [DATABASE] 'file' AS name: anything but a single text is computed.
      guard let index = tokens.firstIndex(where: { $0.kind == .text }), tokens[(index + 1)...].first?.keyword(in: bytes) == .as else {
        return
      }
      path = SQLToken.name(bytes[tokens[index].range])
    }
  }
}

extension DatabaseError {
  /// The error as a sentence for people, with the affected file or table and a remedy.
  ///
  ///     SQLITE_CORRUPT     “events” in “app.db” is damaged (database disk image is malformed). `PRAGMA integrity_check` tells …
  ///     SQLITE_CONSTRAINT  UNIQUE constraint failed: player.name
  ///
  /// If SQLite's own message suffices, it is that message.
  package var sentence: String {
    [explanation ?? message, consequence].compactMap(\.self).joined(separator: "; ")
  }

  /// A more detailed explanation than SQLite's message; nil if the message suffices.
  private var explanation: String? {
    switch resultCode {
    case Self.SQLITE_CORRUPT: systemError == 0 ? damage : failedInputOrOutput
    case Self.SQLITE_NOTADB: "\(file) is not an SQLite database, or it is encrypted (\(message))"
    case Self.SQLITE_READONLY: refusedWrite
    case Self.SQLITE_IOERR: failedInputOrOutput
    case Self.SQLITE_CANTOPEN: systemError == 0 ? nil : failedOpening
    case Self.SQLITE_FULL: fullDisk(message)
    case Self.SQLITE_NOMEM: "there is not enough memory for this statement"
    case Self.SQLITE_TOOBIG: "a text value, a BLOB or the SQL is longer than SQLite allows (\(message))"
    case Self.SQLITE_BUSY: lock
    case Self.SQLITE_LOCKED: "another statement of this program is reading \(file). Try again when it has finished."
    case Self.SQLITE_PROTOCOL: "SQLite could not lock \(file) (\(message)). Try again."
    case Self.SQLITE_ERROR: missingPart
    default: nil
    }
  }

  /// The system's description of a failed read or write.
  private var failedInputOrOutput: String {
    let reason = systemError == 0 ? message : SystemError(code: systemError).description
    return switch systemError {
    case EFBIG:
      """
      \(file), its journal or a temporary file would become larger than the system allows (\(reason)). Raise the limit, for example with \
      `ulimit -f unlimited`, or move the database to a disk that allows larger files.
      """
    case ENOSPC, EDQUOT: fullDisk(reason)
    default: "\(file) could not be read or written (\(reason)). Check that its disk is connected and works."
    }
  }

  /// The system's description of a failure to open or create a file.
  private var failedOpening: String {
    let error = SystemError(code: systemError)
    let advice = error.advice ?? "Check the permissions of the file and of its folder."
    return "\(file), or a file that SQLite creates next to it, cannot be opened (\(error)). \(advice)"
  }

  private func fullDisk(_ reason: String) -> String {
    "there is no space left to write to \(file) (\(reason)). Free space on its disk and on the disk of temporary files."
  }

  private var file: String {
    if let attachment = origin?.attachment { return attachment.path.map { "“\(PathText.shown($0))”" } ?? "the file to attach" }
    return connectedFile
  }

  private var connectedFile: String { origin.map { "“\(PathText.shown($0.path))”" } ?? "the database" }

  // MARK: Damage

  private var damage: String {
    if let fault = SchemaFault(message) { return fault.sentence(of: file) }
    let place = damagedPlace
    switch extendedResultCode {
    case Self.SQLITE_CORRUPT_VTAB: return "the data that \(place) stores for its module is damaged (\(message)). \(Self.remedies)"
    case Self.SQLITE_CORRUPT_INDEX: return "an index of \(place) is damaged (\(message)). `REINDEX` rebuilds it."
    default: return "\(place) is damaged (\(message)). \(Self.remedies)"
    }
  }

  private var damagedPlace: String {
    guard let origin, !origin.tables.isEmpty else { return file }
    return origin.tables.map { "“\($0)”" }.joined(separator: " or ") + " in “\(origin.tablesPath ?? origin.path)”"
  }

  static let remedies = "`PRAGMA integrity_check` shows the damage; `sqlite3 FILE .recover` saves the readable data."

  // MARK: Rejections

  private var refusedWrite: String {
    switch extendedResultCode {
    case Self.SQLITE_READONLY_ROLLBACK:
      let journal = origin.map { "“\($0.path)-journal”" } ?? "its journal"
      return "\(file) has an unfinished transaction, which \(journal) rolls back. Open it once with permission to write."
    case Self.SQLITE_READONLY_DBMOVED:
      return "\(file) was moved, replaced or deleted while it was open. Open it again."
    case Self.SQLITE_READONLY_DIRECTORY:
      return "the folder of \(file) is not writable, but SQLite needs a journal in it (\(message))"
    default: break
    }
    guard let origin, !message.contains("read-only access") else { return message }
    if origin.isImmutable { return "\(file) was opened as immutable, so nothing can be written: leave out --immutable" }
    if origin.isReadonly { return "\(file) was opened as read-only, so nothing can be written: leave out --read-only" }
    return "\(file) is not writable (\(message)). Check its permissions and those of its folder."
  }

  private var lock: String {
    if extendedResultCode == Self.SQLITE_BUSY_SNAPSHOT {
      return "another program has written since this transaction began to read: roll it back and run it again"
    }
    return "the database is locked by another program: try again when it has finished"
  }

  // MARK: Missing parts

  private var missingPart: String? {
    if message.hasPrefix("no such module: ") {
      return message + ". It provides virtual tables: only a program that includes the module can read them."
    }
    if message.hasPrefix("unknown function: ") {
      return message + ". Only the program that created the table has it; you can read columns that do not use it."
    }
    if message.hasPrefix("no such collation sequence: ") {
      return message + ". Only the program that created the table has it: `collate binary` after the column compares and sorts by bytes."
    }
    if let function = message.suffix(after: "unsafe use of ") {
      return "\(function) may be called only by a statement itself, not by a view, a trigger or any other part of a schema"
    }
    return nil
  }
}

/// A definition in a schema that could not be parsed, with the reason.
///
///     malformed database schema (v) - near "SOMETHING": syntax error
struct SchemaFault {
  var name: String
  var reason: String

  init?(_ message: String) {
    guard let rest = message.suffix(after: "malformed database schema ("), let end = rest.firstRange(of: ") - ") else { return nil }
    name = String(rest[..<end.lowerBound])
    reason = String(rest[end.upperBound...])
  }

  func sentence(of file: String) -> String {
    """
    \(file) has a definition of “\(name)” that this SQLite (\(Database.sqliteVersion)) does not understand: \(reason). \
    If a newer SQLite wrote it, open the file with that; `sqlite3 FILE .recover` saves the rest.
    """
  }
}

extension String {
  /// Returns the text after a prefix; nil if the text does not begin with it.
  fileprivate func suffix(after beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }
}
