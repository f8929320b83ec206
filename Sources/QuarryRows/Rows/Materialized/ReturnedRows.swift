public import QuarryEngine

/// The rows returned by a statement that writes, stored in a temporary database, because the statement must not run again.
///
/// ```swift
/// let statement = try db.makeStatement(sql: "DELETE FROM Track WHERE Milliseconds < 5000 RETURNING TrackId, Name")
/// let reader = RowReader(RowSet(.returned(try ReturnedRows(of: statement))), on: connections)
/// ```
public final class ReturnedRows: Sendable {
  /// The names of the columns.
  public let columnNames: [String]
  /// The number of rows.
  public let count: Int
  let spool: RowSpool
  /// The SELECT that returns the rows on the connection that stores them.
  ///
  ///     SELECT c0 AS TrackId, c1 AS Name FROM rows ORDER BY rowid
  package let query: SQLText

  /// Runs a statement to its end and stores its rows.
  ///
  /// - Parameter statement: A statement with its arguments, of which no row has been read.
  /// - Throws: `DatabaseError`
  public init(of statement: Statement) throws {
    let spool = try RowSpool(width: statement.columnCount)
    count = try spool.queue.write { database in
      var count = 0
      while try statement.step() {
        try spool.append(statement, in: database)
        count += 1
      }
      return count
    }
    columnNames = statement.columnNames
    self.spool = spool
    let names = columnNames.enumerated().map { "\(identifier: "c\($0)") AS \(identifier: $1)" as SQLText }
    query = "SELECT \(names.joined(by: ", ")) FROM rows ORDER BY rowid"
  }

  /// Stores values, from which a SELECT computes the rows.
  ///
  /// - Parameters:
  ///   - width: The number of values in each row.
  ///   - names: The names of the columns of `select`.
  ///   - select: A SELECT from the table `rows`, whose columns are `c0`, `c1` and so on.
  ///   - fill: Receives a closure that appends the values of a row.
  /// - Throws: `DatabaseError`, and any error of `fill`.
  init(
    width: Int, names: [String], select: SQLText, _ fill: (_ append: ([StoredValue]) throws -> Void) throws -> Void
  ) throws {
    let spool = try RowSpool(width: width)
    count = try spool.queue.write { database in
      var count = 0
      try fill { values in
        try spool.append(values, in: database)
        count += 1
      }
      return count
    }
    columnNames = names
    self.spool = spool
    query = select
  }

  /// The connection that stores the rows, for all reads.
  package var connections: ReadConnections { ReadConnections(foreground: spool.queue, background: spool.queue) }
}

extension ReturnedRows: Hashable {
  /// Returns whether both contain the rows of the same run.
  public static func == (left: ReturnedRows, right: ReturnedRows) -> Bool {
    left === right
  }

  /// Hashes the identity of the run.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// A temporary database with one table of rows in insertion order.
///
///     CREATE TABLE rows(c0, c1, …)   -- no types: each value keeps its storage class
package struct RowSpool: Sendable {
  package let queue: DatabaseQueue
  /// The rows by their positions.
  let rows: KeysetRows
  private let insertSQL: String

  init(width: Int) throws {
    let names = (0..<width).map { "c\($0)" }
    insertSQL = "INSERT INTO rows VALUES (\(SQLText.parameters(width)))"
    queue = try DatabaseQueue(path: "")
    rows = KeysetRows(
      reference: TableReference(name: "rows"), columns: names.map { RowSetColumn(name: $0, schema: nil) },
      keyKind: .position, order: KeysetOrder(terms: [KeysetOrder.Term(expression: "rowid")]))
    try queue.withoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = MEMORY")
      try database.execute(sql: "CREATE TABLE rows(\(names.joined(separator: ", ")))")
    }
  }

  /// Appends a row.
  package func append(_ values: [StoredValue], in database: Database) throws {
    let insertion = try insertion(in: database)
    for (index, value) in values.enumerated() {
      switch value {
      case .value(let value): try insertion.bind(value, at: index + 1)
      case .rawText(let bytes): try bytes.withUnsafeBytes { try insertion.bindText($0, at: index + 1) }
      }
    }
    _ = try insertion.step()
    try insertion.reset()
  }

  private func insertion(in database: Database) throws -> Statement { try database.cachedStatement(sql: insertSQL) }

  /// Appends a statement's current row.
  func append(_ statement: Statement, in database: Database) throws {
    let insertion = try insertion(in: database)
    for index in rows.columns.indices {
      if try statement.columnStorageClass(at: index) == .text {
        // As bytes, so that a text that is not valid UTF-8 is unchanged.
        try statement.withColumnBytes(at: index) { try insertion.bindText($0, at: index + 1) }
      } else {
        try insertion.bind(statement.columnValue(at: index), at: index + 1)
      }
    }
    _ = try insertion.step()
    try insertion.reset()
  }
}
