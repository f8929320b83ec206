internal import QuarryEngine

/// A summary of the values of a column, in memory that does not grow with the number of rows.
struct ColumnSummary: Sendable {
  private(set) var nulls = 0
  private(set) var numbers: NumberSummary
  private(set) var texts: TextSummary
  private(set) var blobs = BlobSummary()
  private(set) var table: FrequencyTable
  private(set) var distinct: HyperLogLog?
  private let limits: SummaryLimits
  private let hash = ByteHash.own
  /// The order that distinguishes texts.
  let order: ByteOrder

  /// - Parameters:
  ///   - order: The order that distinguishes texts.
  ///   - endOrder: The order of the minimum and maximum text; nil for the same order.
  init(_ limits: SummaryLimits, _ order: ByteOrder = .bytes, ends endOrder: ByteOrder? = nil, dates hint: DateHint) {
    (self.limits, self.order) = (limits, order)
    texts = TextSummary(endOrder ?? order)
    table = FrequencyTable(limit: limits.tableSize)
    numbers = NumberSummary(hint)
  }

  /// Adds a value; returns its hash if the table of frequent values does not contain it.
  @inline(__always)
  mutating func add(_ value: BorrowedValue) -> UInt64? {
    switch value {
    case .null:
      nulls &+= 1
      return nil
    case .integer(let integer):
      numbers.add(integer)
      let hash = hash.hash(UInt64(bitPattern: integer))
      let isCounted = table.count(hash) { $0.entry(hash, .integer, bits: UInt64(bitPattern: integer)) }
      return isCounted ? nil : addRare(hash)
    case .real(let real):
      numbers.add(real)
      let hash = hash.hash(number: real)
      let isCounted = table.count(hash) { $0.entry(hash, .real, bits: real.bitPattern) }
      return isCounted ? nil : addRare(hash)
    case .text(let bytes):
      texts.add(bytes)
      let hash = order.hash(bytes)
      let isCounted = table.count(hash) { $0.entry(hash, .text, bytes) }
      return isCounted ? nil : addRare(hash)
    case .blob(let bytes):
      blobs.add(bytes)
      // The same bytes as a text are another value.
      let hash = ~hash.hash(bytes)
      let isCounted = table.count(hash) { $0.entry(hash, .blob, bytes) }
      return isCounted ? nil : addRare(hash)
    }
  }

  @inline(__always)
  private mutating func addRare(_ hash: UInt64) -> UInt64 {
    if distinct == nil { distinct = HyperLogLog(precision: limits.precision) }
    distinct?.add(hash)
    return hash
  }

  mutating func merge(_ other: ColumnSummary) {
    nulls += other.nulls
    numbers.merge(other.numbers)
    texts.merge(other.texts)
    blobs.merge(other.blobs)
    table.merge(other.table)
    if let theirs = other.distinct {
      if distinct == nil { distinct = theirs } else { distinct?.merge(theirs) }
    }
  }

  var rows: Int { nulls + numbers.count + texts.count + blobs.count }

  /// The number of distinct values.
  var cardinality: Cardinality {
    guard var sketch = distinct else { return .exact(table.entries.count) }
    for entry in table.entries { sketch.add(entry.hash) }
    let estimate = Int(sketch.estimate.rounded())
    return .estimated(min(max(estimate, table.entries.count + 1), rows - nulls), error: sketch.error)
  }

  /// Returns the most frequent values: see ``FrequencyTable/top(_:nulls:in:)``.
  func top(_ limit: Int, nulls: Int) -> [ValueCount] { table.top(limit, nulls: nulls, in: order) }

  /// Whether the table contains all values, so that results from it are exact.
  var isTableComplete: Bool { !table.isFull }
}

/// The limits on the memory of each column, so that many columns need no more memory than a few.
struct SummaryLimits: Hashable, Sendable {
  /// The number of distinct values counted exactly.
  var tableSize: Int
  /// The number of bits of an estimate's register index.
  var precision: Int

  init(columns: Int) {
    switch columns {
    case ...64: (tableSize, precision) = (4096, 14)
    case ...256: (tableSize, precision) = (1024, 12)
    default: (tableSize, precision) = (256, 10)
    }
  }
}

extension ByteHash {
  /// Returns the hash of a number; a real that is a whole number has the hash of the integer.
  @inline(__always)
  func hash(number real: Double) -> UInt64 {
    if let integer = Int64(exactly: real) { return hash(UInt64(bitPattern: integer)) }
    return hash(real.bitPattern ^ 0x9E37_79B9_7F4A_7C15)
  }
}

/// A summary of the texts of a column.
struct TextSummary: Sendable {
  private(set) var count = 0
  private(set) var empty = 0
  private(set) var numbers = 0
  private(set) var blanks = 0
  private(set) var malformed = 0
  private(set) var ends: ByteEnds
  private(set) var lengths: ClosedRange<Int>?
  private(set) var dates = DateHistogram()
  /// The numbers of dates without a time, with a time after a space, and with a time after T.
  private(set) var forms = SIMD4<Int>(repeating: 0)
  /// The numbers of texts that are days with the year last, separated by periods and by slashes; they are only reported.
  private(set) var yearLast = SIMD2<Int>(repeating: 0)

  init(_ order: ByteOrder) {
    ends = ByteEnds(order)
  }

  @inline(__always)
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    count &+= 1
    ends.add(bytes)
    let (length, isPlain) = TextTraits.length(of: bytes)
    if let known = lengths, known.contains(length) {} else { widen(length) }
    if bytes.isEmpty {
      empty &+= 1
      return
    }
    if TextTraits.hasBlanks(bytes) { blanks &+= 1 }
    if let (milliseconds, form) = DateBytes.read(bytes) {
      addDate(milliseconds, form)
    } else if TextTraits.isNumber(bytes) {
      numbers &+= 1
    } else if let separator = DateBytes.separatorOfYearLast(bytes) {
      yearLast[separator == UInt8(ascii: ".") ? 0 : 1] &+= 1
    }
    if !isPlain, UTF8Validation.firstFault(in: bytes) != nil { malformed &+= 1 }
  }

  private mutating func widen(_ length: Int) {
    lengths = lengths.map { min($0.lowerBound, length)...max($0.upperBound, length) } ?? length...length
  }

  @inline(__always)
  private mutating func addDate(_ milliseconds: Int, _ form: DateBytes.Form) {
    forms[form.separator == nil ? 0 : form.separator == UInt8(ascii: "T") ? 2 : 1] &+= 1
    dates.add(milliseconds)
  }

  mutating func merge(_ other: TextSummary) {
    count += other.count
    empty += other.empty
    numbers += other.numbers
    blanks += other.blanks
    malformed += other.malformed
    ends.merge(other.ends)
    if let lengths = other.lengths {
      widen(lengths.lowerBound)
      widen(lengths.upperBound)
    }
    dates.merge(other.dates)
    forms &+= other.forms
    yearLast &+= other.yearLast
  }

  /// The number of texts that are dates.
  var dateCount: Int { forms.wrappedSum() }
  /// Whether nearly all texts are dates.
  var areDates: Bool { count > empty && dateCount * 10 >= (count - empty) * 9 }
  /// The separator between a day and a time.
  var separator: Character { forms[2] > 0 ? "T" : " " }
  /// The formats of the dates, with an example of each.
  var formExamples: [String] {
    let yearFirst = [nil, UInt8(ascii: " "), UInt8(ascii: "T")].enumerated().filter { forms[$0.offset] > 0 }
    let others = ["01.05.2024", "01/05/2024"].enumerated().filter { yearLast[$0.offset] > 0 }
    return yearFirst.map { DateBytes.Form(separator: $0.element).example } + others.map(\.element)
  }
}

/// A summary of the blobs of a column.
struct BlobSummary: Sendable {
  private(set) var count = 0
  private(set) var empty = 0
  private(set) var ends = ByteEnds()
  private(set) var lengths: ClosedRange<Int>?

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    count &+= 1
    if bytes.isEmpty { empty &+= 1 }
    ends.add(bytes)
    lengths = lengths.map { min($0.lowerBound, bytes.count)...max($0.upperBound, bytes.count) } ?? bytes.count...bytes.count
  }

  mutating func merge(_ other: BlobSummary) {
    count += other.count
    empty += other.empty
    ends.merge(other.ends)
    if let theirs = other.lengths {
      lengths = lengths.map { min($0.lowerBound, theirs.lowerBound)...max($0.upperBound, theirs.upperBound) } ?? theirs
    }
  }
}
