public import QuarryEngine

/// The filter, sort order and computed columns of a table, view or query, as entered texts.
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
  /// The sort keys; blank for the natural order.
  public var sort: String
  /// The values of the filter's parameters, by identity: `:least`, `2`.
  public var arguments: [String: DatabaseValue]
  /// The additional computed columns, each an expression of the filter language with or without a name: `Data.price`,
  /// `minutes = Milliseconds / 60000.0`.
  ///
  /// The filter, the sort keys and later columns can use the names.
  public var columns: [String]

  /// Creates a view; without arguments it shows all rows in their natural order.
  public init(filter: String = "", sort: String = "", arguments: [String: DatabaseValue] = [:], columns: [String] = []) {
    self.filter = filter
    self.sort = sort
    self.arguments = arguments
    self.columns = columns
  }

  /// Whether it shows all rows in their natural order, without computed columns.
  public var isPlain: Bool { (filter + sort).allSatisfy(\.isWhitespace) && columns.isEmpty }

  /// A kind of text of a view.
  public enum Text: Hashable, Sendable {
    /// The filter.
    case filter
    /// The sort keys.
    case sort
    /// The computed column at an index; the index after the last is that of a new column.
    case column(Int)
  }

  /// Accesses one of the texts.
  ///
  /// A computed column is removed by a blank text, and added at the index after the last.
  public subscript(text: Text) -> String {
    get {
      switch text {
      case .filter: filter
      case .sort: sort
      case .column(let index): columns.indices.contains(index) ? columns[index] : ""
      }
    }
    set {
      switch text {
      case .filter: filter = newValue
      case .sort: sort = newValue
      case .column(let index):
        let end = min(index + 1, columns.count)
        columns.replaceSubrange(min(index, end)..<end, with: newValue.allSatisfy(\.isWhitespace) ? [] : [newValue])
      }
    }
  }
}

/// The errors in one of the texts of a ``RowView``.
public struct RowViewError: Error, Hashable, Sendable {
  /// The text with the errors.
  public let text: RowView.Text
  /// The errors.
  public let faults: FilterErrors
}

extension RowView {
  /// Compiles the texts against the columns of a source.
  ///
  /// Computed columns that do not compile are skipped: ``compiledColumn(at:for:)`` returns their errors.
  ///
  /// - Throws: The errors of the filter, otherwise those of the sort text.
  public func compiled(for columns: FilterColumns) throws(RowViewError) -> CompiledRowView {
    let (computed, columns) = columns.computing(self.columns)
    let compiledFilter: Filter
    do throws(FilterErrors) {
      compiledFilter = try Filter.compile(filter, columns: columns, parameters: arguments)
    } catch {
      throw RowViewError(text: .filter, faults: error)
    }
    do throws(FilterErrors) {
      return CompiledRowView(self, columns, computed, compiledFilter, try FilterSort.compile(sort, columns: columns))
    } catch {
      throw RowViewError(text: .sort, faults: error)
    }
  }

  /// Compiles one of the computed columns, which can use the names of those before it.
  ///
  /// - Throws: Its errors, for example if a column has its name already.
  public func compiledColumn(at index: Int, for columns: FilterColumns) throws(RowViewError) -> ColumnExpression {
    let computed = self.columns.enumerated().filter { $0.offset != index }
    let others = computed.map { ColumnExpression.name(in: $0.element, columns: columns) ?? $0.element }
    do throws(FilterErrors) {
      let known = self.columns(before: index, of: columns)
      return try ColumnExpression.compile(
        column: self[.column(index)], columns: known, except: others + columns.withoutComputed.offered.map(\.name))
    } catch {
      throw RowViewError(text: .column(index), faults: error)
    }
  }

  /// Returns the columns that a computed column can use, if the source has these columns.
  public func columns(before index: Int, of columns: FilterColumns) -> FilterColumns {
    columns.computing(Array(self.columns.prefix(index))).columns
  }
}

/// A ``RowView`` compiled once against the columns of a source, for checking, describing and reading.
public struct CompiledRowView: Sendable {
  /// The source texts.
  public let view: RowView
  /// The columns against which they were compiled, including computed columns with names.
  public let columns: FilterColumns
  /// The compiled filter.
  public let filter: Filter
  /// The compiled sort text.
  public let sort: FilterSort
  /// The condition for a row set; nil if all rows match.
  public let rowFilter: RowFilter?
  /// The order for a row set.
  public let order: RowOrder
  /// The computed columns, without texts that do not compile.
  public let computed: [ColumnExpression]

  fileprivate init(
    _ view: RowView, _ columns: FilterColumns, _ computed: [ColumnExpression], _ filter: Filter, _ sort: FilterSort
  ) {
    self.view = view
    self.columns = columns
    self.filter = filter
    self.sort = sort
    rowFilter = filter.expression.map { RowFilter($0) }
    order = RowOrder(sort.orderings)
    self.computed = computed
  }

  /// Whether every parameter of the filter has a value, so that rows can be read.
  public var isComplete: Bool { filter.isComplete }

  /// Whether it shows all rows in their natural order, without computed columns.
  public var isPlain: Bool { rowFilter == nil && order.isNatural && computed.isEmpty }

  /// Returns the rows of a set that match the view, in its order.
  public func applied(to rowSet: RowSet) -> RowSet {
    var rowSet = rowSet
    rowSet.filter = rowFilter
    rowSet.order = order
    rowSet.computed = computed
    rowSet.childKeys = computed.reduce(filter.childKeys.union(sort.childKeys)) { $0.union($1.childKeys) }
    return rowSet
  }

  /// Returns the SQL of one of the texts, with literals as values; empty if the text is empty.
  public func queryString(of text: RowView.Text) -> String {
    switch text {
    case .filter: filter.sqlText?.queryString ?? ""
    case .sort: order.sqlText.queryString
    case .column(let index): computed.indices.contains(index) ? computed[index].sqlText.queryString : ""
    }
  }

  /// Returns the sort keys, each with its column in a result.
  public func marks(in columns: [RowSetColumn]) -> [OrderMark] {
    sort.keys.map { key in
      let index = columns.firstIndex { key.isOf($0.syntax) }
      return OrderMark(column: index, name: key.syntax.description, isDescending: key.isDescending)
    }
  }
}

/// A sort key as shown in a column header.
public struct OrderMark: Hashable, Sendable {
  /// The index of its column in the result; nil for another expression.
  public var column: Int?
  /// The key as text, without its direction.
  public var name: String
  /// Whether the order is descending.
  public var isDescending: Bool

  /// Creates a mark.
  public init(column: Int?, name: String, isDescending: Bool) {
    self.column = column
    self.name = name
    self.isDescending = isDescending
  }
}
