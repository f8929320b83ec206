public import QuarryEngine

/// The values that become the columns of a pivot.
public struct PivotValues: Hashable, Sendable {
  /// The most frequent values in their order; NULL is last if it occurs.
  public let values: [StoredValue]
  /// The number of other values, which share one column.
  public let otherCount: Int

  /// The maximum number of values that become columns, besides NULL.
  public static let most = 60

  /// Creates the columns of a pivot.
  public init(values: [StoredValue], otherCount: Int = 0) {
    self.values = values
    self.otherCount = otherCount
  }

  /// The number of columns for each aggregate.
  var columnCount: Int { values.count + (otherCount > 0 ? 1 : 0) }

  /// Returns a name for a column that no other column has.
  ///
  ///     Rock    Rock sum(Milliseconds)    NULL    other (123 values)
  func name(ofColumn index: Int, _ aggregate: String?, besides names: [String]) -> String {
    let other = "other (\(Plural.of(otherCount, "value")))"
    let value = values.indices.contains(index) ? values[index] : nil
    let plain = value.map(Self.text) ?? other
    let quoted = value.map(Self.literal) ?? other
    let numbered = (2...).lazy.map { "\(quoted) \($0)" }
    let candidates = [plain, quoted].map { $0 + (aggregate.map { " \($0)" } ?? "") }
    let isFree = { (name: String) in !names.contains { $0.isSameIdentifier(as: name) } }
    return candidates.first(where: isFree) ?? numbered.map { $0 + (aggregate.map { " \($0)" } ?? "") }.first(where: isFree) ?? plain
  }

  private static let longestName = 60

  private static func text(_ value: StoredValue) -> String {
    if case .value(.text(let text)) = value, !text.isEmpty { shortened(text) } else { literal(value) }
  }

  private static func literal(_ value: StoredValue) -> String {
    switch value {
    case .value(.text(let text)): FilterFormatter.quoted(shortened(text))
    case .value(let value): shortened(value.sqlLiteral)
    case .rawText(let bytes): shortened(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Returns a text that can be part of a name: SQL ends at a NUL.
  private static func shortened(_ text: String) -> String {
    let name = text.replacing("\0", with: "␀")
    return name.utf8.count > longestName ? name.prefix(longestName - 1) + "…" : name
  }
}

extension PivotValues {
  /// Reads the most frequent values, in their order, from a connection.
  ///
  /// NULL is one of them if it occurs.
  ///
  /// - Parameter counts: A SELECT of all values with the numbers of their rows.
  init(counts: SQLText, in database: Database) throws {
    let query: SQLText = """
      WITH counted(v, n) AS (\(counts)) SELECT v, n, total FROM (SELECT v, n, count(*) OVER () AS total FROM counted \
      ORDER BY v IS NULL DESC, n DESC, v LIMIT \(raw: String(Self.most + 1))) ORDER BY v IS NULL, v
      """
    var rows: [(value: StoredValue, count: Int)] = []
    var total = 0
    try database.scan(query) { statement in
      rows.append((try statement.storedValue(at: 0), Int(try statement.columnInteger(at: 1))))
      total = Int(try statement.columnInteger(at: 2))
      return true
    }
    // Without NULL, one value has been read that is too many.
    if rows.count > Self.most, !rows.contains(where: { $0.value == .null }),
      let rarest = rows.indices.reversed().min(by: { rows[$0].count < rows[$1].count })
    {
      rows.remove(at: rarest)
    }
    self.init(values: rows.map(\.value), otherCount: total - rows.count)
  }
}
