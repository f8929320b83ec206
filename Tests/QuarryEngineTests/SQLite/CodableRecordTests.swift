import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("Codable records", .gated)
struct CodableRecordTests {
  private enum Grade: String, Codable { case beginner, expert }

  private struct Player: Codable, FetchableRecord, Equatable {
    var name: String
    var score: Int?
    var grade: Grade?
    var birthday: Date
    var picture: Data?
    var isActive: Bool
    var rating: Float
    var previous: Grade

    enum CodingKeys: String, CodingKey {
      case name, score, grade, birthday, picture, rating, previous
      case isActive = "is_active"
    }
  }

  private let queue: DatabaseQueue
  private let insert = """
    INSERT INTO player VALUES (:name, :score, :grade, :birthday, :picture, :is_active, :rating, :previous)
    """

  init() throws {
    queue = try makeDatabase("CREATE TABLE player (name, score, grade, birthday, picture, is_active, rating, previous)")
  }

  private let full = Player(
    name: "Arthur", score: 41, grade: .expert, birthday: Date(timeIntervalSince1970: 0), picture: Data([1, 2]), isActive: true, rating: 0.1,
    previous: .beginner)
  private let sparse = Player(
    name: "Barbara", score: nil, grade: nil, birthday: Date(timeIntervalSince1970: 1), picture: nil, isActive: false, rating: 2,
    previous: .expert)

  @Test("a record comes back as it was written")
  func roundTrip() throws {
    try queue.write { db throws in
      for player in [full, sparse] { try db.execute(sql: insert, arguments: StatementArguments(encoding: player)) }
      #expect(try Player.fetchAll(db, sql: "SELECT * FROM player ORDER BY name") == [full, sparse])
      let stored = try Row.fetchOne(db, sql: "SELECT name, score, grade, birthday, picture, is_active FROM player")
      let row: Row = [
        "name": "Arthur", "score": 41, "grade": "expert", "birthday": "1970-01-01 00:00:00.000", "picture": Data([1, 2]), "is_active": 1,
      ]
      #expect(stored == row)
    }
  }

  @Test("nil is an argument too")
  func null() throws {
    let arguments = try StatementArguments(encoding: sparse)
    #expect(arguments.description.contains(#""score": NULL, "grade": NULL"#))
  }

  @Test("a column that is not there is nil of an optional, and an error of anything else")
  func missing() throws {
    try queue.read { db throws in
      let columns = "'Arthur' AS name, '1970-01-01' AS birthday, 1 AS is_active, 1 AS rating"
      let player = try #require(try Player.fetchOne(db, sql: "SELECT \(columns), 'expert' AS previous"))
      #expect(player.score == nil && player.picture == nil)
      let error = expectError(DatabaseError.SQLITE_RANGE) { try Player.fetchOne(db, sql: "SELECT \(columns)") }
      #expect(error?.message.contains(#"there is no column "previous""#) == true)
      let wrong = expectError(DatabaseError.SQLITE_MISMATCH) { try Player.fetchOne(db, sql: "SELECT 1 AS name, \(columns)") }
      #expect(wrong?.message.contains(#"column 0 ("name"): INTEGER 1 cannot be read as String"#) == true)
      #expect(throws: DecodingError.self) { try Player.fetchOne(db, sql: "SELECT \(columns), 'medium' AS previous") }
    }
  }

  /// A record that is another one, and its first column.
  private struct Named<Record: Codable & Sendable>: Codable, FetchableRecord {
    var record: Record

    init(_ record: Record) { self.record = record }

    init(from decoder: any Decoder) throws { record = try decoder.singleValueContainer().decode(Record.self) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(record)
    }
  }

  @Test("a record that is another one has its columns")
  func wrapped() throws {
    try queue.write { db throws in
      try db.execute(sql: insert, arguments: StatementArguments(encoding: Named(Named(sparse))))
      #expect(try Named<Player>.fetchOne(db, sql: "SELECT * FROM player")?.record == sparse)
      #expect(try Named<Named<Player>>.fetchOne(db, sql: "SELECT * FROM player")?.record.record == sparse)
      #expect(try Named<String>.fetchOne(db, sql: "SELECT * FROM player")?.record == "Barbara")
      #expect(try Named<Grade>.fetchOne(db, sql: "SELECT previous FROM player")?.record == .expert)
      #expect(try Named<Date?>.fetchOne(db, sql: "SELECT score, birthday FROM player")?.record == nil)
      let reordered = "SELECT score, name, birthday, is_active, rating, previous FROM player"
      #expect(try Named<Player?>.fetchOne(db, sql: reordered)?.record == sparse)
      #expect(try Named<Player?>.fetchOne(db, sql: "SELECT NULL AS name, NULL AS score")?.record == nil)
      #expect(throws: DecodingError.self) { try Named<[String]>.fetchOne(db, sql: "SELECT name FROM player") }
      #expect(throws: EncodingError.self) { try StatementArguments(encoding: Named(["a"])) }
    }
  }

  @Test("what one column cannot hold is refused, empty or not")
  func refused() throws {
    struct Team: Codable, FetchableRecord { var names: [String] }
    struct League: Codable, FetchableRecord { var team: Team }
    for names in [["Arthur"], []] {
      #expect(throws: EncodingError.self) { try StatementArguments(encoding: Team(names: names)) }
      #expect(throws: EncodingError.self) { try StatementArguments(encoding: League(team: Team(names: names))) }
    }
    #expect(throws: EncodingError.self) { try StatementArguments(encoding: [String]()) }
    #expect(throws: DecodingError.self) { try Team(row: ["names": "Arthur"]) }
    #expect(throws: DecodingError.self) { try League(row: ["team": "Arthur"]) }
  }
}
