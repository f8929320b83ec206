import QuarryEngine
package import QuarryRows

/// The groups that a grid shows, and the rows that they consist of.
package struct Grouping: Sendable {
  /// The grouped rows.
  let source: GroupedSource
  package let groups: CompiledGroups

  /// The title of the groups: `Track grouped by GenreId across MediaTypeId`.
  var title: String {
    let levels = groups.shape.levels.joined(separator: ", ")
    return source.title + (levels.isEmpty ? "" : " grouped by \(levels)") + (groups.shape.across.map { " across \($0)" } ?? "")
  }

  /// The foreign keys of the grouped rows whose columns are levels, or whose only column has become the columns of a pivot.
  var foreignKeys: [ForeignKeySchema] {
    source.foreignKeys.filter { key in
      isAcross(key) || key.columns.allSatisfy { name in groups.shape.levels.contains { $0.isSameIdentifier(as: name) } }
    }
  }

  private func isAcross(_ key: ForeignKeySchema) -> Bool {
    key.columns.count == 1 && groups.shape.across.map { key.columns[0].isSameIdentifier(as: $0) } == true
  }

  /// Whether the values that are columns of the pivot are those of a foreign key.
  var isAcrossKey: Bool { groups.pivot != nil && foreignKeys.contains(where: isAcross) }

  /// Returns the reference by the value to which a column of the pivot belongs; nil for other columns, and for NULL.
  func reference(ofColumn index: Int) -> ReferredRows.Reference? {
    guard let pivot = groups.pivot, groups.columns.indices.contains(index), let key = foreignKeys.firstIndex(where: isAcross),
      case .aggregate(_, let place?) = groups.columns[index].kind, pivot.values.indices.contains(place),
      case .value(let value) = pivot.values[place], value != .null
    else { return nil }
    return ReferredRows.Reference(key: key, values: [value])
  }

  /// Returns the part of the shape that a column shows; nil if there is no such column.
  func part(ofColumn index: Int) -> GroupShape.Part? {
    guard groups.columns.indices.contains(index) else { return nil }
    return switch groups.columns[index].kind {
    case .level(let level): .level(level)
    case .aggregate(let aggregate, _): .aggregate(aggregate)
    }
  }

  /// Returns the index of the first column that shows a part of the shape; nil if no column does.
  func column(of part: GroupShape.Part) -> Int? {
    groups.columns.indices.first { self.part(ofColumn: $0) == part }
  }
}

extension Grouping: Hashable {
  package static func == (left: Grouping, right: Grouping) -> Bool {
    left.source == right.source && left.groups.shape == right.groups.shape && left.groups.pivot == right.groups.pivot
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(groups.shape)
  }
}

/// Rows that are grouped: a set of rows as seen through a view.
struct GroupedSource: Hashable, Sendable {
  let rowSet: RowSet
  let title: String
  let view: RowView
  let columns: FilterColumns
  /// The columns of the rows, from which levels and aggregates are chosen.
  let choices: [RowSetColumn]
  /// The foreign keys of the rows.
  let foreignKeys: [ForeignKeySchema]
  /// The number of rows when they were grouped; nil if it was unknown.
  let total: RowNumber?

  init(_ grid: GridPane, view: RowView) {
    (rowSet, title, columns, choices) = (grid.rowSet, grid.title, grid.filterColumns, grid.columns)
    foreignKeys = grid.foreignKeys
    self.view = view
    total = view.filter == grid.view.filter ? grid.total : nil
  }
}
