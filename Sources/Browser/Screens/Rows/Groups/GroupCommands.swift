import QuarryRows
import Terminal

extension KeyContext {
  /// The context of a grid of groups, in which the keys of the grid work too.
  static let groups = KeyContext("groups", place: "in groups", in: .grid)
}

extension Command {
  static let groupRows: Command = "group-rows"
  static let pivot: Command = "pivot"
  static let openGroup: Command = "open-group"
  static let addAggregate: Command = "add-aggregate"
  static let editGroupColumn: Command = "edit-group-column"
  static let removeGroupColumn: Command = "remove-from-groups"
  static let nextDateUnit: Command = "next-date-unit"
  static let groupByRange: Command = "group-by-range"
}

/// The commands for groups of rows.
extension RowsCommands {
  static let groupCommands: [Binding] = [
    Binding(
      .openGroup, "Show the rows of this group", brief: "Rows of the group", aliases: ["drill down"], keys: [.groups: ["enter"]],
      hint: "rows", unless: { needsGroups($0, $1) ?? needsRows($0, $1) }
    ) { rows, context, _ in
      rows.openGroup(&context)
    },
    Binding(
      .groupRows, "Group the rows by this column, or divide groups further", brief: "Group by this column",
      aliases: ["group by", "aggregate", "summarize"], keys: [.grid: ["g G"]], hint: "level",
      hintedWhen: { $1.grid?.grouping != nil && needsInsight($0, $1) == nil }, unless: needsInsight
    ) { rows, context, _ in
      rows.groupRows(&context)
    },
    Binding(
      .addAggregate, "Add a sum, a mean or another value of each group", brief: "Add a value", aliases: ["sum", "average", "mean"],
      keys: [.groups: ["a"]], hint: "add", unless: needsGroups
    ) { rows, context, _ in
      rows.offerAggregates(&context)
    },
    Binding(
      .pivot, "Make columns of the values of a level, or undo that", brief: "Pivot", aliases: ["crosstab", "across"],
      keys: [.grid: ["g P"]], hint: "pivot", hintedWhen: { $1.grid?.grouping != nil && pivotObstacle($0, $1) == nil },
      unless: pivotObstacle
    ) { rows, context, _ in
      rows.pivot(&context)
    },
    Binding(
      .editGroupColumn, "Edit the expression of this column", keys: [.groups: ["e"]], hint: "edit", unless: needsGroups
    ) { rows, context, _ in
      rows.editGroupColumn(&context)
    },
    Binding(
      .removeGroupColumn, "Remove this level or this value of the groups", keys: [.groups: ["d", "delete"]], unless: removalObstacle
    ) { rows, context, _ in
      rows.removeGroupColumn(&context)
    },
    Binding(
      .nextDateUnit, "Group dates by year, quarter, month, week or day", brief: "Unit of dates", keys: [.groups: ["u"]],
      unless: dateObstacle
    ) { rows, context, _ in
      rows.changeLevel(&context) { $0.unit = $0.unit.next }
    },
    Binding(
      .groupByRange, "Group numbers by ranges", brief: "Ranges of numbers", keys: [.groups: ["b"]], unless: rangeObstacle
    ) { rows, context, _ in
      rows.askForRange(&context)
    },
  ]

  private static let needsGroups: Obstacle = { rows, environment in
    if let obstacle = needsGrid(rows, environment) { return obstacle }
    return environment.grid?.grouping == nil ? "these rows are not grouped: \(environment.keyHint(.groupRows, in: .grid)) groups them" : nil
  }

  private static let pivotObstacle: Obstacle = { rows, environment in
    if let obstacle = needsGroups(rows, environment) { return obstacle }
    guard let grid = environment.grid, let grouping = grid.grouping, grouping.groups.shape.across == nil else { return nil }
    guard case .level? = grouping.part(ofColumn: grid.column) else { return "go to the column whose values become columns" }
    return nil
  }

  private static let removalObstacle: Obstacle = { rows, environment in
    if let obstacle = needsGroups(rows, environment) { return obstacle }
    guard let grid = environment.grid, let grouping = grid.grouping else { return nil }
    let shape = grouping.groups.shape
    return switch grouping.part(ofColumn: grid.column) {
    case .level? where shape.levels.count == 1 && shape.across == nil:
      "this is the only level: \(environment.keyHint(.goBack, in: .grid)) goes back to the rows"
    case .aggregate? where shape.aggregates.count == 1:
      "this is the only value: \(environment.keyHint(.addAggregate, in: .groups)) adds another one"
    case nil: "this column is not a part of the groups"
    case .level?, .aggregate?, .across?: nil
    }
  }

  private static let dateObstacle: Obstacle = { rows, environment in
    needsGroups(rows, environment)
      ?? (environment.grid?.hasLevelOfDates == true ? nil : "go to a level of dates")
  }

  private static let rangeObstacle: Obstacle = { rows, environment in
    needsGroups(rows, environment)
      ?? (environment.grid?.level?.isOfNumbers == true ? nil : "go to a level of numbers")
  }
}

extension RowsScreen {
  /// Removes the level or the value under the cursor.
  fileprivate mutating func removeGroupColumn(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let part = grid.grouping?.part(ofColumn: grid.column) else { return }
    reshape(showing: nil, &context) { $0.set("", as: part) }
  }

  /// Changes the level under the cursor.
  fileprivate mutating func changeLevel(_ context: inout ScreenContext<Self>, _ change: (inout GroupLevel) -> Void) {
    guard let grid = context.grid, let grouping = grid.grouping, let part = grouping.part(ofColumn: grid.column) else { return }
    reshape(showing: part, &context) { shape in
      guard case .level(let index) = part, shape.levels.indices.contains(index) else { return }
      let single = GroupShape(levels: [shape.levels[index]])
      guard var level = try? single.compiled(of: grouping.source.rowSet, columns: grouping.source.columns).level(0) else { return }
      change(&level)
      shape.levels[index] = level.text
    }
  }

  /// Asks for the width of the ranges by which the level under the cursor is grouped.
  fileprivate func askForRange(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let level = grid.level else { return }
    context.prompt("width of the ranges", placeholder: "no ranges", text: level.width ?? grid.suggestedWidth) { rows, context, text in
      rows.changeLevel(&context) { $0.width = text.isBlank ? nil : text }
    }
  }
}

extension GridPane {
  /// The level of groups under the cursor; nil for another column.
  fileprivate var level: GroupLevel? {
    guard let grouping, case .level(let index)? = grouping.part(ofColumn: column) else { return nil }
    return grouping.groups.level(index)
  }

  /// Whether the level under the cursor is of dates, also of dates in a column for texts.
  fileprivate var hasLevelOfDates: Bool {
    guard let level else { return false }
    if level.isOfDates || level.unit != nil { return true }
    let values = window.rows.lazy.compactMap { $0[column] }.filter { $0 != .null }.prefix(20)
    return !values.isEmpty && values.allSatisfy(\.beginsWithDate)
  }

  /// The width of about twenty ranges of the loaded values: 1, 2 or 5 times a power of ten.
  fileprivate var suggestedWidth: String {
    let numbers = window.rows.compactMap { row -> Double? in
      switch row[column] {
      case .integer(let number)?: Double(number)
      case .real(let number)?: number
      default: nil
      }
    }
    guard let least = numbers.min(), let greatest = numbers.max(), greatest > least, greatest - least < 1e15 else { return "10" }
    let width = (greatest - least) / 20
    var power = 1.0
    while power * 10 <= width { power *= 10 }
    while power > width, power > 1e-6 { power /= 10 }
    let rounded = power * ([1.0, 2, 5].first { $0 * power >= width } ?? 10)
    return rounded >= 1 ? String(Int(rounded)) : String(rounded)
  }
}

extension CellValue {
  /// Whether it is a text such as `2024-01-30T09:15`.
  fileprivate var beginsWithDate: Bool {
    guard case .text(let text, _, _) = self else { return false }
    let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [4, 2, 2] && parts.joined().allSatisfy { $0.isASCII && $0.isNumber }
  }
}

extension Optional<DateGrain> {
  /// The next finer unit; none after days.
  fileprivate var next: DateGrain? {
    guard let self else { return DateGrain.allCases.first }
    return self == DateGrain.allCases.last ? nil : self.next
  }
}
