public import Foundation
import QuarryEngine

/// Makes a database as a program leaves it that is killed in the midst of a change: half of the change is in the file, and the journal
/// beside it has what was there before.
///
/// The table `t` has 2,000 rows whose `a` is 0, and which the change sets to 1.
public func makeDatabaseWithHotJournal(in folder: URL, named name: String = "hot.db") throws -> String {
  let running = try makeDatabaseFile(
    in: folder, named: "running-" + name, "CREATE TABLE t(id INTEGER PRIMARY KEY, a, filler)",
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000) INSERT INTO t SELECT x, 0, hex(zeroblob(100)) FROM n")
  let path = folder.appendingPathComponent(name).path
  let queue = try DatabaseQueue(path: running)
  try queue.withoutTransaction { db in
    // With room for few pages SQLite writes the change to the file before it is committed.
    try db.execute(sql: "PRAGMA cache_size = 2; BEGIN; UPDATE t SET a = 1")
    for suffix in ["", "-journal"] { try FileManager.default.copyItem(atPath: running + suffix, toPath: path + suffix) }
    try db.execute(sql: "ROLLBACK")
  }
  try queue.close()
  try FileManager.default.removeItem(atPath: running)
  return path
}
