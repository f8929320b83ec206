import Testing

/// Changing data: the field of a cell, what is staged, what was committed.
extension Scene {
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
    Scene("changes-committed", "After a commit", keys: "enter l e", "' II'", "enter ctrl-s enter"),
    Scene("changes-leaving", "The question about what is staged before the program ends", keys: "enter l e", "' II'", "enter ctrl-q"),
    Scene("record-edited", "A record with a changed value", keys: "enter l e", "' II'", "enter enter"),
  ]
}
