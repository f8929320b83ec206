package import QuarryRows

/// The engine's report on a view's text while it is being written.
package struct ViewReport: Hashable, Sendable {
  /// The errors, in the order of the text; empty for a valid one.
  var faults: [TextRemark] = []
  /// Whether nothing is wrong but that the text ends too early.
  package var isUnfinished = false
  /// What may follow a text that ends too early: `= != like`; empty where the fault says it.
  package var continuation = ""
  /// What is right, and may not be what was meant.
  package var advice: [TextRemark] = []
  /// Whether the text is a word that begins a column's name, or a path alone: rows do not follow it before Enter.
  var isBeginningOfName = false
  /// The condition or the order as SQL, with its values inlined.
  var sql = ""
  /// The parameters of the filter, in order of first appearance.
  package var parameters: [FormParameter] = []
  /// How SQLite will read the rows; nil for an invalid text.
  var plan: PlanSummary?

  /// Whether rows can be read with the text as it is.
  var isReady: Bool { faults.isEmpty && parameters.isEmpty && !isBeginningOfName }

  /// The first remark to show.
  var remark: TextRemark? { faults.first ?? advice.first }
}

/// A range of a text that is wrong or doubtful, why, and the corrections.
package struct TextRemark: Hashable, Sendable {
  /// Bytes of UTF-8.
  var range: Range<Int>
  var sentence: String
  /// The corrected versions of the whole text.
  var mended: [String]
}

/// How SQLite will read the rows of a view.
package struct PlanSummary: Hashable, Sendable {
  package enum Lamp: Hashable, Sendable {
    /// An index or the table's key finds the rows.
    case search
    /// Every row is scanned.
    case scan
    /// The rows that an index or the table's key finds are sorted.
    case sort
    /// Every row is scanned, and the result is sorted.
    case scanAndSort
  }

  var lamp: Lamp
  /// The meaning of the lamp, in a sentence.
  var sentence: String
  /// The index that would avoid the scan or the sort, as SQL; nil for none.
  var index: String?
}

/// A parameter as a form asks for it.
package struct FormParameter: Hashable, Sendable {
  /// The parameter's identity in its statement: `:min`, `2`.
  var identity: String
  /// As written: `:min`, `?2`, `?`.
  package var token: String
  /// The other tokens to which SQLite gives the same number.
  var otherTokens: [String] = []
  /// The inferred type in a word: `integer`.
  var typeName: String
  /// How its text is read.
  var reading = ParameterReading()
  /// The initial text of the field; nil for none.
  var defaultText: String?
  /// The source of the values to choose from.
  var choices: ParameterChoices?

  package init(
    identity: String, token: String, otherTokens: [String] = [], typeName: String, reading: ParameterReading = ParameterReading(),
    defaultText: String? = nil, choices: ParameterChoices? = nil
  ) {
    self.identity = identity
    self.token = token
    self.otherTokens = otherTokens
    self.typeName = typeName
    self.reading = reading
    self.defaultText = defaultText
    self.choices = choices
  }
}
