import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal
import TestSupport
import Testing

/// A screen that is to look as in its picture, and how it is reached.
struct Scene: Sendable, CustomTestStringConvertible {
  /// The name of its pictures' files, before the size.
  let name: String
  /// What is to be seen.
  let title: String
  var script: [String] = MusicDatabase.script
  var sizes = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24)]
  /// The theme that is chosen when the picture is taken; nil for the one that shows roles.
  var theme: String?
  /// Whether commits are recorded, so that they can be undone.
  var recordsCommits = false
  /// The paths of files that are opened as tables in place of the database, once they are written.
  var files: (@Sendable () throws -> [String])?
  /// Plays what leads to the screen; `Stage` has what lies outside of the program.
  let play: @Sendable (SessionDriver, Stage) throws -> Void

  init(
    _ name: String, _ title: String, on script: [String] = MusicDatabase.script, sizes: [Size]? = nil, theme: String? = nil,
    _ play: @escaping @Sendable (SessionDriver, Stage) throws -> Void
  ) {
    (self.name, self.title, self.script, self.theme, self.play) = (name, title, script, theme, play)
    if let sizes { self.sizes = sizes }
  }

  /// A scene on what was committed: `keys` lead to it once some have been made.
  init(
    _ name: String, _ title: String, sizes: [Size]? = nil, committing: [String], meanwhile sql: String? = nil, keys: String...
  ) {
    self.init(name, title, sizes: sizes) { driver, stage in
      driver.play(committing)
      try stage.setTimesOfCommits()
      if let sql { try stage.execute(sql) }
      driver.play(keys)
    }
    recordsCommits = true
  }

  /// Keys that commit an edit in the grid and two statements of the editor, and undo the last.
  static let commits = [
    "enter l e", "' II'", "enter o e", "'Debut'", "tab", "'4'", "enter ctrl-s enter", "f4",
    "'UPDATE track SET genre = 'Jazz' WHERE genre IS NULL'", "f5 down enter ctrl-u", "'DELETE FROM track WHERE id > 38'",
    "f5 down enter escape escape g u u escape",
  ]

  /// A scene to which keys alone lead: keys in the notation of the keymap, texts in quotes.
  ///
  /// `Scene("sort-bar", "…", keys: "tab g s", "'title'")`
  init(
    _ name: String, _ title: String, on script: [String] = MusicDatabase.script, sizes: [Size]? = nil, theme: String? = nil, keys: String...
  ) {
    self.init(name, title, on: script, sizes: sizes, theme: theme) { driver, _ in driver.play(keys) }
  }

  /// A scene on the tables of files, to which keys lead.
  init(_ name: String, _ title: String, of files: @escaping @Sendable () throws -> [String], keys: String...) {
    self.init(name, title) { driver, _ in
      driver.wait { !driver.browser.workspace.files.tables.isEmpty && !driver.browser.workspace.files.areReading }
      driver.settle()
      driver.play(keys)
    }
    self.files = files
  }

  var testDescription: String { name }

  /// Takes the picture at a size.
  func picture(_ size: Size) async throws -> Picture {
    try await withTemporaryFolder { folder in
      let stage = try Stage(folder: folder, script: script, recordsCommits: recordsCommits)
      return try await onOwnThread {
        let tables = try files.map { try FileTables($0()) }
        try tables?.start()
        try tables?.wait()
        let driver = try SessionDriver(
          path: tables?.path ?? stage.path, columns: size.columns, rows: size.rows, changes: stage.changes, storage: stage.storage,
          theme: .distinct, fileTables: tables, firstTable: tables?.tables.first.map { TableReference(name: $0.name) })
        try play(driver, stage)
        let surface = try #require(driver.terminal.painted)
        let shown = try theme.map { name in try #require(ThemeCatalog().theme(named: name)).theme } ?? .distinct
        let picture = Picture(of: surface, named: title, in: StyleNames(of: shown))
        try stage.end(driver)
        return picture
      }
    }
  }
}

extension SessionDriver {
  /// Presses keys one after the other, each once the one before has been answered, and types what stands in quotes:
  /// `["tab &", "'id = 3'", "enter"]`.
  func play(_ steps: [String]) {
    for step in steps {
      if step.hasPrefix("'"), step.hasSuffix("'") {
        type(String(step.dropFirst().dropLast()))
      } else {
        for key in Keymap.parse(step) ?? [] { send([.key(key)]) }
      }
    }
  }
}

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
    storage.staged = try StagedStore(state: folder.appending(path: "state").path, database: path)
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
  fileprivate func end(_ driver: SessionDriver) throws {
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
