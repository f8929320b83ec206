/// A row that two databases do not have alike.
package struct RowDifference: Sendable {
  /// The table.
  package var table: String
  /// What tells the row apart.
  package var key: [(column: String, value: StoredValue)]
  package var change: DiffChange
  /// The values that differ; of a row that only one has, all of them.
  package var cells: [Cell]

  /// A value in both databases; nil where the row is not there.
  package struct Cell: Sendable {
    package var column: String
    package var from: StoredValue?
    package var to: StoredValue?
  }
}

/// How many rows of a table differ.
package struct TableDifference: Sendable {
  package var table: String
  package var added = 0
  package var removed = 0
  package var changed = 0
}

/// The rows of one side in the order of a key, some at a time.
struct DiffRows {
  private let side: any DiffSide
  private let table: TableReference
  private let key: DiffKey
  private let columns: [String]
  private let step: Int
  private var rows: [[StoredValue]] = []
  private var next = 0
  private var isAtEnd: Bool
  private var last: [StoredValue]?

  /// Makes a reader.
  ///
  /// - Parameter isThere: Whether the side has the table.
  init(_ side: any DiffSide, _ table: TableReference, by key: DiffKey, _ columns: [String], step: Int, isThere: Bool) {
    (self.side, self.table, self.key, self.columns, self.step) = (side, table, key, columns, step)
    isAtEnd = !isThere
  }

  /// The row that comes next; nil after the last.
  var current: [StoredValue]? { rows.indices.contains(next) ? rows[next] : nil }

  /// Whether more rows have to be read before it is known which comes next.
  var isEmpty: Bool { current == nil && !isAtEnd }

  mutating func advance() { next += 1 }

  /// Reads the next rows, in several parts where the key and the columns are more values than a row of a result has.
  func read() async throws -> [[StoredValue]] {
    let room = max(1, KeysetRows.resultLimit - key.columns.count)
    var rows = try await read(columns.prefix(room))
    for start in stride(from: room, to: columns.count, by: room) {
      let part = try await read(columns[start..<min(start + room, columns.count)])
      guard part.map({ $0.prefix(key.columns.count) }) == rows.map({ $0.prefix(key.columns.count) }) else {
        throw DataSourceError("others have written to \(table.name) in “\(side.name)” while its rows were read: compare once more")
      }
      rows = zip(rows, part).map { $0 + $1.dropFirst(key.columns.count) }
    }
    return rows
  }

  /// Reads the key and some columns of the next rows.
  ///
  ///     SELECT TrackId, Name FROM main.Track WHERE (TrackId) > (?) ORDER BY TrackId LIMIT 500
  private func read(_ columns: ArraySlice<String>) async throws -> [[StoredValue]] {
    let list = (key.columns + columns).map { "\(identifier: $0)" as SQLText }.joined(by: ", ")
    let condition: SQLText = try last.map { " WHERE \(try key.condition(after: $0))" } ?? ""
    let sql: SQLText = "SELECT \(list) FROM \(table.sqlText)\(condition) ORDER BY \(key.order) LIMIT \(raw: String(step))"
    return try await side.rows(sql, width: key.columns.count + columns.count)
  }

  /// Takes rows that were read.
  ///
  /// - Throws: ``DataSourceError`` where a key is there twice.
  mutating func take(_ read: [[StoredValue]]) throws {
    let count = key.columns.count
    for row in read {
      if let last { try check(key.precedes(last[...], row.prefix(count))) }
      last = Array(row.prefix(count))
    }
    (rows, next, isAtEnd) = (read, 0, read.count < step)
  }

  /// Checks that a row comes after the one before it.
  private func check(_ isInOrder: Bool?) throws {
    let names = key.columns.joined(separator: ", ")
    switch isInOrder {
    case true?: break
    case nil: throw DataSourceError("\(table.name) has several rows of the same \(names): --key names what tells them apart")
    case false?:
      throw DataSourceError("\(table.name) cannot be compared by \(names): its texts have another order in “\(side.name)”, as UTF-16 has")
    }
  }
}
