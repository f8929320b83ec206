internal import CSQLite

extension Statement {
  /// The number of parameters, which is the highest parameter number.
  ///
  /// The corresponding C function is `sqlite3_bind_parameter_count`.
  public var parameterCount: Int { binding.parameterCount }

  /// Returns the whole token of a parameter, from 1: `:name`, `@name`, `$name` or `?3`; nil for a `?`, and if the parameter does not exist.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM player WHERE name = :name AND score > ?")
  /// statement.parameterName(at: 1)  // :name
  /// statement.parameterName(at: 2)  // nil
  /// ```
  ///
  /// The corresponding C function is `sqlite3_bind_parameter_name`.
  public func parameterName(at index: Int) -> String? {
    let names = parameterNames
    return names.indices.contains(index - 1) ? names[index - 1].token : nil
  }

  /// Returns the index, from 1, of the parameter with this whole token; nil if no parameter has it.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM player WHERE name = :name")
  /// statement.parameterIndex(named: ":name")  // 1
  /// ```
  ///
  /// The corresponding C function is `sqlite3_bind_parameter_index`.
  public func parameterIndex(named token: String) -> Int? {
    parameterNames.firstIndex { $0.token == token }.map { $0 + 1 }
  }

  package var parameterNames: [ParameterName] {
    binding.names(of: sqliteStatement, isClosed: database.isClosed)
  }

  /// Binds a value to a parameter, from 1.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (?, ?)")
  /// try statement.bind("Arthur", at: 1)
  /// try statement.bind(41, at: 2)
  /// try statement.step()
  /// ```
  ///
  /// The corresponding C functions are `sqlite3_bind_int64` and its siblings.
  ///
  /// - Throws: `SQLITE_RANGE` if the parameter does not exist, `SQLITE_MISUSE` if the statement was stepped and not reset, or the error of
  ///   a value that SQLite cannot store.
  @inlinable
  public func bind<Value: DatabaseValueConvertible>(_ value: Value, at index: Int) throws {
    try value.bind(to: self, at: index)
  }

  /// Binds a value, or NULL, to a parameter, from 1.
  ///
  /// ```swift
  /// let values: [(any DatabaseValueConvertible)?] = ["Arthur", nil]
  /// for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
  /// ```
  ///
  /// - Throws: The same errors as ``bind(_:at:)-(Value,_)``.
  @_disfavoredOverload
  public func bind(_ value: (any DatabaseValueConvertible)?, at index: Int) throws {
    if let value {
      try value.bind(to: self, at: index)
    } else {
      try bindNull(at: index)
    }
  }

  /// Binds a value to all occurrences of the parameter with this whole token.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM orders WHERE status = :status OR was = :status")
  /// try statement.bind("active", by: ":status")
  /// // SELECT * FROM orders WHERE status = 'active' OR was = 'active'
  /// ```
  ///
  /// - Throws: `SQLITE_MISUSE` if the parameter does not exist; otherwise the same errors as ``bind(_:at:)-(Value,_)``.
  public func bind(_ value: (any DatabaseValueConvertible)?, by token: String) throws {
    try database.checkAccess()
    guard let index = parameterIndex(named: token) else {
      throw DatabaseError.misuse("there is no parameter \(token)", sql: sql)
    }
    try bind(value, at: index)
  }

  /// Binds NULL to every parameter and removes the current arguments; values interpolated in a literal with other placeholders stay bound.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "INSERT INTO player (name) VALUES (?)")
  /// try statement.execute(arguments: ["Arthur"])
  /// try statement.clearBindings()
  /// try statement.step()  // INSERT INTO player (name) VALUES (NULL)
  /// ```
  ///
  /// The corresponding C function is `sqlite3_clear_bindings`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside an access.
  public func clearBindings() throws {
    try database.checkAccess()
    sqlite3_clear_bindings(sqliteStatement)
    binding.arguments = StatementArguments()
    binding.state = .unset
    for (index, value) in binding.givenValues { try bind(value, at: index) }
    binding.state = .unset
  }
}

// MARK: - By storage class

extension Statement {
  /// Binds NULL to a parameter, from 1.
  ///
  /// The corresponding C function is `sqlite3_bind_null`.
  ///
  /// - Throws: The same errors as ``bind(_:at:)-(Value,_)``.
  public func bindNull(at index: Int) throws {
    try prepareBinding()
    try finishBinding(sqlite3_bind_null(sqliteStatement, Int32(clamping: index)), at: index)
  }

  /// Binds an integer to a parameter, from 1.
  ///
  /// ```swift
  /// try statement.bindInteger(41, at: 1)
  /// ```
  ///
  /// The corresponding C function is `sqlite3_bind_int64`.
  ///
  /// - Throws: The same errors as ``bind(_:at:)-(Value,_)``.
  public func bindInteger(_ value: Int64, at index: Int) throws {
    try prepareBinding()
    try finishBinding(sqlite3_bind_int64(sqliteStatement, Int32(clamping: index), value), at: index)
  }

  /// Binds a real to a parameter, from 1; NaN is bound as NULL, as in SQLite.
  ///
  /// ```swift
  /// try statement.bindReal(0.5, at: 1)
  /// ```
  ///
  /// The corresponding C function is `sqlite3_bind_double`.
  ///
  /// - Throws: The same errors as ``bind(_:at:)-(Value,_)``.
  public func bindReal(_ value: Double, at index: Int) throws {
    try prepareBinding()
    try finishBinding(sqlite3_bind_double(sqliteStatement, Int32(clamping: index), value), at: index)
  }

  /// Binds a text to a parameter, from 1, with its full length, including NUL characters.
  ///
  /// ```swift
  /// try statement.bindText("Arthur", at: 1)
  /// ```
  ///
  /// The corresponding C function is `sqlite3_bind_text64`.
  ///
  /// - Throws: The same errors as ``bind(_:at:)-(Value,_)``.
  public func bindText(_ value: String, at index: Int) throws {
    // A string that is not contiguous UTF-8 is bridged, and converted first.
    if try value.utf8.withContiguousStorageIfAvailable({ try bindText(UnsafeRawBufferPointer($0), at: index) }) == nil {
      var value = value
      try value.withUTF8 { try bindText(UnsafeRawBufferPointer($0), at: index) }
    }
  }

  /// Binds bytes as a text to a parameter, from 1, unchanged; SQLite assumes UTF-8 without validation.
  ///
  /// ```swift
  /// let latin: [UInt8] = [0x63, 0x61, 0x66, 0xE9]
  /// try latin.withUnsafeBytes { try statement.bindText($0, at: 1) }
  /// ```
  ///
  /// The bytes are copied. The corresponding C function is `sqlite3_bind_text64`.
  ///
  /// - Throws: The same errors as ``bind(_:at:)-(Value,_)``.
  public func bindText(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
    try checkBindable()
    let code = if let kept = binding.keepASCII(bytes, at: index) { bindKept(kept, bytes.count, index) } else { bindAnyText(bytes, index) }
    try finishBinding(code, at: index)
  }

  @inline(__always)
  private func bindKept(_ text: UnsafeRawPointer, _ count: Int, _ index: Int) -> Int32 {
    let text = text.assumingMemoryBound(to: CChar.self)
    // The parameter exists if memory is kept for it.
    return sqlite3_bind_text64(sqliteStatement, Int32(truncatingIfNeeded: index), text, UInt64(count), nil, UInt8(SQLITE_UTF8))
  }

  /// Binds a text that may be long, or contain characters that SQLite would change.
  @inline(never)
  private func bindAnyText(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int32 {
    let position = Int32(clamping: index)
    if UTF16Text.hasNoncharacter(bytes), let code = bindUTF16(bytes, at: position) { return code }
    if let kept = binding.keep(bytes, at: index) { return bindKept(kept, bytes.count, index) }
    return quarry_bind_text_copy(sqliteStatement, position, bytes.baseAddress, UInt64(bytes.count))
  }

  private func bindUTF16(_ bytes: UnsafeRawBufferPointer, at position: Int32) -> Int32? {
    UTF16Text.units(of: bytes)?.withUnsafeBytes { quarry_bind_utf16_copy(sqliteStatement, position, $0.baseAddress, UInt64($0.count)) }
  }

  /// Binds bytes as a blob to a parameter, from 1.
  ///
  /// ```swift
  /// let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
  /// try picture.withUnsafeBytes { try statement.bindBlob($0, at: 1) }
  /// ```
  ///
  /// The bytes are copied. The corresponding C function is `sqlite3_bind_blob64`.
  ///
  /// - Throws: The same errors as ``bind(_:at:)-(Value,_)``.
  public func bindBlob(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
    try checkBindable()
    let position = Int32(clamping: index)
    let code =
      if let kept = binding.keep(bytes, at: index) {
        sqlite3_bind_blob64(sqliteStatement, position, kept, UInt64(bytes.count), nil)
      } else {
        quarry_bind_blob_copy(sqliteStatement, position, bytes.baseAddress, UInt64(bytes.count))
      }
    try finishBinding(code, at: index)
  }

  /// Binds bytes as a text to a parameter, from 1, without copying them; they must not change until another value is bound or the statement
  /// is released.
  ///
  /// The corresponding C function is `sqlite3_bind_text64`.
  ///
  /// - Throws: The same errors as ``bind(_:at:)-(Value,_)``.
  package func bindLentText(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
    guard let start = bytes.baseAddress, !UTF16Text.hasNoncharacter(bytes) else { return try bindText(bytes, at: index) }
    try checkBindable()
    let text = start.assumingMemoryBound(to: CChar.self)
    let code = sqlite3_bind_text64(sqliteStatement, Int32(clamping: index), text, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
    try finishBinding(code, at: index)
  }

  /// Checks that no row is being read: a running statement reads the bound values, so even their memory must not be written.
  @inline(__always)
  private func checkBindable() throws {
    try prepareBinding()
    if phase != .ready { try refuseBinding() }
  }

  /// Binds arguments that are set but not bound, so that a single value replaces one of them and not all.
  @inline(__always)
  private func prepareBinding() throws {
    try database.checkAccess()
    try bindPendingArguments()
  }

  @inline(__always)
  private func finishBinding(_ code: Int32, at index: Int) throws {
    if code != SQLITE_OK { try failBinding(code, index) }
    binding.state = .boundByHand
  }

  private var steppedError: DatabaseError { .misuse("the statement has been stepped: reset it before you bind values", sql: sql) }

  @inline(never)
  private func refuseBinding() throws -> Never { throw steppedError }

  @inline(never)
  private func failBinding(_ code: Int32, _ index: Int) throws -> Never {
    throw switch code {
    case SQLITE_RANGE:
      DatabaseError(DatabaseError.SQLITE_RANGE, "there is no parameter \(index): the statement has \(parameterCount)", sql: sql)
    case SQLITE_MISUSE: steppedError
    default: database.error(code, sql: sql)
    }
  }
}
