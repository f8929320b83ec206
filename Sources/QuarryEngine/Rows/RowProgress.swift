/// How far work is that passes many rows.
///
/// ```swift
/// let page = try await reader.page(PageRequest(.number(5_000_000), limit: 50)) { progress in
///   print(progress.rows, "of", progress.total ?? 0)  // 2097152 of 10000000
/// }
/// ```
public struct RowProgress: Hashable, Sendable {
  /// The number of rows that have been passed.
  public var rows: Int
  /// About how many there are; nil where that is not known.
  public var total: Int?
  /// How long that has taken; nil where that is not known.
  public var elapsed: Duration?

  /// Makes a report.
  public init(rows: Int, total: Int? = nil, elapsed: Duration? = nil) {
    self.rows = rows
    self.total = total
    self.elapsed = elapsed
  }

  /// How long the rest will take at the same pace; nil where that cannot be told.
  public var timeLeft: Duration? {
    guard let total, let elapsed, rows > 0 else { return nil }
    return elapsed * (Double(max(0, total - rows)) / Double(rows))
  }
}
