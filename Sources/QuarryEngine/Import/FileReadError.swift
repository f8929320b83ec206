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
    /// A byte, by its offset in the file from 0, belongs to no character.
    case encoding(TextEncoding, byte: Int, line: Int)
    /// A record has more fields than SQLite allows a table to have columns, 2,000.
    case tooManyColumns(Int, line: Int)
    /// A value is longer than SQLite takes, 1,000,000,000 bytes.
    case tooLong(line: Int)
    /// JSON breaks off or is none; no record can be told from here on.
    case json(RecordFault)
    /// The file has changed while it was read: the size that it had, and the one that it has.
    case changed(from: Int, to: Int)
  }

  /// What is the matter.
  public var kind: Kind
  /// The path as it was given; `-` for standard input.
  public var path: String
}
