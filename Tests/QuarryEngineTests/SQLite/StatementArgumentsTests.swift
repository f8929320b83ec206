import QuarryEngine
import TestSupport
import Testing

@Suite("Statement arguments", .gated)
struct StatementArgumentsTests {
  private func row(_ sql: String, _ arguments: StatementArguments) throws -> String? {
    try DatabaseQueue().read { try Row.fetchOne($0, sql: sql, arguments: arguments)?.description }
  }

  @Test("an array feeds question marks, with and without a literal")
  func positional() throws {
    #expect(try row("SELECT ? AS a, ? AS b", ["Arthur", 41]) == #"[a:"Arthur" b:41]"#)
    #expect(try row("SELECT ? AS a, ? AS b", StatementArguments(["Arthur", 41])) == #"[a:"Arthur" b:41]"#)
  }

  @Test("a dictionary feeds named placeholders, with and without a literal")
  func named() throws {
    let sql = "SELECT :name AS a, :score AS b"
    #expect(try row(sql, ["name": "Arthur", "score": 41]) == #"[a:"Arthur" b:41]"#)
    #expect(try row(sql, StatementArguments(["name": "Arthur", "score": 41])) == #"[a:"Arthur" b:41]"#)
    #expect(try row(sql, ["score": 41, "name": "Arthur"]) == #"[a:"Arthur" b:41]"#)
  }

  @Test("a numbered placeholder takes the argument of its number, and a plain one that follows the next")
  func numbered() throws {
    #expect(try row("SELECT ?2 AS two, ?1 AS one", [1, 2]) == "[two:2 one:1]")
    #expect(try row("SELECT ?2 AS two, ? AS three", [1, 2, 3]) == "[two:2 three:3]")
  }

  @Test("every prefix names a parameter, and a name is given with or without it", arguments: [":", "@", "$"])
  func prefixes(prefix: String) throws {
    #expect(try row("SELECT \(prefix)name AS a", ["name": 1]) == "[a:1]")
    #expect(try row("SELECT \(prefix)name AS a", ["\(prefix)name": 1]) == "[a:1]")
  }

  @Test("a Tcl name with colons and parentheses is a name")
  func tclName() throws {
    #expect(try row("SELECT $a::b(c) AS a", ["a::b(c)": 1]) == "[a:1]")
  }

  @Test("two parameters that differ in their prefix share a bare name, and are told apart by the whole token")
  func sharedBareName() throws {
    #expect(try row("SELECT :a AS x, @a AS y", ["a": 1]) == "[x:1 y:1]")
    #expect(try row("SELECT :a AS x, @a AS y", [":a": 1, "@a": 2]) == "[x:1 y:2]")
  }

  @Test("mixed arguments follow SQLite's numbering")
  func mixed() throws {
    let sql = "SELECT ?2 AS two, :foo AS foo, ?1 AS one, :foo AS foo2, :bar AS bar"
    #expect(try row(sql, [1, 2, "bar"] + ["foo": "foo"]) == #"[two:2 foo:"foo" one:1 foo2:"foo" bar:"bar"]"#)
  }

  @Test("a fragment with a name and one with a question mark go together")
  func mixedFragments() throws {
    let arguments: StatementArguments = ["team": "Blue"] + [1000]
    #expect(try row("SELECT :team AS team, ? AS score", arguments) == #"[team:"Blue" score:1000]"#)
  }

  @Test("arguments are concatenated")
  func concatenation() {
    var arguments: StatementArguments = ["Arthur"]
    arguments += [41]
    #expect(arguments == ["Arthur", 41])
    #expect(([1] + [2, 3] as StatementArguments).description == "[1, 2, 3]")
    #expect(([1] &+ [2, 3] as StatementArguments).description == "[1, 2, 3]")
    #expect((["foo": 1] + ["bar": 2] as StatementArguments).description == #"["foo": 1, "bar": 2]"#)
    #expect((["foo": 1] &+ ["bar": 2] as StatementArguments).description == #"["foo": 1, "bar": 2]"#)
    #expect((["foo": 1] + [2, 3] as StatementArguments).description == #"["foo": 1, 2, 3]"#)
    #expect((["foo": 1] &+ [2, 3] as StatementArguments).description == #"["foo": 1, 2, 3]"#)
    #expect((["foo": 1] &+ ["foo": 2] as StatementArguments).description == #"["foo": 2]"#)
  }

  @Test("&+ and append override a named argument, and append returns what it replaced")
  func overriding() {
    var arguments: StatementArguments = ["name": "Arthur"]
    arguments = arguments &+ ["name": "Barbara"]
    #expect(arguments.description == #"["name": "Barbara"]"#)

    var others: StatementArguments = ["foo": 1, "bar": 2]
    #expect(others.append(contentsOf: ["foo": 3]) == ["foo": .integer(1)])
    #expect(others.description == #"["foo": 3, "bar": 2]"#)
    #expect(others.append(contentsOf: [2, 3]).isEmpty)
    #expect(others.description == #"["foo": 3, "bar": 2, 2, 3]"#)
  }

  @Test("arguments come from sequences of values, optional or not")
  func sequences() {
    let optionals: [(any DatabaseValueConvertible)?] = ["foo", 1, nil]
    #expect(StatementArguments(optionals).description == #"["foo", 1, NULL]"#)
    #expect(StatementArguments(["foo", "bar"]).description == #"["foo", "bar"]"#)
    #expect(StatementArguments([1, nil]).description == "[1, NULL]")
    #expect(StatementArguments([]).isEmpty)
    #expect(StatementArguments([("b", 1), ("a", 2)]).description == #"["b": 1, "a": 2]"#)
    #expect(StatementArguments(zip(["b", "a"], [1, 2])).description == #"["b": 1, "a": 2]"#)
    #expect(StatementArguments(1...3).description == "[1, 2, 3]")
  }

  @Test("arguments come from dictionaries and from pairs")
  func pairs() {
    let values: [String: (any DatabaseValueConvertible)?] = ["lastName": "Miller", "firstName": nil]
    #expect(StatementArguments(values).description == #"["firstName": NULL, "lastName": "Miller"]"#)
    let pairs: [(String, (any DatabaseValueConvertible)?)] = [("lastName", "Miller"), ("firstName", nil)]
    #expect(StatementArguments(pairs).description == #"["lastName": "Miller", "firstName": NULL]"#)
  }

  @Test("an array or dictionary of anything gives arguments where all of it can be stored")
  func anything() {
    #expect(StatementArguments(["foo", 1] as [Any]) == ["foo", 1])
    #expect(StatementArguments(["foo", NotConvertible()] as [Any]) == nil)
    #expect(StatementArguments(["name": "Arthur", "score": 41] as [AnyHashable: Any]) == ["score": 41, "name": "Arthur"])
    #expect(StatementArguments(["name": NotConvertible()] as [AnyHashable: Any]) == nil)
    #expect(StatementArguments([1: "Arthur"] as [AnyHashable: Any]) == nil)
  }

  private struct NotConvertible {}

  @Test("a row gives arguments named as its columns are")
  func fromRow() throws {
    let row = try #require(try DatabaseQueue().read { try Row.fetchOne($0, sql: "SELECT 1 AS a, 'x' AS b, 2 AS A") })
    #expect(try StatementArguments(row) == ["a": 1, "b": "x"])
  }

  @Test("only arguments without any value are empty")
  func emptiness() {
    #expect(StatementArguments().isEmpty)
    #expect(([] as StatementArguments).isEmpty)
    #expect(([:] as StatementArguments).isEmpty)
    #expect(!([nil] as StatementArguments).isEmpty)
    #expect(!(["a": nil] as StatementArguments).isEmpty)
  }

  @Test("equality goes by what is stored, and ignores the order of names")
  func equality() {
    #expect(["a": 1, "b": 2] as StatementArguments == ["b": 2, "a": 1])
    #expect([1, 2] as StatementArguments != [2, 1])
    #expect([Int64(1)] as StatementArguments == [UInt8(1)])
    #expect([1] as StatementArguments != [1.5])
    #expect([UInt64.max] as StatementArguments != [UInt64.max])
  }

  @Test(
    "too few, too many, unknown and repeated arguments are told by name or number",
    arguments: [
      ("SELECT :name, :score", ["name": "Arthur"], "missing statement argument: score"),
      ("SELECT :name, :score", [:], "missing statement arguments: name, score"),
      ("SELECT :name, :score", ["name": 1, "score": 2, "team": 3], "unknown statement argument: team"),
      ("SELECT :name", ["name": 1, "name": 2], "statement argument given twice: name"),
      ("SELECT ?, ?", [1, 2, 3], "wrong number of statement arguments: 3"),
      ("SELECT ?, ?", [1], "wrong number of statement arguments: 1"),
      ("SELECT ?, ?", [], "wrong number of statement arguments: 0"),
      ("SELECT 1", [1], "wrong number of statement arguments: 1"),
      ("SELECT 1", ["a": 1], "unknown statement argument: a"),
    ] as [(String, StatementArguments, String)])
  func validation(sql: String, arguments: StatementArguments, message: String) throws {
    try DatabaseQueue().read { db throws in
      let statement = try db.makeStatement(sql: sql)
      for use in [statement.validateArguments, statement.setArguments, { try statement.execute(arguments: $0) }] {
        let error = #expect(throws: DatabaseError.self) { try use(arguments) }
        #expect(error?.message == message)
        #expect(error?.resultCode == DatabaseError.SQLITE_MISUSE)
        #expect(error?.sql == sql)
      }
    }
  }

  @Test("an integer past the greatest that SQLite stores throws when it is used")
  func unstorable() throws {
    try DatabaseQueue().read { db throws in
      let statement = try db.makeStatement(sql: "SELECT ?")
      expectError(DatabaseError.SQLITE_MISMATCH) { try statement.setArguments([UInt64.max]) }
      expectError(DatabaseError.SQLITE_MISMATCH) { try statement.execute(arguments: [UInt64.max]) }
      // Of several arguments, the ones before it were bound by then: that must not pass for all.
      expectError(DatabaseError.SQLITE_MISMATCH) { try statement.execute() }
    }
  }
}

extension ExitTests {
  @Suite("Statement arguments defined twice")
  struct StatementArgumentsDefinedTwiceTests {
    @Test("+ with a name that is defined already is fatal, with a message")
    func plus() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let arguments: StatementArguments = ["name": "Arthur"]
        _ = arguments + ["name": "Barbara"]
      }
      #expect(message(result).contains("already defined statement argument: name"))
    }

    @Test("+= with a name that is defined already is fatal, with a message")
    func plusAssign() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var arguments: StatementArguments = ["name": "Arthur"]
        arguments += ["name": "Barbara"]
      }
      #expect(message(result).contains("already defined statement argument: name"))
    }

    private func message(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
  }
}
