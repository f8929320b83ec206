public import QuarryEngine

/// Writes rows in a format, in chunks of a fixed size, so that memory use is bounded by the longest row.
///
/// ```swift
/// let exporter = RowExporter(.csv, columns: ["id", "title"]) { file.write($0) }
/// try exporter.write([.integer(1), .text("Groceries")])
/// try exporter.finish()
/// ```
///
/// If there are many rows, another thread formats them while the next rows are read.
public final class RowExporter {
  private let format: any RowFormat
  private let columnCount: Int
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  /// The page being filled.
  private var page: ExportPage
  /// The formatting thread, or nil while all rows fit on one page.
  private var thread: FormattingThread?
  private var isEmpty = true

  /// Creates an exporter of rows with these columns.
  ///
  /// - Parameters:
  ///   - format: The format of the output.
  ///   - columns: The names of the columns from left to right.
  ///   - table: The table name in INSERT statements.
  ///   - sink: Receives the bytes on the thread that writes the rows. The bytes are valid only during the call.
  public init(
    _ format: ExportFormat, columns: [String], table: String = "result", to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) {
    self.format = format.makeRowFormat(columns: columns, table: table)
    columnCount = columns.count
    self.sink = sink
    page = ExportPage(self.format, columnCount: columnCount)
    page.append(self.format.start)
  }

  /// Writes the current row of a statement directly from SQLite's memory.
  ///
  /// The statement's first columns must be the exporter's columns.
  ///
  /// ```swift
  /// while try statement.step() { try exporter.write(statement) }
  /// ```
  ///
  /// - Throws: Any error thrown by the sink, or ``DatabaseError``.
  public func write(_ statement: Statement) throws {
    try page.append(statement)
    try rowEnded()
  }

  /// Writes a row with one value per column.
  ///
  /// - Throws: Any error thrown by the sink.
  public func write(_ values: [DatabaseValue]) throws {
    try write(values) { $0.withBorrowedValue($1) }
  }

  /// Writes a row with one value per column.
  ///
  /// Texts may be invalid UTF-8.
  ///
  /// - Throws: Any error thrown by the sink.
  public func write(_ values: [StoredValue]) throws {
    try write(values) { $0.withBorrowedValue($1) }
  }

  /// Writes a row with one value per column, each lent by `lend`.
  ///
  /// - Throws: Any error thrown by the sink or by `lend`.
  package func write<Values: Collection>(_ values: Values, _ lend: (Values.Element, (BorrowedValue) -> Void) throws -> Void) throws {
    try page.append(values, lend)
    try rowEnded()
  }

  /// Passes all written rows to the sink when no more may come because the statement has failed.
  ///
  /// - Throws: Any error thrown by the sink.
  public func flush() throws {
    if let thread { try handOn(thread.finishedPage()) }
    page.makeText(isFirst: takeIsFirst())
    try handOn(page)
  }

  /// Writes the end of the format and passes remaining bytes to the sink.
  ///
  /// Nothing may be written afterwards.
  ///
  /// - Throws: Any error thrown by the sink.
  public func finish() throws {
    try flush()
    page.append { format.finish(&$0, isEmpty: isEmpty) }
    try handOn(page)
  }

  private func rowEnded() throws {
    guard page.rows.isFull else { return }
    // A value lent by SQLite is valid until the statement's next step, so it is formatted here.
    if page.rows.isBorrowing { try flush() } else { try turnPage() }
  }

  /// Exchanges the page for the previously formatted one, and passes that to the sink.
  private func turnPage() throws {
    // If no thread can be started, each page is formatted here.
    guard let thread = thread ?? (try? FormattingThread(ExportPage(format, columnCount: columnCount))) else { return try flush() }
    self.thread = thread
    page = thread.exchange(page, isFirst: takeIsFirst())
    try handOn(page)
  }

  /// Returns whether no rows precede the page.
  private func takeIsFirst() -> Bool {
    defer { isEmpty = isEmpty && page.rows.rowCount == 0 }
    return isEmpty
  }

  private func handOn(_ page: ExportPage) throws {
    defer { page.removeText() }
    if page.text.count > 0 { try sink(page.text.bytes) }
  }
}

extension ExportFormat {
  /// Returns rows as one text for the clipboard.
  public func text(columns: [String], rows: some Sequence<[DatabaseValue]>, table: String = "result") -> String {
    text(columns: columns, rows: rows.map { $0.map { StoredValue.value($0) } }, table: table)
  }

  /// Returns rows as one text.
  ///
  /// Texts that are invalid UTF-8 are written as the format requires.
  public func text(columns: [String], rows: [[StoredValue]], table: String = "result") -> String {
    let format = makeRowFormat(columns: columns, table: table)
    let page = ExportPage(format, columnCount: columns.count)
    page.append(format.start)
    var isEmpty = true
    for row in rows {
      page.append(row) { $0.withBorrowedValue($1) }
      page.makeText(isFirst: isEmpty)
      isEmpty = false
    }
    page.append { format.finish(&$0, isEmpty: isEmpty) }
    return String(decoding: page.text.bytes, as: UTF8.self)
  }
}
