internal import QuarryEngine

/// An aggregate function over the rows of a group.
enum GroupAggregate: String, Hashable, Sendable, CaseIterable {
  case count, sum, total, avg, min, max
  case groupConcat = "group_concat"

  /// The end of the name of a call whose operand is preceded by `distinct`.
  static let distinct = " distinct"

  fileprivate var keyword: StaticString {
    switch self {
    case .count: "count"
    case .sum: "sum"
    case .total: "total"
    case .avg: "avg"
    case .min: "min"
    case .max: "max"
    case .groupConcat: "group_concat"
    }
  }

  fileprivate var needsNumber: Bool { self == .sum || self == .total || self == .avg }
}

/// The part of a group that a text describes, and the parts of its SQL that the checker finds.
struct GroupScope {
  /// The places of a text of a group.
  enum Place: Hashable {
    /// A value by which rows are grouped.
    case level
    /// Outside the aggregates of a value of the group, which has no columns.
    case group
    /// Within an aggregate, where each row of the group is current.
    case row
  }

  var place: Place
  /// The column of a pivot for which the aggregates are written; nil without a pivot.
  var slot: Int?
  /// The condition on the rows that the aggregates read, without a column of a pivot; nil for all rows of the group.
  var filter: (any QueryExpression<Bool>)?
  /// The values that the aggregates of a pivot read from each row, which a subquery computes.
  var operands: [SQLText] = []
  /// The values that are computed without SQLite, so that aggregates are columns of the rows that store them; nil to write SQL's aggregates.
  var needed: NeededValues?
}

/// A call of an aggregate: `sum(Milliseconds)`, or `sum("row 0") FILTER (WHERE "slot" = 3)` in a pivot.
struct GroupCall<QueryValue: QueryOperand>: QueryExpression {
  typealias Output = QueryValue?

  let function: GroupAggregate
  let isDistinct: Bool
  /// The operands; none for `*`.
  let operands: [any QueryExpression]
  /// The condition on the rows; nil for all rows of the group.
  let filter: (any QueryExpression<Bool>)?
  /// The column that stores the value; nil to compute it.
  let column: String?

  func write(to sql: inout SQLWriter) {
    if let column { return sql.append("\(identifier: column)" as SQLText) }
    sql.append(function.keyword)
    sql.append(isDistinct ? "(DISTINCT " : "(")
    if operands.isEmpty { sql.append("*") }
    sql.append(operands, separator: ", ") { $0.append($1) }
    sql.append(")")
    guard let filter else { return }
    sql.append(" FILTER (WHERE ")
    sql.append(filter)
    sql.append(")")
  }
}

/// Whether a row belongs to a column of a pivot: `slot = 3`.
private struct PivotSlot: QueryExpression {
  typealias QueryValue = Bool
  typealias Output = Bool?

  let index: Int

  func write(to sql: inout SQLWriter) { sql.append("\(identifier: PivotColumns.slot) = \(index)" as SQLText) }
}

/// The columns of the subquery that computes the rows of a pivot.
enum PivotColumns {
  static let slot = "slot"
  static func level(_ index: Int) -> String { "level \(index)" }
  static func operand(_ index: Int) -> String { "row \(index)" }
}

extension FilterChecker {
  /// The result of looking at a node as a part of a group.
  enum GroupFinding {
    case decided(TypedExpression?)
    /// The node is checked like one of a row.
    case other
  }

  /// Checks a node that has a meaning of its own in a text about groups.
  mutating func groupValue(_ node: FilterSyntax, _ room: Room) -> GroupFinding {
    guard let place = groups?.place else { return .other }
    switch node.kind {
    case .call(let name, let operands):
      guard let (function, isDistinct) = Self.aggregate(name, operands) else {
        guard place == .group, TypedFunction.named(name) == nil, FilterGrain(rawValue: name) == nil else { return .other }
        return .decided(reportNoFunction(name, node))
      }
      if place == .group { return .decided(groupCall(function, isDistinct, operands, node, room)) }
      return .decided(reportMisplaced(node, place))
    case .column(let name) where place == .group && name.lowercased() == "count":
      return .decided(groupCall(.count, false, [], node, room))
    case .column(let name) where place != .group && name.lowercased() == "count" && columns.named(name) == nil:
      return .decided(reportMisplaced(node, place))
    case .column(let name) where place == .group && columns.named(name) == nil: return .decided(reportNoAggregate(name, node))
    case .column where place == .group, .path where place == .group, .related where place == .group, .relatedPath where place == .group,
      .aggregate where place == .group:
      return .decided(reportSeveralRows(node))
    default: return .other
    }
  }

  /// Returns the aggregate that a call names; `min` and `max` of several values are functions of a row.
  private static func aggregate(_ name: String, _ operands: [FilterSyntax]) -> (GroupAggregate, isDistinct: Bool)? {
    let isDistinct = name.hasSuffix(GroupAggregate.distinct)
    let word = isDistinct ? String(name.dropLast(GroupAggregate.distinct.count)) : name
    guard let function = GroupAggregate(rawValue: word) else { return nil }
    return (function == .min || function == .max) && operands.count > 1 ? nil : (function, isDistinct)
  }

  // MARK: Calls

  private mutating func groupCall(
    _ function: GroupAggregate, _ isDistinct: Bool, _ operands: [FilterSyntax], _ node: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    guard checkCount(function, isDistinct, operands, node) else { return nil }
    groups?.place = .row
    let first = operands.first.flatMap { value($0, room.inside(6, deeper: 2)) }
    groups?.place = .group
    guard first != nil || operands.isEmpty else { return nil }
    if let first, function.needsNumber, !first.type.isNumber, first.type != .boolean {
      reports.noNumber(operands[0], first.type)
      return nil
    }
    let slot = groups?.slot
    let column = groups?.needed?.column(of: function, isDistinct: isDistinct, first?.expression.sqlText, slot: slot ?? 0)
    var values = column == nil ? first.map { [operand($0)] } ?? [] : []
    if operands.count > 1, let separator = operands[1].text { values.append(TypedExpression(literal: .text(separator)).expression) }
    return Self.typed(function, of: first?.type ?? .any) {
      GroupNode(
        function: function, isDistinct: isDistinct, operands: values, filter: slot.map { PivotSlot(index: $0) } ?? groups?.filter,
        column: column)
    }
  }

  private mutating func checkCount(
    _ function: GroupAggregate, _ isDistinct: Bool, _ operands: [FilterSyntax], _ node: FilterSyntax
  ) -> Bool {
    let name = function.rawValue
    if operands.isEmpty, function != .count || isDistinct {
      let column = columns.offered.first { function.needsNumber ? $0.type.isNumber : true }.map { columns.written($0.name) } ?? "x"
      reports.add(.wrongCount, node.range, "\(name) needs the value to compute it from.", ["\(name)(\(column))"])
      return false
    }
    if operands.count > 1, function != .groupConcat || operands.count > 2 || isDistinct || operands[1].text == nil {
      let hint = function == .groupConcat ? "A separator is text in single quotes, without distinct: group_concat(Name, '; ')." : nil
      reports.add(.wrongCount, node.range, "\(name) expects one value, but there are \(operands.count).", hint: hint)
      return false
    }
    return true
  }

  /// Returns the operand as written in the aggregate: in a pivot, a column of the subquery that computes it for each row.
  private mutating func operand(_ value: TypedExpression) -> any QueryExpression {
    guard groups?.slot != nil else { return value.expression }
    let text = value.expression.sqlText
    let index = groups?.operands.firstIndex(of: text) ?? groups?.operands.count ?? 0
    if index == groups?.operands.count { groups?.operands.append(text) }
    return Column<DatabaseValue>(PivotColumns.operand(index))
  }

  private struct GroupNode {
    let function: GroupAggregate
    let isDistinct: Bool
    let operands: [any QueryExpression]
    let filter: (any QueryExpression<Bool>)?
    let column: String?

    func call<Value: QueryOperand>(yielding type: Value.Type) -> GroupCall<Value> {
      GroupCall(function: function, isDistinct: isDistinct, operands: operands, filter: filter, column: column)
    }
  }

  private static func typed(_ function: GroupAggregate, of type: ExpressionType, _ make: () -> GroupNode) -> TypedExpression {
    let node = make()
    switch function {
    case .count: return .integer(node.call(yielding: Int.self))
    case .total, .avg: return .real(node.call(yielding: Double.self))
    case .groupConcat: return .text(node.call(yielding: String.self))
    case .sum where type == .boolean: return .integer(node.call(yielding: Int.self))
    case .sum, .min, .max:
      return switch type {
      case .integer: .integer(node.call(yielding: Int.self))
      case .real: .real(node.call(yielding: Double.self))
      case .numeric: .numeric(node.call(yielding: Number.self))
      case .text: .text(node.call(yielding: String.self))
      case .blob: .blob(node.call(yielding: [UInt8].self))
      case .boolean: .boolean(node.call(yielding: Bool.self))
      case .date: .date(node.call(yielding: DateText.self))
      case .any, .null: .any(node.call(yielding: DatabaseValue.self))
      }
    }
  }

  // MARK: Errors

  private mutating func reportMisplaced(_ node: FilterSyntax, _ place: GroupScope.Place) -> TypedExpression? {
    let text = source(node)
    let isLevel = place == .level
    reports.add(
      .misplacedAggregate, node.range,
      isLevel ? "\(text) is computed from the rows of a group, so it cannot form groups." : "An aggregate cannot contain another.",
      hint: isLevel ? "Show it beside the groups: it belongs among the aggregates." : nil)
    return nil
  }

  private mutating func reportSeveralRows(_ node: FilterSyntax) -> TypedExpression? {
    var checker = FilterChecker(bytes, columns: columns, values: [:])
    let isNumber = checker.value(node, Room())?.type.isNumber ?? false
    let functions = isNumber ? ["sum", "avg", "min", "max"] : ["count", "min", "max"]
    let text = source(node)
    reports.add(
      .misplacedAggregate, node.range, "\(text) has a value in each row of the group. Choose one by an aggregate.",
      functions.map { "\($0)(\(text))" })
    return nil
  }

  /// Reports a function that does not exist, without looking at its operands, which would be those of an aggregate.
  private mutating func reportNoFunction(_ name: String, _ node: FilterSyntax) -> TypedExpression? {
    let aggregates = GroupAggregate.allCases.map(\.rawValue)
    let known = Self.otherNames[name].map { [$0] } ?? NearestNames.to(name, among: aggregates + TypedFunction.all.map(\.name))
    let range = node.range.lowerBound..<min(node.range.lowerBound + name.utf8.count, node.range.upperBound)
    reports.add(
      .unknownFunction, range, "There is no function \(name).",
      hint: "The aggregates are \(aggregates.dropLast().joined(separator: ", ")) and \(aggregates.last ?? "").", known)
    return nil
  }

  /// Aggregates of other databases with their equivalents.
  private static let otherNames = [
    "average": "avg", "mean": "avg", "maximum": "max", "minimum": "min", "string_agg": "group_concat", "listagg": "group_concat",
  ]

  private mutating func reportNoAggregate(_ name: String, _ node: FilterSyntax) -> TypedExpression? {
    guard GroupAggregate(rawValue: name.lowercased()) != nil else {
      reports.unknownColumn(name, node, beside: nil)
      return nil
    }
    _ = checkCount(GroupAggregate(rawValue: name.lowercased()) ?? .sum, false, [], node)
    return nil
  }
}
