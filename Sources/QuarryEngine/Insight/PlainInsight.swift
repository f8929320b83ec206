extension ReadConnections {
  /// Counts how often each value of a column occurs.
  public func counts(_ request: CountRequest, progress: @escaping @Sendable (ValueCounts) -> Void = { _ in }) async throws -> ValueCounts {
    let counts = try await background.read { db in try PlainInsight.counts(of: request.column, in: request.set, db) }
    progress(counts)
    return counts
  }

  /// Looks at what the values of columns are like.
  public func profile(
    _ request: ProfileRequest, progress: @escaping @Sendable (TableProfile) -> Void = { _ in }
  ) async throws -> TableProfile {
    let profile = try await background.read { db in
      let columns = try PlainInsight.columns(of: request.set, db).filter { column in
        request.columns?.contains { $0.isSameIdentifier(as: column.name) } ?? true
      }
      let profiles = try columns.map { try PlainInsight.profile(of: $0, in: request.set, db) }
      let rows = profiles.first?.rows ?? 0
      return TableProfile(rows: rows, columns: profiles, isComplete: true, progress: RowProgress(rows: rows, total: rows))
    }
    progress(profile)
    return profile
  }

  /// Counts how rows are distributed over the values of several columns, each under the conditions on the other columns.
  public func facets(_ request: FacetRequest, progress: @escaping @Sendable ([Facet]) -> Void = { _ in }) async throws -> [Facet] {
    let facets = try await background.read { db in try request.columns.map { try PlainInsight.facet(of: $0, in: request, db) } }
    progress(facets)
    return facets
  }
}

private enum PlainInsight {
  static func columns(of set: RowSet, _ db: Database) throws -> [RowSetColumn] {
    switch try AccessPath(of: RowSet(set.source), in: db) {
    case .keyset(let rows): rows.columns
    case .ordered(let query): query.table.columns
    case .sequence(let sequence): sequence.columns
    }
  }

  static func counts(
    of column: InsightColumn, in set: RowSet, where conditions: [RowFilter] = [], _ db: Database
  ) throws -> ValueCounts {
    var set = set
    set.order = .natural
    let conditions = [SQLText("1")] + conditions.map(\.sqlText)
    let sql: SQLText = """
      SELECT v, count(*) FROM (SELECT \(column.expression) AS v FROM (\(set.sqlText)) WHERE \(conditions.joined(by: " AND "))) \
      GROUP BY v COLLATE BINARY ORDER BY v COLLATE BINARY
      """
    var values: [ValueCount] = []
    try db.scan(sql) { statement in
      values.append(ValueCount(CountedValue(try statement.storedValue(at: 0)), Int(try statement.columnInteger(at: 1))))
      return true
    }
    return ValueCounts(values)
  }

  static func facet(of column: InsightColumn, in request: FacetRequest, _ db: Database) throws -> Facet {
    let conditions = request.conditions.filter { $0.column?.isSameIdentifier(as: column.name) != true }.map(\.filter)
    let counts = try counts(of: column, in: request.set, where: conditions, db)
    let bins = histogram(counts)
    let isWide = counts.lines > 20 && !bins.isEmpty
    return Facet(
      column: column.name, rows: counts.rows, nulls: counts.nulls, distinct: counts.distinct,
      content: isWide ? .histogram(bins) : .values(counts.list(.mostFrequentFirst, 0..<request.valueLimit)))
  }

  static func profile(of column: RowSetColumn, in set: RowSet, _ db: Database) throws -> ColumnProfile {
    let counts = try counts(of: InsightColumn(column.name), in: set, db)
    var profile = ColumnProfile(name: column.name, declaredType: column.declaredType)
    profile.rows = counts.rows
    profile.nulls = counts.nulls
    profile.distinct = counts.distinct
    profile.top = counts.list(.mostFrequentFirst, 0..<8)
    profile.histogram = histogram(counts)
    let values = counts.list(.ascending, 0..<counts.lines)
    for value in values {
      switch value.value.value {
      case .integer: profile.integers += value.count
      case .real: profile.reals += value.count
      case .text(let text):
        profile.texts += value.count
        if text.isEmpty { profile.empty += value.count }
        profile.minLength = min(profile.minLength ?? .max, text.unicodeScalars.count)
        profile.maxLength = max(profile.maxLength ?? 0, text.unicodeScalars.count)
      case .blob(let bytes):
        profile.blobs += value.count
        if bytes.isEmpty { profile.empty += value.count }
        profile.minLength = min(profile.minLength ?? .max, bytes.count)
        profile.maxLength = max(profile.maxLength ?? 0, bytes.count)
      case .null, nil: break
      }
    }
    profile.min = values.first { $0.value.value != .null }?.value.value ?? .null
    profile.max = values.last?.value.value ?? .null
    let numbers = numbers(values)
    let count = numbers.reduce(0) { $0 + $1.count }
    guard count > 0 else { return profile }
    profile.mean = numbers.reduce(0.0) { $0 + $1.number * Double($1.count) } / Double(count)
    let quartiles = [1, 2, 3].map { quarter in
      var left = (count * quarter + 3) / 4
      return numbers.first { number in
        left -= number.count
        return left <= 0
      }.map { Quartile($0.value) }
    }
    (profile.p25, profile.p50, profile.p75) = (quartiles[0], quartiles[1], quartiles[2])
    return profile
  }

  static func numbers(_ values: [ValueCount]) -> [(value: DatabaseValue, number: Double, count: Int)] {
    values.compactMap { value in
      switch value.value.value {
      case .integer(let number)?: (.integer(number), Double(number), value.count)
      case .real(let number)?: (.real(number), number, value.count)
      default: nil
      }
    }
  }

  static func histogram(_ counts: ValueCounts) -> [ValueCount] {
    let numbers = numbers(counts.list(.ascending, 0..<counts.lines)).filter { $0.number.isFinite }
    guard let least = numbers.first?.number, let greatest = numbers.last?.number, least < greatest else { return [] }
    let step = (greatest - least) / 8
    var bins = (0..<8).map { index in
      let lower = least + Double(index) * step
      let bin = ValueBin(lower: .real(lower), upper: .real(index == 7 ? greatest : lower + step), includesUpper: index == 7)
      return ValueCount(.bin(bin), 0)
    }
    for number in numbers { bins[min(7, Int((number.number - least) / step))].count += number.count }
    return bins
  }
}
