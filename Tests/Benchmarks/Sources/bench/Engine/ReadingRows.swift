import GRDB
import Loops
import QuarryEngine

/// Compares reading all columns of all rows, by position, into `Int`, `Double` and `String`.
func readingRows(of path: String) -> [Comparison] {
  let goals: [Goal] = [.atMost(1.15, .loop), .atMost(0.95, .grdb)]
  let stretch: [Goal] = [.atMost(1, .loop)]
  let others: [(Contestant, Comparison.Work)] = [
    (.c, { try measured { try readByC(path) } }),
    (.loop, { try measured { try readBare(path) } }),
    (.grdb, { try measured { try readByGRDB(path) } }),
  ]
  return [
    Comparison(
      number: "12", what: "all columns of all rows, from a cursor's rows", goals: goals, stretch: stretch,
      contestants: [(.ours, { try measured { try readRows(path) } })] + others),
    Comparison(
      number: "12", what: "the same, from a statement that is stepped", goals: goals, stretch: stretch,
      contestants: [(.ours, { try measured { try readStatement(path) } })] + others),
  ]
}

private let query = "SELECT id, ts, user_id, kind, amount, note, payload FROM events"

private func readRows(_ path: String) throws -> Int64 {
  var configuration = QuarryEngine.Configuration()
  configuration.isReadonly = true
  return try QuarryEngine.DatabaseQueue(path: path, configuration: configuration).read { db in
    var sum = 0
    let rows = try QuarryEngine.Row.fetchCursor(db, sql: query)
    while let row = try rows.next() {
      sum &+= touched(
        id: try row[0], ts: try row[1], userID: try row[2], kind: try row[3], amount: try row[4], note: try row[5], payload: try row[6])
    }
    return Int64(sum)
  }
}

private func readStatement(_ path: String) throws -> Int64 {
  var configuration = QuarryEngine.Configuration()
  configuration.isReadonly = true
  return try QuarryEngine.DatabaseQueue(path: path, configuration: configuration).read { db in
    var sum = 0
    let statement = try db.makeStatement(sql: query)
    while try statement.step() {
      sum &+= touched(
        id: try statement.columnValue(at: 0), ts: try statement.columnValue(at: 1), userID: try statement.columnValue(at: 2),
        kind: try statement.columnValue(at: 3), amount: try statement.columnValue(at: 4), note: try statement.columnValue(at: 5),
        payload: try statement.columnValue(at: 6))
    }
    return Int64(sum)
  }
}

/// Reads rows as C's loop does, with texts as `String`s: the least that any Swift library must do.
private func readBare(_ path: String) throws -> Int64 {
  var connection: OpaquePointer?
  var statement: OpaquePointer?
  defer {
    sqlite3_finalize(statement)
    sqlite3_close(connection)
  }
  guard
    sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
    sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK
  else { throw CError(String(cString: sqlite3_errmsg(connection))) }
  func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }
  func integer(_ index: Int32) -> Int { Int(sqlite3_column_int64(statement, index)) }
  func text(_ index: Int32) -> String { String(cString: sqlite3_column_text(statement, index)) }
  var sum = 0
  while sqlite3_step(statement) == SQLITE_ROW {
    sum &+= touched(
      id: integer(0), ts: text(1), userID: integer(2), kind: text(3), amount: isNull(4) ? nil : sqlite3_column_double(statement, 4),
      note: isNull(5) ? nil : text(5), payload: text(6))
  }
  return Int64(sum)
}

private func readByGRDB(_ path: String) throws -> Int64 {
  var configuration = GRDB.Configuration()
  configuration.readonly = true
  return try GRDB.DatabaseQueue(path: path, configuration: configuration).read { db in
    var sum = 0
    let rows = try GRDB.Row.fetchCursor(db, sql: query)
    while let row = try rows.next() {
      sum &+= touched(id: row[0], ts: row[1], userID: row[2], kind: row[3], amount: row[4], note: row[5], payload: row[6])
    }
    return Int64(sum)
  }
}

private func readByC(_ path: String) throws -> Int64 {
  var message: UnsafePointer<CChar>?
  let sum = loops_read(path, &message)
  if let message { throw CError(String(cString: message)) }
  return sum
}

/// Returns what the values of a row come to, as C's loop has it.
@inline(__always)
private func touched(id: Int, ts: String, userID: Int, kind: String, amount: Double?, note: String?, payload: String) -> Int {
  id &+ touched(ts) &+ userID &+ touched(kind) &+ (amount.map { Int($0) } ?? 0) &+ (note.map(touched) ?? 0) &+ touched(payload)
}

@inline(__always)
private func touched(_ text: String) -> Int {
  text.utf8.count &+ (text.utf8.first.map { Int($0) } ?? 0)
}
