internal import QuarryChanges
public import QuarryEngine
public import QuarryRows

/// The run of one statement on the script's connection.
package struct StatementRun {
  let result: StatementResult

  /// Runs a statement that writes in a transaction, which stays open.
  ///
  /// The rows of a statement that only reads are read on demand.
  init(_ sql: String, _ values: [String: DatabaseValue], of script: ScriptConnection, in db: Database) throws {
    // SQLite does not drop or alter a table that is being read.
    db.endLastingReads()
    let statement = try db.makeStatement(sql: sql)
    let arguments = try Self.arguments(values, of: statement)
    guard !(statement.isReadonly || statement.isExplanation) || statement.columnCount == 0 else {
      result = .rows(.query(sql: statement.sql, arguments: arguments))
      return
    }
    if let refusal = script.refusal, !statement.isReadonly { throw DataSourceError(refusal) }
    let kind = StatementKind(of: sql)
    script.note(kind)
    let earlier = script.transaction(in: db)
    let begins = try !statement.isReadonly && !kind.runsAlone && script.begin(in: db)
    do {
      result = try script.noting(in: db) {
        try script.recording(statement, in: db) { try Self.run(statement, kind, arguments, script.recorder, in: db) }
      }
      if !statement.isReadonly, kind.changesSchema { script.noteSchemaChange() }
      // If no row has been changed, there is nothing to commit.
      if begins, script.transaction(in: db)?.isEmpty == true { script.noting(in: db) { db.rollBack() } }
    } catch {
      // A transaction that was begun only for this statement contains no changes.
      if begins { script.noting(in: db) { db.rollBack() } }
      throw Self.telling(earlier, in: db, error)
    }
  }

  /// Reads the first rows of a result and discards them.
  ///
  /// If the statement fails before it has returned them, throws the error, as when the rows are displayed.
  static func read(_ source: RowSet.Source, upTo limit: Int, in db: Database) throws -> StatementResult {
    switch source {
    case .returned(let rows): return .read(count: rows.count, isAll: true)
    case .table: return .rows(source)
    case .query(let sql, let arguments):
      let statement = try db.makeStatement(sql: sql)
      for (index, value) in arguments.enumerated() { try statement.bind(value, at: index + 1) }
      var count = 0
      while try statement.step() {
        if count == limit { return .read(count: count, isAll: false) }
        count += 1
      }
      return .read(count: count, isAll: true)
    }
  }

  /// Returns an error with a note about its effect on the open transaction.
  private static func telling(_ earlier: OpenTransaction?, in db: Database, _ error: any Error) -> any Error {
    guard let earlier, earlier.changes > 0 || !db.isInsideTransaction, var annotated = error as? DatabaseError else { return error }
    let changes = Plural.of(earlier.changes, "row")
    annotated.consequence =
      db.isInsideTransaction
      ? "the open transaction still contains earlier changes: \(changes)"
      : "SQLite rolled back the open transaction, with earlier changes: \(changes)"
    return annotated
  }

  package static func arguments(_ values: [String: DatabaseValue], of statement: Statement) throws -> [DatabaseValue] {
    guard statement.parameterCount > 0 else { return [] }
    var arguments = Array(repeating: DatabaseValue.null, count: statement.parameterCount)
    for parameter in statement.writtenParameters {
      guard let value = values[parameter.identity] else { throw DataSourceError("there is no value for \(parameter.token)") }
      arguments[parameter.index - 1] = value
    }
    return arguments
  }

  private static func run(
    _ statement: Statement, _ kind: StatementKind, _ arguments: [DatabaseValue], _ recorder: ChangeRecorder?, in db: Database
  ) throws -> StatementResult {
    for (index, value) in arguments.enumerated() { try statement.bind(value, at: index + 1) }
    let (changesBefore, rowIDBefore) = (db.totalChangesCount, db.lastInsertedRowID)
    let recordedBefore = recorder?.changeCount ?? 0
    if statement.columnCount > 0 { return .rows(.returned(try ReturnedRows(of: statement))) }
    while try statement.step() {}
    var changes = kind.changesSchema ? 0 : db.totalChangesCount - changesBefore
    if changes > 0 {
      // SQLite also counts the internal writes of virtual table modules.
      let recorded = (recorder?.changeCount ?? 0) - recordedBefore
      changes = recorded > 0 ? recorded : db.changesCount > 0 ? db.changesCount : changes
    }
    return .done(changes: changes, lastRowID: db.lastInsertedRowID == rowIDBefore ? nil : db.lastInsertedRowID)
  }
}

extension StatementPreparation {
  /// Compiles statements one after another without running them.
  ///
  /// - Parameter countsRows: Whether the connection has the rows that a statement would destroy, so that they can be counted.
  package init(_ statements: [String], refusal: String?, countsRows: Bool = true, in db: Database) throws(StatementFailure) {
    self.init()
    var writes = false
    for (index, sql) in statements.enumerated() {
      do {
        let statement = try db.makeStatement(sql: sql)
        if let refusal, !statement.isReadonly, !statement.isExplanation { throw DataSourceError(refusal) }
        writes = writes || !statement.isReadonly
        try add(sql, countsRows: countsRows, in: db)
      } catch  where !writes || !(error is DatabaseError) {
        // A statement after one that writes may depend on objects that it creates.
        throw StatementFailure(index: index, cause: error)
      } catch {
        continue
      }
    }
  }

  private mutating func add(_ sql: String, countsRows: Bool, in db: Database) throws {
    for parameter in try db.parameters(of: sql) where !parameters.contains(where: { $0.identity == parameter.identity }) {
      parameters.append(parameter)
    }
    remarks += try db.quotedTexts(in: sql).map(\.sentence)
    if let warning = DestructiveStatement(sql: sql)?.sentence(countsRows: countsRows, in: db) { warnings.append(warning) }
    if let warning = IrreversibleStatement(sql: sql)?.warning {
      warnings.append(warning)
      isIrreversible = true
    }
  }
}

extension SQLiteDataSource {
  /// Returns SQLite's query plan of a statement.
  ///
  /// See ``PlanStep/plan(of:in:)``.
  public func plan(of sql: String) async throws -> [PlanStep] {
    try await scriptQueue().withoutTransaction { db in try PlanStep.plan(of: sql, in: db) }
  }

  /// Compiles statements without running any.
  public func prepare(_ statements: [String]) async throws -> StatementPreparation {
    let refusal = script.refusal
    return try await scriptQueue().withoutTransaction { db in try StatementPreparation(statements, refusal: refusal, in: db) }
  }

  /// Runs a statement.
  ///
  /// The rows of a statement that only reads are read on demand.
  public func run(_ sql: String, _ values: [String: DatabaseValue], unkeptRows: Int?) async throws -> StatementResult {
    let script = script
    return try await scriptQueue().withoutTransaction { db in
      defer { script.noteTransaction(in: db) }
      let result = try StatementRun(sql, values, of: script, in: db).result
      guard let unkeptRows, case .rows(let source) = result else { return result }
      return try StatementRun.read(source, upTo: unkeptRows, in: db)
    }
  }
}

extension DestructiveStatement {
  /// Returns a sentence about the data that would be lost, with the number of rows if it is known, or nil if no data would be lost.
  fileprivate func sentence(countsRows: Bool, in db: Database) -> String? {
    func rows(of name: String) -> String? { countsRows ? Self.rows(of: name, in: db) : nil }
    return switch self {
    case .drops(let kind, let name) where (try? db.objects(kind, named: name).isEmpty) != false: nil
    case .dropsColumn(let table, let name): "drops the column \(name) of \(table) with all its values"
    case .drops("table", let name): "drops the table \(name)\(rows(of: name).map { " with its \($0)" } ?? "")"
    case .drops(let kind, let name): "drops the \(kind) \(name)"
    case .deletesAll(let table): "deletes every row of \(table)\(rows(of: table).map { ": \($0)" } ?? "")"
    case .updatesAll(let table): "changes every row of \(table)\(rows(of: table).map { ": \($0)" } ?? "")"
    }
  }

  /// The maximum time for counting rows, in instructions of SQLite's virtual machine.
  private static let patience = 20_000_000

  private static func rows(of table: String, in db: Database) -> String? {
    var isTired = false
    let count = try? db.withProgress(
      every: patience,
      {
        isTired = true; return isTired
      }
    ) {
      try (db.objects("table", named: table) + db.objects("view", named: table)).first.flatMap { table in
        try Int.fetchOne(db.makeStatement(literal: "SELECT count(*) FROM \(table.sqlText)"))
      }
    }
    return count.flatMap { $0 }.map { Plural.of($0, "row") }
  }
}
