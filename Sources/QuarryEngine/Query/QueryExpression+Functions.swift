extension QueryExpression<String> {
  /// Returns whether the text matches a LIKE pattern, in which `%` is any text and `_` any character, unless they follow `escape`.
  ///
  /// ```swift
  /// Reminder.where { $0.title.like("Get%") }
  /// // SELECT * FROM reminders WHERE (title LIKE 'Get%')
  /// ```
  public func like(_ pattern: String, escape: Character? = nil) -> PatternMatch {
    PatternMatch(self, .like, Constant(pattern), escape: escape.map { Constant(String($0)) })
  }

  /// Returns whether a part of the text matches a case-sensitive regular expression (see <doc:TypedQueries>).
  ///
  /// ```swift
  /// Reminder.where { $0.title.regexp("^(Get|Buy) ") }
  /// // SELECT * FROM reminders WHERE (title REGEXP '^(Get|Buy) ')
  /// ```
  ///
  /// If the pattern is malformed, the statement throws an error.
  public func regexp(_ pattern: String) -> PatternMatch {
    PatternMatch(self, .regexp, Constant(pattern))
  }

  /// Returns whether the text matches a case-sensitive GLOB pattern, in which `*` is any text and `?` any character.
  ///
  /// ```swift
  /// Reminder.where { $0.title.glob("Get*") }
  /// // SELECT * FROM reminders WHERE (title GLOB 'Get*')
  /// ```
  public func glob(_ pattern: String) -> PatternMatch {
    PatternMatch(self, .glob, Constant(pattern))
  }

  /// Returns whether the text contains another, ignoring ASCII case; `%` and `_` have no special meaning.
  ///
  /// ```swift
  /// Reminder.where { $0.title.contains("50%") }
  /// // SELECT * FROM reminders WHERE (title LIKE '%50\%%' ESCAPE '\')
  /// ```
  public func contains(_ part: String) -> PatternMatch {
    PatternMatch(self, has: part, at: .anywhere)
  }

  /// Returns whether the text starts with another, ignoring ASCII case.
  ///
  /// ```swift
  /// Reminder.where { $0.title.hasPrefix("Get") }
  /// // SELECT * FROM reminders WHERE (title LIKE 'Get%')
  /// ```
  public func hasPrefix(_ prefix: String) -> PatternMatch {
    PatternMatch(self, has: prefix, at: .start)
  }

  /// Returns whether the text ends with another, ignoring ASCII case.
  ///
  /// ```swift
  /// Reminder.where { $0.title.hasSuffix("cut") }
  /// // SELECT * FROM reminders WHERE (title LIKE '%cut')
  /// ```
  public func hasSuffix(_ suffix: String) -> PatternMatch {
    PatternMatch(self, has: suffix, at: .end)
  }

  /// Returns the number of characters of the text before its first NUL.
  ///
  /// ```swift
  /// Reminder.order { $0.title.length() }
  /// // SELECT * FROM reminders ORDER BY length(title)
  /// ```
  public func length() -> FunctionCall<Int?> {
    Functions.length(self)
  }

  /// Returns the text with ASCII letters in lower case.
  ///
  /// ```swift
  /// Reminder.where { $0.title.lower() == "call" }
  /// // SELECT * FROM reminders WHERE (lower(title) = 'call')
  /// ```
  public func lower() -> FunctionCall<String?> {
    Functions.lower(self)
  }

  /// Returns the text with ASCII letters in upper case.
  ///
  /// ```swift
  /// Reminder.select { $0.title.upper() }
  /// // SELECT upper(title) FROM reminders
  /// ```
  public func upper() -> FunctionCall<String?> {
    Functions.upper(self)
  }

  /// Returns the text followed by another: SQL's `||`.
  ///
  /// ```swift
  /// Reminder.select { $0.title.concatenated(with: $0.title.upper()) }
  /// // SELECT (title || upper(title)) FROM reminders
  /// ```
  public func concatenated(with other: some QueryExpression<String>) -> Concatenation {
    Concatenation([self, other])
  }

  /// Returns the text followed by another: SQL's `||`.
  ///
  /// ```swift
  /// Reminder.select { $0.title.concatenated(with: "!") }
  /// // SELECT (title || '!') FROM reminders
  /// ```
  public func concatenated(with text: String) -> Concatenation {
    Concatenation([self, Constant(text)])
  }

  /// Returns the text with a collation for comparisons.
  ///
  /// ```swift
  /// Reminder.order { $0.title.collate(.nocase).asc() }
  /// // SELECT * FROM reminders ORDER BY title COLLATE NOCASE ASC
  /// ```
  public func collate(_ collation: Collation) -> Collated<Output> {
    Collated(operand: self, collation: collation)
  }
}

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
    .coalesce([self, Constant(value)])
  }

  /// Returns the expression, or another expression if it is NULL.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.coalesce($0.listID) }
  /// // SELECT coalesce(priority, listID) FROM reminders
  /// ```
  public func coalesce<Other: QueryExpression<QueryValue>>(_ other: Other) -> FunctionCall<Other.Output> {
    .coalesce([self, other])
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
