public import QuarryEngine

/// What narrows and orders the rows of a table, view or query and what is computed for them, as the texts that a person wrote.
///
/// ```swift
/// let view = RowView(filter: "Milliseconds > :least", sort: "-Name", arguments: [":least": .integer(300_000)])
/// let compiled = try view.compiled(for: FilterColumns(of: track, in: db))
/// let reader = RowReader(compiled.applied(to: RowSet(.table(track.entry.reference))), on: connections)
/// // SELECT * FROM Track WHERE (Milliseconds > 300000) ORDER BY Name DESC
/// ```
public struct RowView: Hashable, Sendable {
  /// The filter, in the filter language; blank for none.
  public var filter: String
  /// The keys that rows are sorted by; blank for the natural order.
  public var sort: String
  /// The values of the filter's parameters by their identities: `:least`, `2`.
  public var arguments: [String: DatabaseValue]
  /// What is computed for each row besides its columns, each a value of the filter language: `Data.price`, `length(Name)`.
  public var columns: [String]

  /// Makes a view; without arguments it shows all rows in their natural order.
  public init(filter: String = "", sort: String = "", arguments: [String: DatabaseValue] = [:], columns: [String] = []) {
    self.filter = filter
    self.sort = sort
    self.arguments = arguments
    self.columns = columns
  }

  /// Whether it shows all rows in their natural order, and nothing besides.
  public var isPlain: Bool { (filter + sort).allSatisfy(\.isWhitespace) && columns.isEmpty }

  /// One of the two texts of a view.
  public enum Text: Hashable, Sendable {
    /// What narrows the rows.
    case filter
    /// What orders them.
    case sort
  }

  /// Accesses one of the two texts.
  public subscript(text: Text) -> String {
    get { text == .filter ? filter : sort }
    set { if text == .filter { filter = newValue } else { sort = newValue } }
  }
}

/// What is wrong with one of the texts of a ``RowView``.
public struct RowViewError: Error, Hashable, Sendable {
  /// The text that is wrong.
  public let text: RowView.Text
  /// What is wrong with it.
  public let faults: FilterErrors
}

extension RowView {
  /// Compiles both texts against the columns of a source.
  ///
  /// - Throws: What is wrong with the filter, or else with the sort text.
  public func compiled(for columns: FilterColumns) throws(RowViewError) -> CompiledRowView {
    let compiledFilter: Filter
    do throws(FilterErrors) {
      compiledFilter = try Filter.compile(filter, columns: columns, parameters: arguments)
    } catch {
      throw RowViewError(text: .filter, faults: error)
    }
    do throws(FilterErrors) {
      return CompiledRowView(self, columns, compiledFilter, try FilterSort.compile(sort, columns: columns))
    } catch {
      throw RowViewError(text: .sort, faults: error)
    }
  }
}

/// A ``RowView`` compiled against the columns of a source: made once, and passed on to all that check it, describe it or read by it.
public struct CompiledRowView: Sendable {
  /// The texts.
  public let view: RowView
  /// What they were compiled against.
  public let columns: FilterColumns
  /// The compiled filter.
  public let filter: Filter
  /// The compiled sort text.
  public let sort: FilterSort
  /// The condition as a row set has it; nil where every row is kept.
  public let rowFilter: RowFilter?
  /// The order as a row set has it.
  public let order: RowOrder
  /// What is computed for each row; those texts are left out that do not compile.
  public let computed: [ColumnExpression]

  fileprivate init(_ view: RowView, _ columns: FilterColumns, _ filter: Filter, _ sort: FilterSort) {
    self.view = view
    self.columns = columns
    self.filter = filter
    self.sort = sort
    rowFilter = filter.expression.map { RowFilter($0) }
    order = RowOrder(sort.orderings)
    computed = view.columns.compactMap { try? ColumnExpression.compile($0, columns: columns) }
  }

  /// Whether rows can be read by it: every parameter of the filter has a value.
  public var isComplete: Bool { filter.isComplete }

  /// Whether it shows all rows in their natural order, and nothing besides.
  public var isPlain: Bool { rowFilter == nil && order.isNatural && computed.isEmpty }

  /// Returns the rows of a set that the view keeps, in its order.
  public func applied(to rowSet: RowSet) -> RowSet {
    var rowSet = rowSet
    rowSet.filter = rowFilter
    rowSet.order = order
    rowSet.computed = computed
    return rowSet
  }

  /// Returns what one of the texts says as SQL, with literals in the place of its values; empty where it says nothing.
  public func queryString(of text: RowView.Text) -> String {
    text == .filter ? filter.sqlText?.queryString ?? "" : order.sqlText.queryString
  }

  /// Returns the keys of the order, each with the column of a result that it is.
  public func marks(in columns: [RowSetColumn]) -> [OrderMark] {
    sort.keys.map { key in
      let index = columns.firstIndex { key.isOf($0.syntax) }
      return OrderMark(column: index, name: key.syntax.description, isDescending: key.isDescending)
    }
  }
}

/// A key that rows are ordered by, as the head of a column shows it.
public struct OrderMark: Hashable, Sendable {
  /// The index of the column among those of the result; nil for another expression.
  public var column: Int?
  /// The key as text, without its direction.
  public var name: String
  /// Whether the greatest comes first.
  public var isDescending: Bool

  /// Makes a mark.
  public init(column: Int?, name: String, isDescending: Bool) {
    self.column = column
    self.name = name
    self.isDescending = isDescending
  }
}
