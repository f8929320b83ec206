import Foundation
import QuarryEngine
import QuarryRows
import QuarrySources

/// Compares counting the rows that a filter through two foreign keys selects with the same statement in C.
func followingKeys(from file: EventsFile, in folder: TemporaryFolder) -> [Comparison] {
  let related = Lazily { try RelatedEvents(file, in: folder) }
  return [
    Comparison(
      number: "26", what: "filter through a path of two foreign keys: all hits", goals: [.atMost(0.7, .c)], stretch: [.atMost(0.55, .c)],
      contestants: [(.ours, { try related.value.count() }), (.c, { try related.value.countByC() })])
  ]
}

/// The events with tables of their users and of the users' teams, to which foreign keys lead.
private struct RelatedEvents {
  private let file: EventsFile
  private let source: SQLiteDataSource
  private let rows: RowSet

  private static let teams = 50
  private static let team = "team 7"

  init(_ events: EventsFile, in folder: TemporaryFolder) throws {
    let path = folder.url.appending(path: "related.db").path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { try $0.execute(sql: Self.sql(copying: events)) }
    try queue.close()
    file = try EventsFile(path: path)
    source = try SQLiteDataSource(path: path)
    let table = TableReference(name: "events")
    let columns = try DatabaseQueue(path: path).read { db in FilterColumns(of: try db.tableSchema(table), in: db) }
    rows = try RowView(filter: "user_id.team_id.name = '\(Self.team)'").compiled(for: columns).applied(to: RowSet(.table(table)))
  }

  private static func sql(copying events: EventsFile) -> String {
    """
    PRAGMA foreign_keys = OFF;
    CREATE TABLE teams(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE users(id INTEGER PRIMARY KEY, team_id INTEGER REFERENCES teams);
    CREATE TABLE events(id INTEGER PRIMARY KEY, ts TEXT NOT NULL, user_id INTEGER NOT NULL REFERENCES users, kind TEXT NOT NULL,
                        amount REAL, note TEXT, payload TEXT NOT NULL);
    ATTACH '\(events.path)' AS source;
    BEGIN;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(teams)) INSERT INTO teams SELECT i, 'team ' || i FROM n;
    INSERT INTO users SELECT DISTINCT user_id, user_id * 7919 % \(teams) + 1 FROM source.events;
    INSERT INTO events SELECT id, ts, user_id, kind, amount, note, payload FROM source.events;
    COMMIT;
    """
  }

  /// Counts the events of a team as the full screen counts the rows of a filter.
  func count() throws -> Comparison.Result {
    let reader = try source.reader(of: rows)
    var hits = 0
    let time = try timed { hits = try waiting { try await reader.count().value } }
    return (time, Int64(hits))
  }

  func countByC() throws -> Comparison.Result {
    try timeByC(
      """
      SELECT count(*) FROM events \
      WHERE (SELECT (SELECT name FROM teams WHERE id = users.team_id) FROM users WHERE id = events.user_id) = '\(Self.team)'
      """, file)
  }
}
