/// What a file is, by its first bytes.
///
/// ```swift
/// try FileKind(path: "sales.csv")  // .delimited
/// try FileKind(path: "app.db")     // .database
/// ```
public enum FileKind: Hashable, Sendable {
  /// An SQLite database.
  case database
  /// JSON: an array of objects, an object of such arrays, or objects one after the other.
  case json
  /// A text of records with separated fields.
  case delimited
  /// A file without a byte, which SQLite takes for a database without a table.
  case empty
}

extension FileKind {
  /// Finds the kind of a plain file; nil for a pipe or a device, of which nothing is known before it is read.
  ///
  /// - Parameter encoding: How a text is encoded; nil to find that out.
  /// - Throws: ``FileReadError`` where it cannot be read, or is nothing of these.
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
