/// Writes rows in a format, in chunks of a fixed size, so that a table of any length takes no more memory than its longest row.
///
/// ```swift
/// let exporter = RowExporter(.csv, columns: ["id", "title"]) { file.write($0) }
/// try exporter.write([.integer(1), .text("Groceries")])
/// try exporter.finish()
/// ```
public final class RowExporter {
  private let format: any RowFormat
  private let columnCount: Int
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  private var buffer = ByteBuffer(capacity: chunkSize + 4096)
  private var isEmpty = true

  private static let chunkSize = 256 * 1024

  /// Makes a writer of rows with these columns.
  ///
  /// - Parameters:
  ///   - format: The form that the rows take.
  ///   - columns: The names of the columns, from left to right.
  ///   - table: The table that INSERT statements name.
  ///   - sink: What takes the bytes; they are its own for the length of the call.
  public init(
    _ format: ExportFormat, columns: [String], table: String = "result", to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) {
    self.format = format.makeRowFormat(columns: columns, table: table)
    columnCount = columns.count
    self.sink = sink
    self.format.start(&buffer)
  }

  /// Writes the current row of a statement, whose first columns are the exporter's, from where SQLite keeps it.
  ///
  /// ```swift
  /// while try statement.step() { try exporter.write(statement) }
  /// ```
  ///
  /// - Throws: What the sink throws, ``DatabaseError``.
  public func write(_ statement: Statement) throws {
    try format.row(of: statement, columns: columnCount, isFirst: isEmpty, &buffer)
    try rowEnded()
  }

  /// Writes a row of as many values as there are columns.
  ///
  /// - Throws: What the sink throws.
  public func write(_ values: [DatabaseValue]) throws {
    format.row(values, isFirst: isEmpty, &buffer)
    try rowEnded()
  }

  /// Writes what ends the format and hands on what is left; nothing may be written afterwards.
  ///
  /// - Throws: What the sink throws.
  public func finish() throws {
    format.finish(&buffer, isEmpty: isEmpty)
    try flush()
  }

  private func rowEnded() throws {
    isEmpty = false
    if buffer.count >= Self.chunkSize { try flush() }
  }

  private func flush() throws {
    try sink(buffer.bytes)
    buffer.truncate(to: 0)
  }
}

extension ExportFormat {
  /// Returns rows as one text, for the clipboard.
  public func text(columns: [String], rows: some Sequence<[DatabaseValue]>, table: String = "result") -> String {
    let format = makeRowFormat(columns: columns, table: table)
    var buffer = ByteBuffer(capacity: 4096)
    format.start(&buffer)
    var isEmpty = true
    for row in rows {
      format.row(row, isFirst: isEmpty, &buffer)
      isEmpty = false
    }
    format.finish(&buffer, isEmpty: isEmpty)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
