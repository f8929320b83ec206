/// Conditions joined by AND or OR, in one flat node.
///
/// ```swift
/// Column<Bool>("isCompleted") || Column<Int?>("priority") == 3 || Column<Int?>("priority") == nil
/// // (isCompleted OR (priority = 3) OR (priority IS NULL))
/// ```
public struct Logic: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool?

  /// The joining operator: `AND` or `OR`.
  public enum Joiner: Hashable, Sendable { case and, or }

  package let joiner: Joiner
  package let terms: [any QueryExpression<Bool>]

  /// Joins conditions; operands that are themselves joined by `joiner` contribute their terms.
  package init(_ joiner: Joiner, _ operands: [any QueryExpression<Bool>]) {
    self.joiner = joiner
    terms = operands.flatMap { operand in
      if let logic = operand as? Logic, logic.joiner == joiner { logic.terms } else { [operand] }
    }
  }

  public var parenthesization: Parenthesization {
    terms.count > 1 ? .own : terms.first?.parenthesization ?? .none
  }

  public func write(to sql: inout SQLWriter) {
    write(terms[...], to: &sql)
  }

  /// The number of terms above which a chain is split in two, because SQLite rejects expressions deeper than 1000, and a chain is as deep
  /// as it is long.
  private static let longestChain = 500

  private func write(_ terms: ArraySlice<any QueryExpression<Bool>>, to sql: inout SQLWriter) {
    switch terms.count {
    case 0:
      sql.append(joiner == .and ? "TRUE" : "FALSE")
    case 1:
      sql.append(terms, separator: "") { $0.append($1) }
    case ...Self.longestChain:
      sql.append("(")
      sql.append(terms, separator: keyword) { $0.append($1) }
      sql.append(")")
    default:
      writeHalves(of: terms, to: &sql)
    }
  }

  private func writeHalves(of terms: ArraySlice<any QueryExpression<Bool>>, to sql: inout SQLWriter) {
    let middle = terms.startIndex + terms.count / 2
    sql.append("(")
    write(terms[..<middle], to: &sql)
    sql.append(keyword)
    write(terms[middle...], to: &sql)
    sql.append(")")
  }

  private var keyword: StaticString { joiner == .and ? " AND " : " OR " }
}

/// The negation of a condition: `NOT`, which is NULL for NULL.
///
/// ```swift
/// !Column<Bool>("isCompleted")
/// // NOT (isCompleted)
/// ```
public struct Negation: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool?

  package let operand: any QueryExpression<Bool>

  public var parenthesization: Parenthesization { .needed }

  package init(_ operand: any QueryExpression<Bool>) {
    self.operand = operand
  }

  public func write(to sql: inout SQLWriter) {
    sql.append("NOT ")
    sql.append(parenthesized: operand)
  }
}
