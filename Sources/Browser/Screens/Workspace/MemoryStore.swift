import QuarryEngine

/// The memory between sessions, and its last saved state.
struct MemoryStore: Sendable {
  var memory: SessionMemory
  private var saved: SessionMemory
  /// The views from the previous session, for tables that have not been shown yet.
  private var formerViews: [String: SessionMemory.TableView]

  init(_ memory: SessionMemory) {
    self.memory = memory
    saved = memory
    formerViews = memory.views
  }

  /// Returns a table's view from the previous session, only for the first call.
  mutating func consumeFormerView(of table: TableReference) -> SessionMemory.TableView? {
    formerViews.removeValue(forKey: SessionMemory.key(table))
  }

  /// Returns the memory if it has changed since it was last saved.
  mutating func consumeUnsaved() -> SessionMemory? {
    guard memory != saved else { return nil }
    saved = memory
    return memory
  }
}
