internal import QuarryEngine

extension ImportPreview {
  /// The maximum number of rows in a preview.
  static let rowLimit = 100

  /// Reads the first rows as they would be stored, by storing them in an in-memory table with the same column types.
  ///
  ///     CREATE TABLE preview(Name TEXT, Milliseconds INTEGER); INSERT INTO preview VALUES (?, ?); …; SELECT * FROM preview
  mutating func readRows(_ blocks: [RecordStream.Block], schema: TableSchema?) throws {
    let places = columns.indices.filter { columns[$0].target != nil }
    guard !places.isEmpty else { return }
    let definitions = places.map { place in
      let column = columns[place]
      let stored = column.target.flatMap { schema?.column(named: $0) }
      let type = stored?.affinity.type ?? (schema == nil ? column.type.declaration : nil)
      return ColumnDefinition(name: "c\(place)", type: type).sql
    }
    let queue = try DatabaseQueue()
    try queue.withoutTransaction { db in
      try db.execute(sql: "CREATE TABLE preview(\(definitions.joined(separator: ", ")))")
      let insertion = try RowInsertion(sql: "INSERT INTO preview VALUES (\(SQLText.parameters(places.count)))", places: places, in: db)
      for block in blocks {
        for record in 0..<block.records.count where lines.count < Self.rowLimit {
          try insertion.insert(record..<record + 1, of: block.records, as: block.types)
          lines.append(block.records.line(of: record))
        }
      }
      try db.scan("SELECT * FROM preview") { statement in
        rows.append(try places.indices.map { try statement.storedValue(at: $0).databaseValue })
        return true
      }
    }
  }
}

extension ColumnSchema.Affinity {
  /// A type with this affinity, or nil for none.
  fileprivate var type: ColumnType? {
    switch self {
    case .integer: .integer
    case .text: .text
    case .blob: nil
    case .real: .real
    case .numeric: .numeric
    }
  }
}
