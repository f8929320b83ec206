import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct TypedExpressionTests {
  private static func column(
    _ declaredType: String, affinity: ColumnSchema.Affinity, isStrict: Bool = false
  ) -> TypedExpression {
    let schema = ColumnSchema(
      name: "c", declaredType: declaredType, affinity: affinity, isNullable: true, defaultSQL: nil, generation: nil, isHidden: false,
      primaryKeyPosition: nil, isRowID: false)
    return TypedExpression(columnNamed: "c", type: ExpressionType(schema, isStrict: isStrict))
  }

  @Test(
    "A column's declaration gives its type",
    arguments: [
      ("INTEGER", ColumnSchema.Affinity.integer, ExpressionType.integer), ("bigint", .integer, .integer),
      ("UNSIGNED BIG INT", .integer, .integer),
      ("POINT", .integer, .any), ("NVARCHAR(160)", .text, .text), ("CLOB", .text, .text), ("STRING", .numeric, .any),
      ("BLOB", .blob, .blob),
      ("", .blob, .any), ("DOUBLE PRECISION", .real, .real), ("FLOAT", .real, .real), ("NUMERIC(10,2)", .numeric, .numeric),
      ("DECIMAL", .numeric, .numeric), ("BOOLEAN", .numeric, .boolean), ("bool", .numeric, .boolean), ("DATETIME", .numeric, .date),
      ("TIMESTAMP", .numeric, .date), ("Date", .numeric, .date), ("JSON", .numeric, .any), ("UUID", .numeric, .any),
    ])
  func declarations(declaredType: String, affinity: ColumnSchema.Affinity, type: ExpressionType) {
    #expect(Self.column(declaredType, affinity: affinity).type == type)
  }

  @Test("A STRICT table's types are exact")
  func strict() {
    #expect(Self.column("ANY", affinity: .numeric, isStrict: true).type == .any)
    #expect(Self.column("INT", affinity: .integer, isStrict: true).type == .integer)
  }

  @Test("Run-time operations make the nodes that Swift's operators make")
  func nodes() throws {
    let integer = Self.column("INTEGER", affinity: .integer)
    let text = Self.column("TEXT", affinity: .text)
    let truth = Self.column("BOOLEAN", affinity: .numeric)
    let three = TypedExpression(literal: .integer(3))
    let expected: [(TypedExpression, String)] = [
      (try integer.equals(three), "(c = 3)"),
      (try integer.equals(TypedExpression(literal: .real(2.5))), "(c = 2.5)"),
      (try integer.equals(.null), "(c IS NULL)"),
      (try TypedExpression.null.equals(integer, negated: true), "(c IS NOT NULL)"),
      (try integer.equals(TypedExpression(parameter: .text("3"))), "(c = '3')"),
      (try integer.equals(TypedExpression(parameter: .null)), "(c IS NULL)"),
      (try truth.equals(TypedExpression(literal: .integer(1))), "(c = 1)"),
      (try truth.negated(), "NOT (c)"),
      (try truth.negated().equals(truth), "((NOT (c)) = c)"),
      (try integer.between(three, and: TypedExpression(literal: .real(5)), negated: true), "(c NOT BETWEEN 3 AND 5.0)"),
      (try text.isIn([TypedExpression(literal: .text("a")), .null]), "(c IN ('a', NULL))"),
      (try text.has(TypedExpression(literal: .text("5%")), at: .end), #"(c LIKE '%5\%' ESCAPE '\')"#),
      (try text.has(TypedExpression(literal: .text("5")), at: .anywhere, negated: true), "((c NOT LIKE '%5%' ESCAPE '\\') OR (c IS NULL))"),
      (
        try text.has(text, at: .start),
        #"(c LIKE (replace(replace(replace(c, '\', '\\'), '%', '\%'), '_', '\_') || '%') ESCAPE '\')"#
      ),
      (try text.matches(.glob, TypedExpression(literal: .text("a*"))), "(c GLOB 'a*')"),
      (try integer.arithmetic(.times, three).opposite(), "-(c * 3)"),
      (try text.concatenated(with: text).collated(.nocase), "(c || c) COLLATE NOCASE"),
      (try truth.isTruth(false, negated: true), "(c IS NOT FALSE)"),
      (text.cast(to: .numeric), "CAST(c AS NUMERIC)"),
      (try #require(TypedFunction.named("LENGTH")).call([text]), "length(c)"),
      (try TypedExpression.joined([truth, truth, truth.negated()], by: .or), "(c OR c OR NOT (c))"),
    ]
    for (expression, sql) in expected { #expect(expression.expression.queryString == sql) }
  }

  @Test("What does not go together is refused with a reason")
  func refusals() throws {
    let integer = Self.column("INTEGER", affinity: .integer)
    let text = Self.column("TEXT", affinity: .text)
    let truth = Self.column("BOOLEAN", affinity: .numeric)
    func reason(_ body: () throws(Incompatibility) -> TypedExpression) -> String? {
      do {
        _ = try body()
        return nil
      } catch {
        return error.description
      }
    }
    #expect(reason { () throws(Incompatibility) in try text.equals(integer) } == "text cannot be compared with an integer")
    #expect(
      reason { () throws(Incompatibility) in try truth.compared(.less, truth) } == "Booleans have no order: compare them with = or <>")
    #expect(reason { () throws(Incompatibility) in try integer.negated() } == "a condition is expected here, but this is an integer")
    #expect(reason { () throws(Incompatibility) in try text.arithmetic(.plus, integer) } == "a number is expected here, but this is text")
    #expect(reason { () throws(Incompatibility) in try integer.matches(.like, text) } == "text is expected here, but this is an integer")
    #expect(
      reason { () throws(Incompatibility) in try truth.concatenated(with: truth) }
        == "|| joins text, but these are Booleans: join them with or")
    #expect(reason { () throws(Incompatibility) in try integer.isIn([]) } == "the list after in is empty")
    let function = try #require(TypedFunction.named("length"))
    #expect(
      reason { () throws(Incompatibility) in try function.call([integer]) } == "length expects text or a blob, but this is an integer")
    #expect(reason { () throws(Incompatibility) in try function.call([]) } == "length expects 1 argument, but there are 0")
    let trim = try #require(TypedFunction.named("trim"))
    #expect(reason { () throws(Incompatibility) in try trim.call([text, text, text]) } == "trim expects 1 to 2 arguments, but there are 3")
    #expect(Incompatibility.unknownFunction("lenght").description == "there is no function lenght")
    #expect(TypedFunction.named("lenght") == nil)
  }

  @Test("Every function of the table is one that SQLite has, with the operands that the table says")
  func functions() throws {
    try makeDatabase().read { db in
      for function in TypedFunction.all {
        let operands = function.parameters.prefix(max(function.least, 1)).map { parameter in
          switch parameter {
          case .text where function.name.hasPrefix("json"): TypedExpression(literal: .text(function.parameters.count == 1 ? "1" : "$"))
          case .text, .textOrBlob, .any: TypedExpression(literal: .text("1"))
          case .number: TypedExpression(literal: .integer(1))
          case .moment: TypedExpression(literal: DateText("2024-01-31"))
          }
        }
        let call = try function.call(function.name == "json_extract" ? [TypedExpression(literal: .text("1")), operands[1]] : operands)
        var sql: SQLText = "SELECT "
        sql.append(call.expression.sqlText)
        #expect(throws: Never.self, "\(function.name)") { try Row.fetchOne(db.makeStatement(literal: sql)) }
      }
    }
  }
}

extension TypedExpression {
  /// Returns the opposite of a truth.
  func negated() throws(Incompatibility) -> TypedExpression {
    .boolean(Negation(try truth()))
  }

  /// Returns whether a truth is true or false, or is not.
  func isTruth(_ value: Bool, negated: Bool = false) throws(Incompatibility) -> TypedExpression {
    .boolean(TruthTest(operand: try truth(), truth: value, isNegated: negated))
  }
}
