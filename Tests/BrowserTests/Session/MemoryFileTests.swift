import Foundation
import QuarryEngine
import Terminal
import TestSupport
import Testing

@testable import Browser

/// What is remembered from start to start is in its file when the program has ended.
@Suite struct MemoryFileTests {
  private static let table = TableReference(name: "songs")

  private func withSession(_ body: (Session, MemoryFile) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let file = MemoryFile(state: folder.path, database: "/music.db")
      let queue = try DatabaseQueue()
      let terminal = HeadlessTerminal(size: Size(columns: 80, rows: 24))
      let connections = Connections(rows: ReadConnections(foreground: queue, background: queue), catalog: queue, script: ScriptConnection(refusal: nil) { queue })
      try body(Session(connections: connections, waker: terminal.waker, storage: Storage(memory: file)), file)
    }
  }

  private func memory(filter: String) -> Memory {
    var memory = Memory()
    memory[Self.table] = Memory.TableView(filter: filter)
    return memory
  }

  @Test func `the newest memory is the one that stays, however soon the program ends`() throws {
    try withSession { session, file in
      let memories = (1...50).map { memory(filter: "id > \($0)") }
      for memory in memories { session.run(.saveMemory(memory)) }
      let last = try #require(memories.last)
      session.finish(remembering: last)
      #expect(file.load() == last)
      while !session.isSettled { _ = session.takeMessages() }
      #expect(file.load() == last)
    }
  }

  @Test func `nothing is written where nothing was to be kept`() throws {
    try withSession { session, file in
      session.finish(remembering: memory(filter: "id > 1"))
      #expect(file.load() == Memory())
    }
  }
}
