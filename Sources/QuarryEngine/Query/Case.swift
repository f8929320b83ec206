/// The beginning of a CASE: ``when(_:then:)-(_,Value)`` adds the first branch.
///
/// ```swift
/// Reminder.select { Case().when($0.isCompleted, then: "done").when($0.priority == 3, then: "urgent").else("open") }
/// // SELECT CASE WHEN isCompleted THEN 'done' WHEN (priority = 3) THEN 'urgent' ELSE 'open' END FROM reminders
/// Reminder.select { Case($0.priority).when(1, then: "low").when(3, then: "high") }
/// // SELECT CASE priority WHEN 1 THEN 'low' WHEN 3 THEN 'high' END FROM reminders
/// ```
///
/// Without operand, each branch has a condition; with one, a value to compare it with. The results have one type.
public struct Case<Operand: QueryOperand>: Sendable {
  private let operand: (any QueryExpression<Operand>)?

  /// Begins a CASE whose branches have conditions.
  public init() where Operand == Bool {
    operand = nil
  }

  /// Begins a CASE whose branches are compared with an expression.
  public init(_ operand: some QueryExpression<Operand>) {
    self.operand = operand
  }

  /// Returns the CASE with its first branch, whose result is a value.
  ///
  /// ```swift
  /// Reminder.select { Case().when($0.isCompleted, then: 1) }
  /// // SELECT CASE WHEN isCompleted THEN 1 END FROM reminders
  /// ```
  public func when<Value: QueryOperand>(_ condition: some QueryArgument<Operand>, then value: Value) -> CaseBranches<Operand, Value> {
    CaseBranches(Branches(operand, condition.queryArgument, Constant(value)))
  }

  /// Returns the CASE with its first branch, whose result is an expression.
  ///
  /// ```swift
  /// Reminder.select { Case().when($0.isCompleted, then: $0.priority) }
  /// // SELECT CASE WHEN isCompleted THEN priority END FROM reminders
  /// ```
  public func when<Value: QueryExpression>(
    _ condition: some QueryArgument<Operand>, then value: Value
  ) -> CaseBranches<Operand, Value.Output> {
    CaseBranches(Branches(operand, condition.queryArgument, value))
  }
}

/// A CASE without ELSE, which is NULL if no branch applies; ``else(_:)-(Result.QueryValue)`` completes it.
///
/// `Result` is optional if the result of a branch is.
public struct CaseBranches<Operand: QueryOperand, Result: QueryOutput>: QueryExpression {
  public typealias QueryValue = Result.QueryValue
  public typealias Output = Result.QueryValue?

  private let branches: Branches

  fileprivate init(_ branches: Branches) {
    self.branches = branches
  }

  /// Returns the CASE with another branch, whose result is a value.
  public func when(_ condition: some QueryArgument<Operand>, then value: Result.QueryValue) -> Self {
    CaseBranches(branches.adding(condition.queryArgument, Constant(value)))
  }

  /// Returns the CASE with another branch, whose result is an expression.
  public func when<Value: QueryExpression>(_ condition: some QueryArgument<Operand>, then value: Value) -> Self
  where Value.Output == Result {
    CaseBranches(branches.adding(condition.queryArgument, value))
  }

  /// Returns the CASE with another branch, whose result may be NULL, or was NULL in an earlier branch.
  @_disfavoredOverload
  public func when<Value: QueryExpression<Result.QueryValue>>(
    _ condition: some QueryArgument<Operand>, then value: Value
  ) -> CaseBranches<Operand, Result.QueryValue?> {
    CaseBranches<Operand, Result.QueryValue?>(branches.adding(condition.queryArgument, value))
  }

  /// Returns the CASE with a value as its result if no branch applies.
  public func `else`(_ value: Result.QueryValue) -> CaseExpression<Result> {
    CaseExpression(branches.completed(by: Constant(value)))
  }

  /// Returns the CASE with an expression as its result if no branch applies.
  public func `else`<Value: QueryExpression>(_ value: Value) -> CaseExpression<Result> where Value.Output == Result {
    CaseExpression(branches.completed(by: value))
  }

  /// Returns the CASE with an expression as its result if no branch applies, which may be NULL, or may follow a branch that is.
  @_disfavoredOverload
  public func `else`<Value: QueryExpression<Result.QueryValue>>(_ value: Value) -> CaseExpression<Result.QueryValue?> {
    CaseExpression<Result.QueryValue?>(branches.completed(by: value))
  }

  public func write(to sql: inout SQLWriter) {
    branches.write(to: &sql)
  }
}

/// A CASE with ELSE: the result of the first branch that applies, or of ELSE.
///
/// ```swift
/// Reminder.order { Case($0.priority).when(3, then: 0).else(1) }
/// // SELECT * FROM reminders ORDER BY CASE priority WHEN 3 THEN 0 ELSE 1 END
/// ```
public struct CaseExpression<Output: QueryOutput>: QueryExpression {
  public typealias QueryValue = Output.QueryValue

  private let branches: Branches

  fileprivate init(_ branches: Branches) {
    self.branches = branches
  }

  public func write(to sql: inout SQLWriter) {
    branches.write(to: &sql)
  }
}

/// The parts of a CASE, without their types.
private struct Branches: Sendable {
  private let operand: (any QueryExpression)?
  private var branches: [(condition: any QueryExpression, result: any QueryExpression)]
  private var otherwise: (any QueryExpression)?

  init(_ operand: (any QueryExpression)?, _ condition: any QueryExpression, _ result: any QueryExpression) {
    self.operand = operand
    branches = [(condition, result)]
  }

  func adding(_ condition: any QueryExpression, _ result: any QueryExpression) -> Branches {
    var copy = self
    copy.branches.append((condition, result))
    return copy
  }

  func completed(by otherwise: any QueryExpression) -> Branches {
    var copy = self
    copy.otherwise = otherwise
    return copy
  }

  func write(to sql: inout SQLWriter) {
    sql.append("CASE")
    write(operand, after: " ", to: &sql)
    for branch in branches {
      write(branch.condition, after: " WHEN ", to: &sql)
      write(branch.result, after: " THEN ", to: &sql)
    }
    write(otherwise, after: " ELSE ", to: &sql)
    sql.append(" END")
  }

  private func write(_ part: (any QueryExpression)?, after keyword: StaticString, to sql: inout SQLWriter) {
    guard let part else { return }
    sql.append(keyword)
    sql.append(part)
  }
}
