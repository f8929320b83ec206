extension QueryExpression {
  /// Returns the value converted to another type by SQLite's rules: `CAST`.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.cast(to: Double.self) > 2.5 }
  /// // SELECT * FROM reminders WHERE (CAST(priority AS REAL) > 2.5)
  /// ```
  public func cast<Target: CastTarget>(to target: Target.Type) -> Cast<Target> {
    Cast(operand: self)
  }

  /// Returns the expression, or `value` if it is NULL.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.coalesce(0) }
  /// // SELECT coalesce(priority, 0) FROM reminders
  /// ```
  public func coalesce(_ value: QueryValue) -> FunctionCall<QueryValue> {
    FunctionCall("coalesce", [self, Constant(value)])
  }

  /// Returns the expression, or another expression if it is NULL.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.coalesce($0.listID) }
  /// // SELECT coalesce(priority, listID) FROM reminders
  /// ```
  public func coalesce<Other: QueryExpression<QueryValue>>(_ other: Other) -> FunctionCall<Other.Output> {
    FunctionCall("coalesce", [self, other])
  }

  /// Returns the expression, or `value` if it is NULL.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.ifnull(0) }
  /// // SELECT ifnull(priority, 0) FROM reminders
  /// ```
  public func ifnull(_ value: QueryValue) -> FunctionCall<QueryValue> {
    FunctionCall("ifnull", [self, Constant(value)])
  }

  /// Returns the expression, or another expression if it is NULL.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.ifnull($0.listID) }
  /// // SELECT ifnull(priority, listID) FROM reminders
  /// ```
  public func ifnull<Other: QueryExpression<QueryValue>>(_ other: Other) -> FunctionCall<Other.Output> {
    FunctionCall("ifnull", [self, other])
  }
}

extension QueryExpression where QueryValue: NumericOperand {
  /// Returns the absolute value of the number.
  ///
  /// ```swift
  /// Reminder.order { $0.priority.abs() }
  /// // SELECT * FROM reminders ORDER BY abs(priority)
  /// ```
  public func abs() -> FunctionCall<QueryValue?> {
    SQLFunction<QueryValue?, QueryValue>("abs")(self)
  }

  /// Returns the number as a real, rounded to `digits` decimal places.
  ///
  /// ```swift
  /// Reminder.select { ($0.priority.cast(to: Double.self) / 3).round(2) }
  /// // SELECT round((CAST(priority AS REAL) / 3.0), 2) FROM reminders
  /// ```
  public func round(_ digits: Int = 0) -> FunctionCall<Double?> {
    SQLFunction<Double?, QueryValue, Int>("round")(self, Constant(digits))
  }
}
