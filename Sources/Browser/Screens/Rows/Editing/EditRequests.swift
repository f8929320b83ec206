package import QuarryChanges
package import QuarryEngine
import QuarryRows
import QuarrySources

/// A request that reads complete values of rows to edit, exactly as they are stored.
package struct LoadStoredRows: Request {
  let cells: EditedCells
  /// The expression to compute for each row, in the filter language; nil for none.
  var expression: String?
  /// The staged changes over which the expression is computed.
  var changes = StagedChanges()

  /// A row, its values, and the result of the expression.
  package struct Row: Hashable, Sendable {
    var id: StagedRowID
    var values: [StoredValue]
    /// The values that identify a row without a key.
    var identity: [String: StoredValue] = [:]
    var computed: StoredValue?

    package init(id: StagedRowID, values: [StoredValue], identity: [String: StoredValue] = [:], computed: StoredValue? = nil) {
      self.id = id
      self.values = values
      self.identity = identity
      self.computed = computed
    }
  }

  /// The columns to read: the edited columns, and the columns that identify a row.
  private var columns: [String] { cells.columns + cells.identityColumns }
  private var origin: ResultTable? { cells.origin }

  /// The largest number of rows that are staged at once; an UPDATE can change more.
  static let limit = 100_000

  var activity: Activity? { Activity(name: "reading the rows to be changed", urgency: .asked) }

  /// Whether only one row is read, which is too fast for a progress report.
  var isOfOneRow: Bool {
    switch cells.rows {
    case .one: true
    case .range(let first, let last, let new): first == last && new.isEmpty
    case .all: false
    }
  }

  func run(in services: Services, report: @escaping @Sendable (RowProgress) -> Void) async throws -> [Row] {
    let reader = try services.reader(cells.grid)
    let shown = try await reader.columns()
    let indexes = columns.map { name in
      if let origin { origin.columns.firstIndex { $0?.name == name } } else { shown.firstIndex { $0.name == name } }
    }
    let lines = try await lines(reader, services, report)
    let ids = try lines.map { try id(of: $0) }
    let read = try await longRows(among: zip(ids, lines), indexes, services)
    var result = try zip(ids, lines).map { id, line in Row(id, try values(of: id, line, indexes, read), of: cells) }
    result += newRows.map { Row(new: $0, of: cells) }
    if let expression { try await compute(expression, for: &result, services) }
    return result
  }

  /// Computes an expression over the values that the grid shows.
  private func compute(_ text: String, for rows: inout [Row], _ services: Services) async throws {
    let columns = try await services.source.filterColumns(of: try await services.source.schema(of: cells.table))
    let expression = try ColumnExpression.compile(text, columns: columns)
    let values = try await services.edits.values(of: expression, for: rows.map(\.id), of: cells.table, with: changes)
    for (index, value) in zip(rows.indices, values) {
      guard let value else {
        if case .new = rows[index].id { throw StagingRefusal.missingRow }
        throw Problem.rowDeleted
      }
      rows[index].computed = value
    }
  }

  private var newRows: [Int] {
    switch cells.rows {
    case .range(_, _, let new): new
    case .one(.new(let number), _): [number]
    case .one(.stored, _), .all: []
    }
  }

  /// Reads the selected rows in pages.
  private func lines(
    _ reader: RowReader, _ services: Services, _ report: @Sendable (RowProgress) -> Void
  ) async throws -> [WindowRow] {
    let last: RowKey?
    var position: PageRequest.Position
    switch cells.rows {
    case .range(let first, let through, _): (position, last) = (.from(first), through)
    case .all: (position, last) = (.first, nil)
    case .one(.stored(let key), _): (position, last) = (.from(key), key)
    case .one(.new, _): return []
    }
    var lines: [WindowRow] = []
    while true {
      let page = await services.withTableKeys(try await reader.page(PageRequest(position, limit: 1_000)), of: cells.grid)
      if let end = last.flatMap({ key in page.rows.firstIndex { $0.key == key } }) { return lines + page.rows[...end] }
      lines += page.rows
      guard !page.reachesEnd, let next = page.rows.last?.key else { return lines }
      guard lines.count < Self.limit else {
        throw Problem(
          "more than \(Plural.grouped(Self.limit)) rows cannot be changed here: use an UPDATE or a DELETE in the SQL editor")
      }
      report(RowProgress(rows: lines.count))
      position = .after(next)
    }
  }

  /// Reads the rows whose values are not all in the page, or only as prefixes.
  private func longRows(
    among lines: some Sequence<(StagedRowID, WindowRow)>, _ indexes: [Int?], _ services: Services
  ) async throws -> [StagedRowID: [String: StoredValue]] {
    let keys = lines.compactMap { id, line -> RowKey? in
      guard case .stored(let key) = id, indexes.contains(where: { known($0, line) == nil }) else { return nil }
      return key
    }
    guard !keys.isEmpty else { return [:] }
    let rows = try await services.edits.storedRows(keys, columns: columns, of: cells.table)
    return Dictionary(zip(keys, rows).compactMap { key, row in row.map { (.stored(key), $0) } }, uniquingKeysWith: { $1 })
  }

  private func known(_ index: Int?, _ line: WindowRow) -> StoredValue? {
    index.flatMap { line[$0]?.whole }
  }

  /// Returns the values of a row, from the page if all of them are complete there.
  private func values(
    of id: StagedRowID, _ line: WindowRow, _ indexes: [Int?], _ read: [StagedRowID: [String: StoredValue]]
  ) throws -> [StoredValue] {
    let known = indexes.map { self.known($0, line) }
    if known.allSatisfy({ $0 != nil }) { return known.compactMap(\.self) }
    guard let row = read[id] else { throw Problem.rowDeleted }
    return try zip(columns, known).map { column, known in
      guard let value = row[column] else { throw Problem("\(column) cannot be read") }
      // A result was read when its statement ran. A row of a table without a key may have been replaced by another row.
      if let known, known != value {
        if origin != nil { throw Problem("\(column) of a row has changed since the statement ran: run it again") }
        if !cells.identityColumns.isEmpty { throw Problem("\(column) of a row has changed since it was shown: read the rows again") }
      }
      return value
    }
  }

  /// Returns the identifier of a row; the position in a view or a query is not a permanent identifier.
  private func id(of line: WindowRow) throws -> StagedRowID {
    if let origin {
      guard let key = line.tableKey else { throw Problem(origin.sentenceOnUnknownRow) }
      return .stored(key)
    }
    guard case .position = line.key else { return .stored(line.key) }
    let values = line.cells.compactMap(\.whole?.value)
    guard values.count == line.cells.count else { throw Problem("a row of a view with a value this large cannot be changed") }
    return .stored(.values(values))
  }
}

extension LoadStoredRows.Row {
  /// Creates a row from the values of the cells' columns and of the columns that identify it.
  init(_ id: StagedRowID, _ values: [StoredValue], of cells: EditedCells) {
    let count = cells.columns.count
    let identity = Dictionary(zip(cells.identityColumns, values.dropFirst(count)), uniquingKeysWith: { first, _ in first })
    self.init(id: id, values: Array(values.prefix(count)), identity: identity)
  }

  /// Creates a new row, which has no stored values.
  init(new number: Int, of cells: EditedCells) {
    self.init(id: .new(number), values: cells.columns.map { _ in .null })
  }
}

/// A request that reads the bytes of a file for a cell; a large file is staged by its path.
struct LoadFile: Request {
  let path: String

  var activity: Activity? { Activity(name: "reading the file", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> StagedValue {
    if let file = StagedFile(path: Storage.path(of: path)), file.size >= StagedFile.leastSize { return .file(file) }
    return .value(try ParameterInput.file(path).value())
  }
}
