internal import QuarryEngine

/// The reason why rows cannot be written as Swift code.
package struct SwiftFileError: Error, Hashable {
  /// The reason, as a sentence.
  package let sentence: String
}

/// A Swift file that returns the rows of a view or a query with the library QuarryEngine.
///
///     func trackRows(_ db: Database, least: Int = 300_000) throws -> [(Int, String)] {
///       try Track
///         .where { $0.milliseconds > least }
///         .order { $0.trackId }
///         .select { ($0.trackId, $0.name) }
///         .fetchAll(db)
///     }
package struct SwiftFile {
  /// The contents of the file.
  package let text: String

  /// Creates the file for the rows of a table or view.
  ///
  /// Values of parameters become arguments of the function, and the current values their defaults.
  ///
  /// - Parameters:
  ///   - rows: The table, and the values that its columns must have.
  ///   - view: The filter and the sort order.
  ///   - columns: The columns of the table.
  ///   - shown: The columns to return, in order.
  ///   - sample: The cells of some rows, in the order of `shown`. A column has the type of all values if one of them does not match its
  ///     declared type.
  ///   - path: The path of the database for the example in the file; nil if it has none.
  package init(
    _ rows: RowSet, _ view: RowView, columns: FilterColumns, shown: [RowSetColumn], sample: [[CellValue]] = [], path: String? = nil
  ) throws(SwiftFileError) {
    guard case .table(let table) = rows.source else {
      throw SwiftFileError(sentence: "only the rows of a table or a view can be written with the query builder")
    }
    let opened: CompiledRowView
    do throws(RowViewError) {
      opened = try view.withNulls(for: columns).withOpenParameters(for: columns)
    } catch {
      throw SwiftFileError(sentence: error.faults.errors.first?.sentence ?? "")
    }
    let columns = opened.columns
    let misfits = shown.indices.filter { index in
      guard shown[index].computed == nil, let column = columns.named(shown[index].name) else { return false }
      return !sample.allSatisfy { SwiftType(column).holds($0[index]) }
    }
    var writer = SwiftWriter(
      table, columns, misfits: Set(misfits.compactMap { columns.named(shown[$0].name)?.name }), values: view.arguments)
    for parameter in opened.filter.parameters where !parameter.isGiven { writer.declare(parameter) }
    let query = SwiftQuery(rows, opened, shown, sample, &writer)
    if let problem = writer.problem { throw SwiftFileError(sentence: problem) }
    var what = "the rows of \(Self.comment(table.name))\(Self.description(of: view))."
    if columns.tieBreakers.isEmpty, !view.sort.allSatisfy(\.isWhitespace) {
      what += "\n///\n/// Rows with equal keys may have any order, because a view has no key."
    }
    text = Self.text(query, what, writer, path)
  }

  /// Returns the file of a query.
  ///
  /// - Parameter what: What the function returns, for its comment.
  static func text(_ query: SwiftQuery, _ what: String, _ writer: SwiftWriter, _ path: String?) -> String {
    let table = writer.tables[0]
    let arguments = (["_ db: Database"] + writer.parameters.map(\.declaration)).joined(separator: ", ")
    var text = head(path, function: query.function)
    text += writer.tables.map(\.declaration).joined(separator: "\n")
    if writer.usesRetyped { text += "\n" + retyped }
    if writer.usesSQL { text += "\n" + sqlExpression }
    text += "\n/// Returns \(what)\n"
    let chain = query.clauses.map { ".\($0)" } + [".fetchAll(db)"]
    let body = SwiftWriter.indented("try \(table.type)\n" + SwiftWriter.indented(chain.joined(separator: "\n")))
    return text + "func \(query.function)(\(arguments)) throws -> [\(query.output)] {\n\(body)\n}\n"
  }

  /// Returns the beginning of the file, with an example of a call.
  static func head(_ path: String?, function: String) -> String {
    let opening = path.map { "path: \(SwiftLiteral.string($0))" } ?? "path: …"
    return """
      import QuarryEngine

      // let queue = try DatabaseQueue(\(opening))
      // let rows = try queue.read { db in try \(function)(db) }


      """
  }

  /// Returns the filter and the order of a view, as the end of a sentence.
  static func description(of view: RowView) -> String {
    let filter = view.filter.allSatisfy(\.isWhitespace) ? "" : " that match the filter `\(comment(view.filter))`"
    let sort = view.sort.allSatisfy(\.isWhitespace) ? "" : ", sorted by `\(comment(view.sort))`"
    return filter + sort
  }

  /// Returns a text on one line, for a comment.
  static func comment(_ text: String) -> String {
    let line = SwiftLiteral.contents(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    return line.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
  }

  private static let retyped = """
    /// An expression used as one of another type, because SQLite compares values of all types.
    struct Retyped<Value: QueryOperand>: QueryExpression {
      typealias QueryValue = Value
      typealias Output = Value?
      let expression: any QueryExpression
      init(_ expression: any QueryExpression) { self.expression = expression }
      var parenthesization: Parenthesization { expression.parenthesization }
      func write(to sql: inout SQLWriter) { sql.append(expression) }
    }

    """

  private static let sqlExpression = """
    /// An expression in SQL, for functions that the query builder does not have.
    struct SQLExpression<Value: QueryOperand>: QueryExpression {
      typealias QueryValue = Value
      typealias Output = Value?
      let text: SQLText
      init(_ text: SQLText) { self.text = text }
      func write(to sql: inout SQLWriter) { sql.append(text) }
    }

    """
}
