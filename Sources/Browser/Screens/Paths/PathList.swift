import QuarryEngine
import QuarryRows

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

  /// What the list contains, and what the keys do there.
  var purpose: String {
    switch self {
    case .json:
      "The paths in the JSON of a column, with the number of rows and the types of each. Space chooses paths; Enter shows them as columns "
        + "that you can filter and sort."
    case .referenced:
      "The columns of the table to which a foreign key refers. Space chooses columns; Enter shows them beside the key, where you can "
        + "filter and sort them."
    case .referring:
      "Counts and sums of the rows that refer to each row. Space chooses values; Enter shows them as columns that you can filter and sort."
    }
  }

  /// Returns the title: `JSON of data`, `AlbumId → Album`, `rows that refer to Track`.
  func title(of column: String, _ lines: [PathLine], _ environment: ScreenEnvironment) -> String {
    switch self {
    case .json: return "JSON of \(column)"
    case .referenced:
      let tables = lines.filter { $0.depth == 0 }.compactMap(\.related?.table).reduce(into: [String]()) { names, name in
        if !names.contains(name) { names.append(name) }
      }
      return "\(column) \(environment.appearance.glyphs.reference) \(tables.joined(separator: ", "))"
    case .referring: return "rows that refer to \(environment.grid?.rowSet.sourceTable?.name ?? "these rows")"
    }
  }
}
