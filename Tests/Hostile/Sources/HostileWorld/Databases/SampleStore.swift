import Foundation
import Synchronization

/// Creates each kind of database once, with the sqlite3 shell.
final class SampleStore: Sendable {
  private let made = Mutex<[SampleDatabase: [String: [UInt8]]]>([:])

  /// Returns the files of a kind of database, by their names.
  ///
  /// The database is `app.db`.
  func files(of sample: SampleDatabase, for trial: Trial) throws -> [String: [UInt8]] {
    try made.withLock { made in
      if let files = made[sample] { return files }
      let files = try sample.create(in: trial)
      made[sample] = files
      return files
    }
  }
}

/// A kind of database: its settings, and the state in which its files were left.
struct SampleDatabase: Hashable, Sendable {
  enum State: CaseIterable, Sendable {
    case rollback
    /// With the write-ahead log of an open connection.
    case log
    /// The same without the shared memory.
    case logOnly
    /// A transaction that a crash has interrupted.
    case hotJournal
  }

  var state: State
  var pageSize: Int
  var encoding: String
  var autoVacuum: Int

  static let tables = ["t", "u", "w", "f", "r", "v", "g"]
  static let columns = ["t": "name", "u": "label", "w": "v", "f": "body", "r": "x0", "v": "name", "g": "twice"]
  static let indexes = ["by_name", "by_size"]

  static func random(_ random: inout CaseRandom) -> SampleDatabase {
    SampleDatabase(
      state: random.pick(State.allCases, default: .rollback),
      pageSize: 512 << (random.oneIn(3) ? random.below(8) : random.below(4)),
      encoding: random.pick(["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"], default: "UTF-8"), autoVacuum: random.below(3))
  }

  /// Creates the database, and returns its files.
  func create(in trial: Trial) throws -> [String: [UInt8]] {
    let folder = CaseFolder(url: trial.folder.appending(path: "sample-\(UUID().uuidString)"))
    let copies = CaseFolder(url: folder.url.appending(path: "copies"))
    try FileManager.default.createDirectory(at: copies.url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.url) }
    let run = try trial.shell(["-bail", folder.path("app.db")], script: script(folder, copies))
    guard run.isSuccess else { throw World.MissingProgram(description: "sqlite3 cannot create \(self): \(run.errors)") }
    var files = copies.contents
    if state == .logOnly { files["app.db-shm"] = nil }
    return files
  }

  private func script(_ folder: CaseFolder, _ copies: CaseFolder) -> String {
    let isLog = state == .log || state == .logOnly
    let settings = """
      PRAGMA page_size = \(pageSize); PRAGMA encoding = '\(encoding)'; PRAGMA auto_vacuum = \(autoVacuum);
      PRAGMA journal_mode = \(isLog ? "WAL" : "DELETE"); PRAGMA wal_autocheckpoint = 0;
      """
    // The shell copies the files while its connection is open: as a crash leaves them.
    let end = ".system cp '\(folder.path(""))'app.db* '\(copies.path(""))'"
    switch state {
    case .rollback: return "\(settings)\n\(Self.schema)\n\(Self.rows)\n\(end)\n"
    case .log, .logOnly:
      return "\(settings)\n\(Self.schema)\n\(Self.rows)\nPRAGMA wal_checkpoint;\n\(Self.changes)\n\(end)\n"
    case .hotJournal:
      return "\(settings)\n\(Self.schema)\n\(Self.rows)\nPRAGMA cache_size = 1;\nBEGIN;\n\(Self.changes)\n\(end)\nROLLBACK;\n"
    }
  }

  private static let schema = """
    CREATE TABLE u(id INTEGER PRIMARY KEY, label TEXT NOT NULL);
    CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, size REAL, data BLOB, ref INTEGER REFERENCES u(id), CHECK (id > 0));
    CREATE INDEX by_name ON t(name);
    CREATE INDEX by_size ON t(size, ref) WHERE size > 3;
    CREATE TABLE w(k TEXT, n INTEGER, v, PRIMARY KEY (k, n)) WITHOUT ROWID;
    CREATE TABLE g(a INTEGER, twice INTEGER AS (a * 2) STORED, big AS (a + 1));
    CREATE VIEW v AS SELECT t.id, name, label FROM t LEFT JOIN u ON u.id = ref;
    CREATE TRIGGER after_u AFTER DELETE ON u BEGIN UPDATE t SET ref = NULL WHERE ref = old.id; END;
    CREATE VIRTUAL TABLE f USING fts5(body);
    CREATE VIRTUAL TABLE r USING rtree(id, x0, x1);
    """

  private static let rows = """
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 40) INSERT INTO u SELECT x, 'label ' || x FROM n;
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 200)
    INSERT INTO t SELECT x, 'name ' || (x * 7 % 60), x / 3.0, CASE WHEN x % 20 THEN zeroblob(x % 9) ELSE zeroblob(3000) END, x % 40 + 1 FROM n;
    INSERT INTO w SELECT name, id, size FROM t;
    INSERT INTO g(a) SELECT id FROM u;
    INSERT INTO f SELECT 'some ' || name || ' and ' || label FROM t JOIN u ON u.id = ref;
    INSERT INTO r SELECT id, size, size + 1 FROM t;
    """

  private static let changes = """
    UPDATE t SET name = 'changed ' || name, size = -size WHERE id % 2; DELETE FROM w WHERE n % 3 = 0;
    INSERT INTO t(name, data) SELECT 'more', zeroblob(500) FROM u; UPDATE u SET label = upper(label);
    """
}
