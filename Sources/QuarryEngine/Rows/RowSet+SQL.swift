extension RowSet {
  /// The SELECT that gives these rows in this order, for people and other programs; the engine itself reads them by key.
  ///
  /// ```sql
  /// SELECT * FROM Track WHERE (Milliseconds > 300000) ORDER BY Name
  /// ```
  public var sqlText: SQLText {
    var sql = SQLText("SELECT * FROM ")
    append(source, to: &sql)
    if !condition.isEmpty {
      sql.append(" WHERE ")
      sql.append(condition)
    }
    if !order.isNatural {
      sql.append(" ORDER BY ")
      sql.append(order.sqlText)
    }
    return sql
  }

  private func append(_ source: Source, to sql: inout SQLText) {
    switch source {
    case .table(let table):
      if table.database != "main" {
        sql.append(identifier: table.database)
        sql.append(".")
      }
      sql.append(identifier: table.name)
    case .query(let query, let arguments):
      sql.append("(")
      sql.raw(Self.filledIn(query, with: arguments))
      sql.append("\n)")
    }
  }

  /// Returns a query with literals in the place of its parameters, NULL for those that have no value.
  ///
  ///     SELECT * FROM Track WHERE Name LIKE '%love%'   -- of LIKE :name
  static func filledIn(_ query: String, with arguments: [DatabaseValue]) -> String {
    let bytes = Array(query.utf8)
    var numbers = ParameterNumbers()
    var result: [UInt8] = []
    var end = 0
    for token in SQLTokenizer.tokens(of: query) where token.kind == .parameter {
      let number = numbers.number(of: String(decoding: bytes[token.range], as: UTF8.self))
      let value = arguments.indices.contains(number - 1) ? arguments[number - 1] : .null
      result += bytes[end..<token.range.lowerBound] + Array(value.sqlLiteral.utf8)
      end = token.range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }
}

/// The numbers that SQLite gives parameters, from 1: a token of its own the next, one met before the same again.
private struct ParameterNumbers {
  private var numbers: [String: Int] = [:]
  private var greatest = 0

  mutating func number(of token: String) -> Int {
    let digits = token.dropFirst()
    if token.hasPrefix("?"), let number = Int(digits) {
      greatest = max(greatest, number)
      return number
    }
    if !digits.isEmpty, let number = numbers[token] { return number }
    greatest += 1
    numbers[token] = greatest
    return greatest
  }
}
