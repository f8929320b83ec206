public import Essentials

extension Data: DatabaseValueConvertible {
  /// A blob.
  public var databaseValue: DatabaseValue { .blob([UInt8](self)) }

  /// Reads the bytes of a blob.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Data? {
    [UInt8].fromDatabaseValue(value).map { Data($0) }
  }

  /// Binds the bytes as a blob.
  public func bind(to statement: Statement, at index: Int) throws {
    try withUnsafeBytes { try statement.bindBlob($0, at: index) }
  }
}

extension UUID: DatabaseValueConvertible {
  /// A text such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  public var databaseValue: DatabaseValue { .text(uuidString) }

  /// Reads such a text in either case, or a blob of 16 bytes.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
    switch value {
    case .text(let text): UUID(uuidString: text)
    case .blob(let bytes) where bytes.count == 16: bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    default: nil
    }
  }
}

extension URL: DatabaseValueConvertible {
  /// The absolute text of the URL.
  public var databaseValue: DatabaseValue { .text(absoluteString) }

  /// Reads a text that is a URL.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> URL? {
    String.fromDatabaseValue(value).flatMap(URL.init(string:))
  }
}

extension Date: DatabaseValueConvertible {
  /// A text in UTC, `yyyy-MM-dd HH:mm:ss.SSS`, which SQLite's date functions accept and which sorts by time from the year 0 on.
  ///
  /// ```swift
  /// try Date(timeIntervalSince1970: 0.5).databaseValue  // "1970-01-01 00:00:00.500"
  /// ```
  ///
  /// The date is rounded to a millisecond, as in SQLite's date functions. A year before 0 has a minus: `-0044-03-15 12:00:00.000`.
  ///
  /// - Throws: `SQLITE_MISMATCH` for a time that these functions cannot represent: before noon of -4713-11-24, or after the year 9999.
  public var databaseValue: DatabaseValue {
    get throws {
      guard let text = CivilTime(self)?.text else {
        throw DatabaseError(DatabaseError.SQLITE_MISMATCH, "a date before -4713-11-24 12:00 or after the year 9999 cannot be stored")
      }
      return .text(text)
    }
  }

  /// Reads any time value of SQLite's date functions except `now`: this text format or a Julian day number.
  ///
  /// ```swift
  /// try Date.fetchOne(db, sql: "SELECT '2024-02-29T13:00:00+01:00'")  // 2024-02-29 12:00:00 +0000
  /// ```
  ///
  /// The precision of a text may differ, and its time or date may be missing. `T` may replace the blank, and `Z` or an offset such as
  /// `+02:00` may follow. The default offset is UTC, and the default date is 2000-01-01. Times are rounded to a millisecond. Every date
  /// that is read can be stored again. Some values accepted by SQLite are rejected, because they are probably mistakes:
  ///
  /// - a day that does not exist, such as the 30th of February
  /// - the hour 24
  /// - a numeric text of a Julian day before the year 0, such as `'5'` for a day in 4713 BC
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Date? {
    switch value {
    case .text(let text): CivilTime(timeValue: text)?.date
    case .integer(let days): CivilTime(julianDay: Double(days))?.date
    case .real(let days): CivilTime(julianDay: days)?.date
    default: nil
    }
  }
}
