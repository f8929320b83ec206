import QuarryEngine

/// What the program remembers from one start to the next, and what of it is to be saved.
struct MemoryStore: Sendable {
  var memory: SessionMemory
  private var saved: SessionMemory
  /// The views of tables from earlier starts, for those that have not been shown yet.
  private var formerViews: [String: SessionMemory.TableView]

  init(_ memory: SessionMemory) {
    self.memory = memory
    saved = memory
    formerViews = memory.views
  }

  /// Returns a table's view from an earlier start, the first time that it is asked for.
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
