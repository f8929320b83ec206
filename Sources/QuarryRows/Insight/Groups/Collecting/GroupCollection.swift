internal import QuarryEngine

/// A plan that finds the groups of a large table by reading its rows once, on two connections, instead of sorting them by GROUP BY.
///
/// Each thread has a hash table of groups. Their values are stored as rows, and ``select`` computes the columns from them.
struct GroupCollection: Sendable {
  /// The rows to group.
  let source: RowSet
  /// The expressions by which rows are grouped.
  let levels: [SQLText]
  /// The expression whose values are the columns of a pivot.
  let across: SQLText?
  /// The values across that have a column.
  let slotValues: [StoredValue]
  /// The number of columns of a pivot for each aggregate, 1 without a pivot.
  let slotCount: Int
  /// The expressions read from each row: the levels, the value across and the operands of aggregates.
  let expressions: [SQLText]
  /// The aggregates, whose operands are indexes of the expressions after the levels and the value across.
  let values: [GroupValue]
  /// The names of the columns.
  let names: [String]
  /// The SELECT that computes the columns from the stored values.
  ///
  ///     SELECT c0 AS kind, c1 AS count, c2 / c1 AS "sum(amount) / count" FROM rows
  let select: SQLText

  /// The maximum number of arguments of an SQL function, through which a row is read.
  private static let mostExpressions = 127

  /// Creates a plan for the compiled texts about a table; nil if an aggregate needs all its values.
  ///
  /// - Parameters:
  ///   - cells: The aggregates as computed from the stored values.
  init?(
    _ source: RowSet, _ levels: [GroupTerm], _ across: GroupTerm?, _ cells: [GroupTerm], _ pivot: PivotValues?, _ needed: NeededValues
  ) {
    guard needed.isSupported, levels.count <= GroupKey.mostLevels else { return nil }
    self.source = source
    self.levels = levels.map(\.value.expression.sqlText)
    self.across = pivot == nil ? nil : across?.value.expression.sqlText
    slotValues = pivot?.values ?? []
    slotCount = needed.slotCount
    let first = self.levels + [self.across].compactMap(\.self)
    expressions = first + needed.operands
    values = needed.values
    names = (levels + cells).map(\.name)
    let columns = levels.indices.map { "\(identifier: "c\($0)")" as SQLText } + cells.map(\.value.expression.sqlText)
    select = "SELECT \(zip(columns, names).map { "\($0) AS \(identifier: $1)" as SQLText }.joined(by: ", ")) FROM rows"
    if expressions.isEmpty || expressions.count > Self.mostExpressions { return nil }
  }

  /// The number of expressions before the operands.
  var operandStart: Int { levels.count + (across == nil ? 0 : 1) }

  /// The expressions whose texts must be equal only if their bytes are.
  private var compared: [SQLText] {
    let extremes = values.filter { $0.function == .min || $0.function == .max }
      .compactMap { $0.operand.map { expressions[operandStart + $0] } }
    return levels + [across].compactMap(\.self) + extremes
  }

  /// Returns whether the texts of these rows are compared by their bytes, as here.
  func comparesBytes(of rows: InsightRows, in database: Database) -> Bool {
    rows.textOrders(of: compared, in: database).allSatisfy(\.isOfBytes)
  }
}

/// The combined groups of several threads.
struct GroupResult: InsightResult {
  let collection: GroupCollection
  private let soFar: GroupsSoFar
  /// The groups of each thread that has read its last row.
  private(set) var tables: [GroupTable] = []

  init(_ collection: GroupCollection, soFar: GroupsSoFar) {
    (self.collection, self.soFar) = (collection, soFar)
  }

  func makeVisitor() -> GroupVisitor { GroupVisitor(collection, contributingTo: soFar) }

  static func found(by visitor: GroupVisitor, isLast: Bool) throws -> GroupTable? {
    if isLast || visitor.isLaden { try visitor.settle() }
    return isLast ? visitor.table : nil
  }

  mutating func take(_ found: GroupTable?) { if let found { tables.append(found) } }

  func report(_ progress: RowProgress) -> RowProgress {
    var progress = progress
    progress.found = soFar.snapshot()
    return progress
  }

  static func updated(_ report: RowProgress, _ progress: RowProgress) -> RowProgress { progress }
}

extension ReadConnections {
  /// Finds the groups of a large table; nil if SQLite must find them, because there are too many or their values are compared otherwise.
  ///
  /// - Parameters:
  ///   - isForced: Whether small tables are read in the same way.
  ///   - pace: How often the progress is reported.
  ///   - interval: The time between two reports with the groups so far.
  func collect(
    _ collection: GroupCollection, isForced: Bool = false, pace: ReportPace = .usual, every interval: Duration = GroupsSoFar.interval,
    progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ReturnedRows? {
    do {
      let found = try await look(
        at: collection.source,
        { [self] database in
          let rows = try InsightRows(collection.source, reading: collection.expressions, on: self, in: database)
          guard isForced || rows.isLarge, collection.comparesBytes(of: rows, in: database) else { throw UncollectableGroups() }
          let result = GroupResult(collection, soFar: GroupsSoFar(collection, every: interval))
          return InsightScan(rows, [], RowVisitor.call(collection.expressions), into: result, pace: pace, report: progress)
        }, report: nil)
      guard let (result, reading) = found, !reading.sawChanges, let first = result.tables.first else { return nil }
      for table in result.tables { try table.finish() }
      for other in result.tables.dropFirst() { try first.merge(other) }
      return try first.rows()
    } catch is UncollectableGroups {
      return nil
    }
  }
}
