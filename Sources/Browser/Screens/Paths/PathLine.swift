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
