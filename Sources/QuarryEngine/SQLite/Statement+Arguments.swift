extension Statement {
  /// The statement's arguments.
  ///
  /// ```swift
  /// insertStatement.arguments = ["name": "Arthur", "score": 1000]
  /// try insertStatement.execute()
  /// ```
  ///
  /// Setting them validates nothing: the next execution does. ``setArguments(_:)`` validates at once.
  public var arguments: StatementArguments {
    get { binding.arguments }
    set {
      binding.arguments = newValue
      binding.state = .pending
    }
  }

  /// Validates the arguments and sets them; arguments that are refused leave the old ones in place.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (?, ?)")
  /// try statement.setArguments(["Arthur", 41])
  /// try statement.execute()  // INSERT INTO player (name, score) VALUES ('Arthur', 41)
  /// ```
  ///
  /// - Throws: As ``validateArguments(_:)``.
  public func setArguments(_ arguments: StatementArguments) throws {
    try validateArguments(arguments)
    self.arguments = arguments
  }

  /// Sets the arguments without any validation, then or later: a parameter for which there is none is NULL, and one too many is passed
  /// over.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (:name, :score)")
  /// statement.setUncheckedArguments(["name": "Arthur"])
  /// try statement.execute()  // INSERT INTO player (name, score) VALUES ('Arthur', NULL)
  /// ```
  ///
  /// Trades safety for performance.
  public func setUncheckedArguments(_ arguments: StatementArguments) {
    binding.arguments = arguments
    binding.state = .pendingUnchecked
  }

  /// Checks that the arguments are those that the statement expects, and leaves those that are set as they are.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (:name, :score)")
  /// try statement.validateArguments(["name": "Arthur"])
  /// // SQLite error 21: missing statement argument: score
  /// ```
  ///
  /// - Throws: `SQLITE_MISUSE` where arguments are missing, too many, unknown or given twice, or the value's own error where SQLite has no
  ///   place for it.
  public func validateArguments(_ arguments: StatementArguments) throws {
    try database.checkOpen()
    _ = try ArgumentMatch(arguments, parameters: parameterNames, given: binding.givenValues, sql: sql)
    for value in arguments.values { _ = try value?.databaseValue }
  }

  /// Gives parameters the values that stand in the SQL, so that arguments are for the others only; none takes them away again.
  func giveValues(_ values: [Int: DatabaseValue]) throws {
    if values.isEmpty, binding.givenValues.isEmpty { return }
    rewind()
    binding.givenValues = values
    try clearBindings()
  }

  /// Binds arguments for the run that is about to begin.
  func bind(_ arguments: consuming StatementArguments) throws {
    binding.arguments = consume arguments
    binding.state = .pending
    try bindPendingArguments()
  }

  /// Requires all arguments, which what executes needs, where what is stepped by hand does not.
  func requireArguments() throws {
    if binding.state == .unset, parameterCount > 0 { binding.state = .pending }
    try bindPendingArguments()
  }

  @inline(__always)
  func bindPendingArguments() throws {
    switch binding.state {
    case .unset, .bound: return
    case .pending, .pendingUnchecked: try bindArguments()
    }
  }

  private func bindArguments() throws {
    let state = binding.state
    do {
      if try !bindByOrder() { try bindByMatch(isChecked: state == .pending) }
    } catch {
      // Some parameters may be bound by now, which must not pass for all.
      binding.state = state
      throw error
    }
    binding.state = .bound
  }

  private func bindByMatch(isChecked: Bool) throws {
    let (names, given) = (parameterNames, binding.givenValues)
    let match =
      isChecked
      ? try ArgumentMatch(binding.arguments, parameters: names, given: given, sql: sql)
      : ArgumentMatch(unchecked: binding.arguments, parameters: names, given: given)
    for (index, value) in match.values.enumerated() { try bind(value, at: index + 1) }
  }

  /// Binds arguments that stand in the order of the parameters, which is the common case and needs no search; false where they do not.
  private func bindByOrder() throws -> Bool {
    // Read once, and only for arguments that have names to compare with them.
    if !binding.arguments.named.isEmpty { _ = parameterNames }
    guard binding.isInOrder else { return false }
    // A value that binds itself may ask the statement for anything, so that nothing of it is lent meanwhile.
    var arguments = binding.takeArguments()
    do {
      try bindInPlace(&arguments)
    } catch {
      binding.arguments = arguments
      throw error
    }
    binding.arguments = arguments
    return true
  }

  private func bindInPlace(_ arguments: inout StatementArguments) throws {
    try arguments.positional.withUnsafeMutableBufferPointer { values in
      for index in values.indices { try bind(inPlace: &values[index], at: index + 1) }
    }
    try arguments.named.withUnsafeMutableBufferPointer { values in
      for index in values.indices { try bind(inPlace: &values[index].1, at: index + 1) }
    }
  }

  @inline(__always)
  private func bind(inPlace argument: inout StatementArguments.Argument, at index: Int) throws {
    let bound: Void? = try argument?.bindInPlace(to: self, at: index)
    if bound == nil { try bindNull(at: index) }
  }
}

extension DatabaseValueConvertible {
  /// Binds the value where it lies.
  ///
  /// It is `inout` although nothing changes it, so that it is not copied: that would take longer than binding it.
  fileprivate mutating func bindInPlace(to statement: Statement, at index: Int) throws {
    try bind(to: statement, at: index)
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

  /// Returns the values by the numbers that SQLite gives to their parameters.
  private func numbered(_ placed: some Collection<SQLText.PlacedValue>, in sql: String, from start: Int) throws -> [Int: DatabaseValue] {
    if placed.isEmpty { return [:] }
    let values = Dictionary(placed.map { ($0.offset - start, $0.value) }, uniquingKeysWith: { $1 })
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
