package import QuarryRows

/// The engine's report on a view's text while the person types.
package struct ViewReport: Hashable, Sendable {
  /// The errors, in the order of the text; empty for a valid text.
  var faults: [TextRemark] = []
  /// Whether the only fault is that the text ends too early.
  package var isUnfinished = false
  /// The possible continuations of a text that ends too early: `= != like`; empty if the fault names them.
  package var continuation = ""
  /// The warnings about valid parts that may not mean what the person intended.
  package var advice: [TextRemark] = []
  /// Whether the text is only the beginning of a column's name, or only a path: the rows do not follow it before Enter.
  var isBeginningOfName = false
  /// The condition or the order as SQL, with its values inlined.
  var sql = ""
  /// The parameters of the filter, in order of first appearance.
  package var parameters: [FormParameter] = []
  /// SQLite's plan for reading the rows; nil for an invalid text.
  var plan: PlanSummary?

  /// Whether the rows can be read with the current text.
  var isReady: Bool { faults.isEmpty && parameters.isEmpty && !isBeginningOfName }

  /// The first remark to show.
  var remark: TextRemark? { faults.first ?? advice.first }
}

/// A remark about a wrong or doubtful range of a text, with the reason and the corrections.
package struct TextRemark: Hashable, Sendable {
  /// The range, in bytes of UTF-8.
  var range: Range<Int>
  var sentence: String
  /// The corrected versions of the whole text.
  var mended: [String]
}

/// SQLite's plan for reading the rows of a view.
package struct PlanSummary: Hashable, Sendable {
  package enum Lamp: Hashable, Sendable {
    /// An index or the table's key finds the rows.
    case search
    /// Every row is scanned.
    case scan
    /// The rows found by an index or the table's key are sorted.
    case sort
    /// Every row is scanned, and the result is sorted.
    case scanAndSort
  }

  var lamp: Lamp
  /// The meaning of the lamp, as a sentence.
  var sentence: String
  /// The index that would avoid the scan or the sort, as SQL; nil for none.
  var index: String?
}

/// A parameter of a form.
package struct FormParameter: Hashable, Sendable {
  /// The parameter's identity in its statement: `:min`, `2`.
  var identity: String
  /// The token in the text: `:min`, `?2`, `?`.
  package var token: String
  /// The other tokens to which SQLite assigns the same number.
  var otherTokens: [String] = []
  /// The name of the inferred type: `integer`.
  var typeName: String
  /// The way the text of the parameter is parsed.
  var reading = ParameterReading()
  /// The initial text of the field; nil for none.
  var defaultText: String?
  /// The source of the values that can be chosen.
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
