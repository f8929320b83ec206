internal import CSQLite

extension Database {
  /// Returns the error of compiling a statement if a name in double quotes is never a text; nil if it compiles.
  ///
  /// The corresponding option of `sqlite3_db_config` is `SQLITE_DBCONFIG_DQS_DML`.
  package func faultWithoutQuotedTexts(in sql: String) -> DatabaseError? {
    _ = quarry_db_config_switch(connection, SQLITE_DBCONFIG_DQS_DML, 0)
    defer { _ = quarry_db_config_switch(connection, SQLITE_DBCONFIG_DQS_DML, 1) }
    do {
      _ = try Statement(sql: sql, options: [], database: self)
      return nil
    } catch {
      return error as? DatabaseError
    }
  }
}
