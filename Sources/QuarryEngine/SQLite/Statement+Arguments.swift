extension Statement {
  /// The statement's arguments.
  ///
  /// ```swift
  /// insertStatement.arguments = ["name": "Arthur", "score": 1000]
  /// try insertStatement.execute()
  /// ```
  ///
  /// Arguments are not validated when they are set, but by the next execution, or before a single value is bound. ``setArguments(_:)``
  /// validates immediately. A value that is bound to a single parameter replaces its argument, but does not appear here.
  public var arguments: StatementArguments {
    get { binding.arguments }
    set {
      binding.arguments = newValue
      binding.state = .pending
    }
  }

  /// Validates the arguments and sets them; if they are rejected, the previous arguments remain.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (?, ?)")
  /// try statement.setArguments(["Arthur", 41])
  /// try statement.execute()  // INSERT INTO player (name, score) VALUES ('Arthur', 41)
  /// ```
  ///
  /// - Throws: The same errors as ``validateArguments(_:)``.
  public func setArguments(_ arguments: StatementArguments) throws {
    try validateArguments(arguments)
    self.arguments = arguments
  }

  /// Sets the arguments without validation, now or later: parameters without an argument are NULL, and surplus arguments are ignored.
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

  /// Checks that the arguments match the statement's parameters, without changing the current arguments.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (:name, :score)")
  /// try statement.validateArguments(["name": "Arthur"])
  /// // SQLite error 21: missing statement argument: score
  /// ```
  ///
  /// - Throws: `SQLITE_MISUSE` if arguments are missing, surplus, unknown or duplicate; the error of a value that SQLite cannot store.
  public func validateArguments(_ arguments: StatementArguments) throws {
    try database.checkOpen()
    _ = try ArgumentMatch(arguments, parameters: parameterNames, given: binding.givenValues, sql: sql)
    for value in arguments.values { _ = try value?.databaseValue }
  }

  /// Binds the values interpolated in the SQL, so that arguments are for the remaining parameters; no values removes them.
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

  /// Requires all arguments, as an execution does.
  ///
  /// A statement that is stepped manually does not need them.
  func requireArguments() throws {
    if binding.state == .unset, parameterCount > 0 { binding.state = .pending }
    try bindPendingArguments()
  }

  @inline(__always)
  func bindPendingArguments() throws {
    switch binding.state {
    case .unset, .bound, .boundByHand: return
    case .pending, .pendingUnchecked: try bindArguments()
    }
  }

  private func bindArguments() throws {
    let state = binding.state
    // Single values are bound now, which would otherwise require the arguments again.
    binding.state = .bound
    do {
      if try !bindByOrder() { try bindByMatch(isChecked: state == .pending) }
    } catch {
      // Some parameters may be bound by now, but not all.
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

  /// Binds arguments in the order of the parameters, the common case, which needs no search; returns false if they are not in order.
  private func bindByOrder() throws -> Bool {
    // Read once, and only if there are named arguments to compare.
    if !binding.arguments.named.isEmpty { _ = parameterNames }
    guard binding.isInOrder else { return false }
    // A value that binds itself may call any method of the statement, so none of its storage is borrowed meanwhile.
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
    // The storage of empty arrays is shared by all of them, so that a mutable pointer to it would need a copy.
    if arguments.named.isEmpty { return }
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
  /// Binds the value without copying it.
  ///
  /// The method is `mutating`, although it changes nothing, because a copy would take longer than binding.
  fileprivate mutating func bindInPlace(to statement: Statement, at index: Int) throws {
    try bind(to: statement, at: index)
  }
}

extension Statement {
  /// Sets the values of the SQL from which the statement was compiled.
  ///
  /// If the statement has no other parameters, they become its arguments. Otherwise they stay bound, and arguments are for the remaining
  /// parameters.
  ///
  /// - Parameters:
  ///   - sql: The text from which the statement was compiled, untrimmed.
  ///   - start: The offset of that text in the text to which the places refer.
  /// - Throws: `SQLITE_MISUSE` if a value is where SQLite allows no parameter, for example within quotes.
  func setValues(_ placed: some Collection<SQLText.PlacedValue>, in sql: String, from start: Int = 0) throws {
    guard placed.count == parameterCount else { return try giveValues(numbered(placed, in: sql, from: start)) }
    try giveValues([:])
    if !placed.isEmpty { try setArguments(StatementArguments(placed.map(\.value))) }
  }

  /// Returns the values by the numbers that SQLite assigns to their parameters.
  private func numbered(_ placed: some Collection<SQLText.PlacedValue>, in sql: String, from start: Int) throws -> [Int: DatabaseValue] {
    if placed.isEmpty { return [:] }
    let values = Dictionary(placed.map { ($0.offset - start, $0.value) }, uniquingKeysWith: { $1 })
    var numbered: [Int: DatabaseValue] = [:]
    for parameter in StatementTokens(sql).parameters {
      if let value = values[parameter.range.lowerBound] { numbered[parameter.number] = value }
    }
    guard numbered.count == placed.count else {
      throw DatabaseError.misuse(
        "a value is in a place where SQL does not allow one, for example inside quotes or a comment", sql: self.sql)
    }
    return numbered
  }
}
