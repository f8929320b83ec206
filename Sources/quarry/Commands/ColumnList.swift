internal import ArgumentParser
internal import QuarryEngine
internal import QuarryRows

/// Comma-separated names of columns, optionally with whitespace around them.
///
/// A name that contains a comma or a quote, or begins or ends with whitespace, is enclosed in double quotes, as in CSV.
struct ColumnList: ExpressibleByArgument, Hashable {
  var names: [String]

  init?(argument: String) {
    var names: [String] = []
    var rest = argument[...]
    repeat {
      guard let name = Self.scanName(&rest) else { return nil }
      names.append(name)
    } while Self.scanComma(&rest)
    guard rest.isEmpty else { return nil }
    self.names = names
  }

  /// Creates a list of literal names.
  private init(names: [String]) {
    self.names = names
  }

  /// Creates a list of one literal name.
  init(name: String) {
    names = [name]
  }

  private static func scanComma(_ rest: inout Substring) -> Bool {
    guard rest.first == "," else { return false }
    rest.removeFirst()
    return true
  }

  private static func scanName(_ rest: inout Substring) -> String? {
    rest = rest.drop(while: \.isWhitespace)
    guard rest.first == "\"" else {
      let name = rest.prefix { $0 != "," }
      rest = rest[name.endIndex...]
      let end = name.lastIndex { !$0.isWhitespace }
      return end.map { String(name[...$0]) }
    }
    let name = scanQuotedName(&rest)
    rest = rest.drop(while: \.isWhitespace)
    return name
  }

  private static func scanQuotedName(_ rest: inout Substring) -> String? {
    var name = ""
    repeat {
      rest.removeFirst()
      guard let quote = rest.firstIndex(of: "\"") else { return nil }
      name += rest[..<quote]
      rest = rest[rest.index(after: quote)...]
      // Two quotes mean one quote in the name.
      if rest.first == "\"" { name += "\"" }
    } while rest.first == "\""
    return name
  }
}

extension ColumnList {
  /// Returns the names as spelled in a table.
  ///
  /// - Throws: `Failure` if the table has no such column.
  func names(in schema: TableSchema) throws -> [String] {
    try names.map { name in
      guard let column = schema.column(named: name) else { throw Self.noColumn(name, in: schema) }
      return column.name
    }
  }

  /// Returns the expressions for a SELECT: columns of a table, and values of the filter language computed from them.
  ///
  ///     Name, length(Name) AS "length(Name)", (SELECT Title FROM main.Album WHERE AlbumId = Track.AlbumId) AS Album
  ///
  /// - Throws: `Failure` if a name is neither.
  func expressions(in schema: TableSchema, _ columns: FilterColumns) throws -> [SQLText] {
    try names.enumerated().map { index, name in
      if let column = schema.column(named: name) { return "\(identifier: column.name)" }
      let column = try Self.computed(name, in: schema, before(index, in: schema, columns))
      return "\(column.expression) AS \(identifier: column.name)"
    }
  }

  /// Returns the columns to analyze: columns of a table, and values of the filter language computed from them.
  ///
  /// - Throws: `Failure` if a name is neither.
  func insightColumns(in schema: TableSchema, _ columns: FilterColumns) throws -> [InsightColumn] {
    try names.enumerated().map { index, name in
      if let column = schema.column(named: name) { return InsightColumn(column.name) }
      return try Self.computed(name, in: schema, before(index, in: schema, columns))
    }
  }

  /// Returns the names of all columns, after checking the expressions of computed ones.
  ///
  /// - Throws: `Failure` if a name is neither a column nor a value.
  func resultNames(in schema: TableSchema, _ columns: FilterColumns) throws -> [String] {
    try insightColumns(in: schema, columns).map(\.name)
  }

  /// Returns the columns that the value at an index can use.
  private func before(_ index: Int, in schema: TableSchema, _ columns: FilterColumns) -> FilterColumns {
    columns.computing(Self(names: Array(names[..<index])).computed(in: schema)).columns
  }

  /// Compiles a value, which may have a name of its own: `length(Name)`, `Artist = AlbumId.ArtistId.Name`.
  private static func computed(_ written: String, in schema: TableSchema, _ columns: FilterColumns) throws -> InsightColumn {
    do throws(FilterErrors) {
      let column = try ColumnExpression.compile(column: written, columns: columns)
      return InsightColumn(column.name, expression: column.sqlText)
    } catch {
      // A single word can only mean a column.
      guard !isWord(written) else { throw noColumn(written, in: schema) }
      let name = ColumnExpression.name(in: written, columns: columns) ?? written
      throw Failure.usage("the column \(name): \(error.report(on: written))")
    }
  }

  /// Returns the texts of the computed columns in the list, whose names filters, orders and later columns can use.
  func computed(in schema: TableSchema) -> [String] { names.filter { schema.column(named: $0) == nil } }

  private static func isWord(_ text: String) -> Bool {
    text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == " " }
  }

  private static func noColumn(_ name: String, in schema: TableSchema) -> Failure {
    let near = NearestNames.to(name, among: schema.columns.map(\.name))
    let all = schema.columns.map(\.name).joined(separator: ", ")
    let offer = near.isEmpty ? "it has \(all)" : "did you mean \(near.joined(separator: " or "))?"
    return Failure.usage("\(schema.entry.reference.name) has no column \(name); \(offer)")
  }
}
