internal import QuarryEngine
internal import QuarryRows

/// A statement that reads a run of rows in one round trip, with additional data about the page.
///
/// The ranges of a place in an order follow one another, each served by an index. The first row contains the state of the database and
/// whether there are rows on the other side of the place.
///
///     SELECT -1, (SELECT data_version FROM pragma_data_version), (SELECT schema_version FROM pragma_schema_version), EXISTS(…), …
///     UNION ALL SELECT * FROM (SELECT * FROM (SELECT 0, … FROM (SELECT … WHERE Name = ?1 AND TrackId > ?2 ORDER BY TrackId LIMIT 51))
///     UNION ALL SELECT * FROM (SELECT 1, … FROM (SELECT … WHERE Name > ?1 ORDER BY Name, TrackId LIMIT 51)) LIMIT 51)
struct RemotePageStatement {
  let query: OrderedQuery
  /// The rows, range by range.
  var ranges: [KeysetOrder.Range]
  /// The ranges of the rows on the other side of the place.
  var rest: [KeysetOrder.Range] = []
  /// The expressions to read from each row in addition to its place.
  var values: [SQLText]
  /// The maximum number of bytes of a text or blob, or nil for no limit.
  var valueLimit: Int? = CellValue.prefixLimit
  /// The maximum number of rows.
  var limit = Int.max
  /// The number of rows to skip.
  var offset = 0

  /// Whether the statement reads only the state of the database and at most one row, found by its key.
  var isOfOneRow = false

  /// The number of columns of the first row.
  private static let headWidth = 6

  private var placeCount: Int { query.order.terms.count }
  private var width: Int { max(Self.headWidth, 1 + placeCount + values.count) }

  /// The SQL of the statement.
  var sql: SQLText {
    let arms = ranges.enumerated().map { "SELECT * FROM (\(arm($1, number: $0)))" as SQLText }
    var text = head
    guard !arms.isEmpty else { return text }
    text.append(" UNION ALL SELECT * FROM (" as SQLText)
    text.append(arms.joined(by: " UNION ALL "))
    text.append(" LIMIT \(raw: String(sqlLimit(limit))) OFFSET \(raw: String(offset)))" as SQLText)
    return text
  }

  /// Returns a statement without the first row and places, for streaming.
  ///
  /// - Parameter range: The rows.
  static func stream(
    _ query: OrderedQuery, _ range: KeysetOrder.Range, _ values: [SQLText], valueLimit: Int?, isOrdered: Bool = true
  ) -> SQLText {
    let prefix = query.freePrefix
    let values = values.isEmpty ? ["1"] : values
    let inner = values.enumerated().map { "\($1) AS \(identifier: "\(prefix)\($0)")" as SQLText }
    let cells = values.indices.map {
      "\(raw: RemoteProjection.cell(SQLIdentifier.quoted("\(prefix)\($0)"), limit: valueLimit)) AS a" as SQLText
    }
    let order: SQLText = isOrdered ? " ORDER BY \(range.order)" : ""
    return """
      SELECT \(cells.joined(by: ", ")) FROM (SELECT \(inner.joined(by: ", ")) \
      FROM \(query.matching.source(where: range.condition))\(order))
      """
  }

  private func sqlLimit(_ limit: Int) -> Int { limit == .max ? -1 : limit }

  private var head: SQLText {
    let tests = rest.map { "EXISTS(SELECT 1 FROM \(query.matching.source(where: $0.condition)))" as SQLText }
    var columns: [SQLText] = [
      "-1", "(SELECT data_version FROM pragma_data_version)", "(SELECT schema_version FROM pragma_schema_version)",
      tests.isEmpty ? "0" : tests.joined(by: " OR "),
    ]
    if query.condition.isEmpty, let id = query.table.rowIDColumn {
      columns += ["(SELECT min(\(id)) FROM \(query.table.reference.sqlText))", "(SELECT max(\(id)) FROM \(query.table.reference.sqlText))"]
    }
    columns += Array(repeating: "NULL", count: width - columns.count)
    return "SELECT \(columns.map { "\($0) AS a" as SQLText }.joined(by: ", "))"
  }

  private func arm(_ range: KeysetOrder.Range, number: Int) -> SQLText {
    let prefix = query.freePrefix
    let all = query.order.terms.map(\.expression) + values
    let inner = all.enumerated().map { "\($1) AS \(identifier: "\(prefix)\($0)")" as SQLText }
    let keyStart = query.terms.count
    var columns: [SQLText] = ["\(raw: String(number))"]
    for index in all.indices {
      let isKey = index >= keyStart && index < placeCount
      let limit = isKey ? nil : index < placeCount ? RemoteProjection.placeLimit : valueLimit
      columns.append("\(raw: RemoteProjection.cell(SQLIdentifier.quoted("\(prefix)\(index)"), limit: limit))")
    }
    columns += Array(repeating: "NULL", count: width - columns.count)
    let count = limit == .max ? -1 : limit + offset
    return """
      SELECT \(columns.joined(by: ", ")) FROM (SELECT \(inner.joined(by: ", ")) FROM \(query.matching.source(where: range.condition)) \
      ORDER BY \(range.order) LIMIT \(raw: String(count)))
      """
  }
}

extension OrderedQuery {
  /// A prefix that no column name of the table has.
  var freePrefix: String {
    var prefix = "#"
    while table.columns.contains(where: { $0.name.hasPrefix(prefix) }) { prefix += "#" }
    return prefix
  }
}

/// The result of a ``RemotePageStatement``.
struct RemoteRun: Sendable {
  /// The state of the database, as seen by the session.
  var state = DataState.unknown
  /// Whether there are rows on the other side of the place.
  var hasRest = false
  /// The least and greatest rowids, if the rows are all rows of a table.
  var bounds: RowIDBounds?
  var rows: [Row] = []

  /// A row as received.
  struct Row: Sendable {
    /// The sort values of the row, or nil for an incompletely received value.
    var place: [StoredValue?]
    var values: ArraySlice<RemoteValue>
  }

  /// Parses the rows of a statement.
  ///
  /// - Parameter changes: A number that changes with each connection, and with each write on it.
  init(_ rows: [[RemoteValue]], placeCount: Int, valueCount: Int, changes: Int64) throws {
    guard let head = rows.first, head.count >= 6, let version = head[1].integer, let schema = head[2].integer else {
      throw DataSourceError("the server sent an unexpected row")
    }
    state = DataState(version: version, changes: changes, schema: schema)
    hasRest = head[3] == .integer(1)
    if let least = head[4].integer, let greatest = head[5].integer { bounds = RowIDBounds(least: least, greatest: greatest) }
    self.rows = try rows.dropFirst().map { row in
      Row(place: try row[1..<1 + placeCount].map { try StoredValue($0) }, values: row[(1 + placeCount)..<(1 + placeCount + valueCount)])
    }
  }
}
