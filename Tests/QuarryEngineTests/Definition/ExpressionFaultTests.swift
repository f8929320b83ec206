import QuarryEngine
import TestSupport
import Testing

/// The places of syntax errors in the expressions of a design.
@Suite(.gated) struct ExpressionFaultTests {
  private static let setup = """
    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, score INT);
    CREATE VIEW broken AS SELECT missing FROM player; CREATE VIEW other AS SELECT 1 FROM absent;
    CREATE TRIGGER noted AFTER UPDATE ON player BEGIN DELETE FROM absent; END;
    """

  /// Returns the fault of a design of the table, with the text from its place on; nil if there is none.
  private func fault(_ change: @Sendable (inout TableChange) -> Void) throws -> String? {
    try makeDatabase(Self.setup).withoutTransaction { db in
      var edit = TableChange(of: try db.tableDefinition(TableReference(name: "player")))
      change(&edit)
      do {
        _ = try edit.plan(in: db)
        return nil
      } catch DefinitionError.invalidExpression(let sql, let place, let offset, let reason) {
        return "\(place): \(reason) | \(String(decoding: sql.utf8.dropFirst(offset), as: UTF8.self))"
      }
    }
  }

  @Test(arguments: [
    ("score > > 3", #"near ">": syntax error | > 3"#), ("'äöü' <> name AND > 3", #"near ">": syntax error | > 3"#),
    ("length(name > 3", "this ( is not closed | (name > 3"), ("score > 0) OR (1", "this ) has no ( | ) OR (1"),
    ("name = 'abc", "this quote is not closed | 'abc"), (#"name = "abc"#, #"this quote is not closed | "abc"#),
    ("score > /* 3", "this comment is not closed | /* 3"), ("score +", "the expression is not complete after this | +"),
    ("score > 3 -- yes", "a comment with -- cannot end an expression: use /* */ | -- yes"),
    ("score > 3; DROP TABLE player", "an expression cannot contain this | ; DROP TABLE player"),
    ("CASE WHEN score", "the expression is not complete after this | score"), (" ", "the expression is empty |  "),
    ("score > 3 3", #"near "3": syntax error | 3"#),
  ])
  func `a syntax error has its place in the expression`(_ sql: String, _ fault: String) throws {
    let check = try self.fault { $0.new.columns[2].constraints.append(ColumnConstraint(.check(sql: sql))) }
    #expect(check == "CHECK of column score: " + fault)
    let generated = try self.fault { $0.new.columns[2].constraints.append(ColumnConstraint(.generated(sql: sql, .virtual))) }
    #expect(generated == "value of the generated column score: " + fault)
    let defaults = try self.fault { $0.new.columns[2].constraints.append(ColumnConstraint(.defaults(.expression(sql: sql)))) }
    #expect(defaults == "default of column score: " + fault)
    let table = try self.fault { $0.new.constraints.append(TableConstraint(.check(sql: sql))) }
    #expect(table == "CHECK of the table: " + fault)
    let term = try self.fault { $0.new.indexes.append(IndexDefinition("i", on: "player", terms: [.init(.expression(sql: sql))])) }
    #expect(term == "index i: " + fault)
    let condition = try self.fault { $0.new.indexes.append(IndexDefinition("i", on: "player", columns: ["id"], condition: sql)) }
    #expect(condition == "condition of index i: " + fault)
  }

  @Test(arguments: ["score > 3", "lower(name) = ')('", "(score /* ) */ > 0)", "player.score > 0"])
  func `an expression without an error has no fault`(_ sql: String) throws {
    #expect(try fault { $0.new.columns[1].constraints.append(ColumnConstraint(.check(sql: sql))) } == nil)
  }

  @Test func `views and triggers of the table that do not compile are named once`() throws {
    try makeDatabase(Self.setup).withoutTransaction { db in
      var edit = TableChange(of: try db.tableDefinition(TableReference(name: "player")))
      edit.new.columns[2].constraints.append(ColumnConstraint(.notNull(onConflict: nil)))
      let plan = try edit.plan(in: db)
      #expect(
        plan.remarks == [
          "a trigger on UPDATE of “player” does not compile now either (no such table: main.absent): it stays as it is",
          "the view “broken” does not compile now either (no such column: missing): it stays as it is",
        ])
      #expect(plan.problems.isEmpty)
    }
  }
}
