internal import QuarryEngine

/// A database as lines of text that change only where the database does: the schema, then the rows by key, one line each.
///
///     CREATE TABLE Artist(ArtistId INTEGER PRIMARY KEY, Name TEXT);
///
///     Artist: ArtistId=1, Name='AC/DC'
package struct DatabaseText: Sendable {
  private let side: any DiffSide

  /// Creates the text of a database.
  package init(_ side: any DiffSide) {
    self.side = side
  }

  /// Writes the lines, several at a time, each with its line break.
  ///
  /// - Parameters:
  ///   - tables: The tables to write, or nil for the whole database.
  ///   - progress: Called with a table and the number of its rows that have been read.
  /// - Returns: The tables whose rows cannot be read.
  package func write(
    tables: [String]? = nil, progress: (_ table: String, _ rows: Int) -> Void = { _, _ in }, to report: (String) throws -> Void
  ) async throws -> [UncomparedTable] {
    var diff = DatabaseDiff(side, side)
    diff.tables = tables
    let state = try await side.state()
    try await writeSchema(tables, to: report)
    var unread: [UncomparedTable] = []
    for (_, schema) in try await diff.schemas(of: side, nil).sorted(by: { $0.key < $1.key }) {
      let name = schema.entry.reference.name
      do {
        let table = try await diff.table(name, schema, nil)
        var isFirst = true
        _ = try await diff.differences(of: table, since: (state, state), { progress(name, $0) }) { rows in
          if isFirst { try report("\n") }
          isFirst = false
          try report(rows.map { row in String(repeating: Self.line(row, table), count: row.counts.old) }.joined())
        }
      } catch let obstacle as DiffObstacle {
        unread.append(UncomparedTable(table: name, reason: obstacle.reason))
        try report("\n-- \(name): \(obstacle.reason)\n")
      }
    }
    return unread
  }

  /// Writes the numbers of the database, then its objects: each table with its indexes and triggers, then the views.
  private func writeSchema(_ tables: [String]?, to report: (String) throws -> Void) async throws {
    if tables == nil {
      for (name, value) in try await StoredNumbers.read(side).sorted(by: { $0.key < $1.key }) where value != 0 {
        try report("PRAGMA \(name)=\(value);\n")
      }
    }
    let kinds = ["table": 0, "index": 1, "trigger": 2, "view": 3]
    let views = try await DiffSchema.read(side, tables).objects.map { object in
      (place: (object.kind == "view" ? "1" : "0") + object.table.asciiLowercased, kind: kinds[object.kind] ?? 4, object: object)
    }
    for (_, _, object) in views.sorted(by: { ($0.place, $0.kind, $0.object.name) < ($1.place, $1.kind, $1.object.name) }) {
      try report(object.sql + (object.sql.contains("--") ? "\n" : "") + ";\n")
    }
  }

  private static func line(_ row: RowDifference, _ table: DiffTable) -> String {
    let cells = zip(table.names, row.old ?? []).map { "\($0)=\($1.lineText)" }
    return "\(table.name): \(cells.joined(separator: ", "))\n"
  }
}

extension StoredValue {
  /// The value on one line: an SQL literal in which line breaks, other control characters and backslashes of a text are escaped.
  fileprivate var lineText: String {
    switch self {
    case .value(.text(let text)): "'" + text.unicodeScalars.map(Self.escaped).joined() + "'"
    case .value(let value): value.sqlLiteral
    case .rawText(let bytes): "CAST(\(DatabaseValue.blob(bytes).sqlLiteral) AS TEXT)"
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\\": "\\\\"
    case "'": "''"
    // The separators of lines and paragraphs, and C1 controls such as NEL, break lines in some programs.
    case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || [0x2028, 0x2029].contains(scalar.value):
      "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }
}
