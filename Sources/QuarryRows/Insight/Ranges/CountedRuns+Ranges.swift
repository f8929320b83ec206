internal import QuarryEngine

extension CountedRuns {
  /// Returns the storage format of the column's dates; nil if there are none, or if other values prevail.
  func dates(_ hint: DateHint) -> DateStorage? {
    let textCount = texts.reduce(0) { $0 + $1.count }
    if textCount > 0 {
      let sample = dateSample
      return numbers == 0 && !sample.isEmpty && sample.count(where: { $0 != nil }) * 10 >= sample.count * 9 ? .text : nil
    }
    let numbers = NumberSegment(integers: integers, reals: reals)
    guard let ends = numbers.ends else { return nil }
    return hint.unit([ends.least] + sample(of: numbers) + [ends.greatest])
  }

  /// Returns a sample of numbers from the whole column.
  private func sample(of numbers: NumberSegment) -> [DatabaseValue] {
    Self.quarters(of: numbers.partCount).flatMap { (part: Int) -> [DatabaseValue] in
      let entries = numbers.entries(ofPart: part)
      return Self.quarters(of: entries.count).compactMap { entries.line(at: $0).value.value }
    }
  }

  /// Returns the distinct positions after one, two and three quarters of `count`.
  private static func quarters(of count: Int) -> [Int] {
    let places: [Int] = [count / 4, count * 2 / 4, count * 3 / 4]
    return Set(places).sorted().filter { $0 < count }
  }

  /// The formats of some texts; nil for a text that is not a date.
  private var dateSample: [DateBytes.Form?] {
    texts.flatMap { run in
      defer { run.release() }
      return stride(from: 0, to: run.count, by: max(1, run.count / 64)).map { DateBytes.read(run.value(at: $0).bytes)?.form }
    }
  }

  /// Returns numbers or dates in ranges, and all other values separately; nil if there is nothing to divide into ranges.
  func binnedSegments(_ dates: DateStorage?, limit: Int) -> [any CountedSegment]? {
    if dates == .text { return dateSegments(limit: limit) }
    let numbers = NumberSegment(integers: integers, reals: reals)
    guard let bins = numberBins(numbers, dates, limit: limit) else { return nil }
    return [nullSegment, LineSegment(lines: bins), ByteSegment(texts, isText: true), ByteSegment(blobs, isText: false)]
  }

  private func numberBins(_ numbers: NumberSegment, _ dates: DateStorage?, limit: Int) -> [ValueCount]? {
    guard let finite = finiteEnds(numbers), finite.least != finite.greatest else { return nil }
    let bounds =
      dates.flatMap { storage -> [DatabaseValue]? in
        guard
          let start = finite.least.number.flatMap(storage.milliseconds), let end = finite.greatest.number.flatMap(storage.milliseconds)
        else { return nil }
        return DateRanges.bounds(from: start, to: end, limit: limit, in: storage)
      } ?? NumberRanges.bounds(from: finite.least, to: finite.greatest, limit: limit)
    guard bounds.count > 1 else { return nil }
    let greatest = NumberBound(Double.infinity)
    let bins = [ValueCount].bins(bounds, greatest: finite.greatest) { start, end in
      numbers.count(from: NumberBound(start), to: end.flatMap { NumberBound($0) } ?? greatest)
    }.foldingEmptyRanges()
    let infinite = (
      below: numbers.count(from: nil, to: NumberBound(-Double.greatestFiniteMagnitude)), above: numbers.count(from: greatest, to: nil)
    )
    return (infinite.below > 0 ? [ValueCount(.value(.real(-.infinity)), infinite.below)] : []) + bins
      + (infinite.above > 0 ? [ValueCount(.value(.real(.infinity)), infinite.above)] : [])
  }

  /// Returns the minimum and maximum finite number; nil if there are none.
  private func finiteEnds(_ numbers: NumberSegment) -> (least: DatabaseValue, greatest: DatabaseValue)? {
    var known: (least: DatabaseValue, greatest: DatabaseValue)?
    // Infinities can only be the first and last numbers.
    for part in [0, numbers.partCount - 1] where part >= 0 && part < numbers.partCount {
      let entries = numbers.entries(ofPart: part)
      for index in 0..<entries.count {
        guard let value = entries.line(at: index).value.value, value.number?.isFinite == true else { continue }
        known = (known?.least ?? value, value)
      }
    }
    return known
  }

  private func dateSegments(limit: Int) -> [any CountedSegment]? {
    let texts = ByteSegment(texts, isText: true)
    guard let first = date(in: texts, parts: Array(0..<texts.partCount), isFirst: true),
      let last = date(in: texts, parts: (0..<texts.partCount).reversed(), isFirst: false), first.milliseconds < last.milliseconds
    else { return nil }
    let separator: Character = dateSample.contains { $0?.separator == UInt8(ascii: "T") } ? "T" : " "
    let bounds = DateRanges.bounds(from: first.milliseconds, to: last.milliseconds, limit: limit, in: .text, separator: separator)
    guard let start = bounds.first?.bytes, let end = bounds.last?.bytes, bounds.count > 1 else { return nil }
    let bins = [ValueCount].bins(bounds) { texts.count(from: $0.bytes, to: $1?.bytes) }.foldingEmptyRanges()
    return [
      nullSegment, NumberSegment(integers: integers, reals: reals), ByteSegment(self.texts, isText: true, to: start),
      LineSegment(lines: bins), ByteSegment(self.texts, isText: true, from: end), ByteSegment(blobs, isText: false),
    ]
  }

  /// Returns the first or the last date among sorted texts.
  private func date(in texts: ByteSegment, parts: [Int], isFirst: Bool) -> (milliseconds: Int, form: DateBytes.Form)? {
    for part in parts {
      guard case .texts(let values) = texts.entries(ofPart: part) else { return nil }
      let dates = values.lazy.compactMap { DateBytes.read($0.bytes) }
      if let date = isFirst ? dates.first : values.reversed().lazy.compactMap({ DateBytes.read($0.bytes) }).first { return date }
    }
    return nil
  }
}

extension DatabaseValue {
  /// The bytes of a text.
  fileprivate var bytes: [UInt8]? {
    if case .text(let text) = self { Array(text.utf8) } else { nil }
  }
}
