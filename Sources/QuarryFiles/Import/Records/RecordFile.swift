internal import QuarryEngine

/// Opens files and pipes as records.
///
/// ```swift
/// let reader = try RecordFile.open(path: "sales.csv")
/// let batch = RecordBatch()
/// while try reader.read(into: batch) { … }
/// ```
package enum RecordFile {
  /// Opens a file of any kind that has records, by its content.
  ///
  /// - Parameters:
  ///   - path: a file's, a pipe's or a device's; `-` for standard input.
  ///   - options: what is known of it; the rest is found from its first 64 KiB, or its first lines if they are shorter.
  /// - Throws: ``FileReadError``; its kind is ``FileReadError/Kind/database`` for a database.
  package static func open(path: String, options: RecordReadingOptions = RecordReadingOptions()) throws -> any RecordReader {
    try reader(of: ByteSource(path: path), options: options)
  }

  /// Returns whether the name of a file says that it is JSON, so that it is no other text if it is none.
  private static func isNamedAsJSON(_ path: String) -> Bool {
    isNamedAsSequence(path) && path != "-" || [".json", ".geojson"].contains { path.asciiLowercased.hasSuffix($0) }
  }

  /// Returns whether a file may have a JSON object on each line, as its name says or standard input does not.
  private static func isNamedAsSequence(_ path: String) -> Bool {
    path == "-" || [".ndjson", ".jsonl"].contains { path.asciiLowercased.hasSuffix($0) }
  }

  /// Makes the reader that the content of a file wants.
  ///
  /// - Parameter recordLimit: the most bytes that a record may have.
  /// - Throws: ``FileReadError``
  package static func reader(
    of source: ByteSource, options: RecordReadingOptions, recordLimit: Int = TextWindow.longestRecord
  ) throws -> any RecordReader {
    let head = try source.peek(FileSignature.longest)
    switch FileSignature(head) {
    // An export without a row has no byte where each row has a line.
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
      // What is no text is not told byte by byte; what has text before the fault is read up to it.
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
