import QuarryEngine
import Terminal
import Testing

/// What the data is like: counts, profile, facets.
extension Scene {
  static let insight = [
    Scene("counts", "The counts of a column, some marked") { driver, _ in
      driver.open("track")
      driver.play(["4 l #", "space space"])
    },
    Scene("counts-found", "A value that is found while it is typed, under a filter") { driver, _ in
      driver.open("track")
      driver.play(["&", "'seconds > 200'", "enter", "2 l #", "s /", "'k 2'"])
    },
    Scene("counts-kinds", "The counts of values of all kinds") { driver, _ in
      driver.open("event")
      driver.play(["$ #"])
    },
    Scene("counts-empty", "The counts of a table without rows", on: ["CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)"]) { driver, _ in
      driver.play(["tab #"])
    },
    Scene("profile", "The profile of a table") { driver, _ in
      driver.open("track")
      driver.play(["g #", "3 j"])
    },
    Scene("profile-scrolled", "The profile of a table further right") { driver, _ in
      driver.open("event")
      driver.play(["g #", "5 l", "4 j"])
    },
    Scene("facets", "The facets of a table beside its rows") { driver, _ in
      driver.open("track")
      driver.play(["g f"])
    },
    Scene("facets-chosen", "Values of two columns chosen", sizes: insightSizes) { driver, _ in
      driver.open("track")
      driver.play(["g f", "/", "'genre'", "enter", "space j space", "] space"])
    },
    Scene("facets-left", "The rows with the keys, and the facets beside them") { driver, _ in
      driver.open("album")
      driver.play(["g f", "tab 2 j"])
    },
    Scene("groups", "The groups of a foreign key, with a sum") { driver, _ in
      driver.open("track")
      driver.play(["l g G", "a", "'sum(seconds)'", "enter"])
    },
    Scene("groups-values", "The values that can be shown for each group") { driver, _ in
      driver.open("track")
      driver.play(["4 l g G", "a"])
    },
    Scene("pivot", "A pivot of albums and genres") { driver, _ in
      driver.open("track")
      driver.play(["l g G", "g G", "'genre'", "enter", "g P"])
    },
    Scene("help-groups", "The keys in groups") { driver, _ in driver.play(["tab g G", "?"]) },
    Scene("health", "The health of a neglected database", on: neglected) { driver, _ in driver.play([":", "'health'", "enter"]) },
    Scene("health-mending", "The question before a statement mends a database", on: neglected) { driver, _ in
      driver.play([":", "'health'", "enter", "3 j enter"])
    },
    Scene("health-sound", "The health of a sound database") { driver, _ in driver.play([":", "'health'", "enter"]) },
    Scene("help-health", "The keys in the health report", on: neglected) { driver, _ in driver.play([":", "'health'", "enter", "?"]) },
    Scene("help-counts", "The keys in the counts") { driver, _ in driver.play(["tab #", "?"]) },
    Scene("help-facets", "The keys in the facets") { driver, _ in driver.play(["tab g f", "?"]) },
    Scene("help-profile", "The keys in the profile") { driver, _ in driver.play(["tab g #", "?"]) },
  ]

  private static let insightSizes = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  /// A database whose statistics are old, with a foreign key to no table, a repeated index, and a text in a column of integers.
  private static let neglected = [
    "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    "CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT, artist INTEGER REFERENCES artist, year INTEGER)",
    "CREATE INDEX album_artist ON album(artist)", "CREATE INDEX album_artist_2 ON album(artist)",
    "CREATE TABLE visit(at DATETIME, page INTEGER REFERENCES page(id))", "INSERT INTO artist VALUES (1, 'Ada'), (2, 'Bob')",
    "INSERT INTO album VALUES (1, 'One', 1, 1999), (2, 'Two', 2, '2001?'), (3, 'Three', 2, 2003)", "ANALYZE",
    "WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO album SELECT i, 'More', 2, 2010 FROM n",
  ]
}
