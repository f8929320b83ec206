import Foundation
import Terminal
import Testing

/// One row, and one table.
extension Scene {
  static let record = [
    Scene("record", "A record with JSON, a date and a BLOB") { driver, _ in
      driver.open("event")
      driver.play(["enter"])
    },
    Scene("record-blob", "A record further down, on the BLOB") { driver, _ in
      driver.open("event")
      driver.play(["enter G k"])
    },
    Scene("record-long", "A record with a long text, at its end") { driver, _ in
      driver.open("event")
      driver.play(["enter G ] ] ] pagedown"])
    },
    Scene("record-reference", "A record with a reference") { driver, _ in
      driver.open("album")
      driver.play(["2 j enter 2 j"])
    },
    Scene("record-found", "A hit in a record") { driver, _ in
      driver.open("event")
      driver.play(["enter /", "'montreux'", "enter"])
    },
    Scene("json-lens", "The paths in a column of JSON, one of them chosen") { driver, _ in
      driver.open("event")
      driver.play(["2 l g j", "space"])
    },
    Scene("json-columns", "What lies at two paths, as columns that rows are sorted by") { driver, _ in
      driver.open("event")
      driver.play(["2 l g j", "space 3 j space enter", "l s"])
    },
    Scene("foreign-key-columns", "The columns behind a foreign key, two of them chosen") { driver, _ in
      driver.open("track")
      driver.play(["l g j", "j space l", "j j space"])
    },
    Scene("referring-rows-lens", "Counts and sums of the rows that refer to each row") { driver, _ in
      driver.open("artist")
      driver.play(["g j"])
    },
    Scene("column-bar-empty", "The bar of a new computed column") { driver, _ in
      driver.open("track")
      driver.play(["+"])
    },
    Scene("column-bar-taken-name", "A computed column whose name is taken") { driver, _ in
      driver.open("track")
      driver.play(["+", "'title = upper(title)'"])
    },
    Scene("column-bar-scan", "A computed column that scans a table for each row, with the plan") { driver, _ in
      driver.open("artist")
      driver.play(["+", "'albums = count(album)'"])
    },
    Scene("computed-columns", "Computed columns with and without a name, sorted by one") { driver, _ in
      driver.open("track")
      driver.play(["+", "'minutes = seconds / 60'", "enter home +", "'album_id.artist_id.name'", "enter", "s"])
    },
    Scene("details", "The details of a table") { driver, _ in
      driver.open("album")
      driver.play(["i"])
    },
    Scene("details-further", "The details of a table further down, with its DDL") { driver, _ in
      driver.open("album")
      driver.play(["i G"])
    },
    Scene("details-view", "The details of a view") { driver, _ in
      driver.open("long_track")
      driver.play(["i"])
    },
    Scene("references", "The rows that refer to a row") { driver, _ in
      driver.open("artist")
      driver.play(["j g r"])
    },
    Scene("reference-followed", "The row that a reference leads to") { driver, _ in
      driver.open("album")
      driver.play(["2 j 2 l g d"])
    },
  ]
}

/// Lists, prompts and notices.
extension Scene {
  private static let settingsSizes = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  /// Writes the settings of the scenes, whose path is the same wherever the pictures are taken.
  private static func writeSettings() throws {
    let folder = URL(filePath: "/tmp/quarry-scenes/settings")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = "theme = \"nord\"\ncatalog-width = 40\nmouse = 3\n"
    try Data(text.utf8).write(to: folder.appending(path: "config.toml"), options: .atomic)
  }

  static let lists = [
    Scene("help-catalog", "The keys in the catalog", keys: "?"),
    Scene("help-grid", "The keys in the grid", keys: "tab ?"),
    Scene("help-editor", "The keys in the editor", keys: "f4 f1"),
    Scene("help-bar", "The keys in the filter bar", keys: "tab & f1"),
    Scene("help-record", "The keys in a record", keys: "tab enter ?"),
    Scene("palette", "All commands", keys: "tab :"),
    Scene("palette-narrowed", "The commands that a text leaves", keys: "tab :", "'col'"),
    Scene("palette-nothing", "No command that fits a text", keys: "tab :", "'xyzzy'"),
    Scene("palette-synonym", "The nearest way to what cannot be done yet", keys: "tab :", "'vacuum'"),
    Scene("jump", "All tables", keys: "ctrl-p"),
    Scene("jump-narrowed", "The tables that a text leaves", keys: "ctrl-p", "'tr'"),
    Scene("columns", "The columns of a table, one of them hidden") { driver, _ in
      driver.open("album")
      driver.play(["l - c"])
    },
    Scene("copy-formats", "The formats of a copy", keys: "tab g y"),
    Scene("copy-formats-selection", "The formats of a copy of cells", keys: "tab v j g y"),
    Scene("view-as-text", "The rows as SQL") { driver, _ in narrow(driver) },
    Scene("view-as-text-swift", "The rows as Swift code") { driver, _ in
      narrow(driver)
      driver.play(["down down"])
    },
    Scene("themes", "The themes, with the one in force", keys: "tab :", "'theme'", "enter"),
    Scene("themes-preview", "A theme that is tried", theme: "dracula", keys: "tab :", "'theme'", "enter", "'drac'"),
    Scene("settings", "The settings, with those of the file", sizes: settingsSizes) { driver, _ in
      try writeSettings()
      driver.play(["tab :", "'settings'", "enter j j j"])
    },
    Scene("settings-changed", "A theme and other settings that are tried", theme: "nord") { driver, _ in
      try writeSettings()
      driver.play(["tab :", "'settings'", "enter j j j", "'30'", "up space down down down space g g right left"])
    },
    Scene("settings-labels", "The columns that name the rows of a table", theme: "nord") { driver, _ in
      try writeSettings()
      driver.play(["ctrl-p", "'track'", "enter g k :", "'settings'", "enter"])
      driver.play(["G k right right e"])
    },
    Scene("statements", "The saved statements", keys: "f9"),
    Scene("history", "What was run before", keys: "f8"),
    Scene("history-narrowed", "What was run before and fits a text", keys: "f8", "'upd'"),
  ]

  /// Opens the texts of some rows with a sort order, a parameter and a path.
  private static func narrow(_ driver: SessionDriver) {
    driver.open("track")
    driver.play(["&", "'seconds > :least and album_id.artist_id.name ~ mi'", "enter", "'200'", "enter"])
    driver.play(["l l s s - g C"])
  }

  static let first = [
    Scene("start", "What can be opened", sizes: allSizes, keys: ":", "'open-database'", "enter"),
    Scene("start-path", "A path that leads nowhere", keys: ":", "'open-database'", "enter o", "'/nowhere.db'", "enter"),
    Scene("tour", "The first step of the tour", on: TourDatabase.script, sizes: allSizes, keys: ":", "'tour'", "enter"),
    Scene(
      "tour-filter", "A step of the tour while it is done", on: TourDatabase.script, keys: ":", "'tour'", "enter space space &", "'sec'"),
    Scene("tour-record", "A step of the tour with a record over the rows", on: TourDatabase.script) { driver, _ in
      driver.play([":", "'tour'", "enter space space space space space space enter"])
    },
    Scene("tour-offer", "The tour on another database", keys: ":", "'tour'", "enter"),
  ]

  private static let allSizes = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  static let notices = [
    Scene("prompt-find", "The question for a text", keys: "tab /"),
    Scene("prompt-find-written", "The question for a text, with one", keys: "tab /", "'blue'"),
    Scene("pending-prefix", "The keys that may follow one", sizes: allSizes, keys: "tab g"),
    Scene("pending-count", "A number before a command", keys: "tab 1 2"),
    Scene("notice-short", "A short notice", keys: "tab f11"),
    Scene("notice-habit", "What does what a key is known for elsewhere", keys: "tab e"),
    Scene("notice-unavailable", "Why a command does nothing", keys: "tab g d"),
    Scene("notice-copied", "What was copied", keys: "tab V j y"),
    Scene(
      "notice-long", "A notice of several lines", keys: "f4",
      "'SELECT coalesce(title, composer, genre, added, seconds, nothing_of_the_sort) FROM track JOIN album USING (id) WHERE 1'", "f5"),
    Scene("busy-locked", "A table that waits for the lock of another program") { driver, stage in
      try stage.execute("BEGIN EXCLUSIVE")
      driver.pressAtOnce("ctrl-p t r a c k enter")
      driver.waitAtOnce { driver.screen.contains("waiting") && driver.screen.contains("opening") }
    },
    Scene("busy-committing", "A commit that waits for another program") { driver, stage in
      driver.play(["f4", "'UPDATE track SET seconds = 1 WHERE id < 4'", "f5"])
      try stage.execute("BEGIN; SELECT * FROM artist")
      driver.pressAtOnce("down enter")
      driver.waitAtOnce { driver.screen.contains("waiting") && driver.screen.contains("committing") }
    },
  ]
}
