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
  /// The merge whose conflicts are shown in place of the database.
  var merge: (@Sendable (URL) async throws -> PendingMerge)?
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

  /// A scene on the conflicts of a merge.
  init(_ name: String, _ title: String, of merge: @escaping @Sendable (URL) async throws -> PendingMerge, keys: String...) {
    self.init(name, title) { driver, _ in driver.play(keys) }
    self.merge = merge
  }

  var testDescription: String { name }

  /// Takes the picture at a size.
  func picture(_ size: Size) async throws -> Picture {
    try await withTemporaryFolder { folder in
      let stage = try Stage(folder: folder, script: script, recordsCommits: recordsCommits)
      let merge = try await self.merge?(folder)
      return try await onOwnThread {
        let tables = try files.map { try FileTables($0()) }
        try tables?.start()
        try tables?.wait()
        let driver =
          try merge.map { merge in
            SessionDriver(source: NoDatabase(), columns: size.columns, rows: size.rows, theme: .distinct, first: .merge(merge))
          }
          ?? SessionDriver(
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
