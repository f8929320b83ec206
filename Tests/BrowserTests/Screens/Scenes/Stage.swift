import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// What a scene plays on: a database file, and what was kept of former sessions.
struct Stage: Sendable {
  let path: String
  let storage: Storage
  /// Another connection to the database, as another program has.
  let other: DatabaseQueue
  /// Where commits are recorded; nil where they are not.
  let changes: ChangeLogFolder?

  init(folder: URL, script: [String], recordsCommits: Bool = false) throws {
    changes = recordsCommits ? ChangeLogFolder(path: folder.appending(path: "changes").path) : nil
    path = folder.appending(path: "test.db").path
    other = try DatabaseQueue(path: path)
    try other.write { db in
      for sql in script { try db.execute(sql: sql) }
    }
    let history = folder.appending(path: "history").path
    let statements = StatementLibrary(folder: folder.appending(path: "statements").path)
    var storage = Storage(
      memory: MemoryFile(state: folder.appending(path: "state").path, database: path), history: HistoryFile(path: history),
      statements: statements, recent: RecentFiles(path: folder.appending(path: "recent").path))
    storage.settings = SettingsFile(path: "/tmp/quarry-scenes/settings/config.toml")
    storage.staged = try StagedStore(state: folder.appending(path: "state").path, database: path)
    storage.comparing = .files(current: path)
    self.storage = storage
    for (file, time) in [("/home/ada/shop.db", "2024-01-30T09:15:00Z"), ("/data/2024/music.db", "2024-01-31T12:30:00Z")] {
      try storage.recent?.note([file], at: Date(time, strategy: .iso8601))
    }
    for (name, sql) in Self.statements { try statements.save(sql, as: name) }
    for entry in Self.history { try HistoryFile(path: history).append(entry) }
  }

  /// Runs SQL as another program does.
  func execute(_ sql: String) throws {
    try other.withoutTransaction { db in try db.execute(sql: sql) }
  }

  /// Sets the times of what was committed: a commit each ten minutes, of an afternoon where the person is.
  func setTimesOfCommits() throws {
    let start = Calendar.current.date(from: DateComponents(year: 2024, month: 1, day: 31, hour: 14, minute: 5))
    for name in try FileManager.default.contentsOfDirectory(atPath: changes?.path ?? "") where name.hasSuffix(".db") {
      try DatabaseQueue(path: "\(changes?.path ?? "")/\(name)").write { db in
        let milliseconds = Int64((start?.timeIntervalSince1970 ?? 0) * 1000)
        try db.execute(sql: "UPDATE recorded SET time = ? + (number - 1) * 600000", arguments: [milliseconds])
      }
    }
  }

  /// Ends what the other program does, so that nothing waits for it any more.
  func end(_ driver: SessionDriver) throws {
    guard try other.withoutTransaction({ $0.isInsideTransaction }) else { return }
    try execute("ROLLBACK")
    driver.settle()
  }

  private static let statements = [
    (
      "by artist",
      "-- title: Albums of an artist\n-- :name text = Miles Davis\nSELECT title FROM album JOIN artist ON artist.id = artist_id WHERE name = :name"
    ),
    ("long tracks", "-- title: Long tracks\nSELECT title, seconds FROM track\nWHERE seconds > 400\nORDER BY seconds DESC"),
  ]

  private static let history = [
    HistoryEntry(
      time: "2024-01-30T09:15:00Z", database: "test.db", sql: "SELECT * FROM nowhere", milliseconds: 0, error: "no such table: nowhere"),
    HistoryEntry(
      time: "2024-01-31T12:30:00Z", database: "test.db", sql: "SELECT title\nFROM album\nWHERE year > :least",
      arguments: [StoredArgument(":least", .integer(1_970))], rows: 2, milliseconds: 3),
    HistoryEntry(
      time: "2024-01-31T12:31:00Z", database: "test.db", sql: "UPDATE track SET seconds = seconds + 1", rows: 40, milliseconds: 1),
  ]
}
