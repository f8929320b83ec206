/// The kind of a file, detected from its first bytes.
///
/// ```swift
/// try FileKind(path: "sales.csv")  // .delimited
/// try FileKind(path: "app.db")     // .database
/// ```
public enum FileKind: Hashable, Sendable {
  /// An SQLite database.
  case database
  /// JSON: an array of objects, an object with such arrays, or a sequence of objects.
  case json
  /// A delimited text.
  case delimited
  /// An empty file, which SQLite opens as an empty database.
  case empty
}

extension FileKind {
  /// Detects the kind of a regular file.
  ///
  /// Returns nil for a pipe or a device, whose content is not known before it is read.
  ///
  /// - Parameter encoding: The encoding of a text, or nil to detect it.
  /// - Throws: ``FileReadError`` if the file cannot be read, or has another kind.
  public init?(path: String, encoding: TextEncoding? = nil) throws {
    let source = try ByteSource(path: path)
    guard source.isPlainFile else { return nil }
    do {
      self = try RecordFile.reader(of: source, options: RecordReadingOptions(encoding: encoding)).dialect == nil ? .json : .delimited
    } catch let error as FileReadError {
      switch error.kind {
      case .database: self = .database
      case .empty where source.byteCount ?? 0 == 0: self = .empty
      default: throw error
      }
    }
  }
}
