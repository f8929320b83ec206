/// An aggregate over the rows that refer to the current row: `sum(InvoiceLine.Quantity * InvoiceLine.UnitPrice)`.
public struct FilterAggregate: Hashable, Sendable {
  /// The aggregate functions.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    /// The number of rows, or of values that are not NULL.
    case count
    /// The sum of numbers; NULL without rows.
    case sum
    /// The sum of numbers as a real; 0.0 without rows.
    case total
    /// The mean of numbers.
    case avg
    /// The minimum.
    case min
    /// The maximum.
    case max
    /// The texts, joined by commas.
    case groupConcat = "group_concat"
    /// Whether there is a row.
    case exists

    /// Whether the function is about rows, so that the table alone is its operand.
    var isOfRows: Bool { self == .count || self == .exists }
    /// Whether its operand must be a number.
    var needsNumber: Bool { self == .sum || self == .total || self == .avg }
  }

  /// The function.
  public var function: Function
  /// The name of the referring table.
  public var table: String
  /// The referring column, if it is named because several foreign keys of the table lead here: `sum(Employee.ReportsTo, Employee.Salary)`.
  public var key: String?
  /// The value in each row; nil for the rows themselves.
  public var operand: FilterSyntax?
  /// The condition on the rows; nil for all rows.
  public var condition: FilterSyntax?
}
