import QuarryEngine
import QuarryRows

/// Showing only the rows that a bar, a bin or a point stands for.
extension ChartScreen {
  func obstacleToNarrowing(_ environment: ScreenEnvironment) -> String? {
    guard stop != nil else { return "nothing is under the cursor: \(environment.keyHint(.moveRight)) moves it" }
    guard let grid = environment.grid, condition(in: grid.filterColumns) != nil else { return "no simple filter selects just these rows" }
    return environment.needsFilters
  }

  /// Adds what the rows under the cursor have in common to the filter of the grid, and shows that.
  mutating func narrow(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let term = condition(in: grid.filterColumns) else { return }
    context.close()
    context.focus(.rows)
    context.send(RowsIntent.filter(.add(term)))
  }

  private func condition(in columns: FilterColumns) -> FilterSyntax? {
    guard let column = axisColumn, let rows = stop?.rows else { return nil }
    switch rows {
    case .equal(let cell):
      return cell.wholeValue.map { Filter.term(column.name, $0, in: columns) }
    case .range(let from, let to, let includesEnd):
      guard let start = literal(from, of: column, in: columns), let end = literal(to, of: column, in: columns) else { return nil }
      let operand = FilterSyntax(.column(column.name))
      if from == to { return FilterSyntax(.comparison(.equal, operand, start)) }
      return FilterSyntax(
        .all([
          FilterSyntax(.comparison(.atLeast, operand, start)), FilterSyntax(.comparison(includesEnd ? .atMost : .less, operand, end)),
        ]))
    }
  }

  /// Returns a value of the axis as a filter literal; nil if comparing texts cannot separate the times before it from those after it.
  private func literal(_ value: Double, of column: ChartColumn, in columns: FilterColumns) -> FilterSyntax? {
    guard case .time(let storage) = column.scale else { return FilterSyntax(.literal(.number(value))) }
    if storage != .text, columns.named(column.name)?.type != .date {
      return storage.literal(atMilliseconds: value).map { FilterSyntax(.literal($0)) }
    }
    guard ChartTimeUnit.day.start(of: value) == value else { return nil }
    let day = ChartTimeUnit.day.text(of: value)
    return FilterSyntax(.literal(columns.named(column.name)?.type == .date ? .date(day) : .text(day)))
  }
}

extension FilterLiteral {
  fileprivate static func number(_ value: Double) -> FilterLiteral { Int64(exactly: value).map { .integer($0) } ?? .real(value) }
}

extension DateStorage {
  /// Returns the number that stands for a time, as a filter writes it.
  fileprivate func literal(atMilliseconds milliseconds: Double) -> FilterLiteral? {
    switch number(atMilliseconds: Int(milliseconds)) {
    case .integer(let number): .integer(number)
    case .real(let number): .number(number)
    case .null, .text, .blob: nil
    }
  }
}
