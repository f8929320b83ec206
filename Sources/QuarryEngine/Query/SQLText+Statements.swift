extension SQLText {
  /// A value of the SQL, and where in its UTF-8 the `?` stands that it is for.
  struct PlacedValue {
    let place: Int
    let value: DatabaseValue
  }

  /// - Throws: The error of the first value that SQLite cannot store.
  func checkStorable() throws {
    if let refusal { throw refusal }
  }
}

extension Statement {
  /// Sets the values of the SQL that the statement was compiled of.
  ///
  /// Where they are all that the statement takes, they are its arguments; where placeholders are open beside them, they stay with the
  /// statement, and arguments are for the others.
  ///
  /// - Parameters:
  ///   - sql: the text that the statement was compiled of, untrimmed.
  ///   - start: where that text begins in the one that the places belong to.
  /// - Throws: `SQLITE_MISUSE` where a value stands where SQLite takes none, as within quotes.
  func setValues(_ placed: some Collection<SQLText.PlacedValue>, in sql: String, from start: Int = 0) throws {
    guard placed.count == parameterCount else { return try giveValues(numbered(placed, in: sql, from: start)) }
    try giveValues([:])
    if !placed.isEmpty { try setArguments(StatementArguments(placed.map(\.value))) }
  }

  /// The values by the numbers that SQLite gives to their parameters.
  private func numbered(_ placed: some Collection<SQLText.PlacedValue>, in sql: String, from start: Int) throws -> [Int: DatabaseValue] {
    if placed.isEmpty { return [:] }
    let values = Dictionary(placed.map { ($0.place - start, $0.value) }, uniquingKeysWith: { $1 })
    var numbered: [Int: DatabaseValue] = [:]
    for parameter in StatementTokens(sql).parameters {
      if let value = values[parameter.range.lowerBound] { numbered[parameter.number] = value }
    }
    guard numbered.count == placed.count else {
      throw DatabaseError.misuse("a value stands where SQL takes none, as within quotes or a comment", sql: self.sql)
    }
    return numbered
  }
}
