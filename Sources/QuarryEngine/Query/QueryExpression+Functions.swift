extension QueryExpression<String> {
  /// Returns whether the text fits a pattern of LIKE, in which `%` is any text and `_` any character, but after `escape`.
  ///
  /// ```swift
  /// Reminder.where { $0.title.like("Get%") }
  /// // SELECT * FROM reminders WHERE (title LIKE 'Get%')
  /// ```
  public func like(_ pattern: String, escape: Character? = nil) -> PatternMatch {
    PatternMatch(self, .like, Constant(pattern), escape: escape.map { Constant(String($0)) })
  }

  /// Returns whether a part of the text matches a regular expression (see <doc:TypedQueries>), in which case counts.
  ///
  /// ```swift
  /// Reminder.where { $0.title.regexp("^(Get|Buy) ") }
  /// // SELECT * FROM reminders WHERE (title REGEXP '^(Get|Buy) ')
  /// ```
  ///
  /// A pattern that is not well formed is the error of the statement.
  public func regexp(_ pattern: String) -> PatternMatch {
    PatternMatch(self, .regexp, Constant(pattern))
  }

  /// Returns whether the text fits a pattern of GLOB, in which `*` is any text, `?` any character, and case counts.
  ///
  /// ```swift
  /// Reminder.where { $0.title.glob("Get*") }
  /// // SELECT * FROM reminders WHERE (title GLOB 'Get*')
  /// ```
  public func glob(_ pattern: String) -> PatternMatch {
    PatternMatch(self, .glob, Constant(pattern))
  }

  /// Returns whether the text contains another, without regard to ASCII case; `%` and `_` in it are themselves.
  ///
  /// ```swift
  /// Reminder.where { $0.title.contains("50%") }
  /// // SELECT * FROM reminders WHERE (title LIKE '%50\%%' ESCAPE '\')
  /// ```
  public func contains(_ part: String) -> PatternMatch {
    PatternMatch(self, has: part, at: .anywhere)
  }

  /// Returns whether the text starts with another, without regard to ASCII case.
  ///
  /// ```swift
  /// Reminder.where { $0.title.hasPrefix("Get") }
  /// // SELECT * FROM reminders WHERE (title LIKE 'Get%')
  /// ```
  public func hasPrefix(_ prefix: String) -> PatternMatch {
    PatternMatch(self, has: prefix, at: .start)
  }

  /// Returns whether the text ends with another, without regard to ASCII case.
  ///
  /// ```swift
  /// Reminder.where { $0.title.hasSuffix("cut") }
  /// // SELECT * FROM reminders WHERE (title LIKE '%cut')
  /// ```
  public func hasSuffix(_ suffix: String) -> PatternMatch {
    PatternMatch(self, has: suffix, at: .end)
  }

  /// Returns the number of characters of the text, up to a NUL where it has one.
  ///
  /// ```swift
  /// Reminder.order { $0.title.length() }
  /// // SELECT * FROM reminders ORDER BY length(title)
  /// ```
  public func length() -> FunctionCall<Int?> {
    Functions.length(self)
  }

  /// Returns the text in lower case, ASCII letters only.
  ///
  /// ```swift
  /// Reminder.where { $0.title.lower() == "call" }
  /// // SELECT * FROM reminders WHERE (lower(title) = 'call')
  /// ```
  public func lower() -> FunctionCall<String?> {
    Functions.lower(self)
  }

  /// Returns the text in upper case, ASCII letters only.
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

  /// Returns the text as compared by a collation.
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
  /// Returns the value made into another type by SQLite's rules: `CAST`.
  ///
  /// ```swift
  /// Reminder.where { $0.priority.cast(to: Double.self) > 2.5 }
  /// // SELECT * FROM reminders WHERE (CAST(priority AS REAL) > 2.5)
  /// ```
  public func cast<Target: CastTarget>(to target: Target.Type) -> Cast<Target> {
    Cast(operand: self)
  }

  /// Returns the expression, or `value` where it is NULL.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.coalesce(0) }
  /// // SELECT coalesce(priority, 0) FROM reminders
  /// ```
  public func coalesce(_ value: QueryValue) -> FunctionCall<QueryValue> {
    .coalesce([self, Constant(value)])
  }

  /// Returns the expression, or another where it is NULL.
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
  /// Returns the number without its sign.
  ///
  /// ```swift
  /// Reminder.order { $0.priority.abs() }
  /// // SELECT * FROM reminders ORDER BY abs(priority)
  /// ```
  public func abs() -> FunctionCall<QueryValue?> {
    SQLFunction<QueryValue?, QueryValue>("abs")(self)
  }

  /// Returns the number rounded to so many digits after the point, as a real.
  ///
  /// ```swift
  /// Reminder.select { ($0.priority.cast(to: Double.self) / 3).round(2) }
  /// // SELECT round((CAST(priority AS REAL) / 3.0), 2) FROM reminders
  /// ```
  public func round(_ digits: Int = 0) -> FunctionCall<Double?> {
    SQLFunction<Double?, QueryValue, Int>("round")(self, Constant(digits))
  }
}
