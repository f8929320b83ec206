import QuarryEngine
import Terminal
import Testing

/// Catalog and grid.
extension Scene {
  private static let small = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  static let catalog = [
    Scene("catalog", "Catalog with the first table beside it", sizes: small, keys: "tab shift-tab"),
    Scene("catalog-folded", "Catalog with a group folded", keys: "g g h"),
    Scene("catalog-narrowed", "Catalog narrowed by a part of a name", keys: "/", "'tra'"),
    Scene("catalog-narrowed-to-nothing", "Catalog narrowed to nothing", keys: "/", "'xyz'"),
    Scene("catalog-hidden", "The grid alone", keys: "tab g c"),
    Scene("database-empty", "A database without tables", on: [], sizes: small) { _, _ in },
    Scene("opening-failed", "A view that cannot be opened") { driver, _ in driver.open("broken") },
    Scene("table-empty", "A table without rows", on: ["CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)"], keys: "tab"),
  ]

  static let grid = [
    Scene("grid", "A table", sizes: small) { driver, _ in driver.open("track") },
    Scene("grid-scrolled", "The last row and the last column of a table") { driver, _ in
      driver.open("track")
      driver.play(["G $"])
    },
    Scene("grid-view", "A view") { driver, _ in driver.open("long_track") },
    Scene("grid-values", "Dates, JSON, BLOBs and NULLs") { driver, _ in driver.open("event") },
    Scene("grid-wide-text", "Text of wide characters, and a reference") { driver, _ in
      driver.open("album")
      driver.play(["2 j 2 l"])
    },
    Scene("grid-narrow-columns", "Columns of widths that were chosen") { driver, _ in
      driver.open("album")
      driver.play(["l < < < l > > > _"])
    },
    Scene("grid-cells-selected", "Some cells selected") { driver, _ in
      driver.open("track")
      driver.play(["2 j l v 3 j 2 l"])
    },
    Scene("grid-rows-selected", "Some rows selected") { driver, _ in
      driver.open("track")
      driver.play(["5 j V 2 k"])
    },
    Scene("grid-columns-hidden", "Columns hidden") { driver, _ in
      driver.open("track")
      driver.play(["l - -"])
    },
    Scene("grid-columns-frozen", "Columns frozen, and those beside them scrolled") { driver, _ in
      driver.open("track")
      driver.play(["l l z f $"])
    },
    Scene("grid-sorted", "Rows sorted by two columns") { driver, _ in
      driver.open("track")
      driver.play(["4 l s l S S"])
    },
    Scene("grid-found", "A hit of a search") { driver, _ in
      driver.open("track")
      driver.play(["/", "'k 3'", "enter n"])
    },
    Scene("grid-following", "The end of a table, followed while another program changes it") { driver, stage in
      driver.open("album")
      driver.play(["g w"])
      try stage.execute("UPDATE album SET title = 'Blue in Green' WHERE id = 5; INSERT INTO album(title, artist_id) VALUES ('Fresh', 1)")
      driver.play(["R"])
    },
    Scene("grid-read-again", "Rows read again after another program has changed them") { driver, stage in
      driver.open("album")
      try stage.execute("UPDATE album SET title = 'Blue in Green' WHERE id = 2; INSERT INTO album(title, artist_id) VALUES ('Fresh', 1)")
      driver.play(["R"])
    },
  ]

  static let filter = [
    Scene("filter", "A filter in force") { driver, _ in
      driver.open("track")
      driver.play(["&", "'genre = Jazz and seconds > 200'", "enter"])
    },
    Scene("filter-right", "The filter bar with a filter that is right") { driver, _ in
      driver.open("track")
      driver.play(["&", "'seconds > 300 and title ~ \"Track 3\"'"])
    },
    Scene("filter-wrong", "The filter bar with a name that is not there, and what was meant") { driver, _ in
      driver.open("track")
      driver.play(["&", "'secnds > 300'"])
    },
    Scene("filter-unfinished", "The filter bar with a filter that is not finished") { driver, _ in
      driver.open("track")
      driver.play(["&", "'seconds > 300 and ('"])
    },
    Scene("filter-completions", "The filter bar with completions of a column") { driver, _ in
      driver.open("track")
      driver.play(["&", "'ti'", "backspace tab"])
    },
    Scene("filter-values", "The filter bar with completions of a value") { driver, _ in
      driver.open("track")
      driver.play(["&", "'genre = '", "tab"])
    },
    Scene("filter-sorted", "The filter bar of rows that are sorted") { driver, _ in
      driver.open("track")
      driver.play(["3 l s s &", "'genre is not null'"])
    },
    Scene("filter-plan", "How SQLite finds the rows of a filter, and the index that would help") { driver, _ in
      driver.open("track")
      driver.play(["&", "'seconds > 300'", "alt-l"])
    },
    Scene("filter-keep", "The question for a filter's name") { driver, _ in
      driver.open("track")
      driver.play(["&", "'seconds > 300'", "alt-s", "'long'"])
    },
    Scene("filter-kept", "The filters that are kept") { driver, _ in
      driver.open("track")
      driver.play(["&", "'seconds > 300'", "alt-s", "'long'", "enter alt-o"])
    },
    Scene("filter-form", "The form of a filter with a parameter") { driver, _ in
      driver.open("track")
      driver.play(["&", "'seconds > :least'", "enter", "'300'"])
    },
    Scene("sort-bar", "The sort bar") { driver, _ in
      driver.open("track")
      driver.play(["g s", "'genre, seconds desc'"])
    },
    Scene("sort-bar-wrong", "The sort bar with a mistake") { driver, _ in
      driver.open("track")
      driver.play(["g s", "'genre upwards'"])
    },
  ]
}
