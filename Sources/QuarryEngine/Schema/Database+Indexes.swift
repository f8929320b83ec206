extension Database {
  /// The indexes of a table, in the order in which SQLite lists them.
  ///
  ///     PRAGMA main.index_list(Track); PRAGMA main.index_xinfo(IFK_TrackAlbumId)
  func indexes(of reference: TableReference) throws -> [IndexSchema] {
    let sql = """
      SELECT list.name, list."unique", list.origin, list.partial, entry.sql
      FROM pragma_index_list(?1, ?2) AS list
      LEFT JOIN \(reference.schemaTable) AS entry ON entry.type = 'index' AND entry.name = list.name
      ORDER BY list.seq
      """
    return try Row.fetchAll(self, sql: sql, arguments: [reference.name, reference.database]).map { row in
      let name = try row.schemaText(at: 0) ?? ""
      return try IndexSchema(
        name: name,
        isUnique: row[1],
        isPartial: row[3],
        origin: IndexSchema.Origin(row[2]),
        terms: indexTerms(name, in: reference.database),
        sql: row.schemaText(at: 4))
    }
  }

  private func indexTerms(_ index: String, in database: String) throws -> [IndexSchema.Term] {
    let sql = "SELECT name, desc, coll FROM pragma_index_xinfo(?, ?) WHERE key ORDER BY seqno"
    return try Row.fetchAll(self, sql: sql, arguments: [index, database]).map { row in
      try IndexSchema.Term(column: row.schemaText(at: 0), isDescending: row[1], collation: row.schemaText(at: 2) ?? "BINARY")
    }
  }
}

extension IndexSchema.Origin {
  fileprivate init(_ letters: String) {
    switch letters {
    case "pk": self = .primaryKey
    case "u": self = .uniqueConstraint
    default: self = .createIndex
    }
  }
}
