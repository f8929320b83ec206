internal import QuarryEngine

/// A visitor that summarizes the columns of the rows read by one thread.
final class ProfileVisitor: InsightVisitor {
  let index: Int
  @exclusivity(unchecked) fileprivate(set) var summaries: [ColumnSummary]
  /// The values that no summary counts separately, for exact counts; empty if exact counts are not needed.
  private let rare: [RareValues]
  /// The group of the last columns, after which the whole row has been visited.
  private let lastGroup: Int
  private let store: RunStore

  /// The number of values of one call of an SQL function, which accepts 127.
  static let groupSize = 100

  init(index: Int, summaries: [ColumnSummary], isExact: Bool, in store: RunStore) {
    self.index = index
    self.summaries = summaries
    self.store = store
    lastGroup = max(0, summaries.count - 1) / Self.groupSize
    let limit = min(1 << 17, max(512, (4 << 20) / max(1, summaries.count)))
    let room = SortBudget()
    rare = isExact ? summaries.map { _ in RareValues(limit: limit, room) } : []
  }

  override func visit(_ row: BorrowedRow) throws {
    let group = Int(truncatingIfNeeded: row.integer(at: 0))
    let first = group * Self.groupSize
    for (index, value) in try row.values().dropFirst().enumerated() {
      if let hash = summaries[first + index].add(value), !rare.isEmpty { try rare[first + index].add(value, hash, in: store) }
    }
    if group == lastGroup { try passRow() }
  }

  override var isLaden: Bool { rare.contains(where: \.isHalfFull) }

  override func settle() throws {
    guard !store.isFull else { return }
    for values in rare where values.isHalfFull { try values.seal(in: store) }
  }

  /// Returns the values of each column that its summary does not count separately.
  func drainRare() throws -> [CountedRuns] {
    try rare.map { try $0.drain(in: store) }
  }

  /// Returns the expressions after SELECT that visit the values of columns.
  static func calls(_ columns: [SQLText]) -> SQLText {
    stride(from: 0, to: columns.count, by: groupSize).map { start in
      RowVisitor.call(["\(raw: String(start / groupSize))"] + columns[start..<min(columns.count, start + groupSize)])
    }.joined(by: ", ")
  }
}

/// The values of a column beyond the limit of its summary: numbers, and the hashes of texts and blobs.
private final class RareValues {
  private let integers: NumberBuffer
  private let reals: NumberBuffer
  private let hashes: NumberBuffer
  private var runs = CountedRuns()

  init(limit: Int, _ room: SortBudget) {
    integers = NumberBuffer(limit: limit, room: room)
    reals = NumberBuffer(limit: limit, room: room)
    hashes = NumberBuffer(limit: limit, room: room)
  }

  @inline(__always)
  func add(_ value: BorrowedValue, _ hash: UInt64, in store: RunStore) throws {
    let isFull =
      switch value {
      case .null: false
      case .integer(let integer): integers.append(NumberKey.key(of: integer))
      case .real(let real): reals.append(NumberKey.key(of: real))
      case .text, .blob: hashes.append(hash)
      }
    if isFull { try seal(in: store) }
  }

  var isHalfFull: Bool { integers.isHalfFull || reals.isHalfFull || hashes.isHalfFull }

  func seal(in store: RunStore) throws {
    if let run = try integers.seal(in: store) { runs.integers.append(run) }
    if let run = try reals.seal(in: store) { runs.reals.append(run) }
    if let run = try hashes.sealHashes(in: store) { runs.hashes.append(run) }
  }

  func drain(in store: RunStore) throws -> CountedRuns {
    if !store.isFull { try seal(in: store) }
    return runs
  }
}
