internal import QuarryEngine

/// A format in which rows are written for other programs.
public enum ExportFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values, quoted as RFC 4180 has it; NULL is empty, and an empty text is `""`.
  case csv
  /// Tab-separated values quoted as CSV where they need it; NULL is empty, and an empty text is `""`.
  case tsv
  /// One array of objects.
  case json
  /// An object a line.
  case ndjson
  /// A table as GitHub's Markdown has it.
  case markdown
  /// A table of HTML.
  case html
  /// An INSERT statement a row.
  case sql

  /// Returns the format that the ending of a path says, in any case; nil for any other.
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

  /// The endings of paths that say the format, the customary one first.
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

  /// The customary ending of the path of a file in the format, without the point.
  public var ending: String { endings[0] }

  /// Returns the writer of rows with these columns; `table` is the name that INSERT statements give.
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

/// How rows are written in one format: what stands before, between and after them, and each value by its storage class.
protocol RowFormat {
  /// Writes what goes before the first row, also where there is none.
  func start(_ out: inout ByteBuffer)
  /// Writes what goes after the last row.
  func finish(_ out: inout ByteBuffer, isEmpty: Bool)

  func startRow(_ out: inout ByteBuffer, isFirst: Bool)
  func endRow(_ out: inout ByteBuffer)
  /// Writes what goes before the value of the column at `index`.
  func startCell(_ index: Int, _ out: inout ByteBuffer)

  func null(_ out: inout ByteBuffer)
  func integer(_ value: Int64, _ out: inout ByteBuffer)
  /// Writes a real, which is never a NaN: SQLite has none.
  func real(_ value: Double, _ out: inout ByteBuffer)
  /// Writes a text, whose bytes may be anything.
  func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer)
  func blob(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer)

  /// Writes rows; a requirement, so that each format has it compiled for itself and no method is looked up for a value.
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

  /// Writes a row of names, as those of the columns.
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

  @inline(__always)
  private func write(_ value: BorrowedValue, _ out: inout ByteBuffer) {
    switch value {
    case .null: null(&out)
    case .integer(let value): integer(value, &out)
    case .real(let value): real(value, &out)
    case .text(let bytes): text(bytes, &out)
    case .blob(let bytes): blob(bytes, &out)
    }
  }
}
