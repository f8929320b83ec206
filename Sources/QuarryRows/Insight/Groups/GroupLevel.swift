internal import QuarryEngine

/// A level of groups whose unit of dates or width of ranges can be changed.
///
/// ```swift
/// var level = groups.level(0)          // InvoiceDate
/// level?.unit = .month
/// level?.text                          // month(InvoiceDate)
/// ```
public struct GroupLevel: Hashable, Sendable {
  /// The name that the text gives to its column, with the equals sign; empty for none.
  private let naming: String
  /// The grouped value, without its unit or ranges.
  private let operand: String
  /// The type of the grouped value.
  private let type: ExpressionType
  /// The unit of time by which dates are grouped; nil for each date of its own.
  public var unit: DateGrain?
  /// The width of the ranges by which numbers are grouped; nil for each number of its own.
  public var width: String?

  /// Reads a compiled level.
  init(_ term: GroupTerm, _ text: String, in columns: FilterColumns) {
    let bytes = Array(text.utf8)
    func source(_ range: Range<Int>) -> String { String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self) }
    naming = source(0..<term.syntax.range.lowerBound)
    var syntax = term.syntax
    if case .call(let name, let operands) = syntax.kind, let grain = FilterGrain(rawValue: name), let first = operands.first {
      syntax = first
      unit = DateGrain(rawValue: name)
      if grain == .range, operands.count == 2 { width = source(operands[1].range) }
    }
    operand = source(syntax.range)
    type = (try? ColumnExpression.compile(operand, columns: columns).type) ?? term.value.type
  }

  /// The text of the level.
  public var text: String {
    let call = unit.map { "\($0.rawValue)(\(operand))" } ?? width.map { "range(\(operand), \($0))" }
    return naming + (call ?? operand)
  }

  /// Whether the grouped values are dates.
  public var isOfDates: Bool { type == .date }

  /// Whether the grouped values are numbers.
  public var isOfNumbers: Bool { type.isNumber && type != .any }
}

extension CompiledGroups {
  /// Returns a level, by its index.
  public func level(_ index: Int) -> GroupLevel? {
    guard levels.indices.contains(index) else { return nil }
    return GroupLevel(levels[index], shape.levels[index], in: sourceColumns)
  }
}
