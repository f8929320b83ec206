/// Opens files and pipes as records.
///
/// ```swift
/// let reader = try RecordFile.open(path: "sales.csv")
/// reader.dialect?.separator  // that of ,
/// ```
enum RecordFile {
  /// Opens a file of any kind that has records, by its content.
  ///
  /// - Parameters:
  ///   - path: a file's, a pipe's or a device's; `-` for standard input.
  ///   - options: what is known of it; the rest is found from its first 64 KiB.
  /// - Throws: ``FileReadError``
  static func open(path: String, options: RecordReadingOptions = RecordReadingOptions()) throws -> any RecordReader {
    throw FileReadError(kind: .empty, path: path)
  }
}
