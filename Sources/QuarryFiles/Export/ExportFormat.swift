internal import QuarryEngine

/// A format for writing rows for other programs.
public enum ExportFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values, quoted according to RFC 4180.
  ///
  /// NULL is empty, and an empty text is `""`.
  case csv
  /// Tab-separated values, quoted like CSV if needed.
  ///
  /// NULL is empty, and an empty text is `""`.
  case tsv
  /// One array of objects.
  case json
  /// One object per line.
  case ndjson
  /// A table in GitHub's Markdown.
  case markdown
  /// An HTML table.
  case html
  /// One INSERT statement per row.
  case sql

  /// Creates the format for the extension of a path, ignoring case, or returns nil for any other extension.
  ///
  /// ```swift
  /// ExportFormat(pathEnding: "tracks.csv")    // csv
  /// ExportFormat(pathEnding: "TRACKS.JSONL")  // ndjson
  /// ExportFormat(pathEnding: "tracks")        // nil
  /// ```
  public init?(pathEnding path: String) {
    guard let name = path.split(separator: "/").last, let point = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: point)...].lowercased()
    guard let format = Self.allCases.first(where: { $0.endings.contains(ending) }) else { return nil }
    self = format
  }

  /// The path extensions of the format, the most common first.
  private var endings: [String] {
    switch self {
    case .csv: ["csv"]
    case .tsv: ["tsv", "tab"]
    case .json: ["json"]
    case .ndjson: ["ndjson", "jsonl"]
    case .markdown: ["md", "markdown"]
    case .html: ["html", "htm"]
    case .sql: ["sql"]
    }
  }

  /// The most common path extension of the format, without the period.
  public var ending: String { endings[0] }

  /// Returns the writer of rows with these columns.
  ///
  /// `table` is the table name in INSERT statements.
  func makeRowFormat(columns: [String], table: String) -> any RowFormat {
    switch self {
    case .csv: CSVFormat(columns: columns)
    case .tsv: TSVFormat(columns: columns)
    case .json: JSONFormat(columns: columns, isArray: true)
    case .ndjson: JSONFormat(columns: columns, isArray: false)
    case .markdown: MarkdownFormat(columns: columns)
    case .html: HTMLFormat(columns: columns)
    case .sql: InsertFormat(columns: columns, table: table)
    }
  }
}

/// A writer of rows in one format: the text before, between and after them, and each value by its storage class.
protocol RowFormat {
  /// Writes the text before the first row, even if there are no rows.
  func start(_ out: inout ByteBuffer)
  /// Writes the text after the last row.
  func finish(_ out: inout ByteBuffer, isEmpty: Bool)

  func startRow(_ out: inout ByteBuffer, isFirst: Bool)
  func endRow(_ out: inout ByteBuffer)
  /// Writes the text before the value of the column at `index`.
  func startCell(_ index: Int, _ out: inout ByteBuffer)

  func null(_ out: inout ByteBuffer)
  func integer(_ value: Int64, _ out: inout ByteBuffer)
  /// Writes a real, which is never NaN, because SQLite stores none.
  func real(_ value: Double, _ out: inout ByteBuffer)
  /// Writes a text, whose bytes may be invalid UTF-8.
  func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer)
  func blob(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer)

  /// Writes rows.
  ///
  /// This is a requirement so that each format has its own specialized version without a method lookup per value.
  func write(_ rows: borrowing RowBatch, isFirst: Bool, _ out: inout ByteBuffer)
}

extension RowFormat {
  func finish(_ out: inout ByteBuffer, isEmpty: Bool) {}

  func startRow(_ out: inout ByteBuffer, isFirst: Bool) {}

  func endRow(_ out: inout ByteBuffer) {
    out.append(UInt8(ascii: "\n"))
  }

  func null(_ out: inout ByteBuffer) {}

  func integer(_ value: Int64, _ out: inout ByteBuffer) {
    out.append(decimal: value)
  }

  func real(_ value: Double, _ out: inout ByteBuffer) {
    out.append(real: value)
  }

  func blob(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    out.append(blobLiteral: bytes)
  }

  func write(_ rows: borrowing RowBatch, isFirst: Bool, _ out: inout ByteBuffer) {
    var values = rows.values
    for row in 0..<rows.rowCount {
      startRow(&out, isFirst: isFirst && row == 0)
      for index in 0..<rows.columnCount {
        startCell(index, &out)
        write(values.next(), &out)
      }
      endRow(&out)
    }
  }

  /// Writes a row of names, such as the column names.
  func writeNames(_ names: [String], _ out: inout ByteBuffer) {
    for (index, name) in names.enumerated() {
      startCell(index, &out)
      write(.text(name), &out)
    }
    endRow(&out)
  }

  /// Writes a value.
  func write(_ value: DatabaseValue, _ out: inout ByteBuffer) {
    value.withBorrowedValue { write($0, &out) }
  }

  /// Writes a value.
  @inline(__always)
  func write(_ value: BorrowedValue, _ out: inout ByteBuffer) {
    switch value {
    case .null: null(&out)
    case .integer(let value): integer(value, &out)
    case .real(let value): real(value, &out)
    case .text(let bytes): text(bytes, &out)
    case .blob(let bytes): blob(bytes, &out)
    }
  }
}
