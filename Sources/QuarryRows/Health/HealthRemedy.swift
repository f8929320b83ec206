internal import QuarryEngine

/// What mends a finding.
public enum HealthRemedy: Hashable, Sendable {
  /// A statement that changes no row.
  case maintenance(Maintenance)
  /// A SELECT of the rows to correct or to delete.
  case rows(String)
  /// Something that no single statement does.
  case advice(String)

  /// The statement or the advice, as `quarry check` prints it.
  package var text: String {
    switch self {
    case .maintenance(let maintenance): maintenance.sql
    case .rows(let sql): "correct or delete these rows: \(sql)"
    case .advice(let text): text
    }
  }

  /// The advice for damage that SQLite cannot mend in place.
  static let recovery = HealthRemedy.advice("`sqlite3 FILE .recover` saves the readable data, or restore a backup")
}

/// A statement that mends a database without changing its rows.
public enum Maintenance: Hashable, Sendable {
  /// Rewrites the file without free pages: `VACUUM main`.
  case vacuum
  /// Returns the free pages of a file with `auto_vacuum = incremental`: `PRAGMA main.incremental_vacuum`.
  case incrementalVacuum
  /// Builds an index again from its table: `REINDEX main.album_title`.
  case reindex(String)
  /// Counts the entries of the indexes of a table: `ANALYZE main.album`.
  case analyze(String)
  /// Copies the write-ahead log to the file, and empties it: `PRAGMA main.wal_checkpoint(TRUNCATE)`.
  case checkpoint
  /// Creates an index: `CREATE INDEX album_artist ON album(artist)`.
  case createIndex(sql: String)
  /// Drops an index: `DROP INDEX main.album_artist_2`.
  case dropIndex(String)

  /// The statement.
  public var sql: String {
    switch self {
    case .vacuum: "VACUUM main"
    case .incrementalVacuum: "PRAGMA main.incremental_vacuum"
    case .reindex(let index): "REINDEX main.\(SQLIdentifier.quoted(index))"
    case .analyze(let table): "ANALYZE main.\(SQLIdentifier.quoted(table))"
    case .checkpoint: "PRAGMA main.wal_checkpoint(TRUNCATE)"
    case .createIndex(let sql): sql
    case .dropIndex(let index): "DROP INDEX main.\(SQLIdentifier.quoted(index))"
    }
  }
}
