/// The least and the greatest rowid of a table, from which a row's number can be estimated.
struct RowIDBounds: Hashable, Sendable {
  var least: Int64
  var greatest: Int64

  /// The number of rows if there is no gap; nil where it is more than a file can hold.
  var span: Int? {
    let (difference, overflows) = greatest.subtractingReportingOverflow(least)
    return overflows || difference >= Self.plausibleSpan ? nil : Int(difference) + 1
  }

  /// The width from which on rowids are taken for something else than a numbering of rows.
  private static let plausibleSpan: Int64 = 1 << 40

  /// Returns whether there are no gaps, so that each rowid tells its row's number.
  func isDense(count: Int?) -> Bool {
    count != nil && span == count
  }

  /// Estimates the number of the row with this rowid, of `count` rows.
  func number(of id: Int64, count: Int) -> Int {
    if let span, span <= count { return Int(clamping: id.subtractingReportingOverflow(least).partialValue) }
    let part = (Double(id) - Double(least)) / max(1, Double(greatest) - Double(least))
    return Int((min(max(part, 0), 1) * Double(max(0, count - 1))).rounded())
  }

  /// Estimates the rowid of the row of this number, of `count` rows.
  func rowID(of number: Int, count: Int) -> Int64 {
    if let span, span <= count { return least + Int64(min(max(number, 0), span - 1)) }
    let part = Double(number) / Double(max(1, count - 1))
    let guess = Double(least) + min(max(part, 0), 1) * (Double(greatest) - Double(least))
    return Int64(exactly: guess.rounded(.down)).map { min(max($0, least), greatest) } ?? greatest
  }
}
