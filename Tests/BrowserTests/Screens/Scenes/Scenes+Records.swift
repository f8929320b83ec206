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
