/// Rowids in an order, with four bytes each while all of them fit, otherwise eight.
struct RowIDVector: Sendable {
  private var narrow = Blocks<UInt32>()
  private var wide = Blocks<Int64>()
  private var isWide = false

  var count: Int { isWide ? wide.count : narrow.count }

  subscript(index: Int) -> Int64 {
    isWide ? wide[index] : Int64(narrow[index])
  }

  mutating func append(_ ids: some Sequence<Int64>) {
    for id in ids {
      if !isWide, let short = UInt32(exactly: id) {
        narrow.append(short)
      } else {
        widen()
        wide.append(id)
      }
    }
  }

  /// Returns the first index of a rowid by a linear search, which takes some milliseconds for ten million.
  func firstIndex(of id: Int64) -> Int? {
    if isWide { return wide.firstIndex(of: id) }
    return UInt32(exactly: id).flatMap { narrow.firstIndex(of: $0) }
  }

  private mutating func widen() {
    guard !isWide else { return }
    isWide = true
    for index in 0..<narrow.count { wide.append(Int64(narrow[index])) }
    narrow = Blocks()
  }
}

/// A vector that grows without moving its elements, so that growing needs no second copy.
private struct Blocks<Element: Equatable & Sendable>: Sendable {
  private static var size: Int { 1 << 16 }

  private var blocks: [ContiguousArray<Element>] = []
  private(set) var count = 0

  subscript(index: Int) -> Element {
    blocks[index / Self.size][index % Self.size]
  }

  mutating func append(_ element: Element) {
    if count % Self.size == 0 {
      blocks.append([])
      // The first block grows by doubling, because most sets are small.
      if count > 0 { blocks[blocks.count - 1].reserveCapacity(Self.size) }
    }
    blocks[blocks.count - 1].append(element)
    count += 1
  }

  func firstIndex(of element: Element) -> Int? {
    for (number, block) in blocks.enumerated() {
      if let index = block.firstIndex(of: element) { return number * Self.size + index }
    }
    return nil
  }
}
