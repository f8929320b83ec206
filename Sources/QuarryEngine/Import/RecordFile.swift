/// Opens files and pipes as records.
///
/// ```swift
/// let reader = try RecordFile.open(path: "sales.csv")
/// let batch = RecordBatch()
/// while try reader.read(into: batch) { … }
/// ```
enum RecordFile {
  /// How many bytes, and how many lines, of a text are looked at before it is read.
  private static let (sampleLength, sampleLines) = (1 << 16, 33)

  /// Opens a file of any kind that has records, by its content.
  ///
  /// - Parameters:
  ///   - path: a file's, a pipe's or a device's; `-` for standard input.
  ///   - options: what is known of it; the rest is found from its first 64 KiB, or its first lines if they are shorter.
  /// - Throws: ``FileReadError``; its kind is ``FileReadError/Kind/database`` for a database.
  static func open(path: String, options: RecordReadingOptions = RecordReadingOptions()) throws -> any RecordReader {
    try reader(of: ByteSource(path: path), options: options)
  }

  /// Makes the reader that the content of a file wants.
  ///
  /// - Throws: ``FileReadError``
  static func reader(of source: ByteSource, options: RecordReadingOptions) throws -> any RecordReader {
    let head = try source.peek(FileSignature.longest)
    switch FileSignature(head) {
    case .empty: throw FileReadError(kind: .empty, path: source.path)
    case .database: throw FileReadError(kind: .database, path: source.path)
    case .binary(let name): throw FileReadError(kind: .binary(name), path: source.path)
    case .text: break
    }
    let window = TextWindow(try TextSource(source, encoding: options.encoding))
    let sample = try sample(window, head)
    if JSONBeginning.isAt(sample.bytes, count: window.count), options.separator == nil { return try JSONReader(window, sample: sample) }
    return try DelimitedReader(window, sample: sample, options: options)
  }

  /// Reads the first lines.
  private static func sample(_ window: TextWindow, _ head: [UInt8]) throws -> RecordBatch {
    let batch = RecordBatch(byteCapacity: sampleLength)
    do {
      while !window.isAtEnd, window.count < sampleLength,
        ByteScan.count(0x0A, from: batch.bytes, to: batch.bytes + window.count) < sampleLines,
        !JSONBeginning.isAt(batch.bytes, count: window.count)
      {
        try window.readOn(batch, unfinishedFrom: 0, line: 1)
      }
    } catch let error as FileReadError {
      guard case .encoding = error.kind else { throw error }
      // What is not even text in its first bytes is not told byte by byte; what has lines before the fault is read up to it.
      if FileSignature.hasControlCharacters(head) { throw FileReadError(kind: .binary(nil), path: window.path) }
      if window.count == 0 { throw error }
    }
    let text = UnsafeBufferPointer(start: batch.bytes, count: window.count)
    if FileSignature.isMostlyControlCharacters(text) { throw FileReadError(kind: .binary(FileSignature.nameOfHalfZeros(text)), path: window.path) }
    return batch
  }
}
