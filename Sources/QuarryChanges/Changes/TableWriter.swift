internal import QuarryEngine
internal import QuarryRows

/// Writes the staged rows of one table.
///
/// Prepares one statement for each set of columns.
final class TableWriter {
  let table: TableReference
  let schema: TableSchema
  let statements: RowStatements
  let database: Database
  /// The rows with their changes, in the order of staging.
  let rows: [(row: StagedRowID, change: StagedRow)]
  /// The numbers of staged changes of the table.
  let counts: ChangeCounts
  /// The operations that fire triggers of the table.
  private let triggered: Set<RowOperation>
  /// The number of changes made by the statements themselves, without their triggers and foreign keys, as counted by SQLite.
  @exclusivity(unchecked) private(set) var countedRows = 0
  private let places: [String: Int]
  private var prepared: [Shape: PreparedRow] = [:]
  private var latest: PreparedRow?
  /// The statement of the latest update of a single cell.
  ///
  /// Unchecked: nothing here calls out while it changes.
  @exclusivity(unchecked) private var latestCell: PreparedCell?
  /// Records the cells that are about to change, or nil if whole rows are recorded, or nothing.
  var saved: SavedCells?
  private static let preparedLimit = 256

  /// The properties of a row that determine its SQL.
  private struct Shape: Hashable {
    var verb: WriteStatement.Verb
    var columns: [String]
    var expected: [String]
  }

  /// The statement of a shape.
  private final class PreparedRow {
    let shape: Shape
    let statement: Statement

    init(_ shape: Shape, _ statement: Statement) {
      (self.shape, self.statement) = (shape, statement)
    }
  }

  /// The statement that updates one cell of a row with a rowid.
  private final class PreparedCell {
    let column: String
    let statement: Statement
    /// The number of the column in the record, or nil if the cell is not saved.
    let place: Int?
    /// The expected storage class whose name is bound.
    @exclusivity(unchecked) private var storageClass: DatabaseValue.StorageClass?

    init(_ column: String, _ statement: Statement, place: Int?) {
      (self.column, self.statement, self.place) = (column, statement, place)
    }

    /// Binds the name of a value's storage class, which is mostly that of the row before.
    func bindStorageClass(of value: DatabaseValue, at index: Int) throws {
      let storageClass = value.storageClass
      if storageClass == self.storageClass { return }
      try statement.bindText(storageClass.typeName, at: index)
      self.storageClass = storageClass
    }
  }

  /// Reads the current table, and checks that the staged changes can still be written to it.
  ///
  /// - Throws: ``CommitFailure/outdated(_:_:)`` if the table, a column or the key of its rows no longer exists.
  init(_ table: TableReference, _ changes: StagedChanges, in database: Database) throws {
    self.table = table
    self.database = database
    rows = changes.rows(of: table)
    counts = changes.counts(of: table)
    do {
      schema = try database.tableSchema(table)
    } catch DatabaseError.SQLITE_ERROR {
      throw CommitFailure.outdated(table, "the table \(table.name) is gone")
    }
    statements = RowStatements(schema: schema)
    triggered = Set(schema.triggers.compactMap { TriggerHeader($0.sql)?.operation })
    places = Dictionary(schema.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    try checkRows()
  }

  private func checkRows() throws {
    for index in rows.indices {
      if case .stored(let key) = rows[index].row, !statements.finds(key) {
        throw CommitFailure.outdated(table, "the key of \(table.name) has changed")
      }
      switch rows[index].change {
      case .updated(let cells): try check(cells)
      case .inserted(let values): try check(.insert, values.keys)
      case .deleted(let was): try check(.delete, was.keys)
      }
    }
  }

  private func check(_ cells: [String: StagedRow.Cell]) throws {
    var hasChange = false
    for (column, cell) in cells {
      if latestUpdated == column {
        hasChange = true
      } else if cell.isChange {
        hasChange = true
        latestUpdated = column
        try check(Operation(kind: .update, column: column))
      } else if places[column] == nil {
        throw CommitFailure.outdated(table, "the column \(column) of \(table.name) is gone")
      }
    }
    if !hasChange { try check(Operation(kind: .update, column: nil)) }
  }

  private func check(_ operation: RowOperation, _ columns: some Collection<String>) throws {
    for column in columns { try check(Operation(kind: operation, column: column)) }
    if columns.isEmpty { try check(Operation(kind: operation, column: nil)) }
  }

  /// An operation on a column or a whole row.
  private struct Operation: Hashable {
    var kind: RowOperation
    var column: String?
  }

  /// The operations that have been checked.
  private var checked: Set<Operation> = []
  /// The column whose update was checked last.
  ///
  /// Most rows are changed in the same column.
  @exclusivity(unchecked) private var latestUpdated: String?

  private func check(_ operation: Operation) throws {
    guard checked.insert(operation).inserted else { return }
    if let column = operation.column, places[column] == nil {
      throw CommitFailure.outdated(table, "the column \(column) of \(table.name) is gone")
    }
    let written = operation.kind == .delete ? nil : operation.column
    guard let reason = schema.editability(of: operation.kind, column: written).reason else { return }
    throw CommitFailure.outdated(table, "\(table.name) cannot be changed: \(reason)")
  }

  /// Whether the commit changes no values of the table but the staged cells, as far as the table's own schema tells.
  ///
  /// A trigger or a stored generated column changes others. A unique column may be referenced, so that a foreign key changes other rows.
  var changesOnlyCells: Bool {
    guard case .table = schema.entry.kind, counts.newRows == 0, counts.deletedRows == 0, schema.triggers.isEmpty else { return false }
    let isGenerating = schema.columns.contains { $0.generation == .stored }
    return !isGenerating && schema.uniqueColumns.isDisjoint(with: checked.compactMap(\.column))
  }

  /// Whether SQLite counts the changed rows.
  ///
  /// It does not for a view, whose triggers make the changes.
  var countsChanges: Bool { schema.entry.kind != .view }

  // MARK: Columns

  /// Returns columns in the order of the table.
  func sorted<Value>(_ columns: [String: Value]) -> [(column: String, value: Value)] {
    if columns.count == 1, let only = columns.first { return [(only.key, only.value)] }
    return columns.sorted { places[$0.key] ?? 0 < places[$1.key] ?? 0 }.map { ($0.key, $0.value) }
  }

  /// Returns the expected values of a row.
  ///
  /// Excludes generated columns of a deleted row, which follow from the others.
  func expected(of change: StagedRow) -> [RowStatements.Expected] {
    switch change {
    case .updated(let cells): sorted(cells).map { ($0.column, $0.value.was) }
    case .deleted(let was): sorted(was).filter { schema.columns[places[$0.column] ?? 0].generation == nil }
    case .inserted: []
    }
  }

  // MARK: Writing

  /// Returns whether an operation fires triggers of the table, which may revert or replace it.
  func firesTriggers(_ operation: RowOperation) -> Bool { triggered.contains(operation) }

  /// Updates a row, and returns whether SQLite has counted the update.
  ///
  /// SQLite does not count it if the row does not exist, has unexpected values, or a trigger has ignored it.
  func update(_ key: [ColumnMatch], _ values: [RowStatements.Assigned], expecting expected: [RowStatements.Expected]) throws -> Bool {
    try counting { try run(.update, key, values, expected) { statements.update(key, values, expecting: expected) } }
  }

  /// Updates one cell of a row with a rowid, and returns whether SQLite has counted the update.
  ///
  /// This is ``update(_:_:expecting:)`` for the most frequent change, without arrays of columns. The table must not be a view or a virtual
  /// table.
  ///
  ///     UPDATE main.player SET name = ? WHERE ((id = ?) AND (+name IS ? COLLATE BINARY AND typeof(name) = ?))
  ///
  /// - Parameter isExpecting: Whether the row must have the old value.
  func update(
    _ rowID: Int64, _ column: String, from was: DatabaseValue, to value: DatabaseValue, isExpecting: Bool
  ) throws -> Bool {
    let cell = try preparedCell(column, rowID, value, isExpecting ? was : nil)
    if let place = cell.place { try saved?.save(was, in: place, of: rowID) }
    let statement = cell.statement
    try statement.bind(value, at: 1)
    try statement.bindInteger(rowID, at: 2)
    if isExpecting {
      try statement.bind(was, at: 3)
      try cell.bindStorageClass(of: was, at: 4)
    }
    while try statement.step() {}
    statement.rewind()
    let changes = database.changesCount
    countedRows += changes
    return changes > 0
  }

  private func preparedCell(
    _ column: String, _ rowID: Int64, _ value: DatabaseValue, _ was: @autoclosure () -> DatabaseValue?
  ) throws -> PreparedCell {
    if let latestCell, latestCell.column == column { return latestCell }
    let key = statements.key(of: .rowID(rowID)) ?? []
    let values: [RowStatements.Assigned] = [(column, .value(value))]
    let expected: [RowStatements.Expected] = was().map { [(column, .value($0))] } ?? []
    let statement = try statement(.update, values, expected) { statements.update(key, values, expecting: expected) }
    let made = PreparedCell(column, statement, place: try saved.map { try Self.place(of: column, in: $0) })
    latestCell = made
    return made
  }

  /// Deletes a row, and returns whether SQLite has counted the deletion.
  func delete(_ key: [ColumnMatch], expecting expected: [RowStatements.Expected]) throws -> Bool {
    try counting { try run(.delete, key, [], expected) { statements.delete(key, expecting: expected) } }
  }

  /// Inserts a row, and returns whether SQLite has counted the insertion, with the key of the row.
  func insert(_ values: [String: StagedValue]) throws -> (isCounted: Bool, key: RowKey?) {
    let values = sorted(values).filter { $0.value != .defaultValue }
    var key: RowKey?
    let isCounted = try counting {
      if schema.entry.isWithoutRowID { return key = try insertReturningKey(values) }
      try run(.insert, [], values, []) { statements.insert(values) }
      key = schema.entry.kind == .view ? nil : .rowID(database.lastInsertedRowID)
    }
    return (isCounted, isCounted ? key : nil)
  }

  /// Runs a statement, and returns whether it has changed a row.
  ///
  /// For a view, returns whether its triggers have.
  private func counting(_ body: () throws -> Void) throws -> Bool {
    let before = database.totalChangesCount
    try body()
    let changes = database.totalChangesCount - before
    guard case .table = schema.entry.kind else {
      // A module changes its own tables, and a view has only the rows that its triggers change.
      countedRows += changes
      return countsChanges ? database.changesCount > 0 : changes > 0
    }
    countedRows += database.changesCount
    return database.changesCount > 0
  }

  private func insertReturningKey(_ values: [RowStatements.Assigned]) throws -> RowKey? {
    let names = schema.primaryKey.map { "\(identifier: $0)" as SQLText }.joined(by: ", ")
    let statement = try database.makeStatement(literal: "\(statements.insert(values).sqlText) RETURNING \(names)")
    defer { try? statement.reset() }
    guard try statement.step() else { return nil }
    let key = try schema.primaryKey.indices.map { try statement.storedValue(at: $0) }
    while try statement.step() {}
    return statements.key(key)
  }

  /// Runs a statement.
  ///
  /// A statement that only binds values is prepared once for all rows of its shape.
  private func run(
    _ verb: WriteStatement.Verb, _ key: [ColumnMatch], _ values: [RowStatements.Assigned], _ expected: [RowStatements.Expected],
    _ make: () -> WriteStatement
  ) throws {
    guard values.allSatisfy({ if case .value = $0.value { true } else { false } }) else { return try runOnce(make(), values) }
    // Its statement may be the same, with other values.
    latestCell = nil
    let statement = try statement(verb, values, expected, make)
    var index = 0
    let bind = { (value: DatabaseValue) in
      index += 1
      try statement.bind(value, at: index)
    }
    for case (_, .value(let value)) in values { try bind(value) }
    try statements.forEachArgument(key, expected, bind)
    try statement.execute()
  }

  /// Returns the statement of a shape.
  ///
  /// Most rows have the shape of the previous row.
  private func statement(
    _ verb: WriteStatement.Verb, _ values: [RowStatements.Assigned], _ expected: [RowStatements.Expected], _ make: () -> WriteStatement
  ) throws -> Statement {
    let (columns, expected) = (values.lazy.map(\.column), expected.lazy.filter { $0.value.value != nil }.map(\.column))
    if let latest, latest.shape.verb == verb, latest.shape.columns.elementsEqual(columns), latest.shape.expected.elementsEqual(expected) {
      return latest.statement
    }
    let shape = Shape(verb: verb, columns: Array(columns), expected: Array(expected))
    let row = try prepared[shape] ?? PreparedRow(shape, database.makeStatement(sql: make().sqlText.sql, options: .persistent))
    if prepared.count < Self.preparedLimit { prepared[shape] = row }
    latest = row
    return row.statement
  }

  private func runOnce(_ statement: WriteStatement, _ values: [RowStatements.Assigned]) throws {
    let hasRawText = values.contains { if case .rawText = $0.value { true } else { false } }
    if hasRawText, try String.fetchOne(database, sql: "PRAGMA encoding") != "UTF-8" {
      throw DatabaseError(
        DatabaseError.SQLITE_MISMATCH, "a text that is not valid UTF-8 cannot be written to a database of another encoding")
    }
    try database.execute(literal: statement.sqlText)
  }

  // MARK: Recording

  /// Records the cells of a row that the next UPDATE changes, if cells are recorded.
  ///
  /// - Parameter cells: The cells in the order of the table, which have the expected values.
  func save(_ cells: [(column: String, value: StagedRow.Cell)], of row: RowKey) throws {
    guard let saved, case .rowID(let rowID) = row else { return }
    let old = try cells.filter(\.value.isChange).map { (place: try Self.place(of: $0.column, in: saved), value: $0.value.was) }
    try saved.save(old.lazy.map(\.place), of: rowID) { row in
      for (place, value) in old {
        row.append(count: place)
        value.withBorrowedValue { row.append($0) }
      }
    }
  }

  private static func place(of column: String, in saved: SavedCells) throws -> Int {
    guard let place = saved.column(named: column) else { throw UnsavedChange() }
    return place
  }

  // MARK: Reading

  /// Reads columns of a row, or returns nil if the row does not exist.
  func read(_ columns: [String], of key: [ColumnMatch]) throws -> [StoredValue]? {
    let sql = statements.select(columns, key)
    let statement = try database.cachedStatement(sql: sql.sql)
    for (index, value) in sql.values.enumerated() { try statement.bind(value, at: index + 1) }
    defer { try? statement.reset() }
    guard try statement.step() else { return nil }
    return try columns.indices.map { try statement.storedValue(at: $0) }
  }
}
