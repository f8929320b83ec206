public import QuarryEngine

/// The groups of the rows of a set, compiled from a ``GroupShape``: an ordinary row set, and the filters that lead from a group to its
/// rows.
///
/// ```swift
/// let groups = try await connections.groups(shape, of: RowSet(.table(track)), columns: columns)
/// let reader = RowReader(groups.rowSet, on: connections)
/// ```
///
/// The rows are those of a SELECT, so that a filter of ``filterColumns`` selects groups, as HAVING does, and everything that reads the rows
/// of a query reads groups.
public struct CompiledGroups: Sendable {
  /// A column of the groups.
  public struct Column: Hashable, Sendable {
    /// The name: the text of the shape, or the value of a pivot.
    public var name: String
    /// The meaning of the column.
    public var kind: Kind
    /// The type of its values.
    public var type: ExpressionType
  }

  /// The kinds of columns.
  public enum Kind: Hashable, Sendable {
    /// A value by which rows are grouped, by its index among the levels.
    case level(Int)
    /// A value of the group, by its index among the aggregates; in a pivot, for the rows with one of the values, by its position in
    /// ``PivotValues/values``, or for all other values, at the next position.
    case aggregate(Int, value: Int?)
  }

  /// The texts.
  public let shape: GroupShape
  /// The rows that are grouped.
  public let source: RowSet
  /// The values that are columns of the pivot; nil without a pivot, or if there are no rows and therefore no values.
  public let pivot: PivotValues?
  /// The columns, in order: the levels, then the aggregates.
  public let columns: [Column]
  /// The columns for filters and orders of the groups.
  public let filterColumns: FilterColumns
  /// The SELECT that returns the groups, in no particular order.
  public let sqlText: SQLText
  /// The plan that finds the groups of a large table without SQL; nil if SQLite must find them.
  var collection: GroupCollection?
  /// The compiled levels and the compiled value across, for the filters of groups.
  let levels: [GroupTerm]
  let across: GroupTerm?
  /// The columns of the grouped rows.
  let sourceColumns: FilterColumns
  /// The groups of rows that a statement returned, which only one connection can read; nil for other rows.
  var stored: ReturnedRows?

  /// The groups as the rows of a query, in no particular order.
  public var rowSet: RowSet {
    if let stored { return RowSet(.returned(stored)) }
    var set = RowSet(.query(sql: sqlText.sql, arguments: sqlText.values))
    set.computation = collection.map { collection in
      RowComputation { connections, progress in try await connections.collect(collection, progress: progress) }
    }
    return set
  }

  /// The default sort text of groups.
  ///
  /// Dates and ranges are in their order, and so are the groups of a pivot; other groups are in descending order of their first number.
  public var defaultSort: String {
    let names = levels.map { filterColumns.written($0.name) }
    if pivot != nil || levels.contains(where: \.isOrdered) { return names.joined(separator: ", ") }
    let number = columns.first { column in
      if case .aggregate = column.kind { column.type.isNumber && column.type != .any } else { false }
    }
    return ((number.map { ["-" + filterColumns.written($0.name)] } ?? []) + names).joined(separator: ", ")
  }
}

extension CompiledGroups {
  /// Returns the groups with their rows, if they are groups of rows that a statement returned, which other connections cannot read.
  package func storingReturned() async throws -> CompiledGroups {
    guard case .returned(let rows) = source.source else { return self }
    var groups = self
    groups.stored = try await rows.connections.background.read { [sqlText] db in
      let statement = try db.makeStatement(sql: sqlText.sql)
      try statement.setArguments(sqlText.arguments)
      return try ReturnedRows(of: statement)
    }
    return groups
  }
}

extension GroupTerm {
  /// Whether the values have an order that people expect: dates, and ranges of numbers.
  fileprivate var isOrdered: Bool {
    if case .call(let name, _) = syntax.kind, FilterGrain(rawValue: name) != nil { return true }
    return value.type == .date
  }
}

extension GroupShape {
  /// Checks the texts against the columns of the rows to group.
  ///
  /// - Throws: The errors of the first text that has any.
  public func check(columns: FilterColumns) throws(GroupError) {
    _ = try GroupCompiler(self, RowSet(.query(sql: "")), columns).compiled(across: nil)
  }

  /// Compiles the texts.
  ///
  /// A pivot needs the values that become columns: see ``ReadConnections/groups(_:of:columns:)``, which reads them first.
  ///
  /// - Parameters:
  ///   - rows: The rows to group; their filter and their matches still apply, and their order does not matter.
  ///   - columns: The columns of these rows.
  ///   - pivot: The values that become columns; nil leaves the pivot out.
  /// - Throws: The errors of the first text that has any.
  public func compiled(of rows: RowSet, columns: FilterColumns, pivot: PivotValues? = nil) throws(GroupError) -> CompiledGroups {
    let compiler = GroupCompiler(self, rows, columns)
    var groups = try compiler.compiled(across: pivot)
    groups.collection = try compiler.collection(of: groups)
    return groups
  }
}

/// A compiler of the texts of a shape.
struct GroupCompiler {
  let shape: GroupShape
  let rows: RowSet
  private let columns: FilterColumns

  init(_ shape: GroupShape, _ rows: RowSet, _ columns: FilterColumns) {
    (self.shape, self.rows, self.columns) = (shape, rows, columns)
  }

  /// SQLite returns at most this many columns.
  private static let mostColumns = 2000

  func term(_ part: GroupShape.Part, _ scope: GroupScope) throws(GroupError) -> GroupTerm {
    do throws(FilterErrors) { return try GroupTerm(shape[part] ?? "", scope, in: columns) } catch {
      throw GroupError(part: part, faults: error)
    }
  }

  func acrossTerm() throws(GroupError) -> GroupTerm? { try shape.across == nil ? nil : term(.across, GroupScope(place: .level)) }

  func compiled(across pivot: PivotValues?) throws(GroupError) -> CompiledGroups {
    var levels: [GroupTerm] = []
    for index in shape.levels.indices { levels.append(try term(.level(index), GroupScope(place: .level))) }
    let across = try acrossTerm()
    var scope = GroupScope(place: .group)
    try checkNames(levels, scope)
    let columns = pivot.flatMap { $0.columnCount > 0 ? $0 : nil }
    let cells = try cells(levels, columns, &scope)
    if cells.count + levels.count > Self.mostColumns { throw tooManyColumns(cells.count + levels.count) }
    return groups(levels, across, cells, columns, scope.operands)
  }

  /// Returns the plan that finds compiled groups without SQL; nil if SQLite must find them.
  func collection(of groups: CompiledGroups) throws(GroupError) -> GroupCollection? {
    guard case .table = rows.source else { return nil }
    var scope = GroupScope(place: .group)
    scope.needed = NeededValues(levelCount: groups.levels.count, slotCount: groups.pivot?.columnCount ?? 1)
    let stored = try cells(groups.levels, groups.pivot, &scope).map(\.term)
    return scope.needed.flatMap { GroupCollection(rows, groups.levels, groups.across, stored, groups.pivot, $0) }
  }

  /// Compiles the aggregates, those of a pivot for each of its columns.
  private func cells(
    _ levels: [GroupTerm], _ pivot: PivotValues?, _ scope: inout GroupScope
  ) throws(GroupError) -> [(term: GroupTerm, kind: CompiledGroups.Kind)] {
    let count = counting.shape.aggregates.count
    var names = levels.map(\.name)
    var cells: [(term: GroupTerm, kind: CompiledGroups.Kind)] = []
    for slot in pivot.map({ (0..<$0.columnCount).map(Optional.some) }) ?? [nil] {
      for index in 0..<count {
        scope.slot = slot
        var term = try counting.term(.aggregate(index), scope)
        scope = term.scope
        if let pivot, let slot { term.name = pivot.name(ofColumn: slot, count > 1 ? term.name : nil, besides: names) }
        names.append(term.name)
        cells.append((term, .aggregate(index, value: slot)))
      }
    }
    return cells
  }

  /// The compiler of a shape that has aggregates.
  var counting: GroupCompiler {
    var shape = shape
    if shape.aggregates.isEmpty { shape.aggregates = ["count"] }
    return GroupCompiler(shape, rows, columns)
  }

  private func tooManyColumns(_ count: Int) -> GroupError {
    let error = FilterError(
      .tooMany, 0..<0, "This pivot has more than \(Self.mostColumns) columns, the maximum of SQLite.", hint: "Show fewer aggregates.")
    return GroupError(part: .across, faults: FilterErrors(first: error))
  }

  /// Checks that no two texts of the shape have the same name.
  private func checkNames(_ levels: [GroupTerm], _ scope: GroupScope) throws(GroupError) {
    var parts: [(GroupShape.Part, GroupTerm)] = levels.enumerated().map { (.level($0), $1) }
    for index in counting.shape.aggregates.indices { parts.append((.aggregate(index), try counting.term(.aggregate(index), scope))) }
    for (index, (part, term)) in parts.enumerated() {
      guard parts[..<index].contains(where: { $0.1.name.isSameIdentifier(as: term.name) }) else { continue }
      let text = shape[part] ?? ""
      let isNamed = term.nameRange != term.syntax.range
      let free = (2...).lazy.map { "\(term.name) \($0)" }.first { name in !parts.contains { $0.1.name.isSameIdentifier(as: name) } } ?? ""
      let offer = FilterReplacement(
        isNamed ? term.nameRange : 0..<0, isNamed ? FilterFormatter.name(free) : FilterFormatter.name(free) + " = ")
      let error = FilterError(
        .takenName, isNamed ? term.nameRange : 0..<text.utf8.count, "There is another column named \(term.name).",
        hint: "Write a name before the value.", replacements: [offer])
      throw GroupError(part: part, faults: FilterErrors(first: error))
    }
  }

  private func groups(
    _ levels: [GroupTerm], _ across: GroupTerm?, _ cells: [(term: GroupTerm, kind: CompiledGroups.Kind)], _ pivot: PivotValues?,
    _ operands: [SQLText]
  ) -> CompiledGroups {
    let results =
      levels.enumerated().map { CompiledGroups.Column(name: $1.name, kind: .level($0), type: $1.value.type) }
      + cells.map { CompiledGroups.Column(name: $0.term.name, kind: $0.kind, type: $0.term.value.type) }
    let filterColumns = (levels + cells.map(\.term)).map { $0.column(in: columns) }
    let spelled = levels.map(\.name) + (pivot == nil ? cells.map(\.term.name) : [])
    return CompiledGroups(
      shape: shape, source: rows, pivot: pivot, columns: results,
      filterColumns: FilterColumns(filterColumns, spelled: spelled.filter(\.isSpelledName)),
      sqlText: select(levels, across, cells.map(\.term), pivot, operands), levels: levels, across: across, sourceColumns: columns)
  }
}

extension String {
  /// Whether a filter can contain the name without quotes, because it looks like a call or a path and not like anything else.
  fileprivate var isSpelledName: Bool {
    let lexer = FilterLexer(Array(utf8))
    return lexer.errors.isEmpty && lexer.tokens.first?.kind == .word && lexer.tokens.count > 2
  }
}
