public import QuarryEngine

/// Writes rows in a format, in chunks of a fixed size, so that a table of any length takes no more memory than its longest row.
///
/// ```swift
/// let exporter = RowExporter(.csv, columns: ["id", "title"]) { file.write($0) }
/// try exporter.write([.integer(1), .text("Groceries")])
/// try exporter.finish()
/// ```
///
/// Where there are many rows, another thread makes their text while the next are read.
public final class RowExporter {
  private let format: any RowFormat
  private let columnCount: Int
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  /// What is being filled.
  private var page: ExportPage
  /// Nil while all rows fit on one page.
  private var thread: FormattingThread?
  private var isEmpty = true

  /// Makes a writer of rows with these columns.
  ///
  /// - Parameters:
  ///   - format: The form that the rows take.
  ///   - columns: The names of the columns, from left to right.
  ///   - table: The table that INSERT statements name.
  ///   - sink: What takes the bytes, on the thread that writes the rows; they are its own for the length of the call.
  public init(
    _ format: ExportFormat, columns: [String], table: String = "result", to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) {
    self.format = format.makeRowFormat(columns: columns, table: table)
    columnCount = columns.count
    self.sink = sink
    page = ExportPage(self.format, columnCount: columnCount)
    page.append(self.format.start)
  }

  /// Writes the current row of a statement, whose first columns are the exporter's, from where SQLite keeps it.
  ///
  /// ```swift
  /// while try statement.step() { try exporter.write(statement) }
  /// ```
  ///
  /// - Throws: What the sink throws, ``DatabaseError``.
  public func write(_ statement: Statement) throws {
    try page.append(statement)
    try rowEnded()
  }

  /// Writes a row of as many values as there are columns.
  ///
  /// - Throws: What the sink throws.
  public func write(_ values: [DatabaseValue]) throws {
    try write(values) { $0.withBorrowedValue($1) }
  }

  /// Writes a row of as many values as there are columns, some of which may be texts that are not valid UTF-8.
  ///
  /// - Throws: What the sink throws.
  public func write(_ values: [StoredValue]) throws {
    try write(values) { $0.withBorrowedValue($1) }
  }

  /// Writes a row of as many values as there are columns, each of which `lend` lends.
  ///
  /// - Throws: What the sink throws, and `lend`.
  package func write<Values: Collection>(_ values: Values, _ lend: (Values.Element, (BorrowedValue) -> Void) throws -> Void) throws {
    try page.append(values, lend)
    try rowEnded()
  }

  /// Hands on all rows that were written, where no more may come: the statement has failed.
  ///
  /// - Throws: What the sink throws.
  public func flush() throws {
    if let thread { try handOn(thread.finishedPage()) }
    page.makeText(isFirst: takeIsFirst())
    try handOn(page)
  }

  /// Writes what ends the format and hands on what is left; nothing may be written afterwards.
  ///
  /// - Throws: What the sink throws.
  public func finish() throws {
    try flush()
    page.append { format.finish(&$0, isEmpty: isEmpty) }
    try handOn(page)
  }

  private func rowEnded() throws {
    guard page.rows.isFull else { return }
    // A value that SQLite lends is good until the statement's next step, and so its text is made here.
    if page.rows.isBorrowing { try flush() } else { try turnPage() }
  }

  /// Gives the page away to have its text made, hands on the text of the one before, and goes on with that.
  private func turnPage() throws {
    // Without a thread of its own, each text is made here.
    guard let thread = thread ?? (try? FormattingThread(ExportPage(format, columnCount: columnCount))) else { return try flush() }
    self.thread = thread
    page = thread.exchange(page, isFirst: takeIsFirst())
    try handOn(page)
  }

  /// Returns whether no rows have come before the page's.
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
  /// Returns rows as one text, for the clipboard.
  public func text(columns: [String], rows: some Sequence<[DatabaseValue]>, table: String = "result") -> String {
    text(columns: columns, rows: rows.map { $0.map { StoredValue.value($0) } }, table: table)
  }

  /// Returns rows as one text; those of its values that are texts and not valid UTF-8 as the format writes such.
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
