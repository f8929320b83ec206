internal import QuarryEngine

/// An aggregate of an operand, by the operand's index; nil for the number of rows.
struct GroupValue: Hashable, Sendable {
  var function: GroupAggregate
  var operand: Int?
}

/// The values that the aggregates of a text need for each group.
struct NeededValues {
  /// The number of columns of a pivot for each aggregate, 1 without a pivot.
  let slotCount: Int
  /// The number of levels, whose columns are the first.
  let levelCount: Int
  private(set) var values: [GroupValue] = []
  /// The operands of aggregates.
  private(set) var operands: [SQLText] = []
  /// Whether all aggregates can be computed value by value.
  private(set) var isSupported = true

  init(levelCount: Int, slotCount: Int) {
    (self.levelCount, self.slotCount) = (levelCount, slotCount)
  }

  /// Returns the column in which the value of an aggregate is stored.
  mutating func column(of function: GroupAggregate, isDistinct: Bool, _ operand: SQLText?, slot: Int) -> String {
    if isDistinct || function == .groupConcat { isSupported = false }
    let index = operand.map { text in
      if let known = operands.firstIndex(of: text) { return known }
      operands.append(text)
      return operands.count - 1
    }
    let value = GroupValue(function: function, operand: index)
    let number = values.firstIndex(of: value) ?? values.count
    if number == values.count { values.append(value) }
    return "c\(levelCount + number * slotCount + slot)"
  }
}
