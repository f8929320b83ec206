package import QuarryEngine

/// The known numbers of a set's rows, each with the state of the file in which it was found.
package struct RowNumbers: Sendable {
  /// The last exact count, and the state as seen by the background connection.
  package private(set) var count: (rows: Int, state: DataState)?
  private(set) var anchors: (made: Anchors, state: DataState)?

  package init() {}

  /// One state, as seen by each of the two connections.
  private var link: (foreground: DataState, background: DataState)?
  /// The numbers of the first and last rows of pages, counted from a known row, for one state of the foreground connection.
  private var walked: (numbers: [RowKey: Int], state: DataState) = ([:], .unknown)

  /// The maximum number of rows whose numbers are stored.
  private static let walkedLimit = 256

  package mutating func set(count: Int, in state: DataState) {
    self.count = (count, state)
  }

  package mutating func set(anchors: Anchors, in state: DataState) {
    self.anchors = (anchors, state)
  }

  package mutating func link(foreground: DataState, background: DataState) {
    link = (foreground, background)
  }

  /// Whether some anchors of the counted state are missing.
  var wantsAnchors: Bool {
    guard let count else { return false }
    return !(anchors.map { $0.state == count.state && $0.made.isComplete } ?? false)
  }

  /// Returns the count if it was made in this state of the background connection.
  func count(in background: DataState) -> Int? {
    count.flatMap { $0.state == background ? $0.rows : nil }
  }

  /// Returns the anchors to extend in this state of the background connection.
  func anchorsToExtend(in background: DataState) -> Anchors {
    anchors.flatMap { $0.state == background ? $0.made : nil } ?? Anchors()
  }

  /// Returns the count if the foreground connection still reads the state in which it was made.
  package func exactCount(in foreground: DataState) -> Int? {
    count.flatMap { isSame(foreground, $0.state) ? $0.rows : nil }
  }

  /// Returns the anchors made so far if the foreground connection still reads the state in which they were made.
  package func exactAnchors(in foreground: DataState) -> Anchors? {
    anchors.flatMap { isSame(foreground, $0.state) ? $0.made : nil }
  }

  private func isSame(_ foreground: DataState, _ background: DataState) -> Bool {
    link.map { $0.foreground == foreground && $0.background == background } ?? false
  }

  /// Returns the number of a row that was the first or last of a page.
  package func walkedNumber(of key: RowKey, in foreground: DataState) -> Int? {
    walked.state == foreground ? walked.numbers[key] : nil
  }

  /// Records the numbers of a page's first and last row.
  package mutating func walk(_ page: RowPage, in foreground: DataState) {
    guard case .exact(let first)? = page.firstNumber, let head = page.rows.first, let tail = page.rows.last else { return }
    if walked.state != foreground || walked.numbers.count >= Self.walkedLimit {
      walked = ([:], foreground)
    }
    walked.numbers[head.key] = first
    walked.numbers[tail.key] = first + page.rows.count - 1
  }
}

/// The positions of every thousandth row of an order, so that any row is at most a thousand steps from one of them.
package struct Anchors: Hashable, Sendable {
  package static let stride = 1000

  /// The positions of the rows 0, 1000, 2000 and so on.
  private(set) var places: [[DatabaseValue]] = []
  /// The number of rows passed.
  package private(set) var rowCount = 0
  /// Whether all rows have been passed.
  package var isComplete = false

  package init() {}

  /// Goes back to the last recorded position and returns it, to continue from there.
  package mutating func resume() -> [DatabaseValue]? {
    rowCount = max(0, places.count - 1) * Self.stride
    return places.last
  }

  /// Counts one more row; `place` is evaluated only for rows whose position is recorded.
  mutating func pass(_ place: @autoclosure () throws -> [DatabaseValue]) rethrows {
    if rowCount == places.count * Self.stride {
      try places.append(place())
    }
    rowCount += 1
  }

  /// Adds the positions of every thousandth row after those passed.
  ///
  /// - Parameter places: The positions of the rows 0, 1000, 2000 and so on, counted from the one where ``resume()`` continues.
  package mutating func add(_ places: [[DatabaseValue]], rowCount: Int) {
    self.places = self.places.dropLast() + places
    self.rowCount += rowCount
  }

  /// Returns the anchor at or before the row with this number.
  package func before(_ number: Int) -> (number: Int, place: [DatabaseValue])? {
    guard !places.isEmpty else { return nil }
    let index = min(max(0, number) / Self.stride, places.count - 1)
    return (index * Self.stride, places[index])
  }

  /// Returns the last anchor for which `precedes` is true, by binary search.
  package func last(where precedes: ([DatabaseValue]) throws -> Bool) rethrows -> (number: Int, place: [DatabaseValue])? {
    let next = try places.partitionIndex { try !precedes($0) }
    return next == 0 ? nil : ((next - 1) * Self.stride, places[next - 1])
  }
}

/// The minimum and maximum rowid of a table, from which a row's number can be estimated.
package struct RowIDBounds: Hashable, Sendable {
  package var least: Int64
  package var greatest: Int64

  package init(least: Int64, greatest: Int64) {
    (self.least, self.greatest) = (least, greatest)
  }

  /// The number of rows if there are no gaps; nil if a file cannot contain so many.
  package var span: Int? {
    let (difference, overflows) = greatest.subtractingReportingOverflow(least)
    return overflows || difference >= Self.plausibleSpan ? nil : Int(difference) + 1
  }

  /// The span from which rowids are assumed not to be a numbering of rows.
  private static let plausibleSpan: Int64 = 1 << 40

  /// Returns whether there are no gaps, so that each rowid determines its row's number.
  package func isDense(count: Int?) -> Bool {
    count != nil && span == count
  }

  /// Estimates the number of the row with this rowid, of `count` rows.
  package func number(of id: Int64, count: Int) -> Int {
    if let span, span <= count { return Int(clamping: id.subtractingReportingOverflow(least).partialValue) }
    let part = (Double(id) - Double(least)) / max(1, Double(greatest) - Double(least))
    return Int((min(max(part, 0), 1) * Double(max(0, count - 1))).rounded())
  }

  /// Estimates the rowid of the row with this number, of `count` rows.
  package func rowID(of number: Int, count: Int) -> Int64 {
    if let span, span <= count { return least + Int64(min(max(number, 0), span - 1)) }
    let part = Double(number) / Double(max(1, count - 1))
    let guess = Double(least) + min(max(part, 0), 1) * (Double(greatest) - Double(least))
    return Int64(exactly: guess.rounded(.down)).map { min(max($0, least), greatest) } ?? greatest
  }
}
