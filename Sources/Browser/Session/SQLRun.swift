import QuarryEngine

/// One statement run on the script's connection.
struct SQLRun {
  enum Result: Sendable {
    /// What the rows are read from.
    case rows(RowSet.Source)
    /// Rows that were read and not kept.
    case read(count: Int, isAll: Bool)
    case done(changes: Int, lastRowID: Int64?)
  }

  let result: Result

  /// Runs a statement, unless it only reads: then its rows are read as they are asked for.
  ///
  /// What writes is put into a transaction, which stays open.
  init(_ sql: String, _ values: [String: DatabaseValue], of script: ScriptConnection, in db: Database) throws {
    // SQLite refuses to drop or alter a table that is being read.
    db.endLastingReads()
    let statement = try db.makeStatement(sql: sql)
    let arguments = try Self.arguments(values, of: statement)
    guard !(statement.isReadonly || statement.isExplanation) || statement.columnCount == 0 else {
      result = .rows(.query(sql: statement.sql, arguments: arguments))
      return
    }
    if let refusal = script.refusal, !statement.isReadonly { throw Problem(refusal) }
    let kind = StatementKind(of: sql)
    let earlier = script.transaction(in: db)
    let begins = try !statement.isReadonly && !kind.runsAlone && script.begin(in: db)
    do {
      result = try script.noting(in: db) { try Self.run(statement, arguments, in: db) }
      if !statement.isReadonly, kind.changesSchema { script.noteSchemaChange() }
      // Nor is there anything to commit where no row has been changed.
      if begins, script.transaction(in: db)?.isEmpty == true { try script.noting(in: db) { try db.execute(sql: "ROLLBACK") } }
    } catch {
      // A transaction that was begun for this statement alone holds nothing.
      if begins, db.isInsideTransaction { try? script.noting(in: db) { try db.execute(sql: "ROLLBACK") } }
      throw Self.telling(earlier, in: db, error)
    }
  }

  /// Reads the first rows of a result and keeps none.
  ///
  /// A statement that fails on its way to them throws, as it does where they are shown.
  static func read(_ source: RowSet.Source, upTo limit: Int, in db: Database) throws -> Result {
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

  /// An error with a word on what it has left of the transaction that was open before.
  private static func telling(_ earlier: OpenTransaction?, in db: Database, _ error: any Error) -> any Error {
    guard let earlier, earlier.changes > 0 || !db.isInsideTransaction, var told = error as? DatabaseError else { return error }
    let changes = Plural.of(earlier.changes, "row")
    told.consequence = db.isInsideTransaction
      ? "the open transaction still has what was changed before: \(changes)" : "SQLite has rolled the open transaction back, and what it had changed before: \(changes)"
    return told
  }

  private static func arguments(_ values: [String: DatabaseValue], of statement: Statement) throws -> [DatabaseValue] {
    guard statement.parameterCount > 0 else { return [] }
    var arguments = Array(repeating: DatabaseValue.null, count: statement.parameterCount)
    for parameter in statement.writtenParameters {
      guard let value = values[parameter.identity] else { throw Problem("there is no value for \(parameter.token)") }
      arguments[parameter.index - 1] = value
    }
    return arguments
  }

  private static func run(_ statement: Statement, _ arguments: [DatabaseValue], in db: Database) throws -> Result {
    for (index, value) in arguments.enumerated() { try statement.bind(value, at: index + 1) }
    let (changesBefore, rowIDBefore) = (db.totalChangesCount, db.lastInsertedRowID)
    if statement.columnCount > 0 { return .rows(.returned(try ReturnedRows(of: statement))) }
    while try statement.step() {}
    let changes = db.totalChangesCount - changesBefore
    return .done(changes: changes, lastRowID: db.lastInsertedRowID == rowIDBefore ? nil : db.lastInsertedRowID)
  }
}

/// What is to be known of a request before it runs.
struct SQLPreparation {
  private(set) var prepared = PreparedRun()

  init(_ request: SQLRequest, refusal: String?, in db: Database) throws {
    var writes = false
    for (index, part) in request.statements.enumerated() {
      do {
        let statement = try db.makeStatement(sql: part.sql)
        if let refusal, !statement.isReadonly, !statement.isExplanation { throw Problem(refusal) }
        writes = writes || !statement.isReadonly
        try take(part, in: db)
      } catch where !writes || !(error is DatabaseError) {
        // A statement after one that writes may need what that makes.
        throw SQLFault(describing: error, of: part, at: index)
      } catch {
        continue
      }
    }
  }

  private mutating func take(_ part: SQLRequest.Part, in db: Database) throws {
    for parameter in try db.parameters(of: part.sql) where !prepared.parameters.contains(where: { $0.identity == parameter.identity }) {
      prepared.parameters.append(FormParameter(parameter))
    }
    if let warning = DestructiveStatement(sql: part.sql)?.sentence(in: db) { prepared.warnings.append(warning) }
  }
}

extension StatementParameter {
  /// The type in a word, for the form; JSON is a text that is looked at.
  fileprivate var formName: String {
    if let type = declaredType ?? (valueType == .json ? .json : nil) { return type.rawValue }
    return type?.formName ?? valueType?.rawValue ?? "any"
  }
}

extension FormParameter {
  init(_ parameter: StatementParameter) {
    self.init(
      identity: parameter.identity, token: parameter.token, otherTokens: parameter.otherTokens,
      typeName: parameter.formName, reading: parameter.reading,
      defaultText: parameter.defaultText, choices: parameter.choices ?? parameter.column.map { .column($0.table, $0.name) })
  }
}

extension DestructiveStatement {
  /// What would be gone, with the number of rows where SQLite tells it; nil where nothing is there.
  fileprivate func sentence(in db: Database) -> String? {
    switch self {
    case .drops(let kind, let name) where (try? db.hasObject(kind, named: name)) != true: nil
    case .dropsColumn(let table, let name): "drops the column \(name) of \(table) with all its values"
    case .drops("table", let name): "drops the table \(name)\(Self.rows(of: name, in: db).map { " with its \($0)" } ?? "")"
    case .drops(let kind, let name): "drops the \(kind) \(name)"
    case .deletesAll(let table): "deletes every row of \(table)\(Self.rows(of: table, in: db).map { ": \($0)" } ?? "")"
    case .updatesAll(let table): "changes every row of \(table)\(Self.rows(of: table, in: db).map { ": \($0)" } ?? "")"
    }
  }

  /// How long counting the rows may keep a person waiting, in instructions of SQLite's machine.
  private static let patience = 20_000_000

  private static func rows(of table: String, in db: Database) -> String? {
    var isTired = false
    let count = try? db.withProgress(every: patience, { isTired = true; return isTired }) {
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
    }
    return count.flatMap { $0 }.map { Plural.of($0, "row") }
  }
}
