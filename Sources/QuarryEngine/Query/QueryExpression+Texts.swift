extension QueryExpression<String> {
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

  /// Returns the part of the text from a character, counted from 1, or from the end if it is negative, to its end.
  ///
  /// ```swift
  /// Reminder.select { $0.title.substr(5) }
  /// // SELECT substr(title, 5) FROM reminders
  /// ```
  public func substr(_ start: some QueryArgument<Int>) -> FunctionCall<String?> {
    SQLFunction<String?, String, Int>("substr")(self, start.queryArgument)
  }

  /// Returns a number of characters of the text from a character, counted from 1, or from the end if it is negative.
  ///
  /// ```swift
  /// Reminder.select { $0.title.substr(1, $0.title.instr(" ") - 1) }
  /// // SELECT substr(title, 1, (instr(title, ' ') - 1)) FROM reminders
  /// ```
  public func substr(_ start: some QueryArgument<Int>, _ length: some QueryArgument<Int>) -> FunctionCall<String?> {
    SQLFunction<String?, String, Int, Int>("substr")(self, start.queryArgument, length.queryArgument)
  }

  /// Returns the position of the first occurrence of another text, in characters from 1; 0 if it does not occur.
  ///
  /// ```swift
  /// Reminder.where { $0.title.instr("50%") > 0 }
  /// // SELECT * FROM reminders WHERE (instr(title, '50%') > 0)
  /// ```
  public func instr(_ part: some QueryArgument<String>) -> FunctionCall<Int?> {
    SQLFunction<Int?, String, String>("instr")(self, part.queryArgument)
  }

  /// Returns the text with each occurrence of a part replaced.
  ///
  /// ```swift
  /// Reminder.select { $0.title.replace("_", " ") }
  /// // SELECT replace(title, '_', ' ') FROM reminders
  /// ```
  public func replace(_ part: some QueryArgument<String>, _ replacement: some QueryArgument<String>) -> FunctionCall<String?> {
    Functions.replace(self, part.queryArgument, replacement.queryArgument)
  }

  /// Returns the text without spaces at both ends.
  ///
  /// ```swift
  /// Reminder.select { $0.title.trim() }
  /// // SELECT trim(title) FROM reminders
  /// ```
  public func trim() -> FunctionCall<String?> {
    SQLFunction<String?, String>("trim")(self)
  }

  /// Returns the text without these characters at both ends.
  ///
  /// ```swift
  /// Reminder.select { $0.title.trim("_!") }
  /// // SELECT trim(title, '_!') FROM reminders
  /// ```
  public func trim(_ characters: some QueryArgument<String>) -> FunctionCall<String?> {
    SQLFunction<String?, String, String>("trim")(self, characters.queryArgument)
  }

  /// Returns the text without spaces at its beginning.
  ///
  /// ```swift
  /// Reminder.select { $0.title.ltrim() }
  /// // SELECT ltrim(title) FROM reminders
  /// ```
  public func ltrim() -> FunctionCall<String?> {
    SQLFunction<String?, String>("ltrim")(self)
  }

  /// Returns the text without these characters at its beginning.
  ///
  /// ```swift
  /// Reminder.select { $0.title.ltrim("_!") }
  /// // SELECT ltrim(title, '_!') FROM reminders
  /// ```
  public func ltrim(_ characters: some QueryArgument<String>) -> FunctionCall<String?> {
    SQLFunction<String?, String, String>("ltrim")(self, characters.queryArgument)
  }

  /// Returns the text without spaces at its end.
  ///
  /// ```swift
  /// Reminder.select { $0.title.rtrim() }
  /// // SELECT rtrim(title) FROM reminders
  /// ```
  public func rtrim() -> FunctionCall<String?> {
    SQLFunction<String?, String>("rtrim")(self)
  }

  /// Returns the text without these characters at its end.
  ///
  /// ```swift
  /// Reminder.select { $0.title.rtrim("_!") }
  /// // SELECT rtrim(title, '_!') FROM reminders
  /// ```
  public func rtrim(_ characters: some QueryArgument<String>) -> FunctionCall<String?> {
    SQLFunction<String?, String, String>("rtrim")(self, characters.queryArgument)
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
