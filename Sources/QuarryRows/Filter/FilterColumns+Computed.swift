internal import QuarryEngine

extension FilterColumns {
  /// Compiles the texts of computed columns, each of which may use the names of those before it.
  ///
  /// ```swift
  /// let (computed, all) = columns.computing(["minutes = Milliseconds / 60000.0", "minutes * 60"])
  /// try Filter.compile("minutes > 5", columns: all).sqlText?.queryString   // ((Milliseconds / 60000.0) > 5)
  /// ```
  ///
  /// - Returns: The columns without texts that do not compile, and the columns that filters and orders can name.
  public func computing(_ texts: [String]) -> (computed: [ColumnExpression], columns: FilterColumns) {
    var (computed, columns): ([ColumnExpression], FilterColumns) = ([], withoutComputed)
    for text in texts {
      guard let column = try? ColumnExpression.compile(column: text, columns: columns) else { continue }
      computed.append(column)
      columns = columns.adding(column)
    }
    return (computed, columns)
  }

  /// The columns of the rows, without computed columns.
  var withoutComputed: FilterColumns {
    all.contains { $0.definition != nil } ? FilterColumns(all.filter { $0.definition == nil }, of: self) : self
  }

  /// Returns the columns with a computed column that has a name of its own.
  private func adding(_ computed: ColumnExpression) -> FilterColumns {
    guard let name = computed.givenName else { return self }
    var column = compared(with: computed.syntax) ?? FilterColumn(name, type: computed.type)
    (column.name, column.type, column.isNullable, column.isHidden, column.isPrimaryKey) = (name, computed.type, true, false, false)
    column.definition = computed.syntax.withoutRanges
    return FilterColumns(all + [column], of: self)
  }

  /// Returns the column of the rows from which a computed value comes: the first one that it names, or the foreign key that it follows.
  ///
  ///     AlbumId.ArtistId.Name    AlbumId
  ///     upper(Name)              Name
  ///
  /// - Returns: Nil if it names none, such as `count(InvoiceLine)`.
  public func source(of value: FilterSyntax) -> String? {
    guard let name = value.firstColumn else { return nil }
    if let column = named(name) { return column.definition.map { source(of: $0) } ?? column.name }
    guard let graph = relations, case .key(let key) = graph.step(name, from: place) else { return nil }
    return key.columns.last
  }
}

extension FilterSyntax {
  /// The node without its range, for use without a source text in which reports could look it up.
  var withoutRanges: FilterSyntax { FilterSyntax(kind, range: 0..<0) }
}
