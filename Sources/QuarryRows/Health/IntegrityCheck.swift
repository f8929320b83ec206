internal import QuarryEngine

/// Reads all pages and indexes, or with quick_check all pages of tables, and checks the constraints of rows.
///
///     PRAGMA main.integrity_check(1000)
struct IntegrityCheck: HealthCheck {
  let isQuick: Bool

  var name: String { pragma }
  private var pragma: String { isQuick ? "quick_check" : "integrity_check" }

  /// The advice for a damaged file.
  static let recovery = "`sqlite3 FILE .recover` saves the readable data, or restore a backup"

  /// The maximum number of problems that SQLite lists.
  private static let limit = 1000

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    var lines: [String] = []
    let sql: SQLText = isQuick ? "PRAGMA main.quick_check(1000)" : "PRAGMA main.integrity_check(1000)"
    try database.runUndivided {
      lines = []
      try database.scan(sql) { statement in
        lines += try statement.columnText(at: 0).split(separator: "\n").map(String.init)
        return true
      }
    }
    let problems = lines.filter { !$0.hasPrefix("*** in database ") }.map(IntegrityProblem.init)
    if lines == ["ok"] { return [HealthResult(name, nil, .ok, "ok")] }
    return IntegrityProblem.Kind.all(of: problems).map { kind, texts in
      let more = texts.count > 1 ? " (and \(Plural.of(texts.count - 1, "similar problem")))" : ""
      return HealthResult(name, kind.object, kind.status, texts[0] + more, remedy: kind.remedy)
    }
  }
}

/// A line of integrity_check.
private struct IntegrityProblem {
  /// What is wrong.
  enum Kind: Hashable {
    /// An index that contradicts its table, which is whole.
    case index(String)
    /// A value that violates a constraint: `t.c`, or the table of a CHECK constraint.
    case constraint(String)
    /// Damage of the structure.
    case structure

    var object: String? {
      switch self {
      case .index(let name), .constraint(let name): name
      case .structure: nil
      }
    }

    var status: HealthResult.Status { self == .structure ? .damaged : .finding }

    var remedy: String? {
      switch self {
      case .index(let name): "REINDEX main.\(SQLIdentifier.quoted(name))"
      case .constraint: "correct or delete these rows; they violate a constraint"
      case .structure: IntegrityCheck.recovery
      }
    }

    /// Returns the kinds in the order of their first problem, with the texts of their problems.
    static func all(of problems: [IntegrityProblem]) -> [(Kind, [String])] {
      let texts = Dictionary(grouping: problems, by: \.kind).mapValues { $0.map(\.text) }
      var seen: Set<Kind> = []
      return problems.map(\.kind).filter { seen.insert($0).inserted }.map { ($0, texts[$0] ?? []) }
    }
  }

  let text: String
  let kind: Kind

  init(_ text: String) {
    self.text = text
    kind = Self.kind(of: text)
  }

  private static func kind(of text: String) -> Kind {
    let ofIndex = [
      " missing from index ", "wrong # of entries in index ", "non-unique entry in index ", " values differ from index ",
      "rowid not at end-of-record for row ",
    ]
    let ofRow = ["NULL value in ", "CHECK constraint failed in ", " value in "]
    if ofIndex.contains(where: { text.firstRange(of: $0) != nil }), let end = text.firstRange(of: " index ")?.upperBound {
      return .index(String(text[end...]))
    }
    if let end = ofRow.compactMap({ text.firstRange(of: $0)?.upperBound }).first { return .constraint(String(text[end...])) }
    return .structure
  }
}

/// Lists the tables, virtual tables and views that SQLite cannot compile here.
struct SchemaCheck: HealthCheck {
  let name = "schema"

  func results(about subject: HealthSubject, in database: Database) -> [HealthResult] {
    subject.broken.map { schema in
      let text = schema.problem ?? "cannot be read"
      guard case .view = schema.entry.kind else { return HealthResult(name, schema.entry.reference.name, .note, text) }
      return HealthResult(
        name, schema.entry.reference.name, .finding, text,
        remedy: "DROP VIEW \(schema.entry.reference.sql), or create the missing objects")
    }.orFine(name, "\(Plural.of(subject.tables.count, "table")); all tables and views can be read")
  }
}
