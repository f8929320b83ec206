import Browser
import Foundation
import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal
import TestSupport
import Testing

/// What is remembered from start to start is in its file when the program has ended.
@Suite(.gated) struct MemoryFileTests {
  private static let table = TableReference(name: "songs")

  private func withSession(_ body: @escaping @Sendable (Session, HeadlessTerminal, MemoryFile) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      try await onOwnThread {
        let file = MemoryFile(state: folder.path, database: "/music.db")
        let queue = try DatabaseQueue()
        let terminal = HeadlessTerminal(size: Size(columns: 80, rows: 24))
        let source = SQLiteDataSource(
          rows: ReadConnections(foreground: queue, background: queue), background: queue, script: ScriptConnection(refusal: nil) { queue })
        try body(Session(source: source, waker: terminal.waker, storage: Storage(memory: file)), terminal, file)
      }
    }
  }

  private func memory(filter: String) -> SessionMemory {
    var memory = SessionMemory()
    memory[Self.table] = SessionMemory.TableView(filter: filter)
    return memory
  }

  @Test func `the newest memory is the one that stays, however soon the program ends`() async throws {
    try await withSession { session, terminal, file in
      let memories = (1...50).map { memory(filter: "id > \($0)") }
      for memory in memories { session.run(.saveMemory(memory)) }
      let last = try #require(memories.last)
      session.finish(remembering: last)
      #expect(file.load() == last)
      _ = session.messagesUntilSettled(on: terminal)
      #expect(file.load() == last)
    }
  }

  @Test func `changes that follow each other are written once, with the latest of them`() async throws {
    try await withTemporaryFolder { folder in
      let file = MemoryFile(state: folder.path, database: "/music.db")
      let writer = MemoryWriter(file: file, delay: Waiting.limit)
      try await withThrowingTaskGroup { group in
        for number in 1...50 {
          group.addTask { [memory = memory(filter: "id > \(number)")] in try await writer.save(memory, number: number) }
        }
        // All but the one that waits for the delay.
        for _ in 1..<50 { try await group.next() }
        #expect(file.load() == SessionMemory())
        group.cancelAll()
        try await group.waitForAll()
      }
      #expect(file.load() == memory(filter: "id > 50"))
    }
  }

  @Test func `a damaged file is renamed and reported, and the next one begins anew`() throws {
    try withTemporaryFolder { folder in
      let file = MemoryFile(state: folder.path, database: "/music.db")
      try file.save(memory(filter: "id > 1"))
      let views = folder.appending(path: "views")
      let path = try views.appending(path: #require(FileManager.default.contentsOfDirectory(atPath: views.path).first)).path
      for round in 1...2 {
        try Data("damage \(round)".utf8).write(to: URL(fileURLWithPath: path))
        var warnings: [String] = []
        let kept = path + (round == 1 ? ".damaged" : ".damaged-\(round)")
        #expect(file.load { warnings.append($0) } == SessionMemory())
        #expect(warnings == ["“\(path)” is damaged and was renamed to “\(kept)”: nothing is remembered from earlier sessions"])
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "damage \(round)")
        try file.save(memory(filter: "id > 2"))
        #expect(file.load() == memory(filter: "id > 2"))
      }
    }
  }

  @Test func `a file that cannot be read is not replaced`() throws {
    try withTemporaryFolder { folder in
      let file = MemoryFile(state: folder.path, database: "/music.db")
      try file.save(memory(filter: "id > 1"))
      let views = folder.appending(path: "views")
      let path = try views.appending(path: #require(FileManager.default.contentsOfDirectory(atPath: views.path).first)).path
      try FileManager.default.removeItem(atPath: path)
      // A folder cannot be read as a file, whoever tries.
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      var warnings: [String] = []
      #expect(file.load { warnings.append($0) } == SessionMemory())
      #expect(warnings == ["“\(path)” cannot be read (Is a directory): nothing is remembered from earlier sessions"])
      #expect(throws: StateFileError.self) { try file.save(memory(filter: "id > 2")) }
    }
  }

  @Test func `nothing is written where nothing was to be kept`() async throws {
    try await withSession { session, _, file in
      session.finish(remembering: memory(filter: "id > 1"))
      #expect(file.load() == SessionMemory())
    }
  }

  /// Two programs on one database, each of which has read what the file held at its start.
  private func withTwoFiles(holding memory: SessionMemory, _ body: (MemoryFile, MemoryFile) throws -> Void) throws {
    try withTemporaryFolder { folder in
      func open() -> MemoryFile { MemoryFile(state: folder.path, database: "/music.db") }
      try open().save(memory)
      let (one, other) = (open(), open())
      #expect(one.load() == memory)
      #expect(other.load() == memory)
      try body(one, other)
    }
  }

  private func memory(texts: [String]) -> SessionMemory {
    var memory = SessionMemory()
    memory.buffers = texts.map { SessionMemory.Buffer(text: $0) }
    return memory
  }

  @Test func `of two programs neither takes away what the other has written in its editor`() throws {
    try withTwoFiles(holding: memory(texts: ["SELECT 1"])) { one, other in
      try one.save(memory(texts: ["SELECT 1", "SELECT 'of one'"]))
      try one.save(memory(texts: ["SELECT 1", "SELECT 'of one' || '!'"]))
      var sorted = memory(texts: ["SELECT 1"])
      sorted.note(RowView(sort: "name"), for: Self.table)
      try other.save(sorted)
      #expect(other.load().buffers?.map(\.text) == ["SELECT 1", "SELECT 'of one' || '!'"])
      #expect(other.load().history(of: .sort, for: Self.table) == ["name"])
    }
  }

  @Test func `a text that both have changed is kept as either has left it`() throws {
    try withTwoFiles(holding: memory(texts: ["SELECT 1", "SELECT 2"])) { one, other in
      try one.save(memory(texts: ["SELECT 1", "SELECT 2 + 1"]))
      try other.save(memory(texts: ["SELECT 2 + 2"]))
      #expect(one.load().buffers?.map(\.text) == ["SELECT 2 + 1", "SELECT 2 + 2"], "the first one was closed")
    }
  }

  @Test func `views, kept filters, histories and values of parameters are put together`() throws {
    let albums = TableReference(name: "albums")
    var start = memory(filter: "id > 1")
    start.note(RowView(filter: "old"), for: Self.table)
    try withTwoFiles(holding: start) { one, other in
      var (mine, theirs) = (start, start)
      mine[Self.table] = SessionMemory.TableView(filter: "id > 2")
      mine.note(RowView(filter: "mine"), for: Self.table)
      mine.keep(SessionMemory.KeptFilter(name: "few", text: "id < 3"), of: Self.table)
      mine.remember([":n": .value(.integer(1))], of: "SELECT :n")
      theirs[albums] = SessionMemory.TableView(sort: "title")
      theirs.note(RowView(filter: "theirs"), for: Self.table)
      theirs.keep(SessionMemory.KeptFilter(name: "many", text: "id > 3"), of: Self.table)
      theirs.remember([":m": .value(.integer(2))], of: "SELECT :m")
      try one.save(mine)
      try other.save(theirs)
      let kept = one.load()
      #expect(kept[Self.table]?.filter == "id > 2")
      #expect(kept[albums]?.sort == "title")
      #expect(kept.history(of: .filter, for: Self.table) == ["theirs", "mine", "old"])
      #expect(kept.keptFilters(of: Self.table).map(\.name) == ["few", "many"])
      #expect(kept.arguments(of: "SELECT :n") == [":n": .value(.integer(1))])
      #expect(kept.arguments(of: "SELECT :m") == [":m": .value(.integer(2))])
    }
  }

  @Test func `nothing lies beside the file once it is written`() throws {
    try withTemporaryFolder { folder in
      let file = MemoryFile(state: folder.path, database: "/music.db")
      for number in 0..<3 { try file.save(memory(filter: "id > \(number)")) }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "views").path)
      #expect(names.count == 1, "\(names)")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "views/\(names[0])").path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `a memory that cannot be written is told in a sentence`() throws {
    try withTemporaryFolder { folder in
      try Data().write(to: folder.appending(path: "views"))
      let error = #expect(throws: (any Error).self) { try MemoryFile(state: folder.path, database: "/music.db").save(SessionMemory()) }
      let text = try Problem(describing: #require(error)).text
      #expect(text.contains("cannot be written: Not a directory"), "\(text)")
    }
  }
}
