internal import Libc
internal import QuarryEngine

/// Why a file cannot be read, or be read on, as records.
public struct FileReadError: Error, Hashable, Sendable {
  /// What is the matter.
  public enum Kind: Hashable, Sendable {
    /// The path leads to nothing.
    case noSuchFile
    /// The path is a folder's.
    case isFolder
    /// The system does not let the file be opened or read, with its error number.
    case system(Int32)
    /// The file has no byte.
    case empty
    /// The file is a database where a text is wanted.
    case database
    /// The file is of a kind that is no text, with its name where it is a known one: `gzip`.
    case binary(String?)
    /// A byte, by its offset in the file from 0, belongs to no character; the file is likely to be in another encoding.
    case encoding(TextEncoding, byte: Int, line: Int, proposed: TextEncoding? = nil)
    /// Nothing follows so many lines that are to be skipped.
    case noRecordAfter(lines: Int)
    /// A record has more fields than SQLite allows a table to have columns, 2,000.
    case tooManyColumns(Int, line: Int)
    /// The objects of a JSON text have more keys between them than SQLite allows a table to have columns, 2,000.
    case tooManyKeys(Int, line: Int)
    /// A value is longer than SQLite takes, 1,000,000,000 bytes.
    case tooLong(line: Int)
    /// A type was given to a column that the file does not have, with the names that are near.
    case noColumn(String, nearest: [String])
    /// No record can be told from here on; so many were read before.
    case unreadable(RecordFault, records: Int)
    /// The file has changed while it was read: the size that it had, and the one that it has.
    case changed(from: Int, to: Int)
  }

  /// What is the matter.
  public var kind: Kind
  /// The path as it was given; `-` for standard input.
  public var path: String

  package init(kind: Kind, path: String) {
    (self.kind, self.path) = (kind, path)
  }

  /// Whether records were read before the fault, which an import with a file of rejects keeps.
  public var isAfterRecords: Bool {
    if case .unreadable(_, let records) = kind { records > 0 } else { false }
  }
}

extension FileReadError {
  /// The bytes that belong to no character, without the way out; nil where something else is the matter.
  package var encodingFault: String? {
    guard case .encoding(let encoding, let byte, let line, _) = kind else { return nil }
    return """
      \(shownPath) is not \(encoding.rawValue.uppercased()): byte \(Plural.grouped(byte)), on line \(Plural.grouped(line)), \
      belongs to no character.
      """
  }

  /// The encoding that the file is likely to be in; nil where none is likelier than the one that was tried.
  package var proposedEncoding: TextEncoding? {
    if case .encoding(_, _, _, let proposed) = kind { proposed } else { nil }
  }

  /// What can be done where bytes belong to no character.
  private var encodingRemedy: String {
    guard let proposed = proposedEncoding else { return "Correct the file at that byte." }
    return "If it is \(proposed.title), say so with --encoding \(proposed.rawValue)."
  }

  /// The path for a sentence.
  private var shownPath: String { path == "-" ? "Standard input" : "“\(PathText.shown(path))”" }
}

extension FileReadError: CustomStringConvertible {
  /// What is the matter, and what can be done.
  public var description: String {
    let path = shownPath
    return switch kind {
    case .noSuchFile: "There is no file \(path). Check the path."
    case .isFolder: "\(path) is a folder. Name a file in it."
    case .system(let code): "\(path) cannot be read: \(SystemError(code: code))." + (SystemError(code: code).advice.map { " \($0)" } ?? "")
    case .empty: "\(path) is empty: it has no record of which a table could be made."
    case .database: "\(path) is an SQLite database, not a text."
    case .binary(let name?): "\(path) is \(name), not a text."
    case .binary(nil): "\(path) is not a text: it has bytes that no text has."
    case .encoding: "\(encodingFault ?? "") \(encodingRemedy)"
    case .noRecordAfter(let lines): "\(path) has no record after its first \(Plural.of(lines, "line")). Give --skip a lower number."
    case .tooManyColumns(let count, let line):
      """
      The record on line \(Plural.grouped(line)) of \(path) has \(Plural.of(count, "field")), and SQLite takes 2,000 columns. \
      Check the separator.
      """
    case .tooManyKeys(let count, let line):
      """
      The objects of \(path) up to line \(Plural.grouped(line)) have \(Plural.grouped(count)) different keys, and SQLite takes 2,000 columns. \
      Leave keys out, or split the file.
      """
    case .tooLong(let line):
      """
      The record that begins on line \(Plural.grouped(line)) of \(path) is longer than the 1,000,000,000 bytes that SQLite takes. \
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
    return "\(path) \(change) while it was read. Read it again when nobody writes it."
  }
}
