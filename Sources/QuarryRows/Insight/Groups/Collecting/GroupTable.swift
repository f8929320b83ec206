internal import QuarryEngine

/// The groups found by one thread, with the values of their aggregates.
final class GroupTable: @unchecked Sendable {
  // Sendable because one thread at a time uses it.
  private let collection: GroupCollection
  @exclusivity(unchecked) private var keys = KeyTable()
  /// For each group, the levels whose integer represents a real.
  private let wholeReals = GrowingBuffer<UInt64>()
  @exclusivity(unchecked) private var cells: GroupCells
  @exclusivity(unchecked) private var batch: GroupBatch
  private let slotCount: Int

  /// The maximum memory of the groups of one thread, in bytes; more groups are left to SQLite, which uses a temporary file.
  private static let mostMemory = 256 << 20

  init(_ collection: GroupCollection) {
    self.collection = collection
    slotCount = collection.slotCount
    cells = GroupCells(collection.values)
    batch = GroupBatch(operandCount: collection.expressions.count - collection.operandStart)
    if collection.levels.isEmpty { _ = keys.number(of: UnsafeRawBufferPointer(start: nil, count: 0)) }
    wholeReals.grow(to: keys.count)
    cells.grow(to: keys.count * slotCount)
  }

  /// The number of groups.
  var count: Int { keys.count }

  /// Adds the values of a row to the group with a key; some time later, together with other rows.
  ///
  /// - Parameters:
  ///   - slot: The column of the pivot, 0 without a pivot; nil if the value across has no column.
  /// - Throws: ``UncollectableGroups`` if the memory is full, or the sum of a text or blob is needed.
  @inline(__always)
  func add(_ operands: UnsafeBufferPointer<BorrowedValue>, to key: borrowing GroupKey, slot: Int?) throws {
    if batch.append(operands, key, slot: slot) {
      if batch.isFull { try finish() }
    } else {
      // Values of other kinds may be used only now.
      try finish()
      try addNow(operands, to: key.bytes, wholeReals: key.wholeReals, slot: slot)
    }
  }

  /// Adds the rows that were put off.
  ///
  /// - Throws: ``UncollectableGroups`` if the memory is full.
  func finish() throws {
    batch.find(in: keys, cells, slotCount)
    for index in 0..<batch.count {
      let row = batch[index]
      if let group = row.group {
        if let slot = row.slot { try cells.add(batch.operands(of: index), to: group &* slotCount &+ slot) }
      } else {
        try row.key.withBytes { try addNow(batch.operands(of: index), to: $0, wholeReals: row.wholeReals, slot: row.slot) }
      }
    }
    batch.clear()
  }

  private func addNow(
    _ operands: UnsafeBufferPointer<BorrowedValue>, to key: UnsafeRawBufferPointer, wholeReals: UInt64, slot: Int?
  ) throws {
    let group = try number(of: key, wholeReals: wholeReals)
    if let slot { try cells.add(operands, to: group * slotCount + slot) }
  }

  /// Returns the number of a group, which is added if it is new.
  private func number(of key: UnsafeRawBufferPointer, wholeReals bits: UInt64) throws -> Int {
    let count = keys.count
    let group = keys.number(of: key)
    if group == count { try add(group, wholeReals: bits) }
    return group
  }

  private func add(_ group: Int, wholeReals bits: UInt64) throws {
    wholeReals.grow(to: group + 1)
    wholeReals[group] = bits
    cells.grow(to: (group + 1) * slotCount)
    if keys.size + cells.size > Self.mostMemory { throw UncollectableGroups() }
  }

  // MARK: Several threads

  /// Adds the groups of another thread.
  ///
  /// - Throws: ``UncollectableGroups`` if the memory is full.
  func merge(_ other: GroupTable) throws {
    for group in 0..<other.count { merge(other, group, into: try number(of: other.keys[group], wholeReals: other.wholeReals[group])) }
  }

  private func merge(_ other: GroupTable, _ group: Int, into own: Int) {
    for slot in 0..<slotCount { cells.merge(other.cells, cell: group * slotCount + slot, into: own * slotCount + slot) }
  }

  /// Returns the groups of several threads, those of the first one first.
  ///
  /// - Throws: ``UncollectableGroups`` if the memory is full.
  static func combining(_ tables: [GroupTable]) throws -> GroupTable {
    let combined = GroupTable(tables[0].collection)
    for table in tables { try combined.merge(table) }
    return combined
  }

  /// Adds the first groups to a list, and returns the listed groups with the values of the rows so far.
  ///
  /// Listed groups that these rows do not have are without values.
  ///
  /// - Throws: ``UncollectableGroups`` if the memory is full.
  func excerpt(extending list: GroupTable, upTo limit: Int) throws -> GroupTable {
    try finish()
    for group in 0..<min(count, limit) where list.count < limit { _ = try list.number(of: keys[group], wholeReals: wholeReals[group]) }
    let excerpt = GroupTable(collection)
    for group in 0..<list.count {
      let listed = try excerpt.number(of: list.keys[group], wholeReals: list.wholeReals[group])
      if let own = keys.known(list.keys[group]) { excerpt.merge(self, own, into: listed) }
    }
    return excerpt
  }

  /// Stores the groups: the levels, then the values of each aggregate, those of a pivot beside each other.
  ///
  /// - Throws: `DatabaseError`, also if a sum of integers overflows.
  func rows() throws -> ReturnedRows {
    let width = collection.levels.count + collection.values.count * slotCount
    return try ReturnedRows(width: width, names: collection.names, select: collection.select) { append in
      for group in 0..<count {
        var values = GroupKey.values(of: keys[group], wholeReals: wholeReals[group])
        for index in collection.values.indices {
          for slot in 0..<slotCount { values.append(try cells.value(index, of: group * slotCount + slot)) }
        }
        try append(values)
      }
    }
  }
}

/// A visitor that adds the rows read by one thread to their groups.
final class GroupVisitor: InsightVisitor {
  /// The groups so far.
  let table: GroupTable
  private let soFar: GroupsSoFar
  /// The number of the thread there.
  private let thread: Int
  private let levelCount: Int
  private let operandStart: Int
  private let slotCount: Int
  private let isPivot: Bool
  @exclusivity(unchecked) private var key = GroupKey()
  /// The values across, by which the column of a pivot is found.
  @exclusivity(unchecked) private var slots = KeyTable()

  init(_ collection: GroupCollection, contributingTo soFar: GroupsSoFar) {
    (self.soFar, thread) = (soFar, soFar.join())
    (levelCount, slotCount, isPivot) = (collection.levels.count, collection.slotCount, collection.across != nil)
    operandStart = collection.operandStart
    table = GroupTable(collection)
    super.init()
    for value in collection.slotValues {
      key.clear()
      value.withBorrowed { key.append($0, level: 0) }
      _ = slots.number(of: key.bytes)
    }
  }

  /// Whether the groups so far lack recent rows.
  override var isLaden: Bool { soFar.awaits(thread) }

  override func settle() throws { try soFar.take(table, after: visited, from: thread) }

  override func visit(_ row: BorrowedRow) throws {
    let values = try row.values()
    var slot: Int? = 0
    if isPivot {
      key.clear()
      key.append(values[levelCount], level: 0)
      slot = slots.known(key.bytes) ?? (slots.count < slotCount ? slots.count : nil)
    }
    key.clear()
    for level in 0..<levelCount { key.append(values[level], level: level) }
    try table.add(UnsafeBufferPointer(rebasing: values[operandStart...]), to: key, slot: slot)
    try passRow()
  }
}

extension StoredValue {
  /// Calls `body` with the value in SQLite's form.
  fileprivate func withBorrowed(_ body: (BorrowedValue) -> Void) {
    switch self {
    case .value(.null): body(.null)
    case .value(.integer(let integer)): body(.integer(integer))
    case .value(.real(let real)): body(.real(real))
    case .value(.text(let text)): Array(text.utf8).withUnsafeBytes { body(.text($0)) }
    case .value(.blob(let bytes)): bytes.withUnsafeBytes { body(.blob($0)) }
    case .rawText(let bytes): bytes.withUnsafeBytes { body(.text($0)) }
    }
  }
}
