/// The value at a path of a JSON text, as JSON (`->`) or as an SQL value (`->>`); NULL if the path has no value or the text is not JSON.
///
/// ```swift
/// JSONExtraction(Column<String>("data"), .value, JSONPath([.key("user"), .key("name")]))
/// // (CASE WHEN json_valid(data) THEN data ->> '$.user.name' END)
/// ```
///
/// SQLite's own operators end the statement with an error at the first text that is not JSON.
public struct JSONExtraction: QueryExpression {
  public typealias QueryValue = DatabaseValue
  public typealias Output = DatabaseValue?

  /// The form of the result.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// JSON text.
    case json = "->"
    /// An SQL value: a text, a number, 1 or 0 for true or false, NULL for null, JSON for an object or an array.
    case value = "->>"
  }

  package let document: any QueryExpression<String>
  package let kind: Kind
  package let path: any QueryExpression
  /// The same path for texts in which non-ASCII characters of keys are escaped; nil if it is the same path.
  package let escapedPath: Constant<String>?

  /// Creates the extraction of the value at a path.
  public init(_ document: any QueryExpression<String>, _ kind: Kind, _ path: JSONPath) {
    self.init(document, kind, path: Constant(path.text), escapedPath: path.escapedText.map { Constant($0) })
  }

  package init(_ document: any QueryExpression<String>, _ kind: Kind, path: any QueryExpression, escapedPath: Constant<String>? = nil) {
    (self.document, self.kind, self.path, self.escapedPath) = (document, kind, path, escapedPath)
  }

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    let isValid = document.isExtractedJSON
    sql.append("(")
    if !isValid {
      sql.append("CASE WHEN json_valid(")
      sql.append(document)
      sql.append(") THEN ")
    }
    if let escapedPath {
      sql.append("coalesce(")
      write(path, to: &sql)
      sql.append(", ")
      write(escapedPath, to: &sql)
      sql.append(")")
    } else {
      write(path, to: &sql)
    }
    sql.append(isValid ? ")" : " END)")
  }

  private func write(_ path: any QueryExpression, to sql: inout SQLWriter) {
    sql.append(operand: document)
    sql.append(kind == .json ? " -> " : " ->> ")
    sql.append(operand: path)
  }
}

extension QueryExpression {
  /// Whether it is a result of `->`: JSON or NULL.
  fileprivate var isExtractedJSON: Bool {
    if let extraction = self as? JSONExtraction { return extraction.kind == .json }
    guard let widened = self as? Widened<DatabaseValue, String> else { return false }
    return (widened.operand as? JSONExtraction)?.kind == .json
  }
}
