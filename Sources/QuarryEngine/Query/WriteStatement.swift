/// The clauses of an INSERT, UPDATE or DELETE, without the types of its columns.
///
/// ``Insert``, ``Update`` and ``Delete`` render through it, and so do staged changes of tables that are known only at run time.
package struct WriteStatement: Sendable {
  /// The kind of the statement.
  package enum Verb: Hashable, Sendable { case insert, update, delete }

  /// A column and its new value.
  package struct Assignment: Sendable {
    var column: String
    var value: any QueryExpression
  }

  var verb: Verb
  /// The name of the table, and optionally of its database.
  var table: String
  /// The identity of the table as a source of columns.
  private let id = SourceID()
  var database: String?
  /// Whether a constraint violation fails, regardless of the constraint's own conflict clause: `UPDATE OR ABORT`.
  package var abortsOnConflict = false
  /// The assigned columns, each once.
  var assignments: [Assignment] = []
  /// The conditions on the rows to change.
  package var predicates: [any QueryExpression<Bool>] = []

  package init(
    verb: Verb, table: String, database: String? = nil, abortsOnConflict: Bool = false, assignments: [Assignment] = [],
    predicates: [any QueryExpression<Bool>] = []
  ) {
    self.verb = verb
    self.table = table
    self.database = database
    self.abortsOnConflict = abortsOnConflict
    self.assignments = assignments
    self.predicates = predicates
  }

  /// The table as a source of columns.
  var source: VisibleSource { VisibleSource(name: table, id: id) }

  /// Returns the current value of a column: what is assigned to it, or else its value before the statement.
  func value<Output: QueryOutput>(of column: Column<Output>) -> any QueryExpression<Output.QueryValue> {
    guard let assigned = assignments.first(where: { $0.column == column.name })?.value else { return column }
    return AssignedValue<Output.QueryValue>(value: assigned)
  }

  /// Assigns a value to a column, replacing an earlier one.
  package mutating func assign(_ value: any QueryExpression, to column: String) {
    if let index = assignments.firstIndex(where: { $0.column == column }) {
      assignments[index].value = value
    } else {
      assignments.append(Assignment(column: column, value: value))
    }
  }

  /// The statement as SQL.
  ///
  /// ```sql
  /// INSERT INTO main.reminders (title, priority) VALUES (?, ?)
  /// UPDATE main.reminders SET priority = ? WHERE (id = ?)
  /// DELETE FROM main.reminders WHERE (id = ?)
  /// ```
  package var sqlText: SQLText {
    var writer = SQLWriter()
    writer.withScope([source]) { sql in
      switch verb {
      case .insert: writeInsert(to: &sql)
      case .update: writeUpdate(to: &sql)
      case .delete:
        sql.append("DELETE FROM ")
        writeTable(to: &sql)
      }
      guard !predicates.isEmpty else { return }
      sql.append(" WHERE ")
      sql.append(Logic(.and, predicates))
    }
    return writer.text
  }

  private func writeInsert(to sql: inout SQLWriter) {
    sql.append(abortsOnConflict ? "INSERT OR ABORT INTO " : "INSERT INTO ")
    writeTable(to: &sql)
    guard !assignments.isEmpty else { return sql.append(" DEFAULT VALUES") }
    sql.append(" (")
    sql.append(assignments, separator: ", ") { $0.append(identifier: $1.column) }
    sql.append(") VALUES (")
    sql.append(assignments, separator: ", ") { $0.append($1.value) }
    sql.append(")")
  }

  private func writeUpdate(to sql: inout SQLWriter) {
    sql.append(abortsOnConflict ? "UPDATE OR ABORT " : "UPDATE ")
    writeTable(to: &sql)
    sql.append(" SET ")
    sql.append(assignments, separator: ", ") { sql, assignment in
      sql.append(identifier: assignment.column)
      sql.append(" = ")
      sql.append(operand: assignment.value)
    }
  }

  private func writeTable(to sql: inout SQLWriter) {
    if let database {
      sql.append(identifier: database)
      sql.append(".")
    }
    sql.append(identifier: table)
  }
}

/// A bound value of any type.
package struct BoundValue: QueryExpression {
  package typealias QueryValue = DatabaseValue
  package typealias Output = DatabaseValue

  private let text: SQLText

  package init(_ value: some DatabaseValueConvertible) {
    var text = SQLText()
    text.append(value: value)
    self.text = text
  }

  package func write(to sql: inout SQLWriter) {
    sql.append(text)
  }
}

/// The value that an UPDATE assigns to a column, as an operand of another.
private struct AssignedValue<Operand: QueryOperand>: QueryExpression {
  typealias QueryValue = Operand
  typealias Output = Operand?

  let value: any QueryExpression

  var parenthesization: Parenthesization { value.parenthesization }

  func write(to sql: inout SQLWriter) {
    sql.append(value)
  }
}
