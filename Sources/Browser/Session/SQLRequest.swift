public import QuarryEngine

/// Statements to be run one after the other, as the editor has them.
public struct SQLRequest: Hashable, Sendable {
  /// Which run this is; never used twice.
  var number: Int
  var statements: [Part]
  /// Whether the history is to have it.
  var isKept = true

  /// One statement.
  struct Part: Hashable, Sendable {
    var sql: String
    /// Where it begins in the text of the editor, in bytes; nil where it is not from there.
    var offset: Int?
    /// The grid for its rows.
    var grid: GridID
  }
}

/// What is known of a request before it runs.
public struct PreparedRun: Hashable, Sendable {
  /// Each once, in order of first appearance.
  var parameters: [FormParameter] = []
  /// What is worth a question first, a sentence each.
  var warnings: [String] = []
}

/// What a person gives for a parameter.
public enum ParameterInput: Hashable, Sendable {
  case value(DatabaseValue)
  /// The bytes of a file.
  case file(String)
}

/// What a statement came to.
public struct StatementOutcome: Hashable, Sendable {
  var content: Content
  var elapsed: Duration

  enum Content: Hashable, Sendable {
    /// Rows, in the grid that the request has for them; the set that they are.
    case rows(RowSet, OpenedRows)
    /// Rows that are not kept, since the results of too many statements follow: so many, or more where the reading stopped before the end.
    case read(count: Int, isAll: Bool)
    case done(changes: Int, lastRowID: Int64?)
    case failed(SQLFault)
  }
}

/// Why a statement did not run, and where the fault lies.
public struct SQLFault: Error, Hashable, Sendable {
  /// The place of the statement in its request.
  var statement: Int
  var sentence: String
  /// Bytes of the editor's text; nil where SQLite does not tell.
  var range: Range<Int>?
}

extension OpenTransaction {
  /// What was changed: `3 rows changed`.
  var words: String {
    guard changesSchema else { return "\(Plural.of(changes, "row")) changed" }
    return changes == 0 ? "the schema changed" : "\(Plural.of(changes, "row")) and the schema changed"
  }
}

/// A run as the history has it.
public struct HistoryEntry: Hashable, Sendable, Codable {
  /// When it began: `2024-01-31T12:30:00Z`.
  var time: String
  var database: String
  var sql: String
  var arguments: [StoredArgument] = []
  /// The rows that it gave or changed; nil where they are not known.
  var rows: Int?
  var milliseconds: Int
  var error: String?
}

/// A parameter's value in a file, exact and with its storage class.
public struct StoredArgument: Hashable, Sendable, Codable {
  /// What tells the parameter from others: `:min`, `2`.
  var identity: String
  var type: ParameterType
  /// The value as its type writes it: blobs in hexadecimal.
  var text: String

  init(_ identity: String, _ value: DatabaseValue) {
    self.identity = identity
    (type, text) = (value.parameterType, value.parameterText)
  }

  /// The value; nil where the file holds something else than what was written.
  var value: DatabaseValue? { try? type.value(of: text) }
}

extension DatabaseValue {
  /// The type as which its text is read as the value again.
  var parameterType: ParameterType {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  /// The value as its type writes it: NULL as nothing, blobs in hexadecimal.
  var parameterText: String {
    switch self {
    case .null: ""
    case .integer(let number): String(number)
    // Swift's “inf” is no number to SQLite.
    case .real(let number): number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : number.description
    case .text(let text): text
    case .blob(let bytes): BlobKind.hexadecimal(bytes)
    }
  }
}
