internal import QuarryEngine

/// The combined results of a profile's columns.
struct ProfileResult: InsightResult {
  private let columns: [RowSetColumn]
  private let empty: [ColumnSummary]
  private let schema: TableSchema?
  private let isExact: Bool
  /// The minima and maxima provided by indexes, until all rows have been read.
  var ends = IndexEnds()
  private let store: RunStore
  /// The latest results of each thread.
  private var snapshots: [[ColumnSummary]] = []
  private var rare: [CountedRuns] = []

  /// The maximum number of columns that several threads summarize, because each thread needs memory for all columns.
  private static let sharedLimit = 400

  /// - Parameters:
  ///   - orders: The order in which min() and max() compare the texts of each column.
  ///   - store: The storage for exactly counted values.
  init(_ columns: [RowSetColumn], _ orders: [ByteOrder], _ schema: TableSchema?, isExact: Bool, in store: RunStore) {
    (self.columns, self.schema, self.isExact, self.store) = (columns, schema, isExact, store)
    let limits = SummaryLimits(columns: columns.count)
    empty = zip(columns, orders).map { column, order in
      let binary = ByteOrder(collation: .binary, utf16: order.utf16)
      return ColumnSummary(limits, binary, ends: order, dates: DateHint(name: column.name, declaredType: column.declaredType))
    }
  }

  var isShared: Bool { columns.count <= Self.sharedLimit }

  mutating func makeVisitor() -> ProfileVisitor {
    snapshots.append(empty)
    return ProfileVisitor(index: snapshots.count - 1, summaries: empty, isExact: isExact, in: store)
  }

  /// The results of one thread.
  struct Found: Sendable {
    var index: Int
    var summaries: [ColumnSummary]
    /// At the end, the values of each column that its summary does not count separately.
    var rare: [CountedRuns]
  }

  static func found(by visitor: ProfileVisitor, isLast: Bool) throws -> Found {
    Found(index: visitor.index, summaries: visitor.summaries, rare: isLast ? try visitor.drainRare() : [])
  }

  mutating func take(_ found: Found) {
    snapshots[found.index] = found.summaries
    if rare.isEmpty { rare = found.rare.map { _ in CountedRuns() } }
    for index in found.rare.indices { rare[index].join(found.rare[index]) }
  }

  /// Returns whether all values of a column are unique.
  private func isUnique(_ index: Int) -> Bool { schema?.isUnique(columns[index].name, .binary) ?? false }

  private func summary(of index: Int) -> ColumnSummary? {
    guard var summary = snapshots.first?[index] else { return nil }
    for other in snapshots.dropFirst() { summary.merge(other[index]) }
    return summary
  }

  func report(_ progress: RowProgress) throws -> TableProfile {
    let profiles = columns.indices.map { index in
      var profile = ColumnProfile(name: columns[index].name, declaredType: columns[index].declaredType)
      guard let summary = summary(of: index) else { return profile }
      profile.set(summary)
      if isUnique(index) { profile.setUnique(summary.numbers) }
      if let ends = ends.ends[profile.name] { (profile.min, profile.max) = ends }
      profile.addRepeatedKey(summary, schema)
      return profile
    }
    return TableProfile(rows: profiles.first?.rows ?? 0, columns: profiles, isComplete: false, progress: progress)
  }

  static func updated(_ report: TableProfile, _ progress: RowProgress) -> TableProfile {
    var report = report
    report.progress = progress
    return report
  }

  /// The number of columns.
  var count: Int { columns.count }

  /// Returns and releases the values of a column that remain to be counted: its numbers, and the hashes of its texts and blobs.
  ///
  /// Returns nil if none remain, or if they are unique integers without gaps.
  mutating func takeRare(_ index: Int) throws -> (numbers: NumberSegment, hashes: [HashRun])? {
    guard rare.indices.contains(index), let summary = summary(of: index), !summary.isTableComplete else { return nil }
    defer { rare[index] = CountedRuns() }
    if isUnique(index), summary.numbers.count == 0 || summary.numbers.areConsecutive { return nil }
    let (integers, reals, hashes) = try summary.table.runs(in: store)
    return (
      NumberSegment(integers: rare[index].integers + integers, reals: rare[index].reals + reals),
      rare[index].hashes + hashes
    )
  }
}

extension FrequencyTable {
  /// Returns the values counted by the table as runs: integers, reals, and the hashes of texts and blobs.
  fileprivate func runs(in store: RunStore) throws -> (integers: [NumberRun], reals: [NumberRun], hashes: [HashRun]) {
    func runs(_ isWanted: (Kind) -> Bool, _ key: (Entry) -> UInt64) throws -> [NumberRun] {
      let counts = entries.filter { isWanted($0.kind) }.map { (key: key($0), count: $0.count) }.sorted { $0.key < $1.key }
      return counts.isEmpty ? [] : [try NumberRun(counts, in: store)]
    }
    let hashes = NumberBuffer(limit: entries.count + 1)
    for entry in entries where entry.kind == .text || entry.kind == .blob { _ = hashes.append(entry.hash) }
    return (
      try runs({ $0 == .integer }) { NumberKey.key(of: Int64(bitPattern: $0.bits)) },
      try runs({ $0 == .real }) { NumberKey.key(of: Double(bitPattern: $0.bits)) },
      try hashes.sealHashes(in: store).map { [$0] } ?? []
    )
  }
}

extension TableSchema {
  /// Returns whether a constraint or an index makes the values of a column unique with respect to a collation.
  func isUnique(_ name: String, _ collation: TextCollation) -> Bool {
    if column(named: name)?.isRowID == true { return true }
    return indexes.contains { index in
      // Values that differ with another collation may be equal with this one, but values that differ are never equal by their bytes.
      index.isUnique && !index.isPartial && index.terms.count == 1 && index.terms[0].column?.isSameIdentifier(as: name) == true
        && (collation == .binary || TextCollation(named: index.terms[0].collation) == collation)
    }
  }
}

extension ColumnProfile {
  /// The maximum number of ranges of a histogram, and of most frequent values.
  private static let histogramLimit = 8
  private static let topLimit = 8

  fileprivate mutating func set(_ summary: ColumnSummary) {
    let (numbers, texts, blobs) = (summary.numbers, summary.texts, summary.blobs)
    (rows, nulls, integers, reals) = (summary.rows, summary.nulls, numbers.integers, numbers.reals)
    (self.texts, self.blobs, empty) = (texts.count, blobs.count, texts.empty + blobs.empty)
    distinct = summary.cardinality
    setEnds(summary)
    mean = numbers.mean
    setQuartiles(summary)
    let lengths = [texts.lengths, blobs.lengths].compactMap(\.self)
    minLength = lengths.map(\.lowerBound).min()
    maxLength = lengths.map(\.upperBound).max()
    dates = summary.dates
    histogram = summary.bins(limit: Self.histogramLimit)
    top = summary.top(Self.topLimit, nulls: 0)
    isTopExact = summary.isTableComplete
    remarks = summary.remarks
  }

  private mutating func setEnds(_ summary: ColumnSummary) {
    let (numbers, texts, blobs) = (summary.numbers.ends, summary.texts.ends.ends, summary.blobs.ends.ends)
    min = numbers?.least ?? texts.map { .text(beginning: $0.least) } ?? blobs.map { .blob($0.least) } ?? .null
    max = blobs.map { .blob($0.greatest) } ?? texts.map { .text(beginning: $0.greatest) } ?? numbers?.greatest ?? .null
  }

  private mutating func setQuartiles(_ summary: ColumnSummary) {
    let numbers = summary.numbers
    guard numbers.count > 0 else { return }
    let ranks = [1, 2, 3].map { (numbers.count * $0 + 3) / 4 }
    let known = summary.isTableComplete ? summary.table.numbers : []
    let quartiles = ranks.map { rank -> Quartile? in
      guard summary.isTableComplete else { return numbers.quartile(atRank: rank) }
      var left = rank
      return known.first { number in
        left -= number.count
        return left <= 0
      }.map { Quartile($0.value) }
    }
    (p25, p50, p75) = (quartiles[0], quartiles[1], quartiles[2])
  }

  /// Sets the properties of a column whose values are unique.
  fileprivate mutating func setUnique(_ numbers: NumberSummary) {
    distinct = .exact(rows - nulls)
    guard numbers.areConsecutive else { return }
    let quartiles = [1, 2, 3].map { Quartile(.integer(numbers.leastInteger + Int64((numbers.count * $0 + 3) / 4 - 1))) }
    (p25, p50, p75) = (quartiles[0], quartiles[1], quartiles[2])
  }

  /// Sets the exact counts.
  mutating func setExact(numbers: DistinctCounting, others: HashCounting) {
    distinct = .exact(numbers.distinct + others.distinct)
    let total = integers + reals
    guard total > 0 else { return }
    let quartiles = [1, 2, 3].map { numbers.value(atRank: (total * $0 + 3) / 4).map { Quartile($0) } }
    (p25, p50, p75) = (quartiles[0], quartiles[1], quartiles[2])
  }

  /// Adds the remark about a column that is named like a key but has repeated values, if the number is known.
  fileprivate mutating func addRepeatedKey(_ summary: ColumnSummary, _ schema: TableSchema?) {
    let table = schema?.entry.reference.name ?? ""
    let names = [table] + (table.hasSuffix("s") ? [String(table.dropLast())] : [])
    let keys = ["id", "uuid", "guid"] + names.flatMap { ["\($0)id", "\($0)_id"] }
    guard summary.isTableComplete, keys.contains(where: { $0.isSameIdentifier(as: name) }) else { return }
    let repeated = summary.table.entries.filter { $0.count > 1 }.reduce(0) { $0 + $1.count }
    if repeated + nulls > 0 { remarks.append(.repeatedKey(rows: repeated + nulls)) }
  }
}

extension DatabaseValue {
  /// Creates a value from the stored beginning of a text; a blob of its bytes if it is not valid UTF-8.
  static func text(beginning bytes: [UInt8]) -> DatabaseValue {
    bytes.withUnsafeBytes { CountedValue(beginning: $0).value } ?? .blob(bytes)
  }
}

extension ColumnSummary {
  /// The storage format of the column's dates; nil if its values are not dates.
  var dates: DateStorage? {
    if texts.count > 0 { return texts.areDates && numbers.count == 0 ? .text : nil }
    return numbers.storage
  }

  /// Returns at most `limit` ranges of numbers or dates; none if there are no such values.
  func bins(limit: Int) -> [ValueCount] {
    dates == .text ? texts.dates.bins(limit: limit, in: .text, separator: texts.separator) : numbers.bins(limit: limit)
  }

  /// Remarks on suspicious data.
  fileprivate var remarks: [ColumnRemark] {
    var remarks: [ColumnRemark] = []
    let written = texts.count - texts.empty
    if texts.numbers > 0, numbers.count > 0 || texts.numbers * 10 >= written * 9 { remarks.append(.numbersAsText(texts.numbers)) }
    let forms = texts.formExamples + (texts.dateCount > 0 ? numbers.storage.map { [$0.phrase] } ?? [] : [])
    if forms.count > 1 { remarks.append(.dateForms(forms)) }
    if texts.blanks > 0 { remarks.append(.blanks(texts.blanks)) }
    if texts.malformed > 0 { remarks.append(.malformedTexts(texts.malformed)) }
    if numbers.infinities > 0 { remarks.append(.infinities(numbers.infinities)) }
    return remarks
  }
}
