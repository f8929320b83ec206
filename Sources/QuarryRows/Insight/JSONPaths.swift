/// The paths that lead to values in a column of JSON.
///
/// ```swift
/// let found = try await source.jsonPaths(of: "payload", in: RowSet(.table(events))) { _ in }
/// found.paths.prefix(3).map(\.path.description)   // ["", "user", "user.name"]
/// ```
public struct JSONPaths: Hashable, Sendable {
  /// The paths, those of the most rows first; the first is the whole text, whose path has no step.
  public var paths: [JSONPathCounts] = []
  /// The rows that have been read.
  public var rows = 0
  /// Those of them whose value is NULL.
  public var nulls = 0
  /// Those whose value is neither NULL nor JSON: other texts, and blobs.
  public var others = 0
  /// Whether there are more paths, which were left out.
  public var isTruncated = false
  /// Whether all rows of the set have been read.
  public var isComplete = false
  /// How far the reading is.
  public var progress = RowProgress(rows: 0, total: nil)

  /// The greatest number of paths.
  public static let mostPaths = 2000

  /// Makes the paths of no rows.
  public init() {}
}
