import Foundation
import QuarryEngine

/// A database with a table of events, which is read.
struct EventsFile {
  let path: String
  let rows: Int
  /// The number of rows whose note has `zz` in it.
  let hits: Int

  /// Reads how many rows the file has.
  ///
  /// - Throws: `DatabaseError` where there is no such table in the file.
  init(path: String) throws {
    self.path = path
    (rows, hits) = try DatabaseQueue(path: path).read { db in
      (
        try Int.fetchOne(db, sql: "SELECT count(*) FROM events") ?? 0,
        try Int.fetchOne(db, sql: "SELECT count(*) FROM events WHERE note LIKE '%zz%'") ?? 0
      )
    }
  }

  /// Makes a database with a table of so many events, and an index on their users.
  init(rows: Int, in folder: TemporaryFolder) throws {
    let path = folder.url.appending(path: "events-\(rows).db").path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: Event.schema)
      let insert = try db.makeStatement(sql: "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)")
      try insert.execute((1...rows).lazy.map { Event($0, of: rows).positionalArguments })
      try db.execute(sql: "CREATE INDEX events_user ON events(user_id)")
    }
    try queue.close()
    try self.init(path: path)
  }
}

extension Event {
  /// The row as arguments for seven `?`.
  var positionalArguments: StatementArguments {
    [id, ts, userID, kind, amount, note, payload]
  }
}
