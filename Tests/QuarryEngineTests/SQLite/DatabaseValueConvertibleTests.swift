import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("Values", .gated)
struct DatabaseValueConvertibleTests {
  private enum Grade: String, DatabaseValueConvertible { case beginner, expert }
  private enum Level: Int, DatabaseValueConvertible { case low = 1, high = 2 }

  /// Returns what comes back of a value that is bound and selected.
  private func roundTrip<Value: DatabaseValueConvertible>(_ value: Value) throws -> Value? {
    try DatabaseQueue().read { try Value.fetchOne($0, sql: "SELECT ?", arguments: [value]) }
  }

  /// Reads an SQL expression as a type, from the statement and from a copy of its row, which must agree.
  private func read<Value: DatabaseValueConvertible & Equatable>(_ expression: String, _: Value.Type) throws -> Value {
    try DatabaseQueue().read { db throws in
      let cursor = try Row.fetchCursor(db, sql: "SELECT \(expression) AS x")
      let row = try #require(try cursor.next())
      let copy = try row.copy()
      let view = Result { try row[0] as Value }
      let kept = Result { try copy["X"] as Value }
      #expect((try? view.get()) == (try? kept.get()))
      return try view.get()
    }
  }

  @Test("every type comes back as it went in")
  func roundTrips() throws {
    #expect(try roundTrip(true) == true)
    #expect(try roundTrip(Int.min) == .min)
    #expect(try roundTrip(UInt64(Int64.max)) == UInt64(Int64.max))
    #expect(try roundTrip(Int8(-5)) == -5)
    #expect(try roundTrip(Float(0.1)) == 0.1)
    #expect(try roundTrip(Double.infinity) == .infinity)
    #expect(try roundTrip("a\0b") == "a\0b")
    #expect(try roundTrip(Data([0, 255])) == Data([0, 255]))
    #expect(try roundTrip(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))??.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    #expect(try roundTrip(URL(string: "https://sqlite.org/c3ref?a=b#c")) == URL(string: "https://sqlite.org/c3ref?a=b#c"))
    #expect(try roundTrip(Grade.expert) == .expert)
    #expect(try roundTrip(Level.high) == .high)
    #expect(try roundTrip(DatabaseValue.blob([1])) == .blob([1]))
  }

  @Test("NULL is nil of an optional, and nothing else")
  func null() throws {
    #expect(try read("NULL", Int?.self) == nil)
    #expect(try read("1", Int?.self) == 1)
    #expect(try read("NULL", String?.self) == nil)
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("NULL", Int.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("NULL", String.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("'x'", Int?.self) }
  }

  @Test("a number is read as another type where nothing is lost")
  func exactNumbers() throws {
    #expect(try read("3.0", Int.self) == 3)
    #expect(try read("3", Double.self) == 3)
    #expect(try read("1", Bool.self))
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("3.5", Int.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("9e999", Int.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("9007199254740993", Double.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("16777217", Float.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("300", UInt8.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("-1", UInt.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("2", Bool.self) }
  }

  @Test("a Float is the nearest to a real, and none stands for what it cannot reach")
  func floats() throws {
    #expect(try read("0.1", Float.self) == 0.1)
    #expect(try read("1e-30", Float.self) == 1e-30)
    #expect(try read("16777216", Float.self) == 16_777_216)
    #expect(try read("9e999", Float.self) == .infinity)
    #expect(try read("0.0", Float.self) == 0)
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("1e39", Float.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("-1e39", Float.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("1e-60", Float.self) }
  }

  @Test("a value of another storage class does not fit")
  func storageClasses() throws {
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("'1'", Int.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("1", String.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("x'61'", String.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("'a'", Data.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("'medium'", Grade.self) }
    expectError(DatabaseError.SQLITE_MISMATCH) { try read("'not a uuid'", UUID.self) }
  }

  @Test("the error of a value that does not fit names column, storage class and wanted type")
  func message() throws {
    let error = expectError(DatabaseError.SQLITE_MISMATCH) { try read("'a'", Int.self) }
    #expect(error?.message == #"column 0 ("x"): TEXT "a" cannot be read as Int in the row [x:"a"]"#)
  }

  @Test(
    "dates are stored in one format, in UTC",
    arguments: [
      (0, "1970-01-01 00:00:00.000"), (-0.001, "1969-12-31 23:59:59.999"), (951_782_400, "2000-02-29 00:00:00.000"),
      (1_700_000_000.123, "2023-11-14 22:13:20.123"), (253_402_300_799.999, "9999-12-31 23:59:59.999"),
      (-62_167_219_200, "0000-01-01 00:00:00.000"), (-210_866_760_000, "-4713-11-24 12:00:00.000"),
    ])
  func dates(seconds: Double, text: String) throws {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(try date.databaseValue == .text(text))
    let milliseconds = try #require(try roundTrip(date)).timeIntervalSince1970 * 1000
    #expect(milliseconds.rounded() == (seconds * 1000).rounded())
    try DatabaseQueue().read { db throws in
      #expect(try String.fetchOne(db, sql: "SELECT strftime('%Y-%m-%d %H:%M:%f', ?)", arguments: [date]) == text)
    }
  }

  @Test(
    "every time value of SQLite's date functions is read as they read it",
    arguments: [
      "'2024-02-29'", "'2024-02-29 12:34'", "'2024-02-29 12:34:56'", "'2024-02-29 12:34:56.789'", "'2024-02-29T12:34'",
      "'2024-02-29T12:34:56'", "'2024-02-29T12:34:56.789'", "'12:34'", "'12:34:56'", "'12:34:56.789'", "'2024-02-29T13:00:00Z'",
      "'2024-02-29T13:00:00z'", "'2024-02-29T13:00:00+01:00'", "'2024-02-29 23:30 -01:30'", "'2024-01-01T00:00:00.5+14:00'",
      "'23:00-02:00'",
      "'2024-02-29 12:34:56.7'", "'2024-02-29 12:34:56.7891'", "'2024-02-29 12:34:56.9996'", "'2024-02-29 '", "'2024-02-29  12:34 '",
      "'2460370.25'", "2460370.25", "2460370", "0", "'-0044-03-15 12:00'", "5373484.49", "' 2460370.25 '", "'+2460370.'", "'24603.7e2'",
      "'-4713-11-24 12:00'", "'1721059.5'", "'9999-12-31 23:59:59.999'",
    ])
  func timeValues(value: String) throws {
    let date = try read(value, Date.self)
    let milliseconds = try DatabaseQueue().read { db in
      try Int.fetchOne(db, sql: "SELECT CAST(round((julianday(\(value)) - 2440587.5) * 86400000) AS INTEGER)")
    }
    // A julian day as a real is exact to some hundredths of a millisecond.
    #expect(abs((date.timeIntervalSince1970 * 1000).rounded() - Double(try #require(milliseconds))) <= 1)
    #expect(try roundTrip(date) == date)
  }

  @Test("dates are read with less precision too, and nothing that is no date is one")
  func dateTexts() throws {
    #expect(try read("'2024-02-29'", Date.self).timeIntervalSince1970 == 1_709_164_800)
    #expect(try read("'2024-02-29 12:34'", Date.self).timeIntervalSince1970 == 1_709_210_040)
    #expect(try read("'2024-02-29T12:34:56'", Date.self).timeIntervalSince1970 == 1_709_210_096)
    for text in [
      "2023-02-29", "2024-13-01", "2024-01-01 24:00", "2024-01-01 00:00:00.", "2024-1-1", "2024-01-01 x", "yesterday", "", "now",
      "2024-01-01 12:00 +15:00", "2024-01-01 12:00 +0100", "2024-01-01+01:00", "-1", "-12:00", "5373484.5", "2024-01-01 12:00Zz",
      "2024-01-01 12:00.5", "5", "1721059.49", "0x250000", "2460370.25d", "1e400", "-4713-11-24 11:59", "9999-12-31 23:59:59.9996",
      "9999-12-31 23:00 -02:00",
    ] {
      expectError(DatabaseError.SQLITE_MISMATCH) { try read("'\(text)'", Date.self) }
    }
    expectError(DatabaseError.SQLITE_MISMATCH) { try Date(timeIntervalSince1970: 1e15).databaseValue }
    expectError(DatabaseError.SQLITE_MISMATCH) { try Date(timeIntervalSince1970: .nan).databaseValue }
    expectError(DatabaseError.SQLITE_MISMATCH) { try Date(timeIntervalSince1970: -210_866_760_000.001).databaseValue }
  }
}
