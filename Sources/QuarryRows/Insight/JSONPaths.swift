public import QuarryEngine

/// How often values of each type lie at a path.
public struct JSONTypeCounts: Hashable, Sendable {
  /// A number for each type, of which there are eight.
  private var counts = SIMD8<Int>()

  /// Makes counts of nothing.
  public init() {}

  /// The number of values of a type.
  public subscript(type: JSONType) -> Int {
    get { counts[type.rawValue] }
    set { counts[type.rawValue] = newValue }
  }

  /// The number of values.
  public var total: Int { counts.wrappedSum() }

  /// The types that occur, the most frequent first.
  public var types: [JSONType] {
    JSONType.allCases.filter { self[$0] > 0 }.sorted { self[$0] > self[$1] }
  }
}

/// A path at which JSON texts of a column have values.
public struct JSONPathCounts: Hashable, Sendable {
  /// Where the values lie; all elements of an array are one step.
  public var path: JSONPath
  /// The number of rows that have a value there.
  public var rows: Int
  /// The values by their types: more than rows where the path leads through arrays, or an object has the key twice.
  public var counts: JSONTypeCounts

  /// Makes counts.
  public init(path: JSONPath, rows: Int, counts: JSONTypeCounts) {
    self.path = path
    self.rows = rows
    self.counts = counts
  }
}

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

extension ReadConnections {
  /// Looks for the paths that lead to values in a column of JSON.
  ///
  ///     SELECT payload FROM main.events WHERE (kind = ?)
  ///
  /// - Parameter progress: Is called with what has been found so far, several times a second.
  /// - Throws: ``DatabaseError``, and `CancellationError` when the task is cancelled.
  public func jsonPaths(
    of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void
  ) async throws -> JSONPaths {
    try await background.readUndivided(of: set.databaseName) { db in try JSONPathScan(column, in: set).run(in: db, progress) }
  }
}

/// Reads the values of a column once, and counts the paths in them.
private struct JSONPathScan {
  /// How often what has been found is told.
  private static let interval = Duration.milliseconds(200)
  /// The number of rows between two looks at the clock.
  private static let rowsBetweenLooks = 1024

  private let column: String
  private let set: RowSet

  init(_ column: String, in set: RowSet) {
    self.column = column
    self.set = RowSet(set.source, matching: set.matching, filter: set.filter)
  }

  func run(in database: Database, _ progress: (JSONPaths) -> Void) throws -> JSONPaths {
    var tree = JSONPathTree(mostPaths: JSONPaths.mostPaths)
    var found = JSONPaths()
    do {
      try read(into: &tree, &found, in: database, progress)
    } catch let error as DatabaseError {
      progress(tree.report(found))
      throw error.located(in: set, column: column, after: found.rows)
    }
    found.isComplete = true
    let result = tree.report(found)
    progress(result)
    return result
  }

  private func read(
    into tree: inout JSONPathTree, _ found: inout JSONPaths, in database: Database, _ progress: (JSONPaths) -> Void
  ) throws {
    var last = ContinuousClock.now
    try database.scan("SELECT \(identifier: column) FROM (\(set.sqlText))") { statement in
      found.rows += 1
      try statement.forEachValue { _, value in Self.count(value, in: &tree, &found) }
      if found.rows % Self.rowsBetweenLooks == 0, ContinuousClock.now - last > Self.interval {
        last = .now
        progress(tree.report(found))
        try database.cancellation?.check()
      }
      return true
    }
  }

  private static func count(_ value: BorrowedValue, in tree: inout JSONPathTree, _ found: inout JSONPaths) {
    switch value {
    case .null: found.nulls += 1
    case .integer: tree.addScalar(.integer)
    case .real(let number): if number.isFinite { tree.addScalar(.real) } else { found.others += 1 }
    case .text(let bytes): if !tree.add(bytes) { found.others += 1 }
    case .blob: found.others += 1
    }
  }
}
