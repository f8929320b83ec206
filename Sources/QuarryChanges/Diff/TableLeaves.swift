internal import QuarryEngine

/// A leaf page of a table with rowids.
struct TableLeaf: Hashable, Sendable {
  /// The number of the page in the file.
  var page: Int
  /// The rowid after which its rows begin, or nil for the first leaf.
  var after: Int64?
  /// The greatest rowid that it may contain, or nil for the last leaf.
  var through: Int64?

  /// Whether another leaf contains the rows of the same rowids.
  func hasSameRange(as other: TableLeaf) -> Bool { after == other.after && through == other.through }
}

/// Finds the leaf pages of a table with rowids by its interior pages.
///
/// See section 1.6 of <https://www.sqlite.org/fileformat2.html>. Nothing is assumed of a page: an unexpected one ends the search.
struct TableLeafSearch {
  private let pages: FilePages
  /// The number of the leaves to find.
  private let limit: Int
  private let start: Int64?
  private(set) var leaves: [TableLeaf] = []

  private static let interior: UInt8 = 0x05
  private static let maximumDepth = 20

  /// Finds the leaves whose rows follow a rowid.
  ///
  /// - Parameters:
  ///   - root: The root page of the table.
  ///   - start: The rowid, or nil for all leaves.
  /// - Returns: Nil if a page of the tree is not as expected.
  static func leaves(of root: Int, after start: Int64?, limit: Int, in pages: FilePages) -> [TableLeaf]? {
    var search = TableLeafSearch(pages: pages, limit: limit, start: start)
    guard let depth = search.depth(of: root) else { return nil }
    return search.visit(TableLeaf(page: root), levels: depth) ? search.leaves : nil
  }

  private init(pages: FilePages, limit: Int, start: Int64?) {
    (self.pages, self.limit, self.start) = (pages, limit, start)
  }

  /// Returns the number of interior pages above each leaf, or nil if the tree is too deep.
  private func depth(of root: Int) -> Int? {
    var page = root
    for depth in 0..<Self.maximumDepth {
      guard let bytes = pages.bytes(ofPage: page) else { return nil }
      guard bytes[0] == Self.interior else { return depth }
      page = bytes.integer(4, at: 8)
    }
    return nil
  }

  /// Visits a page and those under it; returns false if a page is not as expected.
  private mutating func visit(_ part: TableLeaf, levels: Int) -> Bool {
    guard levels > 0 else {
      leaves.append(part)
      return true
    }
    guard let bytes = pages.bytes(ofPage: part.page), bytes[0] == Self.interior else { return false }
    let count = bytes.integer(2, at: 3)
    guard 12 + 2 * count <= pages.layout.usableSize else { return false }
    var after = part.after
    for index in 0...count where leaves.count < limit {
      guard let child = child(index, of: count, bytes, part, after: after) else { return false }
      after = child.through
      if let start, let end = child.through, end <= start { continue }
      guard visit(child, levels: levels - 1) else { return false }
    }
    return true
  }

  /// Returns a part of an interior page, or nil if its rowids are not in order.
  private func child(_ index: Int, of count: Int, _ bytes: [UInt8], _ part: TableLeaf, after: Int64?) -> TableLeaf? {
    guard index < count else { return TableLeaf(page: bytes.integer(4, at: 8), after: after, through: part.through) }
    let place = bytes.integer(2, at: 12 + 2 * index)
    guard place >= 12 + 2 * count, place + 5 <= pages.layout.usableSize else { return nil }
    let key = bytes.withUnsafeBytes { VariableInteger.read($0, at: place + 4, before: pages.layout.usableSize) }
    guard let (value, _) = key, after.map({ $0 < value }) ?? true, part.through.map({ value < $0 }) ?? true else { return nil }
    return TableLeaf(page: bytes.integer(4, at: place), after: after, through: value)
  }
}

/// An integer of 1 to 9 bytes in a database file.
enum VariableInteger {
  /// Reads an integer, and returns it with the place after it, or nil if it does not end before a place.
  @inline(__always)
  static func read(_ bytes: UnsafeRawBufferPointer, at start: Int, before end: Int) -> (value: Int64, end: Int)? {
    guard start < end else { return nil }
    let first = bytes[start]
    if first < 0x80 { return (Int64(first), start + 1) }
    return readLong(bytes, at: start, before: end)
  }

  private static func readLong(_ bytes: UnsafeRawBufferPointer, at start: Int, before end: Int) -> (value: Int64, end: Int)? {
    var value: UInt64 = 0
    for index in 0..<8 {
      guard start + index < end else { return nil }
      let byte = bytes[start + index]
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return (Int64(bitPattern: value), start + index + 1) }
    }
    guard start + 8 < end else { return nil }
    return (Int64(bitPattern: value << 8 | UInt64(bytes[start + 8])), start + 9)
  }
}

extension [UInt8] {
  /// Reads an integer whose first byte is the most significant.
  fileprivate func integer(_ length: Int, at place: Int) -> Int { self[place..<place + length].reduce(0) { $0 << 8 | Int($1) } }
}
