import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct TableDefinitionTests {
  @Test("A definition renders without a database")
  func rendering() {
    let definition = TableDefinition("player", options: [.strict, .ifNotExists]) { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("first name", .text).notNull(onConflict: .ignore).unique().collate(.nocase)
      t.column("score", .integer).notNull().defaults(to: -5).check { $0 > -10 }
      t.column("note", .text).defaults(to: "it's")
      t.column("teamID", .integer).references("team", onDelete: .cascade, onUpdate: .setNull, deferred: true).indexed()
      t.column("total", .integer).generatedAs(Column<Int>("score") * 2, .stored)
      t.column("data")
      t.uniqueKey(["first name", "score"], onConflict: .replace)
      t.foreignKey(["score", "note"], references: "other", columns: ["a", "b"])
      t.check(Column("data") != nil || Column("note") != nil)
      t.check(sql: "score < 100")
    }
    #expect(
      definition.sql == """
        CREATE TABLE IF NOT EXISTS player (
          id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
          "first name" TEXT NOT NULL ON CONFLICT IGNORE UNIQUE COLLATE NOCASE,
          score INTEGER NOT NULL DEFAULT -5 CHECK (score > -10),
          note TEXT DEFAULT 'it''s',
          teamID INTEGER REFERENCES team ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED,
          total INTEGER GENERATED ALWAYS AS (score * 2) STORED,
          data,
          UNIQUE ("first name", score) ON CONFLICT REPLACE,
          FOREIGN KEY (score, note) REFERENCES other (a, b),
          CHECK ((data IS NOT NULL) OR (note IS NOT NULL)),
          CHECK (score < 100)
        ) STRICT;
        CREATE INDEX IF NOT EXISTS player_on_teamID ON player (teamID)
        """)
    #expect(definition == definition)
    #expect(definition != TableDefinition("player") { t in t.column("id") })
  }

  @Test("A column is checked by an expression of it, as it is or of a type, and may be the primary key")
  func refinedColumns() {
    let table = TableDefinition("player") { t in
      t.primaryKey("id", .integer)
      t.column("score", .integer).check { $0 > 0 }
      t.column("name", .text).check { (name: Column<String>) in name.length() > 3 }
    }
    #expect(
      table.sql == """
        CREATE TABLE player (
          id INTEGER PRIMARY KEY NOT NULL,
          score INTEGER CHECK (score > 0),
          name TEXT CHECK (length(name) > 3)
        )
        """)
    let code = TableDefinition("country") { t in t.primaryKey("code", .text, onConflict: .ignore) }
    #expect(code.sql == "CREATE TABLE country (\n  code TEXT PRIMARY KEY ON CONFLICT IGNORE NOT NULL\n)")
  }

  @Test("Tables are made with keys of several columns and checks")
  func keysAndChecks() throws {
    try makeDatabase().write { db in
      try db.create(table: "place") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("latitude", .double)
        t.column("longitude", .double)
        t.uniqueKey(["latitude", "longitude"])
      }
      try db.create(table: "citizenship") { t in
        t.column("citizenID", .integer)
        t.column("countryCode", .text)
        t.primaryKey(["citizenID", "countryCode"])
      }
      try db.create(table: "passport") { t in
        t.column("issueDate", .date)
        t.column("citizenID", .integer)
        t.column("countryCode", .text)
        t.foreignKey(["citizenID", "countryCode"], references: "citizenship", onDelete: .cascade)
      }
      try db.create(table: "player") { t in
        t.column("personalPhone", .text)
        t.column("workPhone", .text)
        let personalPhone = Column("personalPhone")
        let workPhone = Column("workPhone")
        t.check(personalPhone != nil || workPhone != nil)
        t.check(sql: "personalPhone IS NOT NULL OR workPhone IS NOT NULL")
      }
      let passport = try db.tableDefinition(TableReference(name: "passport"))
      #expect(passport.foreignKeys.first?.referencedColumns == ["citizenID", "countryCode"])
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO player VALUES (NULL, NULL)") }
      try db.execute(sql: "INSERT INTO player VALUES (NULL, '1')")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO place VALUES (NULL, 1, 2), (NULL, 1, 2)") }
    }
  }

  @Test("A foreign key without columns refers to the primary key, its own table's too")
  func foreignKeys() throws {
    try makeDatabase("CREATE TABLE team (code TEXT PRIMARY KEY)", "CREATE TABLE heap (a)").write { db in
      try db.create(table: "player") { t in
        t.column("number", .integer).primaryKey()
        t.column("team", .text).references("Team")
        t.column("captain", .integer).references("player")
      }
      let keys = try db.tableDefinition(TableReference(name: "player")).foreignKeys
      #expect(keys.map(\.referencedColumns) == [["code"], ["number"]])
      #expect(throws: DefinitionError.noReferencedKey(table: "x", referenced: "heap")) {
        try db.create(table: "x") { t in t.column("a").references("heap") }
      }
      #expect(throws: DefinitionError.noReferencedTable(table: "x", referenced: "none")) {
        try db.create(table: "x") { t in t.column("a").references("none") }
      }
      #expect(throws: DefinitionError.noReferencedKey(table: "x", referenced: "x")) {
        try db.create(table: "x") { t in t.column("a").references("x") }
      }
    }
  }

  @Test(
    "What is wrong by itself is refused with its place",
    arguments: [
      (TableDefinition("a") { _ in }, "table a has no columns"),
      (
        TableDefinition("a") { t in
          t.column("x"); t.column("X")
        }, "table a has two columns named X"
      ),
      (
        TableDefinition("a") { t in
          t.column("x").primaryKey(); t.column("y").primaryKey()
        },
        "table a has more than one primary key"
      ),
      (
        TableDefinition("a") { t in
          t.column("x").primaryKey(); t.primaryKey(["x"])
        },
        "table a has more than one primary key"
      ),
      (
        TableDefinition("a", options: .withoutRowID) { t in t.column("x") },
        "table a is WITHOUT ROWID and has no primary key"
      ),
      (
        TableDefinition("a") { t in
          t.column("x"); t.primaryKey(["x", "y"])
        },
        "the primary key of table a names a column y, which does not exist"
      ),
      (
        TableDefinition("a") { t in
          t.column("x"); t.uniqueKey(["z"])
        },
        "a unique key of table a names a column z, which does not exist"
      ),
      (
        TableDefinition("a") { t in
          t.column("x"); t.foreignKey(["q"], references: "b")
        },
        "a foreign key of table a names a column q, which does not exist"
      ),
      (
        TableDefinition("a") { t in
          t.column("x"); t.foreignKey(["x"], references: "b", columns: ["p", "q"])
        },
        "the foreign key (x) of table a refers to (p, q)"
      ),
      (TableDefinition("") { t in t.column("x") }, "the name of the table is empty"),
      (TableDefinition("a\0b") { t in t.column("x") }, "the name a␀b of the table contains a NUL"),
      (TableDefinition("a") { t in t.column("x\0") }, "the name x␀ of a column of table a contains a NUL"),
      (TableDefinition("SQLite_a") { t in t.column("x") }, "the name SQLite_a is reserved: names that begin with sqlite_ belong to SQLite"),
    ])
  func faults(definition: TableDefinition, message: String) throws {
    let error = #expect(throws: DefinitionError.self) { try definition.validate() }
    #expect(error?.description == message)
    #expect(throws: DefinitionError.self) { try makeDatabase().write { db in try db.create(definition) } }
  }

  @Test("An index that no SQL of SQLite's makes is refused")
  func indexFaults() throws {
    try makeDatabase("CREATE TABLE player (score)").write { db in
      #expect(throws: DefinitionError.noTerms(index: "i", table: "player")) { try db.create(index: "i", on: "player", columns: []) }
      #expect(throws: DefinitionError.nullsPlace(index: "i", table: "player")) {
        try db.create(index: "i", on: "player", expressions: [Column<Int?>("score").desc(nulls: .first)])
      }
    }
  }

  @Test("A default that SQLite cannot store is refused")
  func unstorable() throws {
    let definition = TableDefinition("a") { t in t.column("x").defaults(to: UInt64.max) }
    #expect(throws: DefinitionError.self) { try definition.validate() }
  }

  @Test("Names with quotes and keywords make tables")
  func oddNames() throws {
    try makeDatabase().write { db in
      try db.create(table: "a\"b'c]") { t in
        t.column("group", .integer).primaryKey()
        t.column("x y\"", ColumnType(rawValue: "odd \"type\"")).indexed()
      }
      let definition = try db.tableDefinition(TableReference(name: "a\"b'c]"))
      #expect(definition.columns.map(\.name) == ["group", "x y\""])
      #expect(definition.columns.last?.type == Database.ColumnType(rawValue: "odd \"type\""))
      #expect(definition.indexes.map(\.table) == ["a\"b'c]"])
    }
  }

  @Test("Tables are changed, renamed and dropped")
  func alterations() throws {
    try makeDatabase("CREATE TABLE team (id INTEGER PRIMARY KEY)").write { db in
      try db.create(table: "player") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("url", .text)
        t.column("old", .text)
      }
      try db.alter(table: "player") { t in
        t.add(column: "bonus", .boolean).notNull().defaults(to: false)
        t.add(column: "teamID", .integer).references("team").indexed()
        t.rename(column: "url", to: "home url")
        t.drop(column: "old")
      }
      let definition = try db.tableDefinition(TableReference(name: "player"))
      #expect(definition.columns.map(\.name) == ["id", "home url", "bonus", "teamID"])
      #expect(definition.foreignKeys.first?.referencedColumns == ["id"])
      #expect(definition.indexes.map(\.name) == ["player_on_teamID"])
      #expect(throws: DatabaseError.self) {
        try db.alter(table: "player") { t in
          t.add(column: "extra")
          t.drop(column: "nothing")
        }
      }
      #expect(try db.tableDefinition(TableReference(name: "player")) == definition)
      try db.rename(table: "player", to: "players")
      #expect(throws: DefinitionError.reservedName("sqlite_x")) { try db.rename(table: "players", to: "sqlite_x") }
      try db.drop(table: "players")
      try db.drop(table: "players", ifExists: true)
      #expect(throws: DefinitionError.noSuchTable("players")) { try db.tableDefinition(TableReference(name: "players")) }
    }
  }

  @Test("Indexes are unique, partial, and of expressions")
  func indexes() throws {
    try makeDatabase("CREATE TABLE player (email TEXT, name TEXT)").write { db in
      try db.create(index: "one", on: "player", columns: ["email"], options: .unique, condition: Column<String>("email") != nil)
      try db.create(index: "two", on: "player", expressions: [Column<String>("name").lower().desc(), Column<String>("email")])
      let sql = try db.tableDefinition(TableReference(name: "player")).indexes.map(\.sql)
      #expect(
        sql == [
          "CREATE UNIQUE INDEX one ON player (email) WHERE email IS NOT NULL", "CREATE INDEX two ON player (lower(name) DESC, email)",
        ])
      #expect(throws: DefinitionError.unknownColumn("x", in: "index i", table: "player")) {
        try db.create(index: "i", on: "player", columns: ["x"])
      }
      #expect(throws: DefinitionError.noSuchTable("nobody")) { try db.create(index: "i", on: "nobody", columns: ["x"]) }
      try db.drop(index: "one")
      #expect(try db.tableDefinition(TableReference(name: "player")).indexes.map(\.name) == ["two"])
    }
  }
}
