import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("A group reports", .gated) struct GroupRefusalTests {
  private static let schema = """
    CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT NOT NULL, cover BLOB);
    CREATE TABLE track(id INTEGER PRIMARY KEY, name TEXT, album_id INTEGER REFERENCES album(id), length INTEGER, cover BLOB);
    CREATE TABLE line(id INTEGER PRIMARY KEY, track_id INTEGER REFERENCES track, quantity INTEGER)
    """

  private static func error(_ shape: GroupShape) throws -> (part: GroupShape.Part, text: String, error: FilterError)? {
    let columns = try makeDatabase(schema).read { db in
      FilterColumns(of: try db.tableSchema(TableReference(name: "track")), in: db)
    }
    do throws(GroupError) {
      try shape.check(columns: columns)
      return nil
    } catch {
      return (error.part, shape[error.part] ?? "", error.faults.errors[0])
    }
  }

  private func expect(
    _ shape: GroupShape, _ part: GroupShape.Part, at place: String, _ sentence: String, _ offer: String?
  ) throws {
    let (found, text, error) = try #require(try Self.error(shape), "\(shape) compiles")
    #expect(found == part)
    #expect(String(decoding: Array(text.utf8)[error.range], as: UTF8.self) == place)
    #expect(error.sentence == sentence)
    #expect(error.replacements.first?.applied(to: text) == offer)
  }

  @Test(
    "a level that is none",
    arguments: [
      ("nmae", "nmae", "There is no column nmae.", "name"),
      ("album_id.titel", "titel", "album has no column titel.", "album_id.title"),
      ("cover", "cover", "cover holds blobs, which cannot be shown as groups. Group by their length or digits.", "length(cover)"),
      (
        "album_id.cover", "album_id.cover", "album_id.cover holds blobs, which cannot be shown as groups. Group by their length or digits.",
        "length(album_id.cover)"
      ),
      ("sum(length)", "sum(length)", "sum(length) is computed from the rows of a group, so it cannot form groups.", nil),
      ("count", "count", "count is computed from the rows of a group, so it cannot form groups.", nil),
      ("max(length)", "max(length)", "max(length) is computed from the rows of a group, so it cannot form groups.", nil),
      ("'x'", "'x'", "'x' is the same for every group.", nil),
      ("name = 'x'", "'x'", "'x' is the same for every group.", nil),
      ("length + :n", "length + :n", "Parameters are not allowed here: nothing asks for their values.", nil),
      ("", "", "A value is missing.", nil),
      ("range(length, -1)", "-1", "The width of ranges is a number greater than 0, with at most six decimals.", nil),
      ("month(length)", "length", "month expects a date, but length is an integer.", "month(datetime(length, 'unixepoch'))"),
    ] as [(String, String, String, String?)])
  func level(text: String, place: String, sentence: String, offer: String?) throws {
    try expect(GroupShape(levels: ["name", text]), .level(1), at: place, sentence, offer)
    try expect(GroupShape(levels: ["name"], across: text), .across, at: place, sentence, offer)
  }

  @Test(
    "an aggregate that is none",
    arguments: [
      ("length", "length", "length has a value in each row of the group. Choose one by an aggregate.", "sum(length)"),
      ("name", "name", "name has a value in each row of the group. Choose one by an aggregate.", "count(name)"),
      ("sum(length) / id", "id", "id has a value in each row of the group. Choose one by an aggregate.", "sum(length) / sum(id)"),
      (
        "album_id.title", "album_id.title", "album_id.title has a value in each row of the group. Choose one by an aggregate.",
        "count(album_id.title)"
      ),
      (
        "sum(line.quantity)", "sum(line.quantity)", "sum(line.quantity) has a value in each row of the group. Choose one by an aggregate.",
        "sum(sum(line.quantity))"
      ),
      ("sum", "sum", "sum needs the value to compute it from.", "sum(id)"),
      ("sum()", "sum()", "sum needs the value to compute it from.", "sum(id)"),
      ("sum(name)", "name", "A number is expected here, but name holds text.", "sum(cast(name as numeric))"),
      ("sum(lenght)", "lenght", "There is no column lenght.", "sum(length)"),
      ("sum(avg(length))", "avg(length)", "An aggregate cannot contain another.", nil),
      ("sum(count)", "count", "An aggregate cannot contain another.", nil),
      ("sum(length, 2)", "sum(length, 2)", "sum expects one value, but there are 2.", nil),
      ("median(length)", "median", "There is no function median.", nil),
      ("mean(length)", "mean", "There is no function mean.", "avg(length)"),
      ("sun(length)", "sun", "There is no function sun.", "sum(length)"),
      ("12", "12", "12 is the same for every group.", nil),
      ("sum(length", "(", "This parenthesis is not closed.", "sum(length)"),
      ("foo", "foo", "There is no column foo.", nil),
    ] as [(String, String, String, String?)])
  func aggregate(text: String, place: String, sentence: String, offer: String?) throws {
    try expect(GroupShape(levels: ["name"], aggregates: ["count", text]), .aggregate(1), at: place, sentence, offer)
  }

  @Test("a name that another column has")
  func taken() throws {
    let sentence = "There is another column named name."
    try expect(GroupShape(levels: ["name", "Name"]), .level(1), at: "Name", sentence, "\"name 2\" = Name")
    try expect(
      GroupShape(levels: ["name"], aggregates: ["name = sum(length)"]), .aggregate(0), at: "name", sentence, "\"name 2\" = sum(length)")
  }

  @Test("an aggregate in the filter of single rows")
  func filter() throws {
    let columns = FilterColumns([FilterColumn("length", type: .integer)])
    let error = #expect(throws: FilterErrors.self) { try Filter.compile("sum(length) > 3", columns: columns) }
    #expect(error?.errors.first?.hint == "A filter looks at one row at a time.")
  }
}

extension GroupRefusalTests {
  @Test("a pivot with more columns than SQLite allows")
  func tooWide() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a, b)",
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100) INSERT INTO t SELECT x, x % 2 FROM n")
    let connections = ReadConnections(queue)
    let columns = try await queue.read { FilterColumns(of: try $0.tableSchema(TableReference(name: "t")), in: $0) }
    let shape = GroupShape(levels: ["b"], aggregates: (0..<40).map { "n\($0) = sum(a)" }, across: "a")
    let error = await #expect(throws: GroupError.self) {
      try await connections.groups(shape, of: RowSet(.table(TableReference(name: "t"))), columns: columns)
    }
    #expect(error?.part == .across)
  }
}
