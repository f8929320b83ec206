internal import Libc
internal import QuarryEngine

/// The reason why a file cannot be read as records.
public struct FileReadError: Error, Hashable, Sendable {
  /// The kinds of reasons.
  public enum Kind: Hashable, Sendable {
    /// The path does not exist.
    case noSuchFile
    /// The path is a folder.
    case isFolder
    /// The system could not open or read the file, with its error number.
    case system(Int32)
    /// The file is empty.
    case empty
    /// The file is a database, but a text is needed.
    case database
    /// The file is not text, with the name of its format if it is known: `gzip`.
    case binary(String?)
    /// A byte is not part of a character, with its offset in the file from 0.
    ///
    /// The file probably has another encoding.
    case encoding(TextEncoding, byte: Int, line: Int, proposed: TextEncoding? = nil)
    /// No record follows the skipped lines.
    case noRecordAfter(lines: Int)
    /// A record has more fields than SQLite's limit of 2,000 columns per table.
    case tooManyColumns(Int, line: Int)
    /// The objects of a JSON text have more distinct keys than SQLite's limit of 2,000 columns per table.
    case tooManyKeys(Int, line: Int)
    /// A value is longer than SQLite's limit of 1,000,000,000 bytes.
    case tooLong(line: Int)
    /// A type was set for a column that the file does not have, with similar column names.
    case noColumn(String, nearest: [String])
    /// No later record can be recognized, with the number of records read before.
    case unreadable(RecordFault, records: Int)
    /// The file has changed while it was read, with its size before and after.
    case changed(from: Int, to: Int)
  }

  /// The kind of reason.
  public var kind: Kind
  /// The path as given, or `-` for standard input.
  public var path: String

  package init(kind: Kind, path: String) {
    (self.kind, self.path) = (kind, path)
  }

  /// Whether records were read before the fault, so that an import with a rejects file keeps them.
  public var isAfterRecords: Bool {
    if case .unreadable(_, let records) = kind { records > 0 } else { false }
  }
}

extension FileReadError {
  /// A sentence about the invalid bytes without the suggested solution, or nil for any other kind.
  package var encodingFault: String? {
    guard case .encoding(let encoding, let byte, let line, _) = kind else { return nil }
    return """
      \(shownPath) is not \(encoding.rawValue.uppercased()): byte \(Plural.grouped(byte)), on line \(Plural.grouped(line)), \
      belongs to no character.
      """
  }

  /// The probable encoding of the file, or nil if no encoding is more probable than the one that was tried.
  package var proposedEncoding: TextEncoding? {
    if case .encoding(_, _, _, let proposed) = kind { proposed } else { nil }
  }

  /// The suggested solution for invalid bytes.
  private var encodingRemedy: String {
    guard let proposed = proposedEncoding else { return "Correct the file at that byte." }
    return "If it is \(proposed.title), give --encoding \(proposed.rawValue)."
  }

  /// The path for use in a sentence.
  private var shownPath: String { path == "-" ? "Standard input" : "“\(PathText.shown(path))”" }
}

extension FileReadError: CustomStringConvertible {
  /// The reason and a suggested solution.
  public var description: String {
    let path = shownPath
    return switch kind {
    case .noSuchFile: "There is no file \(path). Check the path."
    case .isFolder: "\(path) is a folder. Name a file in it."
    case .system(let code): "\(path) cannot be read: \(SystemError(code: code))." + (SystemError(code: code).advice.map { " \($0)" } ?? "")
    case .empty: "\(path) is empty: it has no record to make a table from."
    case .database: "\(path) is an SQLite database, not a text file."
    case .binary(let name?): "\(path) is \(name), not a text file."
    case .binary(nil): "\(path) is not a text file: it contains binary data."
    case .encoding: "\(encodingFault ?? "") \(encodingRemedy)"
    case .noRecordAfter(let lines): "\(path) has no record after its first \(Plural.of(lines, "line")). Give --skip a lower number."
    case .tooManyColumns(let count, let line):
      """
      The record on line \(Plural.grouped(line)) of \(path) has \(Plural.of(count, "field")), and SQLite allows 2,000 columns. \
      Check the separator.
      """
    case .tooManyKeys(let count, let line):
      """
      The objects of \(path) up to line \(Plural.grouped(line)) have \(Plural.grouped(count)) different keys, \
      and SQLite allows 2,000 columns. Remove keys, or split the file.
      """
    case .tooLong(let line):
      """
      The record that begins on line \(Plural.grouped(line)) of \(path) is longer than the 1,000,000,000 bytes that SQLite allows. \
      Check whether a quote is closed.
      """
    case .noColumn(let name, let nearest):
      "\(path) has no column “\(name)”" + (nearest.isEmpty ? "." : "; did you mean \(nearest.joined(separator: " or "))?")
    case .unreadable(let fault, let records):
      """
      \(path) cannot be read from line \(Plural.grouped(fault.line)) on, \(records == 0 ? "before" : "after") \
      \(records == 0 ? "the first record" : Plural.of(records, "record")). \(fault)
      """
    case .changed(let old, let new): Self.sentence(ofChangeFrom: old, to: new, path)
    }
  }

  private static func sentence(ofChangeFrom old: Int, to new: Int, _ path: String) -> String {
    let change =
      if new > old { "has grown from \(Plural.of(old, "byte")) to \(Plural.grouped(new))" } else if new < old {
        "has shrunk from \(Plural.of(old, "byte")) to \(Plural.grouped(new))"
      } else { "was written" }
    return "\(path) \(change) while it was read. Read it again when no program writes to it."
  }
}
