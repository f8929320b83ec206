import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
import TestSupport
import Testing

/// What a commit will change by foreign keys and triggers, and what it has changed.
@Suite struct CommitForecastTests {
  private static let cascade = """
    PRAGMA foreign_keys = ON; CREATE TABLE acc(id INTEGER PRIMARY KEY, name);
    CREATE TABLE proj(id INTEGER PRIMARY KEY, acc REFERENCES acc ON DELETE CASCADE ON UPDATE CASCADE);
    CREATE TABLE task(k TEXT PRIMARY KEY, proj REFERENCES proj ON DELETE CASCADE) WITHOUT ROWID;
    CREATE TABLE note(id INTEGER PRIMARY KEY, acc REFERENCES acc ON DELETE SET NULL);
    CREATE TABLE tree(id INTEGER PRIMARY KEY, up REFERENCES tree ON DELETE CASCADE);
    INSERT INTO acc VALUES (1, 'a'), (2, 'b'); INSERT INTO proj VALUES (10, 1), (11, 1), (12, 2);
    INSERT INTO task VALUES ('x', 10), ('y', 11), ('z', 12); INSERT INTO note VALUES (1, 1), (2, 2);
    INSERT INTO tree VALUES (1, NULL), (2, 1), (3, 2), (4, 2)
    """

  private static func deletion(_ table: String, _ id: Int64) -> StagedChanges {
    var changes = StagedChanges()
    changes.delete(.stored(.rowID(id)), of: TableReference(name: table), was: ["id": .value(.integer(id))])
    return changes
  }

  @Test func `what foreign keys will do is told before, and counted after by table`() async throws {
    let file = try RecordedFile()
    try file.runElsewhere(Self.cascade)
    let source = try SQLiteDataSource(of: file)
    defer { withExtendedLifetime(file) {} }
    let changes = Self.deletion("acc", 1)
    #expect(
      try await source.forecast(of: changes).sentence == """
        Also changes 1 row of note by ON DELETE SET NULL, 2 rows of proj by ON DELETE CASCADE, 2 rows of task by ON DELETE CASCADE.
        """)
    let summary = try await source.commit(changes)
    #expect(summary.description == "1 row deleted; foreign keys deleted 2 of proj, 2 of task and changed 1 of note")
    let tree = Self.deletion("tree", 1)
    #expect(try await source.forecast(of: tree).sentence == "Also changes 3 rows of tree by ON DELETE CASCADE.")
    #expect(try await source.commit(tree).description == "1 row deleted; foreign keys deleted 3 of tree")
  }

  @Test func `a change of a key is followed, and triggers are named`() async throws {
    let file = try RecordedFile()
    try file.runElsewhere(Self.cascade)
    try file.runElsewhere(
      "DELETE FROM note; CREATE TABLE log(line); CREATE TRIGGER t AFTER UPDATE ON proj BEGIN INSERT INTO log VALUES (new.id); END")
    let source = try SQLiteDataSource(of: file)
    defer { withExtendedLifetime(file) {} }
    var changes = StagedChanges()
    try changes.set(5, column: "id", row: .stored(.rowID(1)), of: TableReference(name: "acc"), was: 1)
    #expect(
      try await source.forecast(of: changes).sentence
        == "Also changes 2 rows of proj by ON UPDATE CASCADE, and any rows that the triggers of proj write.")
    var renaming = StagedChanges()
    try renaming.set("c", column: "name", row: .stored(.rowID(2)), of: TableReference(name: "acc"), was: "b")
    #expect(try await source.forecast(of: renaming).sentence == nil)
    let words = try await source.commit(changes).description
    #expect(words.hasPrefix("1 row changed") && words.contains("changed 2 of proj") && words.contains("added 2 to log"), "\(words)")
  }
}
