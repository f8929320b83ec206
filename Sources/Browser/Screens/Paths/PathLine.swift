import QuarryEngine
package import QuarryRows

/// A line in the list of values that can be shown as columns.
package struct PathLine: Hashable, Sendable {
  /// The value as named in filters and orders.
  package let value: FilterSyntax
  /// The path, with its numbers of rows; nil for other values.
  package private(set) var json: JSONPathCounts?
  /// The column of another table, or the aggregate over its rows; nil for a path in JSON.
  private(set) var related: RelatedColumn?
  /// The number of foreign keys before a column, without the first.
  private(set) var depth = 0
  /// Whether the columns to which a foreign key leads are listed below it.
  private(set) var isUnfolded = false

  /// Creates the line of a path in a column of JSON, with the first element instead of each element.
  init(_ json: JSONPathCounts, in column: String) {
    value = FilterSyntax(.path(column, json.path.withFirstElements))
    self.json = json
  }

  /// Creates the line of a value in other tables.
  init(_ related: RelatedColumn, depth: Int = 0, isUnfolded: Bool = false) {
    (value, self.related, self.depth, self.isUnfolded) = (related.syntax, related, depth, isUnfolded)
  }

  /// Whether it is a foreign key that can be unfolded.
  var isKey: Bool { related?.steps.isEmpty == false }
}

/// The values that can be shown as columns.
enum PathList: Hashable, Sendable {
  /// The paths in a column of JSON; nil until some rows have been read.
  case json(JSONPaths?)
  /// The columns of the tables to which a column refers, with the names that lead to the tables.
  case referenced([[String]])
  /// The aggregates over the rows that refer to each row.
  case referring

  /// Chooses the values for a column.
  init(of column: String, in columns: FilterColumns) {
    let paths = columns.paths(from: column)
    let found = columns.named(column)
    let mayHoldJSON = found?.type == .text || found?.type == .any
    if !paths.isEmpty {
      self = .referenced(paths)
    } else if columns.aggregates.isEmpty || mayHoldJSON && found?.json.isJSON == true {
      self = .json(nil)
    } else {
      self = .referring
    }
  }

  /// Returns whether a computed column shows a value of the list.
  func contains(_ value: FilterSyntax, of column: String) -> Bool {
    switch (self, value.kind) {
    case (.json, .path(let source, _)): source.isSameIdentifier(as: column)
    case (.referenced(let paths), .related(let names)): paths.contains { names.starts(with: $0) }
    case (.referring, .aggregate): true
    default: false
    }
  }

  /// Returns the lines of the list.
  ///
  /// - Parameter unfolded: The values of the foreign keys whose columns are listed too.
  func lines(of column: String, in columns: FilterColumns, unfolded: Set<FilterSyntax>) -> [PathLine] {
    switch self {
    case .json(let found): (found?.paths ?? []).filter { !$0.path.steps.isEmpty }.map { PathLine($0, in: column) }
    case .referenced(let paths): paths.flatMap { Self.lines(after: $0, in: columns, unfolded: unfolded, depth: 0) }
    case .referring: columns.aggregates.map { PathLine($0) }
    }
  }

  private static func lines(
    after path: [String], in columns: FilterColumns, unfolded: Set<FilterSyntax>, depth: Int
  ) -> [PathLine] {
    columns.columns(after: path).flatMap { column in
      let isUnfolded = unfolded.contains(column.syntax)
      let further = isUnfolded ? column.steps : []
      return [PathLine(column, depth: depth, isUnfolded: isUnfolded)]
        + further.flatMap { lines(after: $0, in: columns, unfolded: unfolded, depth: depth + 1) }
    }
  }
}
