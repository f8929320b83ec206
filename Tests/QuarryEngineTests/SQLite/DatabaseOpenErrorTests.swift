import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("Opening", .gated)
struct DatabaseOpenErrorTests {
  private func kind(of path: String, isReadonly: Bool = true) -> DatabaseOpenError.Kind? {
    var configuration = Configuration()
    configuration.isReadonly = isReadonly
    configuration.busyTimeout = .zero
    do {
      _ = try DatabaseQueue(path: path, configuration: configuration)
      return nil
    } catch let error as DatabaseOpenError {
      #expect(error.path == path)
      #expect(error.description.contains(path))
      return error.kind
    } catch {
      return .other
    }
  }

  @Test("what cannot be a database is told by its kind")
  func noDatabase() throws {
    try withTemporaryFolder { folder in
      #expect(kind(of: folder.appendingPathComponent("absent.db").path) == .noSuchFile)
      #expect(kind(of: folder.appendingPathComponent("absent/new.db").path, isReadonly: false) == .noSuchFile)
      #expect(kind(of: folder.path) == .isFolder)
      #expect(kind(of: "/dev/null") == .isNotPlainFile)
      let text = folder.appendingPathComponent("text.db")
      try Data(String(repeating: "no database at all. ", count: 100).utf8).write(to: text)
      #expect(kind(of: text.path) == .isNoDatabase)
    }
  }

  @Test("links that lead in a circle and paths that are too long are told as such")
  func unreachable() throws {
    try withTemporaryFolder { folder in
      let link = folder.appendingPathComponent("loop.db").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "loop.db")
      #expect(kind(of: link) == .linksInCircle)
      #expect(kind(of: folder.appendingPathComponent(String(repeating: "n", count: 300)).path) == .pathIsTooLong)
      var deep = folder
      for _ in 0..<3 { deep.appendPathComponent(String(repeating: "d", count: 200)) }
      try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
      let database = deep.appendingPathComponent("test.db").path
      try Data().write(to: URL(fileURLWithPath: database))
      #expect(kind(of: database) == .pathIsTooLong)
    }
  }

  @Test("a definition that a newer SQLite may have written is told of, and is no damage")
  func newerSchema() throws {
    try withTemporaryFolder { folder in
      var configuration = Configuration()
      configuration.isDefensive = false
      let path = folder.appendingPathComponent("newer.db").path
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.withoutTransaction { db in
        try db.execute(sql: "PRAGMA writable_schema = on")
        try db.execute(sql: "INSERT INTO sqlite_schema VALUES ('view', 'v', 'v', 0, 'CREATE VIEW v AS SELECT 1 SOMEHOW ELSE 2')")
      }
      try queue.close()
      let error = #expect(throws: DatabaseOpenError.self) { _ = try DatabaseQueue(path: path) }
      #expect(error?.kind == .schemaNotUnderstood)
      #expect(
        error?.description.contains("a definition of “v” that this SQLite (\(Database.sqliteVersion)) does not understand: near") == true)
      #expect(error?.description.contains("damaged") == false)
    }
  }

  @Test("opening to read makes no file and changes none")
  func untouched() throws {
    try withTemporaryFolder { folder in
      let absent = folder.appendingPathComponent("absent.db").path
      _ = kind(of: absent)
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t (x)")
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(kind(of: path) == nil)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.db"])
    }
  }

  @Test("an empty file is an empty database")
  func emptyFile() throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("empty.db").path
      try Data().write(to: URL(fileURLWithPath: path))
      #expect(kind(of: path) == nil)
    }
  }

  @Test("a file that is cut off says how much is missing; a damaged one is told apart")
  func truncated() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t (x)", "INSERT INTO t VALUES (zeroblob(20000))")
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      try whole.dropLast(4096).write(to: URL(fileURLWithPath: path))
      #expect(kind(of: path) == .isTruncated(missingBytes: 4096))
      var damaged = whole
      damaged.replaceSubrange(100..<200, with: Data(repeating: 0xFF, count: 100))
      try damaged.write(to: URL(fileURLWithPath: path))
      #expect(kind(of: path) == .isCorrupt)
    }
  }

  #if os(Linux)
    @Test("looking why a file does not open leaves the locks that the process has on it")
    func locksOfTheProcess() throws {
      try withTemporaryFolder { folder in
        let path = try makeDatabaseFile(in: folder, "CREATE TABLE t (x)")
        // Closed at the end: closing a descriptor of the file would release the locks too.
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        let (holder, other) = (try DatabaseQueue(path: path), try DatabaseQueue())
        try holder.withoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        try file.seek(toOffset: 100)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 100))
        #expect(isReserved(file))
        #expect(kind(of: path) == .isCorrupt)
        #expect(isReserved(file))
        #expect(throws: DatabaseOpenError.self) { try other.withoutTransaction { try $0.attach(path: path, as: "damaged") } }
        #expect(isReserved(file))
        try holder.withoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(!isReserved(file))
      }
    }

    /// Returns whether the lock that a connection takes before it writes is held, by this process or by another.
    private func isReserved(_ file: FileHandle) -> Bool {
      var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0001, l_len: 1, l_pid: 0)
      // `F_OFD_GETLK`, which glibc shows to GNU's own sources only: it sees the locks of this process too.
      return fcntl(file.fileDescriptor, 36, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }
  #endif

  @Test("a locked file is told as such once the timeout is over")
  func locked() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t (x)")
      let writer = try DatabaseQueue(path: path)
      try writer.withoutTransaction { db in
        try db.execute(sql: "BEGIN EXCLUSIVE")
        #expect(kind(of: path) == .isLocked)
        try db.execute(sql: "COMMIT")
      }
      #expect(kind(of: path) == nil)
    }
  }

  @Test("a WAL database beside which nothing can be made offers to be opened as immutable, and then is read")
  func wal() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "PRAGMA journal_mode = WAL", "CREATE TABLE t (x)", "INSERT INTO t VALUES (7)")
      // A folder in the place of the file keeps even root from making it.
      try FileManager.default.createDirectory(atPath: path + "-wal", withIntermediateDirectories: false)
      #expect(kind(of: path) == .walNeedsWriting)
      var configuration = Configuration()
      configuration.isImmutable = true
      #expect(try DatabaseQueue(path: path, configuration: configuration).read { try Int.fetchOne($0, sql: "SELECT x FROM t") } == 7)
    }
  }

  @Test(
    "every kind has a sentence that names the path",
    arguments: [
      .noSuchFile, .isFolder, .isNotPlainFile, .permissionDenied, .isNoDatabase, .isTruncated(missingBytes: 3), .isCorrupt, .isLocked,
      .walNeedsWriting, .needsRecovery, .cannotOpen, .other, .immutableHasJournal, .linksInCircle, .pathIsTooLong, .schemaNotUnderstood,
    ] as [DatabaseOpenError.Kind])
  func sentences(kind: DatabaseOpenError.Kind) {
    let text = DatabaseOpenError(kind: kind, path: "/a/b.db").description
    #expect(text.contains("“/a/b.db”") && text.hasSuffix("."))
  }

  @Test(
    "paths with signs that mean something in a URI are plain paths",
    arguments: ["a b.db", "100%.db", "what?.db", "a#b.db", "file:x.db", "ä.db"])
  func oddPaths(name: String) throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, named: name, "CREATE TABLE t (x)")
      var configuration = Configuration()
      configuration.isImmutable = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") } == 1)
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("paths that are not UTF-8 are opened by their bytes, to be read and written, attached and as immutable")
  func otherBytes() throws {
    try withTemporaryFolder { folder in
      let bytes = Array((folder.path + "/caf").utf8) + [0xE9, 0xFF] + Array("ü.db".utf8)
      let plain = try makeDatabaseFile(in: folder, "CREATE TABLE t (x)", "INSERT INTO t VALUES (7)")
      #expect(rename(plain, (bytes + [0]).map { CChar(bitPattern: $0) }) == 0)
      let path = PathText.text(bytes)
      #expect(PathText.bytes(path) == bytes)
      #expect(PathText.shown(path).hasSuffix("caf\u{fffd}\u{fffd}ü.db"))
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (8)") }
      #expect(queue.movedFiles.isEmpty)
      var configuration = Configuration()
      configuration.isImmutable = true
      #expect(try DatabaseQueue(path: path, configuration: configuration).read { try Int.fetchOne($0, sql: "SELECT sum(x) FROM t") } == 15)
      try DatabaseQueue().withoutTransaction { db in
        try db.attach(path: path, as: "other")
        #expect(try Int.fetchOne(db, sql: "SELECT sum(x) FROM other.t") == 15)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }
  }

  @Test("a path of private-use characters that is there is itself")
  func privateUse() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, named: "caf\u{F7E9}.db", "CREATE TABLE t (x)")
      #expect(PathText.bytes(path) == Array(path.utf8))
      #expect(try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    }
  }

  @Test("an attached file is checked as one that is opened, and read beside it")
  func attach() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)")
      let text = folder.appendingPathComponent("text.db").path
      try Data(String(repeating: "no database at all. ", count: 100).utf8).write(to: URL(fileURLWithPath: text))
      let queue = try DatabaseQueue()
      try queue.withoutTransaction { db in
        try db.attach(path: path, as: "my \"archive\"")
        #expect(try Int.fetchOne(db, sql: #"SELECT x FROM "my ""archive""".t"#) == 1)
        #expect(throws: DatabaseOpenError.self) { try db.attach(path: text, as: "other") }
        #expect(throws: DatabaseOpenError.self) { try db.attach(path: folder.path, as: "other") }
        expectError(DatabaseError.SQLITE_ERROR) { try db.attach(path: path, as: "main") }
        try db.detach("my \"archive\"")
      }
    }
  }

  @Test("an empty path is a temporary database")
  func temporary() throws {
    let queue = try DatabaseQueue(path: "")
    try queue.write { try $0.execute(sql: "CREATE TABLE t (x)") }
  }
}
