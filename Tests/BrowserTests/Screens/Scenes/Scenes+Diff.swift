import Foundation
import QuarryEngine
import Terminal
import Testing

/// Comparisons with an earlier copy of the database.
extension Scene {
  /// Makes a copy of the database, changes the database, and compares it with the copy.
  private static func compare(_ driver: SessionDriver, _ stage: Stage, changes: [String] = changes, keys: String...) throws {
    let copy = URL(fileURLWithPath: stage.path).deletingLastPathComponent().appending(path: "before.db").path
    try FileManager.default.copyItem(atPath: stage.path, toPath: copy)
    for sql in changes { try stage.execute(sql) }
    driver.settle()
    driver.play([":", "'diff \(copy)'", "enter"])
    driver.play(keys)
  }

  private static let changes = [
    "UPDATE album SET price = 13.5, title = 'Kind of Blue (Mono)' WHERE id = 2", "UPDATE album SET year = 2000 WHERE year = 1999",
    "DROP TABLE tag", "DELETE FROM track WHERE id > 30 OR album_id = 6", "DELETE FROM album WHERE id = 6",
    "INSERT INTO album(id, title, artist_id, year, price) VALUES (7, '勝訴ストリップ', 3, 2000, 11)",
    "UPDATE track SET genre = 'Soul', seconds = seconds + 1 WHERE genre IS NULL",
    "CREATE INDEX track_by_genre ON track(genre)", "DROP VIEW broken", "DROP VIEW long_track",
    "CREATE VIEW long_track AS\nSELECT title, seconds\nFROM track\nWHERE seconds > 300", "PRAGMA user_version = 3",
    "CREATE TABLE label(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO label VALUES (1, 'Columbia')",
  ]

  static let diff = [
    Scene("diff", "The differences of the schemas, first", sizes: small) { driver, stage in try compare(driver, stage) },
    Scene("diff-rows", "The changed rows of a table, unified") { driver, stage in
      try compare(driver, stage, keys: "j", "n n")
    },
    Scene("diff-halves", "The changed rows of a table, side by side") { driver, stage in
      try compare(driver, stage, keys: "j", "n n", "v")
    },
    Scene("diff-halves-hidden", "Changed values beyond the right edge, side by side") { driver, stage in
      let changes = [
        "UPDATE album SET title = 'A title of some length, with more words', year = 2001, price = price + 1, artist_id = 4 WHERE id < 4",
        "UPDATE album SET title = 'Homogenic (Live)' WHERE id = 4",
      ]
      try compare(driver, stage, changes: changes, keys: "v")
    },
    Scene("diff-record", "An old record beside the new one", sizes: small) { driver, stage in
      try compare(driver, stage, keys: "j", "n enter")
    },
    Scene("diff-filter", "A filter of columns of either side") { driver, stage in
      try compare(driver, stage, keys: "j", "&", "'new.price > old.price and new.ti'", "tab")
    },
    Scene("diff-fault", "A filter of changes with a fault") { driver, stage in
      try compare(driver, stage, keys: "j", "&", "'price > 5'")
    },
    Scene("diff-filtered", "The changes that match a filter") { driver, stage in
      try compare(driver, stage, keys: "j", "&", "'new.price > old.price'", "enter")
    },
    Scene("diff-same", "Two databases without differences") { driver, stage in try compare(driver, stage, changes: []) },
    Scene("diff-missing", "A file that cannot be compared") { driver, stage in driver.play([":", "'diff /nowhere/at/all.db'", "enter"]) },
    Scene("diff-formats", "The formats of an export of differences") { driver, stage in try compare(driver, stage, keys: "X") },
    Scene("diff-asking", "The question for the other database", sizes: small, keys: ":", "'diff'", "enter"),
  ]

  private static let small = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]
}
