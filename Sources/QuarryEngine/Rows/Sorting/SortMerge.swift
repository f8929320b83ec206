/// Merges several sorted runs.
struct SortMerge {
  private let runs: [SortedRun]
  /// The runs that have rows left, as a heap by the next row of each.
  private var heap: [Head] = []

  private struct Head {
    var entry: SortedRun.Entry
    var run: Unmanaged<SortedRun>
    /// The rows after it.
    var rest: Slice<UnsafeMutableBufferPointer<SortedRun.Entry>>
  }

  init(_ runs: [SortedRun]) {
    self.runs = runs
    // The runs live as long as this does: to retain one for each row would cost more than to find the row.
    heap = runs.filter { $0.count > 0 }.map { run in
      Head(entry: run.entries[0], run: .passUnretained(run), rest: run.entries[1..<run.count])
    }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  /// Returns the rowid of the next row; nil after the last.
  mutating func next() -> Int64? {
    guard let head = heap.first else { return nil }
    if let next = heap[0].rest.popFirst() {
      heap[0].entry = next
    } else {
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
    }
    sink(0)
    return head.run._withUnsafeGuaranteedRef { $0.id(of: head.entry) }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      let left = 2 * index + 1
      guard left < heap.count else { return }
      let child = left + 1 < heap.count && Self.precedes(heap[left + 1], heap[left]) ? left + 1 : left
      guard Self.precedes(heap[child], heap[index]) else { return }
      heap.swapAt(child, index)
      index = child
    }
  }

  private static func precedes(_ first: Head, _ second: Head) -> Bool {
    if first.entry.prefix != second.entry.prefix { return first.entry.prefix < second.entry.prefix }
    return first.run._withUnsafeGuaranteedRef { run in
      second.run._withUnsafeGuaranteedRef { run.precedes(first.entry, $0, second.entry) }
    }
  }
}
