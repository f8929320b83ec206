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
  public func fetchCursor(_ db: Database) throws -> SelectCursor<Output> {
    SelectCursor(try Row.fetchCursor(db.makeStatement(literal: sqlText)), decode: decode)
  }

  /// Runs the query and returns all its results.
  ///
  /// ```swift
  /// let rows: [(Int, String)] = try Reminder.select { ($0.id, $0.title) }.fetchAll(db)
  /// // SELECT id, title FROM reminders
  /// ```
  ///
  /// - Throws: ``DatabaseError``, also where a value does not fit its column's type.
  public func fetchAll(_ db: Database) throws -> [Output] {
    let cursor = try fetchCursor(db)
    var results: [Output] = []
    while let result = try cursor.next() { results.append(result) }
    return results
  }

  /// Runs the query and returns its first result; nil where there is none.
  ///
  /// ```swift
  /// let title = try Reminder.where { $0.id == 1 }.select { $0.title }.fetchOne(db)
  /// // SELECT title FROM reminders WHERE (id = 1)
  /// ```
  ///
  /// No LIMIT is added: the run ends after the first row.
  ///
  /// - Throws: ``DatabaseError``, also where a value does not fit its column's type.
  public func fetchOne(_ db: Database) throws -> Output? {
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

extension Select where Output: Hashable {
  /// Runs the query and returns its different results.
  ///
  /// ```swift
  /// let priorities = try Reminder.select { $0.priority }.fetchSet(db)
  /// // SELECT priority FROM reminders
  /// ```
  ///
  /// - Throws: ``DatabaseError``, also where a value does not fit its column's type.
  public func fetchSet(_ db: Database) throws -> Set<Output> {
    Set(try fetchAll(db))
  }
}

/// The results of a typed query, made as they are asked for.
///
/// ```swift
/// let reminders = try Reminder.select { ($0.id, $0.title) }.fetchCursor(db)
/// // SELECT id, title FROM reminders
/// while let (id, title) = try reminders.next() { print(id, title) }
/// ```
public final class SelectCursor<Element>: Cursor {
  private let rows: RowCursor
  private let decode: @Sendable (Row) throws -> Element

  init(_ rows: RowCursor, decode: @escaping @Sendable (Row) throws -> Element) {
    self.rows = rows
    self.decode = decode
  }

  /// Returns the next result; nil where there is none left.
  ///
  /// - Throws: ``DatabaseError``, also where a value does not fit its column's type.
  public func next() throws -> Element? {
    try rows.next().map(decode)
  }
}
