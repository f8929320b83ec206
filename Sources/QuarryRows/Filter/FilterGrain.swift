internal import QuarryEngine

/// A function that puts nearby values together, for groups: `month(InvoiceDate)`, `range(UnitPrice, 10)`.
///
/// | call | value |
/// | --- | --- |
/// | `year(d)` | `1997`, an integer |
/// | `quarter(d)` | `'1997 Q3'` |
/// | `month(d)` | `'1997-08'` |
/// | `week(d)` | `'1997-08-25'`, the Monday of the week |
/// | `day(d)` | `'1997-08-31'` |
/// | `range(x, 10)` | `20` for 20 up to, but not including, 30 |
///
/// Dates are in UTC. The functions of dates return NULL for any other value, and so does `range` for a value other than a number.
enum FilterGrain: String, Hashable, Sendable, CaseIterable {
  case year, quarter, month, week, day, range

  /// The operands, for completion.
  var operands: String { self == .range ? "a number and a width" : "a date" }

  /// Returns the call for a date in a storage format.
  func call(_ operand: any QueryExpression, in storage: DateStorage) -> TypedExpression {
    switch self {
    case .year: .integer(DateGrainValue(grain: self, operand: operand, storage: storage))
    case .quarter: .text(DateGrainValue(grain: self, operand: operand, storage: storage))
    default: .date(DateGrainValue(grain: self, operand: operand, storage: storage))
    }
  }
}

/// The year, quarter, month, week or day of a date.
///
///     strftime('%Y-%m', at, 'unixepoch')
struct DateGrainValue<QueryValue: QueryOperand>: QueryExpression {
  typealias Output = QueryValue?

  let grain: FilterGrain
  let operand: any QueryExpression
  let storage: DateStorage

  var parenthesization: Parenthesization { grain == .quarter ? .needed : .none }

  func write(to sql: inout SQLWriter) {
    switch grain {
    case .year:
      sql.append("CAST(strftime('%Y', ")
      writeMoment(to: &sql)
      sql.append(") AS INTEGER)")
    case .quarter:
      sql.append("strftime('%Y Q', ")
      writeMoment(to: &sql)
      sql.append(") || ((strftime('%m', ")
      writeMoment(to: &sql)
      sql.append(") + 2) / 3)")
    case .month:
      sql.append("strftime('%Y-%m', ")
      writeMoment(to: &sql)
      sql.append(")")
    case .week:
      sql.append("date(")
      writeMoment(to: &sql)
      sql.append(", 'weekday 0', '-6 days')")
    case .day, .range:
      sql.append("date(")
      writeMoment(to: &sql)
      sql.append(")")
    }
  }

  /// Writes the date as the arguments of a date function.
  private func writeMoment(to sql: inout SQLWriter) {
    switch storage {
    case .text, .julianDays: sql.append(operand)
    case .seconds: writeNumber("", to: &sql)
    case .milliseconds: writeNumber(" / 1000.0", to: &sql)
    case .microseconds: writeNumber(" / 1000000.0", to: &sql)
    case .nanoseconds: writeNumber(" / 1000000000.0", to: &sql)
    case .days: writeNumber(" * 86400", to: &sql)
    case .years:
      sql.append("printf('%04d-01-01', ")
      sql.append(operand)
      sql.append(")")
    }
  }

  /// Writes seconds since 1970; a text is not read as a number.
  private func writeNumber(_ conversion: StaticString, to sql: inout SQLWriter) {
    if conversion.utf8CodeUnitCount > 0 {
      sql.append("iif(typeof(")
      sql.append(operand)
      sql.append(") IN ('integer', 'real'), ")
      sql.append(operand: operand)
      sql.append(conversion)
      sql.append(", NULL)")
    } else {
      sql.append(operand)
    }
    sql.append(", 'unixepoch'")
  }
}

/// The lower bound of the range of numbers that contains a number.
///
///     CASE typeof(n) WHEN 'integer' THEN n - (n % 10 + 10) % 10 WHEN 'real' THEN floor(n / 10) * 10 + 0.0 END
struct NumberRangeValue<QueryValue: QueryOperand>: QueryExpression {
  typealias Output = QueryValue?

  let operand: any QueryExpression
  let width: RangeWidth

  func write(to sql: inout SQLWriter) {
    sql.append("CASE typeof(")
    sql.append(operand)
    sql.append(")")
    if width.divisor == 1 {
      sql.append(" WHEN 'integer' THEN ")
      writeInteger(to: &sql)
      sql.append(" WHEN 'real' THEN floor(")
      sql.append(operand: operand)
      sql.append(" / \(width.number)) * \(width.number) + 0.0" as SQLText)
    } else {
      writeDecimal("integer", to: &sql)
      writeDecimal("real", to: &sql)
    }
    sql.append(" END")
  }

  private func writeInteger(to sql: inout SQLWriter) {
    sql.append(operand: operand)
    sql.append(" - (")
    sql.append(operand: operand)
    sql.append(" % \(width.number) + \(width.number)) % \(width.number)" as SQLText)
  }

  /// Writes the range of a number of decimal steps; rounding removes the rounding errors of binary fractions, as of 0.3 / 0.1.
  private func writeDecimal(_ storageClass: StaticString, to sql: inout SQLWriter) {
    sql.append(" WHEN '")
    sql.append(storageClass)
    sql.append("' THEN floor(round(")
    sql.append(operand: operand)
    sql.append(" * \(Double(width.divisor)) / \(width.number), 9)) * \(width.number) / \(Double(width.divisor)) + 0.0" as SQLText)
  }
}

/// The width of ranges of numbers, as a quotient of integers: 0.25 is 25 / 100.
struct RangeWidth: Hashable, Sendable {
  var number: Int
  /// A power of 10.
  var divisor: Int

  /// Creates the width that a literal writes; nil unless it is positive and has at most six decimals.
  init?(_ literal: FilterLiteral) {
    switch literal {
    case .integer(let value) where value > 0 && value <= Self.greatest: (number, divisor) = (Int(value), 1)
    case .real(let value) where value > 0 && value <= Double(Self.greatest):
      let powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
      guard let fitting = powers.first(where: { (value * Double($0)).rounded() / Double($0) == value }) else { return nil }
      (number, divisor) = (Int((value * Double(fitting)).rounded()), fitting)
    default: return nil
    }
  }

  private static let greatest: Int64 = 1_000_000_000_000
}
