/// How far something is that passes many rows.
///
/// ```swift
/// let page = try await reader.page(PageRequest(.number(5_000_000), limit: 50)) { progress in
///   print(progress.rows, "of", progress.total ?? 0)  // 2097152 of 10000000
/// }
/// ```
public struct RowProgress: Hashable, Sendable {
  /// The number of rows that have been passed.
  public var rows: Int
  /// How many there are; nil where that is not known.
  public var total: Int?

  /// Makes a report.
  public init(rows: Int, total: Int? = nil) {
    self.rows = rows
    self.total = total
  }
}
