internal import QuarryEngine

/// Opens files and pipes as records.
///
/// ```swift
/// let reader = try RecordFile.open(path: "sales.csv")
/// let batch = RecordBatch()
/// while try reader.read(into: batch) { … }
/// ```
package enum RecordFile {
  /// Opens a file with records, whose format is detected from its content.
  ///
  /// - Parameters:
  ///   - path: The path of a file, a pipe or a device, or `-` for standard input.
  ///   - options: The known options. The others are detected from the first 64 KiB, or from the first lines if they are shorter.
  /// - Throws: ``FileReadError``, with the kind ``FileReadError/Kind/database`` for a database.
  package static func open(path: String, options: RecordReadingOptions = RecordReadingOptions()) throws -> any RecordReader {
    try reader(of: ByteSource(path: path), options: options)
  }

  /// Returns whether the name of a file indicates JSON, so that malformed JSON is not read as another format.
  private static func isNamedAsJSON(_ path: String) -> Bool {
    isNamedAsSequence(path) && path != "-" || [".json", ".geojson"].contains { path.asciiLowercased.hasSuffix($0) }
  }

  /// Returns whether a file may have a JSON object on each line, according to its name.
  ///
  /// True for standard input.
  private static func isNamedAsSequence(_ path: String) -> Bool {
    path == "-" || [".ndjson", ".jsonl"].contains { path.asciiLowercased.hasSuffix($0) }
  }

  /// Creates the reader for the content of a file.
  ///
  /// - Parameter recordLimit: The maximum size of a record in bytes.
  /// - Throws: ``FileReadError``
  package static func reader(
    of source: ByteSource, options: RecordReadingOptions, recordLimit: Int = TextWindow.longestRecord
  ) throws -> any RecordReader {
    let head = try source.peek(FileSignature.longest)
    switch FileSignature(head) {
    // An export without rows is empty if each row is a line.
    case .empty where !isNamedAsSequence(source.path): throw FileReadError(kind: .empty, path: source.path)
    case .database: throw FileReadError(kind: .database, path: source.path)
    case .binary(let name): throw FileReadError(kind: .binary(name), path: source.path)
    case .text, .empty: break
    }
    let text = try TextSource(source, encoding: options.encoding)
    let window = TextWindow(text, recordLimit: recordLimit)
    let sample = TextSample(window)
    do {
      try sample.readBeginning()
    } catch let error as FileReadError {
      guard case .encoding = error.kind else { throw error }
      // Do not report a single byte of a binary file. A text with a fault is read up to the fault.
      if !text.isEncodingGiven || text.encoding == .utf8, text.fault?.evidence.isBinary == true {
        throw FileReadError(kind: .binary(nil), path: source.path)
      }
      if window.count == 0 { throw error }
    }
    if FileSignature.isMostlyControlCharacters(sample.text) { throw FileReadError(kind: .binary(nil), path: source.path) }
    if options.separator == nil, JSONBeginning.isAt(sample.text) || isNamedAsJSON(source.path) || head.isEmpty {
      return try JSONReader(window, sample, isSequence: isNamedAsSequence(source.path))
    }
    return try DelimitedReader(window, sample, options: options)
  }
}
