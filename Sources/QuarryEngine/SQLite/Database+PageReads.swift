internal import CSQLite

extension Database {
  /// The number of pages that this connection has read from its files so far, because they were not in its cache.
  ///
  /// The corresponding C function is `sqlite3_db_status` with `SQLITE_DBSTATUS_CACHE_MISS`.
  package var pagesRead: Int {
    var (current, highest): (Int32, Int32) = (0, 0)
    guard sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0) == SQLITE_OK else { return 0 }
    return Int(current)
  }
}
