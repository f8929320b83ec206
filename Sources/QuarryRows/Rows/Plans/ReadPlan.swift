public import QuarryEngine

/// The way SQLite will read the rows of a set.
public struct ReadPlan: Hashable, Sendable {
  /// The extent of the read.
  public enum Kind: Hashable, Sendable {
    /// Only some rows, found by an index or the rowid.
    case search
    /// Every row, possibly in the order of an index.
    case scan
  }

  /// The extent of the read.
  public var kind: Kind
  /// Whether rows are sorted, so that all must be read before the first is known.
  public var sorts: Bool
  /// The index in use; nil for none, and for the rowid.
  public var index: String?
  /// The rows of EXPLAIN QUERY PLAN, in SQLite's words.
  public var details: [String]
  /// A CREATE INDEX statement that would avoid the scan or the sort; nil if no index is suggested.
  public var suggestedIndex: String?

  /// The table that aggregates read as a whole for each row, because it has no index on its foreign key; nil for none.
  public var scannedChild: String?

  /// Creates a plan.
  public init(kind: Kind, sorts: Bool, index: String?, details: [String], suggestedIndex: String? = nil) {
    self.kind = kind
    self.sorts = sorts
    self.index = index
    self.details = details
    self.suggestedIndex = suggestedIndex
  }
}

extension ReadPlan {
  /// Creates the plan of reading the rows of a set.
  ///
  ///     EXPLAIN QUERY PLAN SELECT id FROM main.events WHERE (kind = ?) ORDER BY amount, id
  ///     -- SCAN events; USE TEMP B-TREE FOR ORDER BY
  ///     CREATE INDEX events_kind_amount ON events(kind, amount)
  ///
  /// An aggregate over a table without an index on its foreign key is a scan, and its index is suggested first: it saves the most.
  ///
  /// - Throws: `DatabaseError` if the set cannot be read.
  public init(of rowSet: RowSet, in database: Database) throws {
    switch try AccessPath(of: rowSet, in: database) {
    case .keyset(let rows):
      try self.init(of: rows.sql(rows.keyColumns, rows.order.everything(.forward)), in: database)
    case .sequence(let rows):
      try self.init(of: rows.sql, in: database)
    case .ordered(let query):
      try self.init(of: query.keysSQL, in: database)
      if sorts || kind == .scan && rowSet.isNarrowed {
        suggestedIndex = try IndexSuggestion(for: rowSet, self, database.tableSchema(query.table.reference), in: database)?.sql
      }
    }
    let keys = rowSet.childKeys.sorted { $0.description < $1.description }
    for key in keys {
      guard let index = try IndexSuggestion(for: key, in: database) else { continue }
      (kind, scannedChild, suggestedIndex) = (.scan, key.table.name, index.sql)
      return
    }
  }

  private init(of sql: SQLText, in database: Database) throws {
    let plan = try QueryPlan(of: sql, in: database)
    self.init(kind: plan.scans ? .scan : .search, sorts: plan.sorts, index: plan.index, details: plan.details)
  }
}

extension QueryPlan {
  /// The name of the first index.
  ///
  ///     SEARCH Track USING INDEX IFK_TrackAlbumId (AlbumId=?)
  fileprivate var index: String? {
    for detail in details {
      for mark in ["USING COVERING INDEX ", "USING INDEX "] {
        guard let range = detail.firstRange(of: mark) else { continue }
        let name = detail[range.upperBound...]
        return String(name[..<(name.firstRange(of: " (")?.lowerBound ?? name.endIndex)])
      }
    }
    return nil
  }
}

/// The result of EXPLAIN QUERY PLAN.
struct QueryPlan: Hashable, Sendable {
  /// The details of its steps, in SQLite's words.
  var details: [String]

  /// Requests the query plan of a statement from SQLite.
  ///
  /// - Throws: `DatabaseError` if the statement does not compile.
  init(of sql: SQLText, in database: Database) throws {
    let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql.sql)")
    details = []
    while try statement.step() {
      try details.append(statement.columnText(at: 3))
    }
  }

  /// Whether SQLite sorts all rows, so that it must read all of them before it returns the first.
  ///
  /// If an index provides the first keys of the order, only rows with equal first keys are sorted, run by run.
  var sorts: Bool { details.contains { $0.contains("TEMP B-TREE FOR ORDER BY") } }

  /// Whether SQLite sorts any rows, even if only those with equal first keys.
  var sortsAny: Bool { details.contains { $0.contains("TEMP B-TREE FOR ") && $0.contains("ORDER BY") } }

  /// The covering index from which SQLite reads a single table; nil if it reads the table itself, or several tables.
  ///
  ///     SCAN events USING COVERING INDEX events_user
  var coveringIndex: String? {
    details.count == 1 && details[0].contains(" USING COVERING INDEX ") ? index : nil
  }

  /// Whether SQLite scans a table or an index from its beginning to its end.
  var scans: Bool { details.contains { $0.hasPrefix("SCAN ") } }

  /// Whether SQLite reads a whole table, also to make an index of it for this statement alone.
  func scans(_ table: String) -> Bool {
    details.contains { $0 == "SCAN \(table)" || $0.hasPrefix("SCAN \(table) ") || $0.hasPrefix("SEARCH \(table) USING AUTOMATIC ") }
  }

  /// Whether SQLite scans a table itself, and not an index.
  var scansTable: Bool { details.contains { $0.hasPrefix("SCAN ") && !$0.contains(" USING ") } }
}
