import QuarryEngine

struct Player: Table {
  static let tableName = "player"
  struct Columns {
    let name = Column<String>("name")
    let score = Column<Int?>("score")
  }
  static let columns = Columns()
}

let queue = try DatabaseQueue()
try queue.write { db in
  try db.execute(sql: "CREATE TABLE player (name TEXT UNIQUE, score INTEGER)")
  let insert = try db.makeStatement(sql: "INSERT INTO player VALUES (:name, :score)")
  try insert.execute([["name": "Arthur", "score": 41], ["name": "O'Brien", "score": nil], ["name": "Barbara", "score": 7]])
}
do {
  try queue.write { try $0.execute(sql: "INSERT INTO player (name) VALUES (?)", arguments: ["Arthur"]) }
} catch DatabaseError.SQLITE_CONSTRAINT {
  print("Arthur is there already")
}
let query = Player.where { $0.score > 10 || $0.score == nil }.order { $0.name.desc() }.select { ($0.name, $0.score) }
print(query.queryString)
let players: [(String, Int?)] = try queue.read { try query.fetchAll($0) }
for (name, score) in players { print(name, score.map(String.init) ?? "-") }
