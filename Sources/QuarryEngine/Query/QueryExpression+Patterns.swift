extension QueryExpression<String> {
  /// Returns whether the text matches a LIKE pattern, in which `%` is any text and `_` any character, unless they follow `escape`.
  ///
  /// ```swift
  /// Reminder.where { $0.title.like("Get%") }
  /// // SELECT * FROM reminders WHERE (title LIKE 'Get%')
  /// Reminder.all().join(List.self) { $0.title.like($1.title + "%") }
  /// // SELECT * FROM reminders JOIN lists ON (reminders.title LIKE (lists.title || '%'))
  /// ```
  public func like(_ pattern: some QueryArgument<String>, escape: Character? = nil) -> PatternMatch {
    PatternMatch(self, .like, pattern.queryArgument, escape: escape.map { Constant(String($0)) })
  }

  /// Returns whether a part of the text matches a case-sensitive regular expression (see <doc:TypedQueries>).
  ///
  /// ```swift
  /// Reminder.where { $0.title.regexp("^(Get|Buy) ") }
  /// // SELECT * FROM reminders WHERE (title REGEXP '^(Get|Buy) ')
  /// ```
  ///
  /// If the pattern is malformed, the statement throws an error.
  public func regexp(_ pattern: some QueryArgument<String>) -> PatternMatch {
    PatternMatch(self, .regexp, pattern.queryArgument)
  }

  /// Returns whether the text matches a case-sensitive GLOB pattern, in which `*` is any text and `?` any character.
  ///
  /// ```swift
  /// Reminder.where { $0.title.glob("Get*") }
  /// // SELECT * FROM reminders WHERE (title GLOB 'Get*')
  /// ```
  public func glob(_ pattern: some QueryArgument<String>) -> PatternMatch {
    PatternMatch(self, .glob, pattern.queryArgument)
  }

  /// Returns whether the text contains another, ignoring ASCII case; `%` and `_` have no special meaning.
  ///
  /// ```swift
  /// Reminder.where { $0.title.contains("50%") }
  /// // SELECT * FROM reminders WHERE (title LIKE '%50\%%' ESCAPE '\')
  /// ```
  ///
  /// The SQL for an expression escapes the value of each row with `replace`.
  public func contains(_ part: some QueryArgument<String>) -> PatternMatch {
    PatternMatch(self, has: part.queryArgument, at: .anywhere)
  }

  /// Returns whether the text starts with another, ignoring ASCII case.
  ///
  /// ```swift
  /// Reminder.where { $0.title.hasPrefix("Get") }
  /// // SELECT * FROM reminders WHERE (title LIKE 'Get%')
  /// ```
  public func hasPrefix(_ prefix: some QueryArgument<String>) -> PatternMatch {
    PatternMatch(self, has: prefix.queryArgument, at: .start)
  }

  /// Returns whether the text ends with another, ignoring ASCII case.
  ///
  /// ```swift
  /// Reminder.where { $0.title.hasSuffix("cut") }
  /// // SELECT * FROM reminders WHERE (title LIKE '%cut')
  /// ```
  public func hasSuffix(_ suffix: some QueryArgument<String>) -> PatternMatch {
    PatternMatch(self, has: suffix.queryArgument, at: .end)
  }
}
