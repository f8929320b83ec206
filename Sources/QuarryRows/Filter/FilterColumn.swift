public import QuarryEngine

/// A column that a filter can name.
public struct FilterColumn: Hashable, Sendable {
  /// The column's name.
  public var name: String
  /// The type that determines the operations allowed on the column.
  public var type: ExpressionType
  /// The declared type; empty if none is declared.
  public var declaredType: String
  /// Whether the column may contain NULL.
  public var isNullable: Bool
  /// Whether the column can be named but is not suggested: a hidden column of a virtual table, or the rowid.
  public var isHidden: Bool
  /// The storage format of dates if ``type`` is `date`; dates in a filter are converted to it.
  public var dates = DateStorage.text
  /// The formats of dates found in a few values, regardless of the column's type.
  public var sample = DateSample()
  /// The JSON found in a few values.
  public var json = JSONSample()
  /// The declared collation; nil for BINARY.
  var collation: String?
  /// Whether the column is part of the primary key.
  var isPrimaryKey = false
  /// The expression of a computed column; nil for a column of the rows.
  var definition: FilterSyntax?

  /// Creates a column with a known type.
  ///
  /// ```swift
  /// FilterColumn("Milliseconds", type: .integer)
  /// ```
  public init(_ name: String, type: ExpressionType, declaredType: String = "", isNullable: Bool = true, isHidden: Bool = false) {
    self.name = name
    self.type = type
    self.declaredType = declaredType
    self.isNullable = isNullable
    self.isHidden = isHidden
  }

  /// Creates a column of a table.
  public init(_ column: ColumnSchema, isStrict: Bool = false) {
    self.init(
      column.name, type: ExpressionType(column, isStrict: isStrict), declaredType: column.declaredType, isNullable: column.isNullable,
      isHidden: column.isHidden)
    collation = column.collation.isSameIdentifier(as: "BINARY") ? nil : column.collation
    isPrimaryKey = column.primaryKeyPosition != nil
  }

  /// Creates a column of a query's result from the type declared by its origin, which is empty for an expression.
  public init(resultNamed name: String, declaredType: String = "") {
    self.init(
      ColumnSchema(
        name: name, declaredType: declaredType, affinity: ColumnSchema.Affinity(declaredType: declaredType), isNullable: true,
        defaultSQL: nil,
        generation: nil, isHidden: false, primaryKeyPosition: nil, isRowID: false))
  }

  /// Whether its values are JSON, or may be, so that paths can be used.
  var mayHoldJSON: Bool { (type == .text || type == .any) && json.mayHoldJSON }

  /// Whether its values are JSON, by a sample, or by its type if there are no texts.
  var isKnownAsJSON: Bool { mayHoldJSON && (json.isJSON == true || type == .any) }

  /// Whether the column is declared for times of day, which cannot be compared with a year, month or day.
  var holdsTimes: Bool { type == .date && declaredType.uppercased() == "TIME" }
}

/// The columns available to the filters and orders of one table, view or query, with a hash table for lookup by name.
public struct FilterColumns: Hashable, Sendable {
  /// The columns.
  ///
  /// The rowid follows the columns of the table, if it has an unambiguous name; computed columns with names are last.
  public private(set) var all: [FilterColumn]
  /// The names of the columns that make an order total: the rowid, or the key of a WITHOUT ROWID table; none for views and queries.
  public let tieBreakers: [String]
  /// The name of the table; nil for a query.
  public private(set) var tableName: String?
  /// The module of a full-text table, whose rows can be searched with `match`, such as `fts5`; nil for other tables.
  public private(set) var fullTextModule: String?
  /// Whether a server evaluates the filter, which has only SQLite's built-in functions.
  package var isServed = false
  /// The tables connected by foreign keys; nil if there are none.
  private(set) var relations: TableGraph?
  /// The index of the table among them.
  private(set) var place = 0
  /// Whether the name of the table may precede a column.
  private(set) var isQualified = false
  /// The words that may precede a column's name, such as `old` and `new` for the columns `old.Total` and `new.Total`.
  package private(set) var qualifiers: [String] = []
  /// The names that need no quotes although they look like calls or paths: `sum(Milliseconds)`, a column of groups.
  private(set) var spelled: [String] = []
  /// For each slot of an open hash table, one more than the index of a column, or 0.
  private let slots: [Int32]
  private var offersNearestNames = true

  /// Creates the columns of a query's result; of several columns with the same name, the first is used.
  public init(_ columns: [FilterColumn]) {
    self.init(columns, tieBreakers: [])
  }

  /// Creates columns whose names begin with a qualifier and a period: `old.Total`, which need not be quoted.
  package init(_ columns: [FilterColumn], qualifiers: [String]) {
    self.init(columns)
    self.qualifiers = qualifiers
  }

  /// Creates columns some of whose names need no quotes, such as `sum(Milliseconds)`.
  init(_ columns: [FilterColumn], spelled: [String]) {
    self.init(columns)
    self.spelled = spelled.sorted { $0.utf8.count > $1.utf8.count }
  }

  /// Creates the columns of a table or view, with the rowid if it has one.
  public init(_ table: TableSchema) {
    let columns = table.columns.map { FilterColumn($0, isStrict: table.entry.isStrict) }
    if Self.hasRowID(table.entry) {
      let free = ["rowid", "_rowid_", "oid"].filter { table.column(named: $0) == nil }
      let rowID = table.columns.first(where: \.isRowID)?.name ?? free.first
      let names = free.map { FilterColumn($0, type: .integer, declaredType: "INTEGER", isNullable: false, isHidden: true) }
      self.init(columns + names, tieBreakers: rowID.map { [$0] } ?? [])
    } else {
      self.init(columns, tieBreakers: table.entry.isWithoutRowID ? table.primaryKey : [])
    }
    tableName = table.entry.reference.name
    if case .virtual(let module) = table.entry.kind, ["fts3", "fts4", "fts5"].contains(module.lowercased()) {
      fullTextModule = module.lowercased()
    }
  }

  private static func hasRowID(_ entry: CatalogEntry) -> Bool {
    if entry.isWithoutRowID { return false }
    return entry.kind != .view
  }

  /// Creates the columns of the same rows with other computed columns.
  init(_ columns: [FilterColumn], of former: FilterColumns) {
    self.init(columns, tieBreakers: former.tieBreakers)
    (tableName, fullTextModule, isServed, qualifiers) = (former.tableName, former.fullTextModule, former.isServed, former.qualifiers)
    (relations, place, isQualified, offersNearestNames) = (former.relations, former.place, former.isQualified, former.offersNearestNames)
    spelled = former.spelled
  }

  private init(_ columns: [FilterColumn], tieBreakers: [String]) {
    all = columns
    self.tieBreakers = tieBreakers
    var size = 8
    while size < columns.count * 2 { size *= 2 }
    var slots = [Int32](repeating: 0, count: size)
    for (index, column) in columns.enumerated() {
      var slot = Self.hash(column.name.utf8) & (size - 1)
      while slots[slot] != 0, !columns[Int(slots[slot]) - 1].name.isSameIdentifier(as: column.name) { slot = (slot + 1) & (size - 1) }
      if slots[slot] == 0 { slots[slot] = Int32(index + 1) }
    }
    self.slots = slots
  }

  /// Returns a column's name as written in a filter: quoted if necessary.
  func written(_ name: String) -> String {
    if spelled.contains(name) { return name }
    guard let qualifier = qualifiers.first(where: { name.hasPrefix("\($0).") }) else { return FilterFormatter.name(name) }
    let rest = String(name.dropFirst(qualifier.count + 1))
    return FilterFormatter.name(rest) == rest ? name : FilterFormatter.name(name)
  }

  /// Returns the column with this name, ignoring case as SQLite does.
  public func named(_ name: String) -> FilterColumn? {
    index(of: name.utf8).map { all[$0] }
  }

  func index(of name: some Collection<UInt8>) -> Int? {
    var slot = Self.hash(name) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if Self.isSame(all[index].name.utf8, name) { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Returns the columns with the JSON found in a few of their values.
  func sampled(_ samples: [String: JSONSample]) -> FilterColumns {
    var result = self
    for index in all.indices { if let sample = samples[all[index].name] { result.all[index].json = sample } }
    return result
  }

  /// Returns the columns with the date formats found in a few of their values.
  private func sampled(_ sample: (FilterColumn) -> DateSample?) -> FilterColumns {
    var result = self
    for index in all.indices {
      guard let sample = sample(all[index]) else { continue }
      result.all[index].sample = sample
      if all[index].type == .date, let dates = sample.storage { result.all[index].dates = dates }
    }
    return result
  }

  /// Returns the columns of one of the tables that foreign keys connect.
  func related(by graph: TableGraph, from place: Int, isQualified: Bool) -> FilterColumns {
    var result = self
    (result.relations, result.place, result.isQualified) = (graph, place, isQualified)
    return result
  }

  /// The columns without suggestions for misspelled names, which are expensive to find.
  var withoutNearestNames: FilterColumns {
    var result = self
    result.offersNearestNames = false
    return result
  }

  private static func isSame(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> Bool {
    first.count == second.count && zip(first, second).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  private static func hash(_ name: some Sequence<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte.asciiLowercased)) &* 0x100_0000_01B3 }
    // The last byte changes the lowest bits and those from 40 on, so names that end in different digits use different slots.
    return Int(truncatingIfNeeded: hash ^ (hash >> 40)) & .max
  }

  /// The columns to suggest.
  public var offered: some Collection<FilterColumn> { all.lazy.filter { !$0.isHidden } }

  /// The columns searched for a text if no column is named, including dates unless they are stored as numbers.
  var searched: [FilterColumn] {
    all.filter { $0.isSearched && ($0.type == .text || $0.type == .any || $0.type == .date && !$0.dates.isNumeric) }
  }

  /// The columns searched for a number if no column is named.
  var numbers: some Sequence<FilterColumn> {
    all.lazy.filter { $0.isSearched && ($0.type == .integer || $0.type == .real || $0.type == .numeric) }
  }

  /// The columns searched for a date stored as a number if no column is named.
  var numericDates: some Sequence<FilterColumn> {
    all.lazy.filter { $0.isSearched && $0.type == .date && $0.dates.isNumeric && !$0.holdsTimes }
  }

  /// Returns the names most similar to a misspelled name, and names that contain it, such as `ShipCountry` for `country`.
  func nearest(to name: String) -> [String] {
    guard offersNearestNames else { return [] }
    let near = NearestNames.to(name, among: offered.map(\.name))
    guard name.utf8.count >= 4 else { return near }
    let part = name.lowercased()
    let holders = offered.map(\.name).filter { $0.lowercased().contains(part) && !near.contains($0) }
    return near + holders.prefix(max(0, 3 - near.count))
  }

  /// Returns a replacement that quotes the unquoted name at a place of a text; the longest name if there are several.
  ///
  ///     Word Mark ~ x     "Word Mark" ~ x
  func unquotedName(at range: Range<Int>, in bytes: [UInt8]) -> FilterReplacement? {
    guard offersNearestNames else { return nil }
    var longest: FilterReplacement?
    for name in offered.map(\.name) where name.utf8.count > longest?.range.count ?? 0 {
      let written = FilterFormatter.name(name)
      guard written != name, let place = Self.place(of: Array(name.utf8), around: range, in: bytes) else { continue }
      longest = FilterReplacement(place, written)
    }
    return longest
  }

  /// Returns the range of a name, in any case, that includes a place of a text.
  private static func place(of name: [UInt8], around range: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
    guard name.count >= max(1, range.count), range.upperBound <= bytes.count else { return nil }
    let quotes = Array("\"`]['".utf8)
    return (max(0, range.upperBound - name.count)...range.lowerBound).lazy.map { $0..<$0 + name.count }.first { place in
      guard place.upperBound <= bytes.count, place.upperBound >= range.upperBound, isSame(name, bytes[place]) else { return false }
      let around = [place.lowerBound - 1, place.upperBound].filter(bytes.indices.contains).map { bytes[$0] }
      return around.allSatisfy { !$0.isNamePart && !quotes.contains($0) }
    }
  }

  /// Returns the column of a compared operand, which may be in another table; nil if it is not a column.
  func compared(with operand: FilterSyntax) -> FilterColumn? {
    switch operand.kind {
    case .column(let name): named(name)
    case .related(let names): relations?.path(names, from: place)?.column
    case .collated(let operand, _), .plus(let operand): compared(with: operand)
    default: nil
    }
  }

  /// Returns whether a word is the beginning of a suggested column name.
  func isNamePrefix(_ word: some Collection<UInt8>) -> Bool {
    offered.contains { $0.name.utf8.count > word.count && zip($0.name.utf8, word).allSatisfy { $0.asciiLowercased == $1.asciiLowercased } }
  }
}

extension FilterColumns {
  /// Reads the columns of a table or view for use in a filter, with date formats and JSON paths found in a few rows.
  ///
  /// ```swift
  /// // CREATE TABLE event (at DATETIME); INSERT INTO event VALUES (1609459200)
  /// let columns = FilterColumns(of: try db.tableSchema(TableReference(name: "event")), in: db)
  /// try Filter.compile("at = 2021-01-01", columns: columns).sqlText?.queryString
  /// // ((at >= 1609459200) AND (at < 1609545600))
  /// ```
  ///
  /// The sample consists of the first rows and, for date columns of a table with a rowid, the last rows. If a view takes long to return its
  /// first rows, its dates are assumed to be texts. JSON paths come from the first rows.
  public init(of table: TableSchema, in database: Database) {
    self.init(sampling: table, in: database)
    if let graph = TableGraph(around: table, in: database) { self = related(by: graph, from: 0, isQualified: false) }
  }

  /// Reads the columns without the tables that foreign keys connect.
  init(sampling table: TableSchema, in database: Database) {
    let columns = FilterColumns(table)
    let isRead = table.entry.kind == .table || table.entry.kind == .view
    let texts = isRead ? columns.all.filter(\.isJSONCandidate).map(\.name) : []
    self = columns.withDates(of: table, isRead: isRead, in: database).sampled(JSONSample.read(texts, in: table, database))
  }

  private func withDates(of table: TableSchema, isRead: Bool, in database: Database) -> FilterColumns {
    let sampled = all.filter { $0.isDate || isRead && $0.mayHoldDates }.map(\.name)
    let dates = all.filter(\.isDate).map(\.name)
    guard !sampled.isEmpty else { return self }
    let first = Self.rows(sampled.map(Self.outline), in: table, database)
    var last: [[DatabaseValue]] = []
    if !dates.isEmpty, let rowID = tieBreakers.first, !table.entry.isWithoutRowID {
      last = Self.rows(dates.map(Self.outline), in: table, order: " ORDER BY \(identifier: rowID) DESC", database)
    }
    return self.sampled { column in
      guard let index = sampled.firstIndex(of: column.name) else { return nil }
      let values = first.map { $0[index] } + (dates.firstIndex(of: column.name).map { index in last.map { $0[index] } } ?? [])
      return DateSample(values, isDeclared: column.isDate)
    }
  }

  private static let sampleSize = 50
  /// Thousands of virtual machine instructions of SQLite, which take a few milliseconds.
  private static let sampleSteps = 50

  /// Returns the SQL of a column in which texts and blobs are empty.
  private static func outline(_ column: String) -> SQLText {
    "iif(typeof(\(identifier: column)) IN ('text', 'blob'), '', \(identifier: column))"
  }

  /// Returns some values of a few rows; none if reading fails or takes long.
  ///
  ///     SELECT iif(typeof(at) IN ('text', 'blob'), '', at) FROM main.event ORDER BY rowid DESC LIMIT 50
  static func rows(
    _ values: [SQLText], in table: TableSchema, order: SQLText = "", limit: Int = sampleSize, _ database: Database
  ) -> [[DatabaseValue]] {
    let sql: SQLText = "SELECT \(values.joined(by: ", ")) FROM \(table.entry.reference.sqlText)\(order) LIMIT \(limit)"
    var rows: [[DatabaseValue]] = []
    var looks = 0
    let isTooLong = {
      looks += 1
      return looks > sampleSteps
    }
    try? database.withProgress(every: 1000, isTooLong) {
      try database.scan(sql) { statement in
        rows.append(try values.indices.map { try statement.wholeValue(at: $0) })
        return true
      }
    }
    return rows
  }
}

extension FilterColumn {
  /// Whether a text without a column is searched for in its values: hidden and computed columns must be named.
  fileprivate var isSearched: Bool { !isHidden && definition == nil }

  fileprivate var isDate: Bool { type == .date && !holdsTimes }

  /// Whether its values may be texts of JSON.
  fileprivate var isJSONCandidate: Bool { !isHidden && (type == .text || type == .any) }

  /// Whether its values may be numbers that represent dates.
  fileprivate var mayHoldDates: Bool {
    switch type {
    case .integer, .real, .numeric, .any: !isHidden
    case .date, .text, .blob, .boolean, .null: false
    }
  }
}
