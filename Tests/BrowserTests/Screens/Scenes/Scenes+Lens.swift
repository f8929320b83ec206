import Terminal
import Testing

/// What foreign keys refer to.
extension Scene {
  private static let small = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]
  private static let script =
    MusicDatabase.script + [
      "CREATE TABLE place(country TEXT, nr INTEGER, name TEXT, PRIMARY KEY (country, nr))",
      "INSERT INTO place VALUES ('jp', 1, 'Tokyo'), ('us', 1, 'New York'), ('us', 2, 'Chicago')",
      """
      CREATE TABLE concert(
        id INTEGER PRIMARY KEY, artist INTEGER REFERENCES ARTIST, country TEXT, place INTEGER, after INTEGER REFERENCES concert,
        FOREIGN KEY (country, place) REFERENCES place(country, nr))
      """,
      "INSERT INTO concert VALUES (1, 1, 'us', 1, NULL), (2, 3, 'jp', 1, 1), (4, NULL, 'us', NULL, NULL)",
    ]

  static let lens = [
    Scene("lens", "A table with the names behind its foreign keys", on: script, sizes: small) { driver, _ in
      driver.open("album")
      driver.play(["j 2 l g k"])
    },
    Scene("lens-composite", "Foreign keys of one and two columns, missing rows and NULL", on: script) { driver, stage in
      try stage.execute("PRAGMA foreign_keys = OFF; INSERT INTO concert VALUES (3, 77, 'us', 9, 2)")
      driver.open("concert")
      driver.play(["g k j j l"])
    },
    Scene("lens-inbound", "A table without foreign keys, and the rows that refer to it", on: script) { driver, _ in
      driver.open("artist")
      driver.play(["j g k"])
    },
    Scene("lens-references", "The tables whose rows refer to a row, with their numbers", on: script) { driver, _ in
      driver.open("artist")
      driver.play(["g r"])
    },
  ]
}
