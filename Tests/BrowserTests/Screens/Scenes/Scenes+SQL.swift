import Testing

/// The editor, what it runs, and the form that asks for parameters.
extension Scene {
  static let editor = [
    Scene("editor-empty", "The editor before anything is written", keys: "f4"),
    Scene(
      "editor", "The editor with two statements, the caret in the first", keys: "f4",
      "'-- all of it\n SELECT title, 'it''s', 3.5, x'00ff' FROM \"track\" WHERE id > :least;\n/* and */ SELECT 2'", "up end"),
    Scene("editor-selection", "Text selected in the editor", keys: "f4", "'SELECT title FROM track'", "shift-left shift-left shift-left"),
    Scene("editor-fault", "A statement with a mistake", keys: "f4", "'SELECT titel FROM track'", "f5"),
    Scene("editor-syntax-fault", "A statement that SQLite cannot read", keys: "f4", "'SELECT title FORM track'", "f5"),
    Scene(
      "editor-completions", "Completions in the editor", keys: "f4", "'SELECT t. FROM track t'",
      "left left left left left left left left left left left left left", "tab"),
    Scene("editor-plan", "How SQLite runs a statement", keys: "f4", "'SELECT * FROM track WHERE title = 1 ORDER BY genre'", "alt-l"),
    Scene("editor-texts", "The second of two texts", keys: "f4", "'SELECT 1'", "alt-n", "'SELECT 2'", "f9 down enter"),
    Scene("editor-saved", "A saved text that has been changed", keys: "f4", "'SELECT 1'", "alt-s", "'one'", "enter", "'2'"),
    Scene("editor-save", "The question for a text's name", keys: "f4", "'SELECT 1'", "alt-s", "'one'"),
    Scene(
      "editor-save-taken", "The question whether another text is to be replaced", keys: "f4", "'SELECT 1'", "alt-s", "'by artist'", "enter"),
    Scene("editor-open", "The question for a file", keys: "f4 alt-o", "'~/sql/'"),
  ]

  static let results = [
    Scene("results", "The rows of a statement", keys: "f4", "'SELECT title, seconds FROM track WHERE seconds > 400'", "f5"),
    Scene(
      "results-tabs", "Three results, the last of them a failure", keys: "f4",
      "'SELECT 1 AS one; SELECT title FROM album; SELECT abs(-9223372036854775807 - 1)'", "shift-f5"),
    Scene(
      "results-tab", "The second of three results, in the grid", keys: "f4", "'SELECT 1 AS one; SELECT title, year FROM album; SELECT 3'",
      "shift-f5",
      "escape g t g t"),
    Scene("results-none", "A statement that gave no rows", keys: "f4", "'SELECT * FROM track WHERE 0'", "f5"),
    Scene(
      "results-returning", "The rows that a statement returned, and the question", keys: "f4",
      "'INSERT INTO artist(name) VALUES ('Sun Ra'), ('Alice Coltrane') RETURNING id, name'", "f5"),
    Scene(
      "results-changed", "What a statement has changed, in the open transaction", keys: "f4", "'UPDATE track SET seconds = 1 WHERE id < 4'",
      "f5 escape"),
    Scene("transaction-question", "What is to become of what was changed", keys: "f4", "'UPDATE track SET seconds = 1 WHERE id < 4'", "f5"),
    Scene(
      "transaction-open", "The grid with a transaction open", keys: "f4", "'UPDATE track SET seconds = 1 WHERE id < 4'", "f5 escape f4"),
    Scene(
      "transaction-fault", "The question after a statement that failed", keys: "f4",
      "'DELETE FROM tag WHERE track_id = 1; SELECT abs(-9223372036854775807 - 1)'", "shift-f5"),
    Scene(
      "transaction-leaving", "The question before the program ends", keys: "f4", "'UPDATE track SET seconds = 1 WHERE id < 4'",
      "f5 escape ctrl-q"),
    Scene("transaction-committed", "After a commit", keys: "f4", "'UPDATE track SET seconds = 1 WHERE id < 4'", "f5", "down enter"),
    Scene("transaction-all-rows", "The question before all rows go", keys: "f4", "'DELETE FROM tag'", "f5"),
    Scene("statement-running", "A statement that runs") { driver, _ in
      driver.play(["f4", "'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'"])
      driver.pressAtOnce("f5")
      driver.waitAtOnce { driver.screen.contains("running") }
    },
  ]

  static let form = [
    Scene(
      "form", "The form of a statement", keys: "f4", "'SELECT title FROM track WHERE genre = :genre AND seconds > :least AND added < ?'",
      "f5"),
    Scene(
      "form-offers", "A value that is offered", keys: "f4", "'SELECT title FROM track WHERE genre = :genre AND seconds > :least'", "f5",
      "'r'", "alt-down"),
    Scene(
      "form-faults", "Two fields that are wrong", keys: "f4",
      "'SELECT title FROM track WHERE id = :id AND seconds > :least AND title = :title'", "f5", "'one'",
      "tab", "'much'", "enter"),
    Scene("form-type", "A field that is read as another type", keys: "f4", "'SELECT :first, :second'", "f5 alt-t alt-t tab", "'007'"),
    Scene(
      "form-file", "A field that names a file that is not there", keys: "f4", "'UPDATE event SET photo = :photo WHERE id = 1'", "f5",
      "'@/no/such/file'", "enter"),
    Scene(
      "form-many", "More fields than there is room for", keys: "f4",
      "'SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?'", "f5", "up"),
    Scene("form-saved", "The form of a saved statement, with its default", keys: "f9 enter"),
  ]
}
