internal import QuarryEngine

extension SwiftFile {
  /// Creates the file for groups of the rows of a table or view.
  ///
  ///     func trackGroups(_ db: Database) throws -> [(String?, Int)] {
  ///       try Track
  ///         .group { track in Genre.where { $0.genreId == track.genreId }.select { $0.name } }
  ///         .having { $0.count() > 10 }
  ///         …
  ///     }
  ///
  /// The columns of a pivot are aggregates with conditions on the rows that they read.
  ///
  /// - Parameters:
  ///   - groups: The groups.
  ///   - source: The filter of the grouped rows, and the texts of their computed columns.
  ///   - view: The filter and the order of the groups.
  ///   - shown: The columns to return, in order.
  ///   - sample: The cells of some groups, in the order of `shown`.
  ///   - path: The path of the database for the example in the file; nil if it has none.
  package init(
    _ groups: CompiledGroups, of source: RowView, _ view: RowView, shown: [RowSetColumn], sample: [[CellValue]] = [], path: String? = nil
  ) throws(SwiftFileError) {
    guard case .table(let table) = groups.source.source else {
      throw SwiftFileError(sentence: "only groups of a table or a view can be written with the query builder")
    }
    let rows = try Self.opened(source, groups.sourceColumns)
    let result = try Self.opened(view, groups.filterColumns)
    let parameters = rows.filter.parameters
    let others = result.filter.parameters.filter { other in !parameters.contains { $0.token == other.token } }
    if others.count < result.filter.parameters.count, source.arguments != view.arguments {
      throw SwiftFileError(sentence: "the filters of the rows and of the groups have a parameter of the same name")
    }
    var writer = SwiftWriter(
      table, rows.columns, misfits: [], values: source.arguments.merging(view.arguments) { value, _ in value })
    for parameter in parameters + others where !parameter.isGiven { writer.declare(parameter) }
    let query = try SwiftQuery(groups, rows, result, shown, sample, &writer)
    if let problem = writer.problem { throw SwiftFileError(sentence: problem) }
    text = Self.text(query, Self.description(of: groups, table, source, view), writer, path)
  }

  private static func opened(_ view: RowView, _ columns: FilterColumns) throws(SwiftFileError) -> CompiledRowView {
    do throws(RowViewError) { return try view.withNulls(for: columns).withOpenParameters(for: columns) } catch {
      throw SwiftFileError(sentence: error.faults.errors.first?.sentence ?? "")
    }
  }

  /// Describes the groups: `the groups of Track by GenreId.Name, across MediaTypeId, that match …`.
  private static func description(
    of groups: CompiledGroups, _ table: TableReference, _ source: RowView, _ view: RowView
  ) -> String {
    let (shape, table) = (groups.shape, comment(table.name))
    let by = comment(shape.levels.joined(separator: ", "))
    let levels = shape.levels.isEmpty ? "one group of \(table)" : "the groups of \(table) by `\(by)`"
    let across = shape.across.map { " across `\(comment($0))`" } ?? ""
    let rows = description(of: RowView(filter: source.filter)).replacing(" that match", with: ", of rows that match")
    let filter = description(of: view).replacing(" that match", with: ", only groups that match")
    return "\(levels)\(across)\(rows)\(filter)."
  }
}

extension SwiftQuery {
  /// Writes the query of some columns of groups.
  fileprivate init(
    _ groups: CompiledGroups, _ rows: CompiledRowView, _ view: CompiledRowView, _ shown: [RowSetColumn], _ sample: [[CellValue]],
    _ writer: inout SwiftWriter
  ) throws(SwiftFileError) {
    var names = SwiftNames(taken: SwiftNames.values)
    self.init(function: names.add("\(writer.tables[0].reference.name) groups", kind: "table"))
    addConditions(groups.source, rows, &writer)
    addGroups(groups.levels.map(\.value.expression), &writer)
    let known = zip(groups.columns, try groups.expressions).map { ($0.name.asciiLowercased, $1) }
    writer.substitutes = Dictionary(known) { first, _ in first }
    addFilter("having", view, &writer)
    addOrder(view.sort.orderings, &writer)
    addSelection(
      shown.enumerated().map { index, column in
        Result(
          expression: Self.expression(of: column, in: view.columns), name: groups.isOfPivot(column) ? column.name : nil,
          sample: sample.map { $0[index] })
      }, &writer)
  }
}

extension CompiledGroups {
  /// The values of the columns, in order, each as an expression over the rows of the group.
  fileprivate var expressions: [any QueryExpression] {
    get throws(SwiftFileError) {
      do throws(GroupError) { return try GroupCompiler(shape, source, sourceColumns).expressions(pivot) } catch {
        throw SwiftFileError(sentence: error.faults.errors.first?.sentence ?? "")
      }
    }
  }

  /// Whether a column shows a value for some rows of each group.
  fileprivate func isOfPivot(_ column: RowSetColumn) -> Bool {
    columns.contains { known in
      if case .aggregate(_, _?) = known.kind { column.computed == nil && known.name == column.name } else { false }
    }
  }
}

extension GroupCompiler {
  /// Returns the values of the columns, in order, each as an expression over the rows of the group.
  ///
  ///     sum(Total) FILTER (WHERE (BillingCountry = 'Canada'))
  fileprivate func expressions(_ pivot: PivotValues?) throws(GroupError) -> [any QueryExpression] {
    var values: [any QueryExpression] = []
    for index in counting.shape.levels.indices { values.append(try term(.level(index), GroupScope(place: .level)).value.expression) }
    let across = try acrossTerm()
    var conditions: [(any QueryExpression<Bool>)?] = []
    if let pivot, let across { conditions = (0..<pivot.columnCount).map { pivot.condition($0, on: across.value) } }
    for condition in conditions.isEmpty ? [nil] : conditions {
      for index in counting.shape.aggregates.indices {
        values.append(try counting.term(.aggregate(index), GroupScope(place: .group, filter: condition)).value.expression)
      }
    }
    return values
  }
}

extension PivotValues {
  /// Returns the condition that a row belongs to a column.
  fileprivate func condition(_ index: Int, on across: TypedExpression) -> any QueryExpression<Bool> {
    let operand = PivotOperand(value: across.expression)
    if values.indices.contains(index) {
      return values[index] == .null ? Identity(operand, nil) : Equality(operand, values[index].expression)
    }
    let known = values.filter { $0 != .null }
    let constants = known.compactMap { if case .value(let value) = $0 { TypedExpression(literal: value) } else { nil } }
    if constants.count == known.count, case .boolean(let isOther)? = try? TypedExpression.any(operand).isIn(constants, negated: true) {
      return isOther
    }
    return Logic(.and, known.map { Equality(operand, $0.expression, isNegated: true) })
  }
}

extension StoredValue {
  fileprivate var expression: any QueryExpression<DatabaseValue> {
    switch self {
    case .value(let value): Constant(value)
    case .rawText(let bytes): RawText(text: Cast(operand: Constant(bytes)))
    }
  }
}

/// A text that is not valid UTF-8.
private struct RawText: QueryExpression, SwiftWritten {
  typealias QueryValue = DatabaseValue
  typealias Output = DatabaseValue?

  let text: Cast<String>

  func write(to sql: inout SQLWriter) { sql.append(text) }

  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? { writer.term(text) }
}

/// The expression whose values become the columns of a pivot; Swift code has one constant for it.
private struct PivotOperand: QueryExpression, SwiftWritten {
  typealias QueryValue = DatabaseValue
  typealias Output = DatabaseValue?

  let value: any QueryExpression

  var parenthesization: Parenthesization { value.parenthesization }

  func write(to sql: inout SQLWriter) { sql.append(value) }

  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? { writer.shared(value, named: "across") }
}
