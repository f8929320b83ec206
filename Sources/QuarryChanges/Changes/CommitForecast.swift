public import QuarryEngine
internal import QuarryRows

/// The expected changes of a commit in addition to the staged rows, according to the schema and the rows.
public struct CommitForecast: Hashable, Sendable {
  /// The action of a foreign key on rows that refer to a staged row.
  public struct Action: Hashable, Sendable {
    /// The table of the rows.
    public var table: TableReference
    /// The action in SQL: `ON DELETE CASCADE`.
    public var name: String
    /// The number of rows.
    public var rows: Int
  }

  /// The actions of foreign keys, in the order of their effects.
  public var actions: [Action] = []
  /// Whether there are more rows than the search limit.
  public var isCut = false
  /// The tables whose triggers the commit fires.
  public var triggered: [TableReference] = []

  /// Creates an empty forecast.
  public init() {}

  /// The maximum number of rows to search for.
  static let limit = 100_000

  /// The forecast as a sentence, or nil if it is empty.
  ///
  /// For example `Also changes 5,000 rows of Item by ON DELETE CASCADE, and any rows that the triggers of Item write.`
  public var sentence: String? {
    var parts = actions.map { "\(isCut ? "at least " : "")\(Plural.of($0.rows, "row")) of \($0.table.name) by \($0.name)" }
    if !triggered.isEmpty {
      parts.append("\(parts.isEmpty ? "" : "and ")any rows that the triggers of \(triggered.map(\.name).joined(separator: ", ")) write")
    }
    return parts.isEmpty ? nil : "Also changes \(parts.joined(separator: ", "))."
  }
}

extension Database {
  /// Determines the changes that foreign keys and triggers will make along with staged changes.
  ///
  /// Writes nothing.
  ///
  /// - Throws: ``DatabaseError``.
  public func forecast(of changes: StagedChanges) throws -> CommitForecast {
    var run = try CommitForecastRun(changes, in: self)
    try run.follow()
    return run.forecast
  }
}

/// Follows foreign keys from the staged rows to referencing rows, and from these to rows that refer to them.
private struct CommitForecastRun {
  private let db: Database
  private let hasForeignKeys: Bool
  private(set) var forecast = CommitForecast()
  private var waiting: [Work] = []
  /// The rows that are already known to be deleted.
  private var deleted: Set<Row> = []
  private var schemas: [TableReference: RowStatements] = [:]

  /// A row, identified by its table and key.
  private struct Row: Hashable {
    var table: TableReference
    var key: RowKey
  }

  /// Rows of a table that are deleted, or updated in some columns.
  private struct Work {
    var table: TableReference
    var keys: [RowKey]
    /// The updated columns, or nil for deleted rows.
    var columns: Set<String>?

    var operation: RowOperation { columns == nil ? .delete : .update }
  }

  /// The number of rows that one statement looks up.
  private static let chunk = 200

  init(_ changes: StagedChanges, in db: Database) throws {
    self.db = db
    hasForeignKeys = try Int.fetchOne(db, sql: "PRAGMA foreign_keys") == 1
    for table in changes.tables {
      var gone: [RowKey] = []
      var updated: [Set<String>: [RowKey]] = [:]
      var hasNew = false
      for (row, change) in changes.rows(of: table) {
        switch (row, change) {
        case (.stored(let key), .deleted): gone.append(key)
        case (.stored(let key), .updated(let cells)): updated[Set(cells.changes.keys), default: []].append(key)
        default: hasNew = true
        }
      }
      deleted.formUnion(gone.map { Row(table: table, key: $0) })
      if !gone.isEmpty { waiting.append(Work(table: table, keys: gone)) }
      waiting += updated.map { Work(table: table, keys: $1, columns: $0) }
      if hasNew { try noteTriggers(of: table, .insert) }
    }
  }

  mutating func follow() throws {
    while let work = waiting.popLast(), !forecast.isCut {
      try noteTriggers(of: work.table, work.operation, work.columns)
      guard hasForeignKeys, try statements(of: work.table).schema.entry.kind == .table else { continue }
      for reference in try db.references(to: work.table) { try follow(reference, from: work) }
    }
  }

  /// Adds the rows that refer to the given rows by a foreign key whose action changes them.
  private mutating func follow(_ reference: InboundReference, from work: Work) throws {
    let key = reference.key
    if let columns = work.columns, !key.referencedColumns.contains(where: { name in columns.contains { $0.isSameIdentifier(as: name) } }) {
      return
    }
    let action = (work.columns == nil ? key.onDelete : key.onUpdate).uppercased()
    guard !key.referencedColumns.isEmpty, ["CASCADE", "SET NULL", "SET DEFAULT"].contains(action) else { return }
    let isDeletion = work.columns == nil && action == "CASCADE"
    let found = try referring(to: work, by: reference).filter { !deleted.contains(Row(table: reference.table, key: $0)) }
    guard !found.isEmpty else { return }
    if isDeletion { deleted.formUnion(found.map { Row(table: reference.table, key: $0) }) }
    add(CommitForecast.Action(table: reference.table, name: "ON \(work.operation.keyword) \(action)", rows: found.count))
    waiting.append(Work(table: reference.table, keys: found, columns: isDeletion ? nil : Set(key.columns)))
  }

  private mutating func add(_ action: CommitForecast.Action) {
    if let index = forecast.actions.firstIndex(where: { $0.table == action.table && $0.name == action.name }) {
      forecast.actions[index].rows += action.rows
    } else {
      forecast.actions.append(action)
    }
    forecast.isCut = forecast.actions.reduce(0) { $0 + $1.rows } >= CommitForecast.limit
  }

  /// Reads the keys of referencing rows.
  ///
  ///     SELECT DISTINCT child.rowid FROM (SELECT * FROM main.acc WHERE …) AS parent, main.proj AS child WHERE parent.id = child.acc
  private mutating func referring(to work: Work, by reference: InboundReference) throws -> [RowKey] {
    let (parent, child) = (try statements(of: work.table), try statements(of: reference.table))
    let matches = zip(reference.key.referencedColumns, reference.key.columns).map {
      "parent.\(identifier: $0) = child.\(identifier: $1)" as SQLText
    }
    let columns = child.keyColumns.map { "child.\(identifier: $0)" as SQLText }.joined(by: ", ")
    guard !child.keyColumns.isEmpty else { return [] }
    var found: Set<RowKey> = []
    for start in stride(from: 0, to: work.keys.count, by: Self.chunk) {
      let keys = work.keys[start..<min(start + Self.chunk, work.keys.count)].compactMap { parent.key(of: $0) }
      guard !keys.isEmpty else { continue }
      let condition = keys.map { "(\(parent.condition($0)))" as SQLText }.joined(by: " OR ")
      let sql: SQLText = """
        SELECT DISTINCT \(columns) FROM (SELECT * FROM \(work.table.sqlText) WHERE \(condition)) AS parent, \(reference.table.sqlText) AS child
        WHERE \(matches.joined(by: " AND "))
        """
      try db.scan(sql) { statement in
        if let key = child.key(try child.keyColumns.indices.map { try statement.storedValue(at: $0) }) { found.insert(key) }
        return found.count < CommitForecast.limit
      }
    }
    return Array(found)
  }

  private mutating func statements(of table: TableReference) throws -> RowStatements {
    if let known = schemas[table] { return known }
    let statements = RowStatements(schema: try db.tableSchema(table))
    schemas[table] = statements
    return statements
  }

  private mutating func noteTriggers(of table: TableReference, _ operation: RowOperation, _ columns: Set<String>? = nil) throws {
    guard !forecast.triggered.contains(table) else { return }
    let headers = try statements(of: table).schema.triggers.compactMap { TriggerHeader($0.sql) }.filter { $0.operation == operation }
    let fires = headers.contains { header in columns?.contains { header.fires(for: $0) } ?? true }
    if fires { forecast.triggered.append(table) }
  }
}
