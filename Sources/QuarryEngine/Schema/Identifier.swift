extension String {
  /// Whether SQLite takes both for the same name: without regard to the case of ASCII letters, and of those alone.
  func isSameIdentifier(as other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension String {
  /// The text with the small letters of ASCII capitals, as SQLite compares names.
  var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}

extension UInt8 {
  /// The small letter of an ASCII capital, and every other byte as it is.
  @inline(__always)
  var asciiLowercased: UInt8 {
    self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
  }
}

extension TableReference {
  /// Whether SQLite takes both for the same table.
  func isSameTable(as other: TableReference) -> Bool {
    name.isSameIdentifier(as: other.name) && database.isSameIdentifier(as: other.database)
  }

  /// The table as SQL names it: `main.Track`, `main."Order Details"`.
  var sql: String {
    sqlText.sql
  }

  /// The same, to be a part of other SQL.
  var sqlText: SQLText { "\(identifier: database).\(identifier: name)" }
}

extension TableSchema {
  /// The column of this name, by SQLite's rule of case.
  public func column(named name: String) -> ColumnSchema? {
    columns.first { $0.name.isSameIdentifier(as: name) }
  }
}
