import Terminal
import Testing

/// Changing data: the field of a cell, what is staged, what was committed.
extension Scene {
  private static let small = [Size(columns: 40, rows: 10)]

  static let editing = [
    Scene("cell", "The field of a cell", keys: "enter l e", "' II'"),
    Scene("cell-reference", "The field of a foreign key, with the rows that it can refer to", keys: "enter l l e"),
    Scene("cell-fault", "A text in a column of integers", keys: "enter l l l e", "'x'"),
    Scene("cell-rule", "A value that a CHECK refuses", keys: "enter l l l e ctrl-u", "'12'"),
    Scene("cell-null", "NULL in the field of a cell", keys: "enter l e alt-n"),
    Scene("cell-expression", "An expression in the field of several cells", keys: "enter l V j e", "'=upper(title)'"),
    Scene("staged", "Changed, new and deleted rows", keys: "enter l e", "' II'", "enter j j l g n j d d o e", "'New'", "enter"),
    Scene(
      "changes", "What is staged, before it is committed", keys: "enter l e", "' II'", "enter j j l g n j d d o e", "'New'", "enter g z"),
    Scene("changes-refused", "A commit that a constraint refuses", keys: "enter l g n g z enter"),
    Scene("changes-conflict", "A commit that another program has come before") { driver, stage in
      driver.play(["enter l e", "' II'", "enter l l e ctrl-u", "'1966'", "enter j h h e", "' (Mono)'", "enter"])
      try stage.execute("UPDATE album SET title = 'Pastel Blues (Remastered)', year = 1964 WHERE id = 1")
      driver.play(["ctrl-s enter"])
    },
    Scene("changes-gone", "A change of a column that another program has dropped") { driver, stage in
      driver.play(["enter l l l l e ctrl-u", "'7'", "enter"])
      try stage.execute("DROP VIEW broken; ALTER TABLE album DROP COLUMN cents; ALTER TABLE album DROP COLUMN price")
      driver.play(["ctrl-s"])
    },
    Scene("changes-committed", "After a commit", keys: "enter l e", "' II'", "enter ctrl-s enter"),
    Scene("changes-leaving", "The question about what is staged before the program ends", keys: "enter l e", "' II'", "enter ctrl-q"),
    Scene("commits", "What was committed, and the undo of some of it", committing: commits, keys: "g u"),
    Scene("commit-rows", "The rows of a commit, old and new", committing: commits, keys: "g u G enter"),
    Scene(
      "undo-conflict", "The undo of a commit whose rows have been changed since", committing: commits,
      meanwhile: "UPDATE album SET title = 'Pastel Blues (Remastered)' WHERE id = 1; DELETE FROM album WHERE id = 7", keys: "g u G u"),
    Scene(
      "small-changes", "What is staged, on a small screen", sizes: small,
      keys: "enter l e", "' II'", "enter j j l g n j d d o e", "'New'", "enter g z"),
    Scene("small-conflict", "A commit that another program has come before, on a small screen", sizes: small) { driver, stage in
      driver.play(["enter l e", "' II'", "enter"])
      try stage.execute("UPDATE album SET title = 'Blues' WHERE id = 1")
      driver.play(["ctrl-s enter"])
    },
    Scene(
      "small-leaving", "The question about what is staged, on a small screen", sizes: small, keys: "enter l e", "' II'", "enter ctrl-q"),
    Scene("small-commits", "What was committed, on a small screen", sizes: small, committing: commits, keys: "g u"),
    Scene(
      "small-undo-conflict", "The undo of a commit whose rows have been changed since, on a small screen", sizes: small,
      committing: commits, meanwhile: "UPDATE album SET title = 'Blues' WHERE id = 1", keys: "g u G u"),
    Scene("record-edited", "A record with a changed value", keys: "enter l e", "' II'", "enter enter"),
  ]
}
