extension Select {
  /// Runs the query and returns its results one at a time.
  ///
  /// ```swift
  /// let titles = try Reminder.select { $0.title }.fetchCursor(db)
  /// // SELECT title FROM reminders
  /// while let title = try titles.next() { print(title) }
  /// ```
  ///
  /// - Throws: ``DatabaseError``.
  public func fetchCursor(_ db: Database) throws -> GeneratedCursor<Element> {
    let prepared = try db.makeStatement(literal: sqlText)
    let starts = try statement.columnStarts(count: prepared.columnCount, db)
    let rows = try Row.fetchCursor(prepared)
    return GeneratedCursor { [decode] _ in try rows.next().map { try decode($0, starts) } }
  }

  /// Runs the query and returns all its results.
  ///
  /// ```swift
  /// let rows: [(Int, String)] = try Reminder.select { ($0.id, $0.title) }.fetchAll(db)
  /// // SELECT id, title FROM reminders
  /// ```
  ///
  /// - Throws: ``DatabaseError``, also if a value does not match its column's type.
  public func fetchAll(_ db: Database) throws -> [Element] {
    try Array(fetchCursor(db))
  }

  /// Runs the query and returns its first result; nil if there is no result.
  ///
  /// ```swift
  /// let title = try Reminder.where { $0.id == 1 }.select { $0.title }.fetchOne(db)
  /// // SELECT title FROM reminders WHERE (id = 1)
  /// ```
  ///
  /// No LIMIT is added: the run ends after the first row.
  ///
  /// - Throws: ``DatabaseError``, also if a value does not match its column's type.
  public func fetchOne(_ db: Database) throws -> Element? {
    try fetchCursor(db).next()
  }

  /// Returns the number of the query's results without fetching them.
  ///
  /// ```swift
  /// try Reminder.where { $0.isCompleted }.fetchCount(db)
  /// // SELECT count(*) FROM reminders WHERE isCompleted
  /// ```
  ///
  /// - Throws: ``DatabaseError``.
  public func fetchCount(_ db: Database) throws -> Int {
    try Row.fetchOne(db.makeStatement(literal: statement.countText))?[0] ?? 0
  }
}

extension Select where Element: Hashable {
  /// Runs the query and returns the set of its results.
  ///
  /// ```swift
  /// let priorities = try Reminder.select { $0.priority }.fetchSet(db)
  /// // SELECT priority FROM reminders
  /// ```
  ///
  /// - Throws: ``DatabaseError``, also if a value does not match its column's type.
  public func fetchSet(_ db: Database) throws -> Set<Element> {
    Set(try fetchAll(db))
  }
}
