import Foundation
import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

/// The file of rejects of an import whose COMMIT fails.
@Suite struct RejectsFileTests {
  /// Imports a row and a reject into a file that another connection reads, so that COMMIT is refused.
  private func importInVain(rejectsPath: String, in folder: URL) throws {
    let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a INTEGER NOT NULL)", "INSERT INTO t VALUES (0)")
    let file = folder.appendingPathComponent("rows.csv")
    try Data("a\n1\n\"\"\n".utf8).write(to: file)
    var configuration = Configuration()
    configuration.busyTimeout = .zero
    let (reader, writer) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path, configuration: configuration))
    try reader.withoutTransaction { db in
      try db.execute(sql: "BEGIN")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 1)
    }
    var plan = ImportPlan(path: file.path, into: .existing(TableReference(name: "t")))
    plan.rejectsPath = rejectsPath
    #expect(throws: DatabaseError.self) {
      try writer.withoutTransaction { [plan] db in
        let importer = try Importer(plan, in: db)
        #expect(importer.preview.problems.isEmpty)
        _ = try importer.run(in: db)
      }
    }
    try reader.withoutTransaction { try $0.execute(sql: "COMMIT") }
    #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1)
  }

  @Test func `nothing is left of it`() throws {
    try withTemporaryFolder { folder in
      let rejects = folder.appendingPathComponent("rejects.csv").path
      try importInVain(rejectsPath: rejects, in: folder)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(names == ["rows.csv", "test.db"])
    }
  }

  @Test func `a pipe that it went to stays`() throws {
    try withTemporaryFolder { folder in
      let rejects = folder.appendingPathComponent("rejects").path
      #expect(mkfifo(rejects, 0o600) == 0)
      let reader = open(rejects, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      try importInVain(rejectsPath: rejects, in: folder)
      #expect(FileManager.default.fileExists(atPath: rejects))
    }
  }
}
