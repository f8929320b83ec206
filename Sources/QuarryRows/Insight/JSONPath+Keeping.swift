public import QuarryEngine

extension JSONPath {
  /// Returns the statements that add the value at the path in a JSON column as a column of the table, with an index on it.
  ///
  /// ```sql
  /// ALTER TABLE main.event ADD COLUMN user_name AS (CASE WHEN json_valid(data) THEN data ->> '$.user.name' END);
  /// CREATE INDEX main.event_user_name ON event (user_name);
  /// ```
  public func statements(keepingValuesOf column: String, in table: TableSchema) -> String {
    let reference = table.entry.reference
    let name = keptName(among: table.columns.map(\.name))
    // A STRICT table requires a type for each column.
    let type: SQLText = table.entry.isStrict ? " ANY" : ""
    let index = "\(reference.name)_\(name)"
    let expression = JSONExtraction(Column<String?>(column), .value, self).sqlText
    let added: SQLText = "ALTER TABLE \(reference.sqlText) ADD COLUMN \(identifier: name)\(type) AS \(expression)"
    let indexed: SQLText = """
      CREATE INDEX \(identifier: reference.database).\(identifier: index) ON \(identifier: reference.name) (\(identifier: name))
      """
    return "\(added.queryString);\n\(indexed.queryString);\n"
  }

  /// Returns a name that no column has: the path's keys, with underscores in place of all other characters.
  private func keptName(among taken: [String]) -> String {
    let words = description.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let name = words.isEmpty ? "value" : words.joined(separator: "_")
    let names = [name] + (2...taken.count + 2).map { "\(name)_\($0)" }
    return names.first { name in !taken.contains { $0.isSameIdentifier(as: name) } } ?? name
  }
}
