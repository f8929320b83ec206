internal import QuarryEngine

/// A leaf page of a table's tree.
struct TableLeaf: Hashable, Sendable {
  /// A key between two leaves.
  enum Bound: Hashable, Sendable {
    /// The rowid with which the first leaf ends.
    case rowID(Int64)
    /// A row of a table without rowids, which is on neither leaf, with its key.
    case row([UInt8], key: [StoredValue])

    var key: [StoredValue] {
      switch self {
      case .rowID(let id): [.value(.integer(id))]
      case .row(_, let key): key
      }
    }

    static func haveSameKey(_ first: Bound?, _ second: Bound?) -> Bool {
      guard case .row(_, let key)? = first, case .row(_, let other)? = second else { return first == second }
      return key == other
    }
  }

  /// The number of the page in the file.
  var page: Int
  var isWithoutRowID = false
  /// The bound after which its rows begin, or nil for the first leaf.
  var after: Bound?
  /// The bound with which its rows end, or nil for the last leaf.
  var through: Bound?

  /// Whether another leaf contains the rows with the same keys.
  func hasSameRange(as other: TableLeaf) -> Bool { Bound.haveSameKey(after, other.after) && through == other.through }
}

/// A search for the leaf pages of a table by its interior pages.
///
/// See section 1.6 of <https://www.sqlite.org/fileformat2.html>. Nothing is assumed of a page: an unexpected one ends the search.
struct TableLeafSearch: Sendable {
  /// The root page of the table.
  let root: Int
  /// The key of the table, by which its rows are stored.
  let key: DiffKey
  let isWithoutRowID: Bool
  /// The key after which the rows of the leaves begin, or nil for all leaves.
  let start: TableLeaf.Bound?
  /// The maximum number of leaves.
  let limit: Int

  /// Returns the leaves in the order of their keys, or nil if a page of the tree is not as expected.
  func leaves(in pages: FilePages) -> [TableLeaf]? {
    var walk = TreeWalk(search: self, pages: pages)
    return walk.visitAll() ? walk.leaves : nil
  }
}

private struct TreeWalk {
  let search: TableLeafSearch
  let pages: FilePages
  private(set) var leaves: [TableLeaf] = []

  private static let maximumDepth = 20
  /// The maximum number of bytes of a row between two leaves.
  private static let maximumRowSize = 1 << 20
  /// The number of bytes before the places of the rows of an interior page.
  private static let headerSize = 12

  init(search: TableLeafSearch, pages: FilePages) {
    (self.search, self.pages) = (search, pages)
  }

  private var interior: UInt8 { search.isWithoutRowID ? 0x02 : 0x05 }

  mutating func visitAll() -> Bool {
    guard let depth else { return false }
    return visit(TableLeaf(page: search.root, isWithoutRowID: search.isWithoutRowID), levels: depth)
  }

  /// The number of interior pages above each leaf, or nil if the tree is too deep.
  private var depth: Int? {
    var page = search.root
    for depth in 0..<Self.maximumDepth {
      guard let bytes = pages.bytes(ofPage: page) else { return nil }
      guard bytes[0] == interior else { return depth }
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
    guard let bytes = pages.bytes(ofPage: part.page), bytes[0] == interior else { return false }
    let count = bytes.integer(2, at: 3)
    guard Self.headerSize + 2 * count <= pages.layout.usableSize else { return false }
    var child = part
    for index in 0...count where leaves.count < search.limit {
      guard let page = place(of: index, count, bytes), let end = bound(at: page + 4, index, count, part, bytes) else { return false }
      (child.page, child.through) = (bytes.integer(4, at: page), end)
      if let bound = end, !isInOrder(child.after, bound) { return false }
      let isWanted = search.start.map { start in end.map { isInOrder(start, $0) } ?? true } ?? true
      if isWanted, !visit(child, levels: levels - 1) { return false }
      child.after = end
    }
    return true
  }

  /// Returns the place of the number of a child, or nil if it is not on the page.
  private func place(of index: Int, _ count: Int, _ bytes: [UInt8]) -> Int? {
    if index == count { return 8 }
    let place = bytes.integer(2, at: Self.headerSize + 2 * index)
    return place >= Self.headerSize + 2 * count && place + 5 <= pages.layout.usableSize ? place : nil
  }

  /// Returns the bound after a child, which is that of the page for the last child, or nil if it is not as expected.
  private func bound(at place: Int, _ index: Int, _ count: Int, _ part: TableLeaf, _ bytes: [UInt8]) -> TableLeaf.Bound?? {
    if index == count { return .some(part.through) }
    let bound = bytes.withUnsafeBytes { search.isWithoutRowID ? rowBound($0, at: place) : rowIDBound($0, at: place) }
    guard let bound, part.through.map({ isInOrder(bound, $0) }) ?? true else { return nil }
    return .some(bound)
  }

  private func rowIDBound(_ bytes: UnsafeRawBufferPointer, at place: Int) -> TableLeaf.Bound? {
    VariableInteger.read(bytes, at: place, before: pages.layout.usableSize).map { .rowID($0.value) }
  }

  private func rowBound(_ bytes: UnsafeRawBufferPointer, at place: Int) -> TableLeaf.Bound? {
    let size = pages.layout.usableSize
    guard let (value, start) = VariableInteger.read(bytes, at: place, before: size), value > 0, value < Self.maximumRowSize else {
      return nil
    }
    let (length, greatest) = (Int(value), LeafContents.maximumLength(ofIndex: true, usableSize: size))
    let end = start + LeafContents.localLength(length, greatest, usableSize: size)
    guard end <= size else { return nil }
    var row = Array(bytes[start..<end])
    if length > greatest {
      guard let chain = LeafContents.chain(of: length, at: start, end, bytes, usableSize: size),
        let rest = LeafContents.bytes(of: [chain], in: pages)
      else { return nil }
      row += rest
    }
    return StoredRow.values(row, first: search.key.columns.count).map { .row(row, key: $0) }
  }

  private func isInOrder(_ first: TableLeaf.Bound?, _ second: TableLeaf.Bound) -> Bool {
    first.map { search.key.precedes($0, second) == true } ?? true
  }
}

extension DiffKey {
  /// Returns whether a bound comes before another one, or nil if both have the same key.
  func precedes(_ first: TableLeaf.Bound, _ second: TableLeaf.Bound) -> Bool? {
    if case .rowID(let id) = first, case .rowID(let other) = second { return id == other ? nil : id < other }
    return precedes(first.key[...], second.key[...])
  }
}

/// A row in a database file with texts in UTF-8.
///
/// See section 2 of <https://www.sqlite.org/fileformat2.html>.
enum StoredRow {
  /// Returns the first values of a row, or nil if it is not as expected.
  static func values(_ row: [UInt8], first count: Int) -> [StoredValue]? {
    row.withUnsafeBytes { bytes in
      guard let (size, start) = VariableInteger.read(bytes, at: 0, before: bytes.count), size <= bytes.count else { return nil }
      var (values, typePlace, place): ([StoredValue], Int, Int) = ([], start, Int(size))
      while values.count < count {
        guard let (type, next) = VariableInteger.read(bytes, at: typePlace, before: Int(size)), let length = length(type),
          length <= bytes.count - place, let value = value(type, UnsafeRawBufferPointer(rebasing: bytes[place..<place + length]))
        else { return nil }
        values.append(value)
        (typePlace, place) = (next, place + length)
      }
      return values
    }
  }

  /// Returns the number of bytes of a value of a serial type, or nil for a reserved type.
  @inline(__always)
  static func length(_ type: Int64) -> Int? {
    switch type {
    case 12...: Int((type - 12) / 2)
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    default: nil
    }
  }

  private static func value(_ type: Int64, _ bytes: UnsafeRawBufferPointer) -> StoredValue? {
    switch type {
    case 0: return .null
    case 8, 9: return .value(.integer(type - 8))
    case 1...6:
      let sign: Int64 = bytes[0] < 0x80 ? 0 : -1
      return .value(.integer(bytes.reduce(sign) { $0 << 8 | Int64($1) }))
    case 7:
      let real = Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
      return real.isNaN ? nil : .value(.real(real))
    default:
      if type % 2 == 0 { return .value(.blob(Array(bytes))) }
      return String(validating: bytes, as: UTF8.self).map { .value(.text($0)) } ?? .rawText(Array(bytes))
    }
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
