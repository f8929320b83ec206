import Terminal

/// Forms that create tables and change their definitions.
extension Scene {
  static let designs = [
    Scene("design", "The design of a table that nothing changes yet") { driver, _ in
      driver.open("album")
      driver.play([":", "'design'", "enter"])
    },
    Scene("design-refused", "A new NOT NULL column with a foreign key that rows would break") { driver, _ in
      driver.open("album")
      driver.play([":", "'design'", "enter", "a", "'shelf'", "enter", "'INTEGER'", "enter", "n", "=", "'9'", "enter"])
      driver.play(["f", "'artist'", "enter", "enter"])
    },
    Scene("design-rebuild", "A change that copies the rows into a new table") { driver, _ in
      driver.open("album")
      driver.play([":", "'design'", "enter", "j j j j", "enter", "'unique'", "enter"])
    },
    Scene("design-column", "What can be changed in a column") { driver, _ in
      driver.open("album")
      driver.play([":", "'design'", "enter", "j j j j", "enter"])
    },
    Scene("design-question", "The question before a table is changed") { driver, _ in
      driver.open("artist")
      driver.play([":", "'design'", "enter", "a", "'born'", "enter", "'INTEGER'", "enter", "f5"])
    },
    Scene("design-fault", "A syntax error in a CHECK, with its place") { driver, _ in
      driver.open("album")
      driver.play([":", "'design'", "enter", "j j j j", "enter", "'check'", "enter", "'length(title) > 0 AND > 5'", "enter"])
    },
    Scene("design-key", "The columns of an index, chosen one by one") { driver, _ in
      driver.open("album")
      driver.play([":", "'design'", "enter", "G", "enter", "'price'", "enter", "'year'", "enter", "'year'", "enter"])
    },
    Scene("create-table", "The form of a new table") { driver, _ in driver.play([":", "'create-table'", "enter"]) },
  ]
}
