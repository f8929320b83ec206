import Synchronization

/// Writes the memory to its file a while after it has changed, with what has changed by then: many changes are written once.
final class MemoryWriter: Sendable {
  private let file: MemoryFile?
  private let delay: Duration
  /// What is to be written when the delay is over; nil where nothing is.
  private let next = Mutex<Version?>(nil)
  /// Which version is in the file; whoever writes the file has it.
  private let written = Mutex(0)

  /// A memory, and how many were asked to be kept before it.
  private struct Version {
    var memory: SessionMemory
    var number: Int
  }

  init(file: MemoryFile?, delay: Duration) {
    self.file = file
    self.delay = delay
  }

  /// Writes the memory when the delay is over, or a newer one that has come by then; returns at once where that is awaited already.
  func save(_ memory: SessionMemory, number: Int) async throws {
    let isAwaited = next.withLock { next in
      let known = next
      if known.map({ $0.number < number }) ?? true { next = Version(memory: memory, number: number) }
      return known != nil
    }
    guard !isAwaited else { return }
    try? await Task.sleep(for: delay)
    guard let version = next.withLock({ $0.take() }) else { return }
    try saveAtOnce(version.memory, number: version.number)
  }

  /// Writes the memory to its file, unless a newer one is there already.
  func saveAtOnce(_ memory: SessionMemory, number: Int) throws {
    try written.withLock { written in
      guard number > written else { return }
      written = number
      try file?.save(memory)
    }
  }
}
