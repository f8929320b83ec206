internal import QuarryEngine

/// A duplicate key of a row as reported by SQLite: `UNIQUE constraint failed: Track.TrackId`.
enum TakenKey {
  /// Returns whether an error reports a duplicate key.
  static func isOne(_ error: DatabaseError) -> Bool {
    let codes = [
      DatabaseError.SQLITE_CONSTRAINT_UNIQUE, DatabaseError.SQLITE_CONSTRAINT_PRIMARYKEY, DatabaseError.SQLITE_CONSTRAINT_ROWID,
    ]
    return codes.contains(error.extendedResultCode)
  }

  /// Returns the columns of the key in a message, or none if the message names an index.
  static func columns(in message: String, of table: TableReference) -> [String] {
    guard let colon = message.firstIndex(of: ":") else { return [] }
    let prefix = "\(table.name)."
    return message[message.index(after: colon)...].split(separator: ",").map(\.trimmingBlanks).filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }
}
