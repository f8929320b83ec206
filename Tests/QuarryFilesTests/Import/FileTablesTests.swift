import Foundation
import QuarryEngine
import QuarryFiles
import Synchronization
import TestSupport
import Testing

@Suite(.gated) struct FileTablesTests {
  private func tables(_ files: [String: String], _ body: (FileTables, DatabaseQueue) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let paths = try files.sorted { $0.key < $1.key }.map { name, text in
        let url = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url.path
      }
      let tables = try FileTables(paths)
      try tables.start()
      try tables.wait()
      try body(tables, DatabaseQueue(path: tables.path))
    }
  }

  private func rows(_ sql: String, _ queue: DatabaseQueue) throws -> [[DatabaseValue]] {
    try queue.read { db in try Row.fetchAll(db, sql: sql).map { try $0.databaseValues } }
  }

  @Test func `files are tables that can be joined`() throws {
    try tables(["regions.json": #"[{"id":1,"name":"North"}]"#, "sales.csv": "region,total\n1,0.5\n1,2.0\n"]) { tables, queue in
      #expect(tables.tables.map(\.name) == ["regions", "sales"])
      #expect(tables.tables.map(\.rows) == [1, 2] && tables.tables.allSatisfy(\.isComplete))
      #expect(tables.tables[1].columns.map(\.declaredType) == ["INTEGER", "REAL"])
      let found = try rows("SELECT name, sum(total) FROM sales JOIN regions ON region = id", queue)
      #expect(found == [[.text("North"), .real(2.5)]])
    }
  }

  @Test func `a JSON object of arrays is a table each, whose names are made unique`() throws {
    try tables(["a.json": #"{"b":[{"x":1}],"c":[{"y":2}]}"#, "b.csv": "z\n3\n"]) { tables, queue in
      #expect(tables.tables.map(\.name) == ["b", "c", "b2"])
      let found = try rows("SELECT x, y, z FROM b, c, b2", queue)
      #expect(found == [[.integer(1), .integer(2), .integer(3)]])
    }
  }

  @Test func `the only array of objects in a file is a table named after the file`() throws {
    try tables(["a.json": #"{"page":1,"results":[{"x":1}],"next":null}"#]) { tables, queue in
      #expect(tables.tables.map(\.name) == ["a"] && tables.tables.first?.nameInFile == "results" && tables.tables.first?.rejected == 0)
      #expect(
        tables.tables.first?.notes == ["the rows come from an array of objects in the file; skipped “page”, “next” next to it"])
      let found = try rows("SELECT x FROM a", queue)
      #expect(found == [[.integer(1)]])
    }
  }

  @Test func `who listens hears of the end though another one has ceased to listen meanwhile`() async {
    let board = FileTableStatus()
    let first = board.changes()
    var second = board.changes().makeAsyncIterator()
    // There may have been changes before.
    #expect(await second.next() != nil)
    let listening = Task { for await _ in first {} }
    listening.cancel()
    await listening.value
    board.end()
    #expect(await second.next() != nil)
  }

  @Test(arguments: [("a.csv", "region,total\n1,2\n"), ("a.json", #"[{"region":1},{"total":2}]"#)])
  func `a type for a column that no file has is refused, with near names`(name: String, text: String) throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent(name).path
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      let error = #expect(throws: FileReadError.self) {
        let tables = try FileTables([path], types: ["TOTAL": .text, "regoin": .text])
        try tables.start()
        try tables.wait()
      }
      #expect(error?.kind == .noColumn("regoin", nearest: ["region"]))
      #expect(error?.description.hasSuffix("has no column “regoin”; did you mean region?") == true)
    }
  }

  @Test func `what is no row is kept in a table of its own`() throws {
    try tables(["a.csv": "a,b\n1,2\n1,2,3\n4,5\n"]) { tables, queue in
      #expect(tables.tables[0].rows == 2 && tables.tables[0].rejected == 1)
      #expect(tables.tables[0].rejectsTable == "a_rejects")
      let found = try rows("SELECT * FROM a_rejects", queue)
      #expect(found == [[.integer(3), .text("It has 3 fields instead of 2."), .text("1,2,3")]])
    }
  }

  /// A file whose columns are of other types far behind its first megabyte.
  private func lateText(_ lines: Int) -> String {
    var text = "n,r,m,late,t\n"
    for line in 0..<lines { text += "\(line),\(line).5,\(line % 2 == 0 ? "7" : "0.1234567890123456"),,\(line)\n" }
    return text + "007,1.10,x,12,\n"
  }

  @Test func `a value that comes late makes its column one of texts, and every value reads back as it was written`() throws {
    let lines = 60_000
    try tables(["a.csv": lateText(lines)]) { tables, queue in
      #expect(tables.tables[0].columns.map(\.declaredType) == ["TEXT", "TEXT", "TEXT", "INTEGER", "INTEGER"])
      #expect(try rows("SELECT count(*) FROM a", queue) == [[.integer(Int64(lines + 1))]])
      let wrong = """
        SELECT count(*) FROM a WHERE rowid <= \(lines) AND NOT (
          n IS CAST(rowid - 1 AS TEXT) AND r IS (rowid - 1) || '.5' AND t IS rowid - 1 AND late IS NULL
          AND m IS iif(rowid % 2, '7', '0.1234567890123456'))
        """
      #expect(try rows(wrong, queue) == [[.integer(0)]])
      let last = try rows("SELECT * FROM a WHERE rowid > \(lines)", queue)
      #expect(last == [[.text("007"), .text("1.10"), .text("x"), .integer(12), .null]])
    }
  }

  @Test func `what a column stores reads back as it was written, whatever its type`() throws {
    var random = SplitMix(seed: 11)
    let kinds: [(inout SplitMix) -> String] = [
      { String(Int64.random(in: .min ... .max, using: &$0) >> Int64.random(in: 0..<63, using: &$0)) },
      { RealText.shortest(Double(Int.random(in: -9999...9999, using: &$0)) / 100) },
      { RealText.shortest(Double.random(in: -1e9...1e9, using: &$0)) },
      { ["007", "+1", "1e5", "1.10", "-0", ".5", "12345678901234567890", "x", "9e999", " 1"].randomElement(using: &$0) ?? "" },
    ]
    for _ in 0..<testRounds(4) {
      // Each column has values of some of the kinds, most of them of one alone.
      let columns = (0..<12).map { _ in (0..<Int.random(in: 1...2, using: &random)).map { _ in Int.random(in: 0..<4, using: &random) } }
      let values = (0..<1_000).map { _ in columns.map { kinds[$0.randomElement(using: &random) ?? 0](&random) } }
      let header = columns.indices.map { "c\($0)" }.joined(separator: ",")
      let text = ([header] + values.map { $0.joined(separator: ",") }).joined(separator: "\n") + "\n"
      try tables(["a.csv": text]) { _, queue in
        let stored = try rows("SELECT * FROM a", queue)
        #expect(stored.map { $0.map(written) } == values)
      }
    }
  }

  private func written(_ value: DatabaseValue) -> String {
    switch value {
    case .null: ""
    case .integer(let value): String(value)
    case .real(let value): RealText.shortest(value)
    case .text(let text): text
    case .blob: "blob"
    }
  }

  @Test func `types that a person gives are taken, and what they change is told`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("a.csv").path
      try Data("zip,n\n1,007\n2,8\n".utf8).write(to: URL(fileURLWithPath: path))
      let tables = try FileTables([path], types: ["zip": .text, "n": .integer])
      try tables.start()
      try tables.wait()
      #expect(tables.tables[0].columns.map(\.declaredType) == ["TEXT", "INTEGER"] && tables.tables[0].columns.allSatisfy(\.isTypeGiven))
      #expect(try rows("SELECT * FROM a", DatabaseQueue(path: tables.path)) == [[.text("1"), .integer(7)], [.text("2"), .integer(8)]])
      #expect(tables.tables[0].notes.count == 1 && tables.tables[0].notes[0].hasSuffix("the first “007” on line 2"))
    }
  }

  @Test func `the first rows are there while a pipe is still written`() throws {
    try withTemporaryFolder { folder in
      let pipe = folder.appendingPathComponent("pipe").path
      #expect(mkfifo(pipe, 0o600) == 0)
      let descriptor = open(pipe, O_RDWR)
      defer { close(descriptor) }
      let lines = "a,b\n" + String(repeating: "1,x\n", count: 5_000)
      _ = lines.withCString { write(descriptor, $0, strlen($0)) }
      let tables = try FileTables([pipe])
      try tables.start()
      let queue = try DatabaseQueue(path: tables.path)
      #expect(try rows("SELECT min(a), max(b) FROM pipe", queue) == [[.integer(1), .text("x")]])
      #expect(tables.isReading)
      tables.cancel()
      #expect(throws: CancellationError.self) { try tables.wait() }
      #expect(tables.tables[0].rows > 0)
    }
  }

  @Test func `the private database goes with the object, and one that was left behind goes at the next start`() throws {
    try withTemporaryFolder { folder in
      let left = folder.appendingPathComponent("quarry-files-1-2").path
      try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
      for name in ["tables.db", "text.sql", ".text.sql.swp", "text.sql~"] { try Data().write(to: URL(fileURLWithPath: left + "/\(name)")) }
      var made: PrivateFolder? = try PrivateFolder(in: folder.path)
      let path = try #require(made?.path)
      #expect(!FileManager.default.fileExists(atPath: left))
      let other = try PrivateFolder(in: folder.path)
      #expect(FileManager.default.fileExists(atPath: path) && other.path != path)
      made = nil
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `folders made at the same time do not take one another for left behind`() throws {
    try withTemporaryFolder { folder in
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<100 {
          do {
            let made = try PrivateFolder(in: folder.path)
            if !FileManager.default.fileExists(atPath: made.path + "/lock") { failures.withLock { $0.append("\(made.path) is gone") } }
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
      }
      #expect(failures.withLock(\.self) == [])
    }
  }

  @Test func `what is no private folder of the program stays where it is`() throws {
    try withTemporaryFolder { folder in
      let kept = ["quarry-files-1-2/notes.txt", "quarry-files-backup/tables.db"].map {
        folder.appendingPathComponent($0)
      }
      for file in kept {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: file)
      }
      _ = try PrivateFolder(in: folder.path)
      #expect(kept.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("quarry-files-1-2/lock").path))
    }
  }

  @Test func `a file that is none is refused`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("a.csv").path
      #expect(throws: FileReadError.self) { try FileTables([path]) }
      try Data().write(to: URL(fileURLWithPath: path))
      #expect(throws: FileReadError.self) { try FileTables([path]).start() }
    }
  }
}
