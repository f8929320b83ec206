internal import QuarryEngine

/// A visitor that collects the values of a column by storage class, in the rows read by one thread.
final class ValueCollector: InsightVisitor {
  @exclusivity(unchecked) private var nulls = 0
  private let integers = NumberBuffer()
  private let reals = NumberBuffer()
  private let texts: ByteTable
  private let blobs = ByteTable()
  private let store: RunStore
  @exclusivity(unchecked) private var runs = CountedRuns()

  /// - Parameter order: The order of texts.
  init(_ order: ByteOrder, _ store: RunStore) {
    texts = ByteTable(order)
    self.store = store
  }

  override func visit(_ row: BorrowedRow) throws {
    switch try row.value(at: 0, isTerminated: false) {
    case .null: nulls &+= 1
    case .integer(let integer): if integers.append(NumberKey.key(of: integer)) { try sealNumbers() }
    case .real(let real): if reals.append(NumberKey.key(of: real)) { try sealNumbers() }
    case .text(let bytes): if texts.count(bytes) { try sealBytes() }
    case .blob(let bytes): if blobs.count(bytes) { try sealBytes() }
    }
    try passRow()
  }

  override var isLaden: Bool { integers.isHalfFull || reals.isHalfFull || texts.isHalfFull || blobs.isHalfFull }

  override func settle() throws {
    guard !store.isFull else { return }
    try sealNumbers()
    try sealBytes()
  }

  private func sealNumbers() throws {
    if let run = try integers.seal(in: store) { runs.integers.append(run) }
    if let run = try reals.seal(in: store) { runs.reals.append(run) }
  }

  private func sealBytes() throws {
    if let run = try texts.seal(in: store) { runs.texts.append(run) }
    if let run = try blobs.seal(in: store) { runs.blobs.append(run) }
  }

  /// Returns the values collected since the last call, except those for which there was no space.
  func drain() throws -> CountedRuns {
    try settle()
    defer { (runs, nulls) = (CountedRuns(), 0) }
    runs.nulls = nulls
    return runs
  }
}

/// The values of a column, counted in runs.
struct CountedRuns: Sendable {
  var nulls = 0
  var integers: [NumberRun] = []
  var reals: [NumberRun] = []
  var texts: [ByteRun] = []
  var blobs: [ByteRun] = []
  /// Texts and blobs by their hashes, if the values themselves are not needed.
  var hashes: [HashRun] = []

  mutating func join(_ other: CountedRuns) {
    nulls += other.nulls
    integers += other.integers
    reals += other.reals
    texts += other.texts
    blobs += other.blobs
    hashes += other.hashes
  }

  /// The number of rows.
  var rows: Int {
    nulls + numbers + (texts + blobs).reduce(0) { $0 + $1.total }
  }

  /// The number of integers and reals.
  var numbers: Int { (integers + reals).reduce(0) { $0 + $1.total } }

  /// The distinct values in SQLite's order.
  var segments: [any CountedSegment] {
    [
      nullSegment, NumberSegment(integers: integers, reals: reals), ByteSegment(texts, isText: true), ByteSegment(blobs, isText: false),
    ]
  }

  var nullSegment: LineSegment { LineSegment(lines: nulls > 0 ? [ValueCount(.value(.null), nulls)] : []) }
}
