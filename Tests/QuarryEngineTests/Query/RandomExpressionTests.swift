import QuarryEngine
import TestSupport
import Testing

/// A generator whose numbers are the same each time.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@Suite(.gated) struct RandomExpressionTests {
  /// A tree twice over: as the engine builds it, and as text that is put together here.
  private struct Tree {
    var expression: Result<TypedExpression, Incompatibility>
    var sql: String
  }

  private static let columns: [(name: String, type: String, affinity: ColumnSchema.Affinity)] = [
    ("i", "INTEGER", .integer), ("r", "REAL", .real), ("n", "NUMERIC", .numeric), ("t", "TEXT", .text), ("b", "BLOB", .blob),
    ("f", "BOOLEAN", .numeric), ("d", "DATE", .numeric), ("a", "", .blob),
  ]

  private static func leaf(_ random: inout SeededGenerator) -> Tree {
    if Bool.random(using: &random) {
      let column = columns[Int.random(in: 0..<columns.count, using: &random)]
      let schema = ColumnSchema(
        name: column.name, declaredType: column.type, affinity: column.affinity, isNullable: true, defaultSQL: nil, generation: nil,
        isHidden: false, primaryKeyPosition: nil, isRowID: false)
      return Tree(expression: .success(TypedExpression(columnNamed: column.name, type: ExpressionType(schema))), sql: column.name)
    }
    let literals: [(TypedExpression, String)] = [
      (TypedExpression(literal: .integer(1)), "1"), (TypedExpression(literal: .integer(-7)), "-7"),
      (TypedExpression(literal: .real(2.5)), "2.5"), (TypedExpression(literal: .text("b%")), "'b%'"),
      (TypedExpression(literal: .text("")), "''"), (TypedExpression(literal: .blob([1, 255])), "x'01ff'"),
      (TypedExpression(literal: true), "1"), (TypedExpression(literal: DateText("2024-01-31")), "'2024-01-31'"), (.null, "NULL"),
      (TypedExpression(parameter: .integer(3)), "3"),
    ]
    let (expression, sql) = literals[Int.random(in: 0..<literals.count, using: &random)]
    return Tree(expression: .success(expression), sql: sql)
  }

  private static func tree(depth: Int, _ random: inout SeededGenerator) -> Tree {
    if depth == 0 { return leaf(&random) }
    let left = tree(depth: depth - 1, &random)
    let right = tree(depth: Int.random(in: 0..<depth, using: &random), &random)
    let third = leaf(&random)
    let operation = operations[Int.random(in: 0..<operations.count, using: &random)]
    let built = Result { () throws(Incompatibility) in
      try operation.build(try left.expression.get(), try right.expression.get(), try third.expression.get())
    }
    var (leftSQL, rightSQL) = (left.sql, right.sql)
    if operation.isEquality, leftSQL == "NULL" { swap(&leftSQL, &rightSQL) }
    let write = operation.isEquality && rightSQL == "NULL" ? operation.writeNull : operation.write
    return Tree(expression: built, sql: write("(" + leftSQL + ")", "(" + rightSQL + ")", "(" + third.sql + ")"))
  }

  private struct Operation: Sendable {
    typealias Text = @Sendable (String, String, String) -> String
    typealias Build = @Sendable (TypedExpression, TypedExpression, TypedExpression) throws(Incompatibility) -> TypedExpression

    var build: Build
    var write: Text
    /// How it is written against NULL; for equality only.
    var writeNull: Text = { left, _, _ in left }
    var isEquality = false

    init(_ build: @escaping Build, _ write: @escaping Text) {
      self.build = build
      self.write = write
    }

    static func equality(negated: Bool) -> Operation {
      var operation = Operation(
        { (a, b, _) throws(Incompatibility) in try a.equals(b, negated: negated) }, { a, b, _ in "\(a) \(negated ? "<>" : "=") \(b)" })
      operation.writeNull = { a, _, _ in "\(a) IS \(negated ? "NOT " : "")NULL" }
      operation.isEquality = true
      return operation
    }
  }

  private static let operations: [Operation] = [
    .equality(negated: false), .equality(negated: true),
    Operation({ (a, b, _) throws(Incompatibility) in try a.compared(.less, b) }) { a, b, _ in "\(a) < \(b)" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.compared(.atMost, b) }) { a, b, _ in "\(a) <= \(b)" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.compared(.greater, b) }) { a, b, _ in "\(a) > \(b)" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.compared(.atLeast, b) }) { a, b, _ in "\(a) >= \(b)" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.isSame(as: b) }) { a, b, _ in "\(a) IS \(b)" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.isSame(as: b, negated: true) }) { a, b, _ in "\(a) IS NOT \(b)" },
    Operation({ (a, b, c) throws(Incompatibility) in try a.between(b, and: c) }) { a, b, c in "\(a) BETWEEN \(b) AND \(c)" },
    Operation({ (a, b, c) throws(Incompatibility) in try a.isIn([b, c], negated: true) }) { a, b, c in "\(a) NOT IN (\(b), \(c))" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.matches(.like, b) }) { a, b, _ in "\(a) LIKE \(b)" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.matches(.glob, b, negated: true) }) { a, b, _ in "\(a) NOT GLOB \(b)" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.arithmetic(.plus, b) }) { a, b, _ in "\(a) + \(b)" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.arithmetic(.dividedBy, b) }) { a, b, _ in "\(a) / \(b)" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.arithmetic(.remainder, b) }) { a, b, _ in "\(a) % \(b)" },
    Operation({ (a, _, _) throws(Incompatibility) in try a.opposite() }) { a, _, _ in "-\(a)" },
    Operation({ (a, b, _) throws(Incompatibility) in try a.concatenated(with: b) }) { a, b, _ in "\(a) || \(b)" },
    Operation({ (a, _, _) throws(Incompatibility) in try a.collated(.nocase) }) { a, _, _ in "\(a) COLLATE NOCASE" },
    Operation({ (a, _, _) throws(Incompatibility) in a.cast(to: .text) }) { a, _, _ in "CAST(\(a) AS TEXT)" },
    Operation({ (a, _, _) throws(Incompatibility) in a.cast(to: .integer) }) { a, _, _ in "CAST(\(a) AS INTEGER)" },
    Operation({ (a, b, c) throws(Incompatibility) in try .joined([a, b, c], by: .and) }) { a, b, c in "\(a) AND \(b) AND \(c)" },
    Operation({ (a, b, _) throws(Incompatibility) in try .joined([a, b], by: .or) }) { a, b, _ in "\(a) OR \(b)" },
    Operation({ (a, _, _) throws(Incompatibility) in try a.negated() }) { a, _, _ in "NOT \(a)" },
    Operation({ (a, _, _) throws(Incompatibility) in try a.isTruth(true) }) { a, _, _ in "\(a) IS TRUE" },
    Operation({ (a, _, _) throws(Incompatibility) in a.isNull(negated: true) }) { a, _, _ in "\(a) IS NOT NULL" },
    Operation({ (a, b, _) throws(Incompatibility) in try call("coalesce", [a, b]) }) { a, b, _ in "coalesce(\(a), \(b))" },
    Operation({ (a, _, _) throws(Incompatibility) in try call("upper", [a]) }) { a, _, _ in "upper(\(a))" },
    Operation({ (a, b, _) throws(Incompatibility) in try call("max", [a, b]) }) { a, b, _ in "max(\(a), \(b))" },
  ]

  private static func call(_ name: String, _ operands: [TypedExpression]) throws(Incompatibility) -> TypedExpression {
    guard let function = TypedFunction.named(name) else { throw .unknownFunction(name) }
    return try function.call(operands)
  }

  @Test("Each of thousands of trees agrees with SQLite's own reading of it, or is refused with a reason", arguments: [1, 2, 3])
  func agreement(seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    var (built, refused) = (0, 0)
    try makeDatabase(
      "CREATE TABLE x (i INTEGER, r REAL, n NUMERIC, t TEXT, b BLOB, f BOOLEAN, d DATE, a)",
      """
      INSERT INTO x VALUES (1, 2.5, 3, 'b%', x'01ff', 1, '2024-01-31', 'a'), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        (-7, 1.0, 2.5, 'Bb', x'', 0, '2023-12-31 10:00', 3), (9, -0.5, 'odd', '', x'62', 1, 'b%', x'01'),
        (0, 0, 0, '10', 'text', 0, 5, NULL)
      """
    ).read { db in
      for _ in 0..<2500 {
        let tree = Self.tree(depth: Int.random(in: 1...3, using: &random), &random)
        switch tree.expression {
        case .failure(let reason):
          refused += 1
          #expect(!reason.description.isEmpty)
        case .success(let expression):
          built += 1
          var sql: SQLText = "SELECT typeof(v), hex(v) FROM (SELECT "
          sql.append(expression.expression.sqlText)
          sql.append(" AS v FROM x)")
          let found = try Row.fetchAll(db.makeStatement(literal: sql)).map(\.description)
          let pasted = try Row.fetchAll(db, sql: sql.queryString).map(\.description)
          let expected = try Row.fetchAll(db, sql: "SELECT typeof(v), hex(v) FROM (SELECT \(tree.sql) AS v FROM x)").map(\.description)
          #expect(found == expected, "\(sql.queryString) is not \(tree.sql)")
          #expect(pasted == found, "\(sql.queryString)")
        }
      }
    }
    #expect(built > 500 && refused > 500, "\(built) built, \(refused) refused")
  }
}
