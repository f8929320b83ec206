/// A histogram with cells narrower than a hundredth of the numbers in them, so that quantiles are nearly exact.
struct LogHistogram: Sendable {
  /// For the sign and exponent of numbers, one more than the index of a page, or 0.
  private var pages: [Int16] = []
  private var cells: [Int] = []
  private(set) var total = 0

  private static let pageSize = 128

  @inline(__always)
  mutating func add(_ number: Double) {
    add(cell: Int(truncatingIfNeeded: NumberKey.key(of: number) >> 45), 1)
  }

  @inline(__always)
  private mutating func add(cell: Int, _ count: Int) {
    if pages.isEmpty { pages = Array(repeating: 0, count: 4096) }
    let page = cell / Self.pageSize
    if pages[page] == 0 {
      cells += Array(repeating: 0, count: Self.pageSize)
      pages[page] = Int16(cells.count / Self.pageSize)
    }
    let place = (Int(pages[page]) - 1) * Self.pageSize + cell % Self.pageSize
    cells.withUnsafeMutableBufferPointer { $0[place] &+= count }
    total &+= count
  }

  mutating func merge(_ other: LogHistogram) {
    other.forEachCell { add(cell: $0, $1) }
  }

  private func forEachCell(_ body: (_ cell: Int, _ count: Int) -> Void) {
    for (page, place) in pages.enumerated() where place > 0 {
      let start = (Int(place) - 1) * Self.pageSize
      for index in 0..<Self.pageSize where cells[start + index] > 0 { body(page * Self.pageSize + index, cells[start + index]) }
    }
  }

  /// Returns the bounds of the number at a rank, from 1; nil if the rank is too high.
  func bounds(atRank rank: Int) -> ClosedRange<Double>? {
    var passed = 0
    var found: ClosedRange<Double>?
    forEachCell { cell, count in
      if found == nil, passed + count >= rank {
        let key = UInt64(cell) << 45
        let (low, high) = (NumberKey.real(of: key), NumberKey.real(of: key | (1 << 45 - 1)))
        // No numbers are beyond the infinities.
        found = (low.isNaN ? -.infinity : low)...(high.isNaN ? .infinity : high)
      }
      passed += count
    }
    return found
  }
}
