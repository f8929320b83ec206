/// The kind of a statement, determined by its verb.
///
///     StatementKind(of: "EXPLAIN WITH c AS (SELECT 1) DELETE FROM Track").verb   // .delete
package struct StatementKind: Hashable, Sendable {
  /// The keyword after EXPLAIN and after the common tables of a WITH clause; nil if there is no keyword.
  package let verb: Keyword?
  /// Whether it is an EXPLAIN, which only describes how the statement would run.
  package let isExplanation: Bool

  /// Whether it attaches a database.
  package var attachesDatabase: Bool { isOne(of: .attach) }

  /// Whether it is a PRAGMA, which may have effects even if it writes nothing.
  package var isPragma: Bool { isOne(of: .pragma) }

  /// Whether it is a VACUUM.
  package var isVacuum: Bool { isOne(of: .vacuum) }

  /// Whether SQLite rejects it inside a transaction, or it controls transactions itself.
  package var runsAlone: Bool { controlsTransaction || isOne(of: .pragma, .vacuum, .attach, .detach) }

  /// Whether it changes more than rows, if it writes.
  package var changesSchema: Bool {
    !controlsTransaction && !changesRows
  }

  /// Whether it creates, drops or alters an object of the schema.
  package var changesObjects: Bool { isOne(of: .create, .drop, .alter) }

  /// Whether it changes rows of a table.
  package var changesRows: Bool { isOne(of: .insert, .replace, .update, .delete) }

  /// Whether it rolls back its transaction, or the changes since a savepoint.
  package var rollsBack: Bool { isOne(of: .rollback) }

  /// Whether it alters an object of the schema.
  package var altersObject: Bool { isOne(of: .alter) }

  /// Whether it commits its transaction, as a RELEASE may.
  package var endsTransaction: Bool { isOne(of: .commit, .end, .release) }

  /// Whether it controls transactions and savepoints.
  package var controlsTransaction: Bool {
    isOne(of: .begin, .commit, .end, .rollback, .savepoint, .release)
  }

  private func isOne(of verbs: Keyword...) -> Bool {
    !isExplanation && verb.map(verbs.contains) == true
  }
}

extension StatementKind {
  /// Determines the kind from the first words of a statement; more of it is parsed only after WITH.
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
