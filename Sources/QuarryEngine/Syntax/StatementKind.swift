/// What a statement does, by the keyword that says so.
///
///     StatementKind(of: "EXPLAIN WITH c AS (SELECT 1) DELETE FROM Track").verb   // .delete
package struct StatementKind: Hashable, Sendable {
  /// The keyword after EXPLAIN and after the common tables of a WITH; nil where none stands there.
  package let verb: Keyword?
  /// Whether it is an EXPLAIN, which does nothing but tell how the statement would run.
  package let isExplanation: Bool

  /// Whether it attaches a database.
  package var attachesDatabase: Bool { isOne(of: .attach) }

  /// Whether it is a PRAGMA, which does something even where it writes nothing.
  package var isPragma: Bool { isOne(of: .pragma) }

  /// Whether it is a VACUUM.
  package var isVacuum: Bool { isOne(of: .vacuum) }

  /// Whether SQLite refuses it inside of a transaction, or it is about transactions itself.
  package var runsAlone: Bool { controlsTransaction || isOne(of: .pragma, .vacuum, .attach, .detach) }

  /// Whether it changes more than rows, given that it writes.
  package var changesSchema: Bool {
    !controlsTransaction && !changesRows
  }

  /// Whether it makes, drops or alters an object of the schema.
  package var changesObjects: Bool { isOne(of: .create, .drop, .alter) }

  /// Whether it changes rows of a table.
  package var changesRows: Bool { isOne(of: .insert, .replace, .update, .delete) }

  /// Whether it takes back what its transaction has changed, or what has been changed since a savepoint.
  package var rollsBack: Bool { isOne(of: .rollback) }

  /// Whether it alters an object, which stays the same.
  package var altersObject: Bool { isOne(of: .alter) }

  /// Whether it commits the transaction that it stands in; a RELEASE may.
  package var endsTransaction: Bool { isOne(of: .commit, .end, .release) }

  /// Whether it is about transactions and savepoints themselves.
  package var controlsTransaction: Bool {
    isOne(of: .begin, .commit, .end, .rollback, .savepoint, .release)
  }

  private func isOne(of verbs: Keyword...) -> Bool {
    !isExplanation && verb.map(verbs.contains) == true
  }
}

extension StatementKind {
  /// Reads what a statement does from its first words; more of it is read only where they are a WITH.
  package init(of sql: String) {
    let bytes = Array(sql.utf8)
    var tokenizer = SQLTokenizer(bytes)
    var isExplanation = false
    while let token = tokenizer.next() {
      switch token.keyword(in: bytes) {
      case nil where token.isSymbol(";"): continue
      case .explain: isExplanation = true
      case .query where isExplanation, .plan where isExplanation: continue
      case .with:
        self = StatementSyntax(sql).kind
        return
      case let verb:
        self.init(verb: verb, isExplanation: isExplanation)
        return
      }
    }
    self.init(verb: nil, isExplanation: isExplanation)
  }
}
