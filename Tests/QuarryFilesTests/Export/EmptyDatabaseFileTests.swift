import Foundation
import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

@Suite(.gated) struct EmptyDatabaseFileTests {
  @Test func `the new file is one page with SQLite's header and an encoding, and takes tables`() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "new.db")
      try EmptyDatabaseFile.create(at: file.path)
      let bytes = try Data(contentsOf: file)
      #expect(bytes.count == 4096 && bytes.prefix(16) == Data("SQLite format 3\0".utf8))
      #expect(bytes[59] == 1, "the number of UTF-8")
      let queue = try DatabaseQueue(path: file.path)
      let names = try queue.withoutTransaction { db in
        let faults = try String.fetchAll(db, sql: "PRAGMA integrity_check")
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema")
        try db.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
        return faults + tables
      }
      #expect(names == ["ok"])
      try queue.close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["new.db"])
    }
  }

  @Test(arguments: ["there.db", "empty.db", "text.txt", "locked.db"])
  func `an existing file stays as it is`(name: String) throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: name)
      switch name {
      case "there.db": _ = try makeDatabaseFile(in: folder, named: name, "CREATE TABLE t(x)")
      case "empty.db": try Data().write(to: file)
      default: try Data("text".utf8).write(to: file)
      }
      if name == "locked.db" { try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path) }
      let before = try Data(contentsOf: file)
      let error = #expect(throws: OutputFileError.self) { try EmptyDatabaseFile.create(at: file.path) }
      #expect(error?.kind == .isThere)
      #expect(try Data(contentsOf: file) == before)
    }
  }

  @Test(arguments: ["-journal", "-wal", "-shm"])
  func `a journal that lies there would belong to the new database, so none is made`(suffix: String) throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "new.db").path
      try Data("old".utf8).write(to: URL(fileURLWithPath: path + suffix))
      let error = #expect(throws: OutputFileError.self) { try EmptyDatabaseFile.create(at: path) }
      #expect(error?.kind == .hasJournal)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `what cannot be a file has a reason, and leaves nothing`() throws {
    try withTemporaryFolder { folder in
      try FileManager.default.createDirectory(at: folder.appending(path: "sub"), withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(atPath: folder.appending(path: "link.db").path, withDestinationPath: "nowhere.db")
      let cases: [(String, OutputFileError.Kind)] = [
        ("no/such/new.db", .noFolder), ("sub", .isFolder), ("new.db/", .isFolder), ("link.db", .isDeadLink),
        (String(repeating: "n", count: 300), .failed(ENAMETOOLONG)),
        ((0..<5).map { _ in String(repeating: "d", count: 120) }.joined(separator: "/") + "/new.db", .noFolder),
      ]
      for (name, kind) in cases {
        let error = #expect(throws: OutputFileError.self, "\(name)") { try EmptyDatabaseFile.create(at: "\(folder.path)/\(name)") }
        #expect(error?.kind == kind, "\(name): \(error.map(\.description) ?? "")")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["link.db", "sub"])
      #expect(throws: OutputFileError.self) { try EmptyDatabaseFile.create(at: "/dev/null") }
    }
  }

  @Test func `a path that SQLite could not open again is refused`() throws {
    try withTemporaryFolder { folder in
      let deep = (0..<4).reduce(folder) { folder, _ in folder.appending(path: String(repeating: "d", count: 120)) }
      try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
      let error = #expect(throws: OutputFileError.self) { try EmptyDatabaseFile.create(at: deep.appending(path: "new.db").path) }
      #expect(error?.kind == .failed(ENAMETOOLONG))
      #expect(try FileManager.default.contentsOfDirectory(atPath: deep.path).isEmpty)
    }
  }
}
