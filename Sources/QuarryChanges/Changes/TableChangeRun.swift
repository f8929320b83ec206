public import QuarryEngine
internal import Synchronization

/// The result of a change of a table, as counted in the database.
public struct TableChangeResult: Hashable, Sendable {
  /// The number of rows of the table after the change.
  public var rows: Int
  /// The way in which the table was changed.
  public var method: TableChangePlan.Method
  /// The number of executed statements.
  public var statements: Int
  /// Whether the change was recorded, so that it can be undone.
  public var isRecorded = false

  /// Creates a result.
  public init(rows: Int, method: TableChangePlan.Method, statements: Int, isRecorded: Bool = false) {
    (self.rows, self.method, self.statements, self.isRecorded) = (rows, method, statements, isRecorded)
  }
}

/// The progress of a table's change.
public enum TableChangeProgress: Hashable, Sendable {
  /// The rows that the change would refuse are counted.
  case checkingRows
  /// Rows are copied into the new table; the number of all rows is nil if the copied ones cannot be counted.
  case copying(rows: Int, of: Int?)
  /// Another statement of the plan is executed: the first line of its SQL.
  case executing(String)
  /// References and the integrity of the table are checked.
  case checkingResult
}

/// The reason why a table was not changed; nothing was written.
public enum TableChangeFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The schema has changed since the plan was made.
  case outdated
  /// The plan has problems.
  case impossible([String])
  /// Rows of the table do not fit the new definition.
  case refused([CountedCheck])
  /// SQLite refused a statement.
  case failed(sql: String, reason: String)
  /// References would be lost, or the new table is not sound.
  case unsound(String)

  /// A check with its number of rows.
  public struct CountedCheck: Hashable, Sendable {
    /// The check.
    public var check: RowCheck
    /// The number of rows.
    public var count: Int

    /// Creates a counted check.
    public init(check: RowCheck, count: Int) {
      (self.check, self.count) = (check, count)
    }

    /// The effect on the rows as a sentence without a period.
    public var sentence: String { check.sentence(count) }
  }

  /// The failure as a sentence for the user, without a period.
  public var description: String {
    switch self {
    case .outdated: "the schema has changed since this plan was made: nothing was written; look at the new plan"
    case .impossible(let problems): "\(problems.joined(separator: "; ")): nothing was written"
    case .refused(let checks): "\(checks.map(\.sentence).joined(separator: "; ")): nothing was written"
    case .failed(let sql, let reason): "\(reason) (in \(sql.prefix { $0 != "\n" })): nothing was written"
    case .unsound(let reason): "\(reason): nothing was written"
    }
  }
}

extension TableChangePlan {
  /// Executes the plan in one transaction, completely or not at all.
  ///
  ///     PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE; …; COMMIT; PRAGMA foreign_keys = ON
  ///
  /// Before the first statement, the plan is made again and the rows that it refuses are counted. At the end, rows, references and the
  /// integrity of the table are checked.
  ///
  /// - Parameters:
  ///   - recorder: Records the change so that it can be undone; nil for no record.
  ///   - progress: Called before each step, and up to a hundred times while rows are copied; it must not use the database.
  /// - Throws: ``TableChangeFailure``, `DefinitionError`, `DatabaseError`, or ``ChangesTooLarge``. Nothing is written then.
  package func run(
    in db: Database, recorder: ChangeRecorder? = nil, progress: @escaping @Sendable (TableChangeProgress) -> Void = { _ in }
  ) throws -> TableChangeResult {
    let settings = try ["foreign_keys", "legacy_alter_table"].map { ($0, try Int.fetchOne(db, sql: "PRAGMA \($0)") ?? 0) }
    defer { for (name, value) in settings { try? db.execute(sql: "PRAGMA \(name) = \(value)") } }
    for (name, _) in settings { try db.execute(sql: "PRAGMA \(name) = OFF") }
    do {
      guard let recorder else { return try db.inTransaction { try TableChangeRun(self, in: $0, recorder: nil, progress: progress).run() } }
      let origin = CommitOrigin(statement: steps.map(\.sql).joined(separator: ";\n"))
      let run = try recorder.inTransaction(.sql, origin, in: db) {
        try TableChangeRun(self, in: db, recorder: recorder, progress: progress).run()
      }
      var result = run.value
      result.isRecorded = !run.commits.isEmpty
      return result
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_FULL {
      throw TableChangeFailure.failed(sql: error.sql ?? "", reason: error.sentence)
    }
  }
}

/// The execution of a plan inside a transaction.
private struct TableChangeRun {
  let plan: TableChangePlan
  let db: Database
  let recorder: ChangeRecorder?
  let progress: @Sendable (TableChangeProgress) -> Void

  init(
    _ plan: TableChangePlan, in db: Database, recorder: ChangeRecorder?, progress: @escaping @Sendable (TableChangeProgress) -> Void
  ) {
    (self.plan, self.db, self.recorder, self.progress) = (plan, db, recorder, progress)
  }

  private var name: String { plan.change.new.name }

  func run() throws -> TableChangeResult {
    if !plan.problems.isEmpty { throw TableChangeFailure.impossible(plan.problems) }
    let now = try plan.change.plan(in: db)
    guard now.steps == plan.steps, now.problems.isEmpty else { throw TableChangeFailure.outdated }
    progress(.checkingRows)
    try checkRows()
    let former = plan.change.old?.name
    let rows = try former.map(count)
    let dangling = try former.map { try danglingReferences(around: $0) } ?? [:]
    for step in plan.steps {
      if step.kind == .copy { try copy(step, rows: rows ?? 0) } else { try perform(step) }
    }
    progress(.checkingResult)
    let after = try count(name)
    if let rows, rows != after { throw TableChangeFailure.unsound("the new table would have \(after) of \(Plural.of(rows, "row"))") }
    try checkReferences(before: dangling)
    if plan.method == .rebuild { try checkIntegrity() }
    return TableChangeResult(rows: after, method: plan.method, statements: plan.steps.count)
  }

  private func checkRows() throws {
    let counted = try plan.checks.filter { $0.effect == .refused }.map { check in
      TableChangeFailure.CountedCheck(check: check, count: try db.rowCount(of: check))
    }
    let refused = counted.filter { $0.count > 0 }
    if !refused.isEmpty { throw TableChangeFailure.refused(refused) }
  }

  /// Copies the rows, and counts them meanwhile.
  ///
  /// SQLite calls the hook only for tables with rowids: the rows of others are copied without a number.
  private func copy(_ step: TableChangePlan.Step, rows: Int) throws {
    guard !plan.change.new.options.contains(.withoutRowID) else {
      progress(.copying(rows: 0, of: nil))
      return try execute(step)
    }
    let copied = Mutex(0)
    let (progress, part) = (progress, max(1, rows / 100))
    try db.setUpdateHook { _ in
      let count = copied.withLock { count in
        count += 1
        return count
      }
      if count.isMultiple(of: part) { progress(.copying(rows: count, of: rows)) }
    }
    defer { try? db.setUpdateHook(nil) }
    progress(.copying(rows: 0, of: rows))
    try execute(step)
  }

  private func perform(_ step: TableChangePlan.Step) throws {
    if step.kind == .schema { progress(.executing(String(step.sql.prefix { $0 != "\n" }))) }
    try execute(step)
  }

  private func execute(_ step: TableChangePlan.Step) throws {
    try db.cancellation?.check()
    do {
      if let recorder { try recorder.execute(step.sql, in: db) } else { try db.execute(sql: step.sql) }
    } catch let error as DatabaseError where [DatabaseError.SQLITE_ERROR, DatabaseError.SQLITE_CONSTRAINT].contains(error.resultCode) {
      throw TableChangeFailure.failed(sql: step.sql, reason: error.sentence)
    }
  }

  private func count(_ table: String) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM main.\(SQLIdentifier.quoted(table))") ?? 0
  }

  /// A kind of dangling references: the table with the foreign key, and the referenced one.
  private struct Reference: Hashable {
    var child: String
    var parent: String
  }

  /// Counts the dangling references of a table and of its referencing tables; the table has its new name in the result.
  ///
  ///     SELECT parent, count(*) FROM pragma_foreign_key_check('player') GROUP BY parent
  private func danglingReferences(around table: String) throws -> [Reference: Int] {
    let children = try db.references(to: TableReference(name: table)).map(\.table.name)
    func renamed(_ other: String) -> String { (other.isSameIdentifier(as: table) ? name : other).asciiLowercased }
    var counts: [Reference: Int] = [:]
    for child in Set(children + [table]) {
      let sql: SQLText = "SELECT parent, count(*) FROM pragma_foreign_key_check(\(child)) GROUP BY parent"
      do {
        for row in try Row.fetchAll(db.makeStatement(literal: sql)) {
          counts[Reference(child: renamed(child), parent: renamed(try row[0])), default: 0] += try row[1]
        }
      } catch DatabaseError.SQLITE_ERROR {
        // SQLite does not check a foreign key that does not match the referenced table.
      }
    }
    return counts
  }

  private func checkReferences(before: [Reference: Int]) throws {
    for (reference, count) in try danglingReferences(around: name) where count > before[reference, default: 0] {
      let rows = Plural.of(count - before[reference, default: 0], "row")
      throw TableChangeFailure.unsound("\(rows) of \(reference.child) would refer to rows of \(reference.parent) that do not exist")
    }
  }

  private func checkIntegrity() throws {
    let findings = try String.fetchAll(db, sql: "PRAGMA main.integrity_check(\(SQLIdentifier.quoted(name)))")
    if findings != ["ok"] { throw TableChangeFailure.unsound("the new table is not sound: \(findings.first ?? "")") }
  }
}
