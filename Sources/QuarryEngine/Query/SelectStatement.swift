/// The clauses of a SELECT, without the types of its columns.
package struct SelectStatement: Sendable {
  /// The selected expressions.
  enum Result: Sendable {
    /// Every column of every source.
    case everything
    /// Every column of the first source.
    case firstSource
    case terms([Selection])
    /// The number of rows.
    case rowCount
  }

  /// The common table expressions, each of which can read the preceding ones.
  var commonTables: [CommonTable] = []
  var isDistinct = false
  var result: Result
  var sources: [Source]
  var predicates: [any QueryExpression<Bool>] = []
  var groups: [any QueryExpression] = []
  var groupPredicates: [any QueryExpression<Bool>] = []
  /// The queries with which the rows are combined, from left to right; the order and the limit then apply to the result.
  var combinations: [Combination] = []
  var orders: [Ordering] = []
  var limit: Limit?

  struct Limit: Hashable, Sendable {
    var count: Int
    var offset: Int?
  }

  /// Rows to read from, and their join with the preceding sources.
  struct Source: Sendable {
    enum Join: Hashable, Sendable {
      case inner, left, right, full

      var keyword: StaticString {
        switch self {
        case .inner: " JOIN "
        case .left: " LEFT JOIN "
        case .right: " RIGHT JOIN "
        case .full: " FULL JOIN "
        }
      }
    }

    /// The origin of the rows: a table, or another query.
    indirect enum Origin: Sendable {
      case table(String)
      case query(SelectStatement)
    }

    var origin: Origin
    /// Its name in the query, the table's own or an alias, and its identity.
    var shown: VisibleSource
    var join = Join.inner
    var condition: (any QueryExpression<Bool>)?
  }

  /// A query with a name and columns for the statement that it belongs to: `WITH`.
  struct CommonTable: Sendable {
    var name: String
    var columns: [String]
    var query: SelectStatement
  }

  /// Another query, and the operator that combines its rows with the preceding ones.
  struct Combination: Sendable {
    enum Operator: Hashable, Sendable {
      case union, unionAll, intersect, except

      var keyword: StaticString {
        switch self {
        case .union: " UNION "
        case .unionAll: " UNION ALL "
        case .intersect: " INTERSECT "
        case .except: " EXCEPT "
        }
      }
    }

    var symbol: Operator
    var query: SelectStatement
  }
}

extension SelectStatement {
  /// Creates a query of one expression over the rows of a table that match predicates.
  ///
  /// ```swift
  /// SelectStatement(
  ///   selecting: Column<String?>("Title", of: "Album"), from: "Album",
  ///   where: [Column<Int?>("AlbumId", of: "Album") == Column<Int?>("AlbumId", of: "Track")])
  /// // SELECT Title FROM Album WHERE (AlbumId = Track.AlbumId)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The table's name within the query, needed if an enclosing statement reads the same table.
  package init(
    selecting expression: any QueryExpression, from table: String, as name: String? = nil,
    where predicates: [any QueryExpression<Bool>] = []
  ) {
    let source = Source(origin: .table(table), shown: VisibleSource(name: name ?? table))
    self.init(result: .terms([Selection(expression)]), sources: [source], predicates: predicates)
  }

  /// The statement, to which clauses can be added: the rows of a combination become the source of another query.
  var core: SelectStatement { combinations.isEmpty ? self : nested }

  /// The statement as an operand of a combination, which has no clauses that apply to the whole.
  var operand: SelectStatement {
    combinations.isEmpty && orders.isEmpty && limit == nil && commonTables.isEmpty ? self : nested
  }

  /// A query of all rows of this statement, under the name of its first source, so that references to its columns stay valid.
  private var nested: SelectStatement {
    SelectStatement(
      result: .everything, sources: [Source(origin: .query(self), shown: sources.first?.shown ?? VisibleSource(name: "rows"))])
  }

  /// Returns the statement combined with another.
  func combined(_ symbol: Combination.Operator, with other: SelectStatement) -> SelectStatement {
    var statement = orders.isEmpty && limit == nil ? self : nested
    statement.combinations.append(Combination(symbol: symbol, query: other.operand))
    return statement
  }

  /// Whether the statement, or a query within its sources, reads a table with this name.
  func reads(_ table: String) -> Bool {
    let isRead = sources.contains { source in
      switch source.origin {
      case .table(let name): name.isSameIdentifier(as: table)
      case .query(let query): query.reads(table)
      }
    }
    return isRead || combinations.contains { $0.query.reads(table) }
  }
}
