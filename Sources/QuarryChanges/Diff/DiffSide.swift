internal import Essentials
package import QuarryEngine
package import QuarryRows
internal import Synchronization

/// One of two databases to compare: a file, or a database on a server.
package protocol DiffSide: Sendable {
  /// The name of the database in titles and messages.
  var name: String { get }
  /// Reads from the schema, on a connection that need not contain rows.
  func schema<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
  /// Reads the rows of a SELECT that returns few rows, with complete values.
  func rows(_ sql: SQLText, width: Int) async throws -> [[StoredValue]]
  /// Reads the first rows of a query.
  func block(_ query: DiffQuery) async throws -> DiffBlock
  /// Returns a state that changes when the data is written.
  func state() async throws -> DiffState
  /// Checks that a table contains exactly a number of rows, if its file can be damaged and it has not been written since.
  func checkReached(_ count: Int, of table: TableReference, since state: DiffState) async throws
  /// Returns whether texts are stored as UTF-8, so that BINARY sorts them by it.
  func isUTF8() async throws -> Bool
  /// Copies the rows of a SELECT in its order into a separate table with rowids from 1.
  ///
  /// - Throws: ``DiffObstacle`` if the database does not support it.
  func copy(_ sql: SQLText, of table: String) async throws -> TableReference
  /// Drops a copy.
  func drop(_ copy: TableReference) async throws
}

extension DiffSide {
  /// Reads rows of the first range.
  package func block(_ query: DiffQuery) async throws -> DiffBlock {
    guard let range = query.ranges.first else { return DiffBlock(width: query.width) }
    return try DiffBlock(try await rows(query.sql(range), width: query.width), of: query)
  }
}

/// The state of a side at a moment.
package struct DiffState: Hashable, Codable, Sendable {
  let data: DataState
  /// The number of the connection on which the state was read.
  ///
  /// States of different connections cannot be compared.
  let connection: Int

  /// Creates the state that a connection has read.
  package init(data: DataState, connection: Int = 0) {
    (self.data, self.connection) = (data, connection)
  }
}

/// A file to compare.
///
/// The whole file is read in one transaction and therefore in one state. If that would block writers, each step is a separate transaction.
package final class FileDiffSide: DiffSide {
  package let name: String
  /// The connection that reads the file.
  package let queue: DatabaseQueue
  private let isOfOneState: Bool
  /// The tables of the last state that was read.
  private let tables = Mutex<(state: DiffState, tables: StoredTables)?>(nil)

  /// Begins the transaction, which ends with the connection.
  ///
  ///     BEGIN; SELECT count(*) FROM sqlite_schema
  ///
  /// - Parameter holdsState: Whether the file is read in one state even if that blocks writers.
  package init(_ queue: DatabaseQueue, name: String, holdsState: Bool = false) throws {
    (self.queue, self.name) = (queue, name)
    isOfOneState = try queue.withoutTransaction { db in
      if try !holdsState && db.readsKeepWritersOut(of: "main") { return false }
      try db.execute(sql: "BEGIN; SELECT count(*) FROM main.sqlite_schema")
      return true
    }
  }

  /// Creates a side whose state is read again each time, so that it changes when the file is written.
  package init(watching queue: DatabaseQueue, name: String) {
    (self.queue, self.name, isOfOneState) = (queue, name, false)
  }

  private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    if isOfOneState { return try await queue.withoutTransaction(body) }
    return try await queue.read(body)
  }

  package func schema<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await read(body)
  }

  package func rows(_ sql: SQLText, width: Int) async throws -> [[StoredValue]] {
    try await read { db in
      var rows: [[StoredValue]] = []
      try db.scan(sql) { statement in
        rows.append(try (0..<width).map { try statement.storedValue(at: $0) })
        return true
      }
      return rows
    }
  }

  package func block(_ query: DiffQuery) async throws -> DiffBlock {
    try await read { try $0.block(query) }
  }

  /// Reads pages of the file, unless they may belong to another state than the rows.
  ///
  /// - Parameters:
  ///   - state: The state of the side before anything was read.
  ///   - body: Returns nil if the pages are not as expected.
  func pages<Value: Sendable>(
    since state: DiffState, _ body: @escaping @Sendable (FilePages, Database) throws -> Value?
  ) async throws -> Value? {
    try await read { db in
      guard try DataState(of: "main", in: db) == state.data, let pages = try FilePages(of: "main", in: db) else { return nil }
      return try body(pages, db)
    }
  }

  /// Returns the tables of the file, or nil if the file alone does not contain this state.
  func storedTables(since state: DiffState) async throws -> StoredTables? {
    if let known = tables.withLock(\.self), known.state == state { return known.tables }
    let read = try await pages(since: state) { try StoredTables(in: $1, $0) }
    if let read { tables.withLock { $0 = (state, read) } }
    return read
  }

  package func state() async throws -> DiffState {
    DiffState(data: try await read { db in try DataState(of: "main", in: db) })
  }

  package func checkReached(_ count: Int, of table: TableReference, since state: DiffState) async throws {
    try await read { db in
      if try DataState(of: "main", in: db) == state.data { try db.checkReached(count, of: table) }
    }
  }

  package func isUTF8() async throws -> Bool {
    try await queue.withoutTransaction { try DatabaseEncoding(of: $0) == .utf8 }
  }

  /// The collation that sorts texts of any encoding like BINARY sorts UTF-8.
  static let utf8Order = "quarry_utf8"

  package func copy(_ sql: SQLText, of table: String) async throws -> TableReference {
    let copy = TableReference(database: "temp", name: "quarry_diff_\(table)")
    try await queue.withoutTransaction { db in
      try db.create(collation: Self.utf8Order) { first, second in
        first == second ? .orderedSame : first.utf8.lexicographicallyPrecedes(second.utf8) ? .orderedAscending : .orderedDescending
      }
      // A comparison that failed may have left it.
      try db.execute(literal: "DROP TABLE IF EXISTS \(copy.sqlText)")
      try db.execute(literal: "CREATE TABLE \(copy.sqlText) AS \(sql)")
    }
    return copy
  }

  package func drop(_ copy: TableReference) async throws {
    try await queue.withoutTransaction { try $0.execute(literal: "DROP TABLE \(copy.sqlText)") }
  }
}
