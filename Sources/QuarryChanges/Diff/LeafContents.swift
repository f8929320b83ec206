internal import Libc
internal import QuarryEngine

/// The bytes of leaf pages, with what a check of their rows has found.
struct LeafContents: Sendable {
  /// The rows of a leaf.
  struct Rows: Hashable, Sendable {
    var count: Int
    /// The first pages of the values that continue on other pages, with the number of bytes there.
    var chains: [Chain] = []
  }

  /// The part of a row on pages of its own.
  struct Chain: Hashable, Sendable {
    var page: Int
    var length: Int
  }

  private let pageSize: Int
  private let bytes: [UInt8]
  /// The rows of each leaf, or nil for a leaf that was not checked or is not as expected.
  private let rows: [Rows?]

  /// Reads leaf pages, or returns nil if the file does not contain them.
  ///
  /// - Parameter parity: The remainder of the places by 2 of the leaves whose rows are checked, so that each side checks half of them.
  init?(of leaves: [TableLeaf], checking parity: Int, in pages: FilePages) {
    let size = pages.layout.pageSize
    var isRead = true
    let bytes = [UInt8](unsafeUninitializedCapacity: leaves.count * size) { room, count in
      count = leaves.count * size
      isRead = Self.read(leaves, UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[..<count]), in: pages)
      if !isRead { count = 0 }
    }
    guard isRead else { return nil }
    rows = bytes.withUnsafeBytes { bytes in
      leaves.indices.map { index in
        guard index % 2 == parity else { return nil }
        let page = UnsafeRawBufferPointer(rebasing: bytes[index * size..<(index + 1) * size])
        return LeafRows(page, usableSize: pages.layout.usableSize).check(leaves[index])
      }
    }
    (self.bytes, pageSize) = (bytes, size)
  }

  /// Reads the pages, neighbours together.
  private static func read(_ leaves: [TableLeaf], _ room: UnsafeMutableRawBufferPointer, in pages: FilePages) -> Bool {
    var start = 0
    let size = pages.layout.pageSize
    while start < leaves.count {
      var end = start + 1
      while end < leaves.count, leaves[end].page == leaves[end - 1].page + 1 { end += 1 }
      let part = UnsafeMutableRawBufferPointer(rebasing: room[start * size..<end * size])
      guard pages.read(from: leaves[start].page, into: part) else { return false }
      start = end
    }
    return true
  }

  /// Returns the rows of a leaf that both sides have with the same bytes, or nil if they may differ.
  func sameRows(_ index: Int, as other: LeafContents) -> Rows? {
    guard let rows = rows[index] ?? other.rows[index], pageSize == other.pageSize else { return nil }
    let isSame = bytes.withUnsafeBytes { bytes in
      other.bytes.withUnsafeBytes { others in
        guard let first = bytes.baseAddress, let second = others.baseAddress else { return false }
        return memcmp(first + index * pageSize, second + index * pageSize, pageSize) == 0
      }
    }
    return isSame ? rows : nil
  }

  // MARK: Values on other pages

  /// Returns the number of bytes from which a row continues on other pages.
  static func maximumLength(ofIndex isIndex: Bool, usableSize: Int) -> Int {
    isIndex ? (usableSize - 12) * 64 / 255 - 23 : usableSize - 35
  }

  /// Returns the number of bytes of a row on its own page.
  ///
  /// - Parameter greatest: The result of ``maximumLength(ofIndex:usableSize:)``.
  @inline(__always)
  static func localLength(_ length: Int, _ greatest: Int, usableSize: Int) -> Int {
    if length <= greatest { return length }
    let least = (usableSize - 12) * 32 / 255 - 23
    let rounded = least + (length - least) % (usableSize - 4)
    return rounded <= greatest ? rounded : least
  }

  /// Returns the part of a row that follows its local part, or nil if the number of its first page is not on the page.
  static func chain(of length: Int, at place: Int, _ end: Int, _ page: UnsafeRawBufferPointer, usableSize: Int) -> Chain? {
    guard end + 4 <= usableSize else { return nil }
    return Chain(page: page[end..<end + 4].reduce(0) { $0 << 8 | Int($1) }, length: length - (end - place))
  }

  /// Reads the parts of rows on other pages, or returns nil if a page is not as expected.
  static func bytes(of chains: [Chain], in pages: FilePages) -> [UInt8]? {
    var bytes: [UInt8] = []
    for chain in chains {
      var (page, rest) = (chain.page, chain.length)
      while rest > 0 {
        guard let content = pages.bytes(ofPage: page) else { return nil }
        let part = min(rest, pages.layout.usableSize - 4)
        bytes += content[4..<4 + part]
        rest -= part
        page = content[..<4].reduce(0) { $0 << 8 | Int($1) }
      }
    }
    return bytes
  }
}

/// The check of the rows of a leaf page.
///
/// See sections 1.6 and 2 of <https://www.sqlite.org/fileformat2.html>.
private struct LeafRows {
  private let page: UnsafeRawBufferPointer
  private let usableSize: Int

  init(_ page: UnsafeRawBufferPointer, usableSize: Int) {
    (self.page, self.usableSize) = (page, usableSize)
  }

  /// Returns the rows, or nil if the page is not a leaf whose rows are complete and, in a table with rowids, in the expected range.
  func check(_ leaf: TableLeaf) -> LeafContents.Rows? {
    guard page[0] == (leaf.isWithoutRowID ? 0x0A : 0x0D) else { return nil }
    var rows = LeafContents.Rows(count: short(at: 3))
    let start = 8 + 2 * rows.count
    guard start <= usableSize else { return nil }
    let greatest = LeafContents.maximumLength(ofIndex: leaf.isWithoutRowID, usableSize: usableSize)
    var last = leaf.after?.rowID
    for index in 0..<rows.count {
      let place = short(at: 8 + 2 * index)
      guard place >= start, let (length, lengthEnd) = VariableInteger.read(page, at: place, before: usableSize) else { return nil }
      var content = lengthEnd
      if !leaf.isWithoutRowID {
        guard let (id, next) = VariableInteger.read(page, at: content, before: usableSize), last.map({ $0 < id }) ?? true else {
          return nil
        }
        (last, content) = (id, next)
      }
      guard let chain = check(length, at: content, greatest) else { return nil }
      if let chain { rows.chains.append(chain) }
    }
    if let last, let end = leaf.through?.rowID, last > end { return nil }
    return rows
  }

  /// Checks a row, and returns its part on other pages, or nil if the row is not as expected.
  @inline(__always)
  private func check(_ length: Int64, at place: Int, _ greatest: Int) -> LeafContents.Chain?? {
    guard length > 0, length <= Int64(Int32.max) else { return nil }
    let length = Int(length)
    let end = place + LeafContents.localLength(length, greatest, usableSize: usableSize)
    guard end <= usableSize, hasWholeValues(length, place, localEnd: end) else { return nil }
    return length <= greatest ? .some(nil) : LeafContents.chain(of: length, at: place, end, page, usableSize: usableSize)
  }

  /// Returns whether the header of a row lies on the page, and its values fill the row.
  @inline(__always)
  private func hasWholeValues(_ length: Int, _ start: Int, localEnd: Int) -> Bool {
    guard let (size, first) = VariableInteger.read(page, at: start, before: localEnd), size <= localEnd - start else { return false }
    let end = start + Int(size)
    var (place, rest) = (first, length - Int(size))
    while place < end {
      guard let (type, next) = VariableInteger.read(page, at: place, before: end), let count = StoredRow.length(type), count <= rest
      else { return false }
      rest -= count
      place = next
    }
    return place == end && rest == 0
  }

  @inline(__always)
  private func short(at place: Int) -> Int { Int(page[place]) << 8 | Int(page[place + 1]) }
}

extension TableLeaf.Bound {
  /// The rowid, or nil for a table without rowids.
  fileprivate var rowID: Int64? {
    guard case .rowID(let id) = self else { return nil }
    return id
  }
}
