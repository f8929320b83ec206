internal import QuarryEngine

extension ReadConnections {
  /// Counts the values of several columns, each under the conditions on the other columns.
  ///
  ///     SELECT quarry_visit_row(0, user_id, amount) FILTER (WHERE (kind = 'view')), quarry_visit_row(1, kind)
  ///     FROM main.events WHERE id BETWEEN ? AND ?
  ///
  /// One pass over the rows serves all facets. The values of a column are read only in rows that are counted for it.
  ///
  /// - Parameter progress: Called with the counts so far, first after some milliseconds, and also before an error that ends the reading is
  ///   thrown.
  /// - Returns: A facet for each column, in the order of the request.
  /// - Throws: ``DatabaseError``, `CancellationError`.
  public func facets(_ request: FacetRequest, progress: (@Sendable ([Facet]) -> Void)? = nil) async throws -> [Facet] {
    let plan = FacetPlan(request)
    let found = try await look(
      at: request.set,
      { [self] database in
        let rows = try InsightRows(request.set, where: plan.common, on: self, in: database)
        let result = FacetResult(
          plan, rows.columns, rows.textOrders(of: request.columns.map(\.expression), in: database), rows.schema)
        return InsightScan(rows, request.columns, plan.calls, into: result, isShared: result.isShared, report: progress)
      }, report: progress)
    guard let (result, _) = found else { throw CancellationError() }
    let facets = result.facets(isComplete: true)
    progress?(facets)
    return facets
  }
}

/// The plan for counting the facets of a request in one pass: the columns to read under each condition.
struct FacetPlan: Sendable {
  let request: FacetRequest
  /// The conditions shared by all facets.
  let common: [SQLText]
  /// The groups of columns read under the same conditions, by index.
  ///
  /// The last group has no conditions, so that a row has been visited when it is reached.
  let groups: [Group]

  struct Group: Sendable {
    var columns: [Int]
    var conditions: [SQLText]
  }

  init(_ request: FacetRequest) {
    self.request = request
    let columns = request.columns
    func isOwn(_ condition: FacetCondition, of column: InsightColumn) -> Bool {
      condition.column?.isSameIdentifier(as: column.name) == true
    }
    let (own, others) = (
      request.conditions.filter { condition in columns.contains { isOwn(condition, of: $0) } },
      request.conditions.filter { condition in !columns.contains { isOwn(condition, of: $0) } }
    )
    common = others.map(\.filter.sqlText)
    let chosen = columns.indices.filter { index in own.contains { isOwn($0, of: columns[index]) } }
    let free = columns.indices.filter { !chosen.contains($0) }
    let freeGroups = stride(from: 0, to: free.count, by: ProfileVisitor.groupSize).map { start in
      Group(columns: Array(free[start..<min(free.count, start + ProfileVisitor.groupSize)]), conditions: own.map(\.filter.sqlText))
    }
    let all =
      freeGroups
      + chosen.map { index in
        Group(columns: [index], conditions: own.filter { !isOwn($0, of: columns[index]) }.map(\.filter.sqlText))
      }
    let everywhere = all.filter(\.conditions.isEmpty)
    groups = all.filter { !$0.conditions.isEmpty } + (everywhere.isEmpty ? [Group(columns: [], conditions: [])] : everywhere)
  }

  /// The expressions after SELECT.
  var calls: SQLText {
    groups.enumerated().map { index, group -> SQLText in
      let call = RowVisitor.call(["\(raw: String(index))"] + group.columns.map { request.columns[$0].expression })
      // No column is read in a row that is filtered out.
      return group.conditions.isEmpty ? call : "\(call) FILTER (WHERE \(group.conditions.joined(by: " AND ")))"
    }.joined(by: ", ")
  }
}

/// A visitor that summarizes the columns of facets in the rows read by one thread.
final class FacetVisitor: InsightVisitor {
  let index: Int
  private let groups: [[Int]]
  @exclusivity(unchecked) private(set) var summaries: [ColumnSummary]

  init(index: Int, groups: [[Int]], summaries: [ColumnSummary]) {
    (self.index, self.groups, self.summaries) = (index, groups, summaries)
  }

  override func visit(_ row: BorrowedRow) throws {
    let group = Int(truncatingIfNeeded: row.integer(at: 0))
    let columns = groups[group]
    for (column, value) in zip(columns, try row.values().dropFirst()) { _ = summaries[column].add(value) }
    if group == groups.count - 1 { try passRow() }
  }
}

/// The combined results of facets.
struct FacetResult: InsightResult {
  private let plan: FacetPlan
  /// Whether an index makes the values of each column unique.
  private let areUnique: [Bool]
  /// Whether a column alone refers to another table, so that its numbers are names and not amounts.
  private let areReferences: [Bool]
  private let empty: [ColumnSummary]
  private var snapshots: [[ColumnSummary]] = []

  /// The number of distinct numbers from which they are shown in ranges.
  private static let histogramThreshold = 24
  private static let histogramLimit = 8

  /// - Parameter orders: The order of the texts of each requested column.
  init(_ plan: FacetPlan, _ columns: [RowSetColumn], _ orders: [ByteOrder], _ schema: TableSchema?) {
    self.plan = plan
    areUnique = zip(plan.request.columns, orders).map { column, order in
      column == InsightColumn(column.name) && schema?.isUnique(column.name, order.collation) == true
    }
    areReferences = plan.request.columns.map { column in
      schema?.foreignKeys.contains { $0.columns.count == 1 && $0.columns[0].isSameIdentifier(as: column.name) } == true
    }
    let limits = SummaryLimits(columns: plan.request.columns.count)
    empty = zip(plan.request.columns, orders).map { column, order in
      let declared = columns.first { $0.name.isSameIdentifier(as: column.name) }?.declaredType
      return ColumnSummary(limits, order, dates: DateHint(name: column.name, declaredType: declared))
    }
  }

  var isShared: Bool { empty.count <= 400 }

  mutating func makeVisitor() -> FacetVisitor {
    snapshots.append(empty)
    return FacetVisitor(index: snapshots.count - 1, groups: plan.groups.map(\.columns), summaries: empty)
  }

  /// The results of one thread.
  struct Found: Sendable {
    var index: Int
    var summaries: [ColumnSummary]
  }

  static func found(by visitor: FacetVisitor, isLast: Bool) -> Found { Found(index: visitor.index, summaries: visitor.summaries) }

  mutating func take(_ found: Found) { snapshots[found.index] = found.summaries }

  func report(_ progress: RowProgress) -> [Facet] { facets(isComplete: false) }

  static func updated(_ report: [Facet], _ progress: RowProgress) -> [Facet] { report }

  func facets(isComplete: Bool) -> [Facet] {
    plan.request.columns.indices.map { index in
      var summary = snapshots.first?[index] ?? empty[index]
      for other in snapshots.dropFirst() { summary.merge(other[index]) }
      let (content, isExact) = content(of: summary, isReference: areReferences[index])
      let distinct = areUnique[index] ? .exact(summary.rows - summary.nulls) : summary.cardinality
      var facet = Facet(
        column: plan.request.columns[index].name, rows: summary.rows, nulls: summary.nulls,
        distinct: isComplete ? distinct : distinct.growing, content: content, isContentExact: isExact,
        isComplete: isComplete, dates: summary.dates)
      facet.collation = summary.order.collation
      return facet
    }
  }

  private func content(of summary: ColumnSummary, isReference: Bool) -> (Facet.Content, isExact: Bool) {
    let ranged = summary.dates == .text ? summary.texts.dateCount : summary.numbers.count
    if !isReference, summary.cardinality.value > Self.histogramThreshold, ranged * 2 > summary.rows - summary.nulls {
      let bins = summary.bins(limit: Self.histogramLimit)
      if bins.count > 1 { return (.histogram(bins), true) }
    }
    return (.values(summary.top(plan.request.valueLimit, nulls: summary.nulls)), summary.isTableComplete)
  }
}
