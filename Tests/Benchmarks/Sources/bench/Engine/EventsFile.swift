import Foundation
import QuarryEngine

/// The file that is read where none was given.
enum EventsFile {
  /// Makes a database with a table of so many events, and an index on their users.
  static func make(rows: Int, in folder: TemporaryFolder) throws -> String {
    let path = folder.url.appending(path: "events.db").path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: Event.schema)
      let insert = try db.makeStatement(sql: "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)")
      try insert.execute((1...rows).lazy.map { Event($0, of: rows).positionalArguments })
      try db.execute(sql: "CREATE INDEX events_user ON events(user_id)")
    }
    try queue.close()
    return path
  }
}

extension Event {
  /// The row as arguments for seven `?`.
  var positionalArguments: StatementArguments {
    [id, ts, userID, kind, amount, note, payload]
  }
}
