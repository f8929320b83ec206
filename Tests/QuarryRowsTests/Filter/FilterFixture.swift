import QuarryEngine
import QuarryRows
import TestSupport

/// A table with a column of each type, and rows that hold NULL and values of types that the columns do not foresee.
enum FilterFixture {
  static let columns = FilterColumns([
    FilterColumn("TrackId", type: .integer, declaredType: "INTEGER", isNullable: false),
    FilterColumn("Name", type: .text, declaredType: "NVARCHAR(200)", isNullable: false),
    FilterColumn("Composer", type: .text, declaredType: "TEXT"),
    FilterColumn("Milliseconds", type: .integer, declaredType: "INTEGER"),
    FilterColumn("Rating", type: .real, declaredType: "REAL"),
    FilterColumn("UnitPrice", type: .numeric, declaredType: "NUMERIC(10,2)"),
    FilterColumn("IsLive", type: .boolean, declaredType: "BOOLEAN"),
    FilterColumn("InvoiceDate", type: .date, declaredType: "DATETIME"),
    FilterColumn("Cover", type: .blob, declaredType: "BLOB"),
    FilterColumn("Extra", type: .any),
    FilterColumn("Order Details", type: .text, declaredType: "TEXT"),
    FilterColumn("rowid", type: .integer, isNullable: false, isHidden: true),
  ])

  static let setup = [
    """
    CREATE TABLE Track (TrackId INTEGER PRIMARY KEY, Name NVARCHAR(200) NOT NULL, Composer TEXT, Milliseconds INTEGER, Rating REAL,
      UnitPrice NUMERIC(10,2), IsLive BOOLEAN, InvoiceDate DATETIME, Cover BLOB, Extra, "Order Details" TEXT)
    """,
    """
    INSERT INTO Track VALUES
      (1, 'Green Day', 'Billie', 1000, 1.5, 0.99, 1, '2021-01-01 00:00:00', x'00ff', 1, 'a%b'),
      (2, 'love', NULL, 300000, NULL, 1, 0, '2021-01-01 12:30:00', NULL, 'x', 'ab'),
      (3, 'LOVE SONG', 'green day', NULL, 3.0, NULL, NULL, NULL, x'', NULL, NULL),
      (4, 'it''s', '', -5, -0.5, 2.5, 5, '2020-12-31', 'text', x'01', 'a_b'),
      (5, '3', 'x', 'many', 9e999, 'odd', 'yes', 1609459200, 7, 2.5, '\\'),
      (6, '100%', 'X', 0, 0, 0, 1, '2021-01-01', x'3130', '3', '%'),
      (7, 'null', 'Composer', 9223372036854775807, -9e999, -1, 0, 'never', NULL, x'', 'love it')
    """,
  ]

  static func database() throws -> DatabaseQueue { try makeDatabase(setup[0], setup[1]) }
}
