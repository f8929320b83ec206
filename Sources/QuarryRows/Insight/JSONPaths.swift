/// The paths of the values in a JSON column.
///
/// ```swift
/// let found = try await source.jsonPaths(of: "payload", in: RowSet(.table(events))) { _ in }
/// found.paths.prefix(3).map(\.path.description)   // ["", "user", "user.name"]
/// ```
public struct JSONPaths: Hashable, Sendable {
  /// The paths, those in the most rows first; the first is the whole text, whose path has no steps.
  public var paths: [JSONPathCounts] = []
  /// The number of rows read.
  public var rows = 0
  /// The number of rows with NULL.
  public var nulls = 0
  /// The number of rows with neither NULL nor JSON, but other texts or blobs.
  public var others = 0
  /// Whether there are more paths, which are omitted.
  public var isTruncated = false
  /// Whether all rows of the set have been read.
  public var isComplete = false
  /// The progress of reading.
  public var progress = RowProgress(rows: 0, total: nil)

  /// The maximum number of paths.
  public static let mostPaths = 2000

  /// Creates the paths of no rows.
  public init() {}
}
