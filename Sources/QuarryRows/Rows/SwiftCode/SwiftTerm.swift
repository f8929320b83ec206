internal import QuarryEngine

/// An expression as written in Swift.
struct SwiftTerm {
  /// The operators of Swift, tightest first.
  enum Precedence: Int {
    /// A name, a value or a call.
    case none
    case unary, arithmetic, comparison, conjunction, disjunction
  }

  /// What the term consists of.
  enum Content {
    /// A plain value, which is no expression of the query builder yet.
    case value(DatabaseValue)
    /// A parameter of the function, by its index.
    case parameter(Int)
    case expression(String)
  }

  var content: Content
  var type: SwiftType
  /// Whether the query returns an optional for it.
  var isOptional = true
  /// The precedence of its outermost operator.
  var precedence = Precedence.none
  /// The number of overloaded operations, which the compiler resolves together.
  var weight = 0

  static func value(_ value: DatabaseValue, _ type: SwiftType? = nil) -> SwiftTerm {
    SwiftTerm(content: .value(value), type: type ?? SwiftType(value) ?? .any)
  }

  static func expression(_ text: String, _ type: SwiftType, weight: Int = 0) -> SwiftTerm {
    SwiftTerm(content: .expression(text), type: type, weight: weight)
  }

  var isExpression: Bool { if case .expression = content { true } else { false } }
  var isNull: Bool { if case .value(.null) = content { true } else { false } }
}

/// A parameter of the function that returns the rows.
struct SwiftParameter {
  /// The parameter as written in the filter: `:least`.
  let token: String
  let name: String
  let type: SwiftType
  /// The current value, which is the default; nil without one.
  let value: DatabaseValue?

  /// The parameter as declared: `least: Int = 300_000`.
  var declaration: String {
    guard let literal = value.flatMap({ SwiftLiteral.text($0, as: type) }) else { return "\(name): \(type.rawValue)" }
    return "\(name): \(type.rawValue) = \(literal)"
  }

  /// Returns the parameter as a plain value of a type; nil if it has another one.
  func text(as type: SwiftType) -> String? {
    if type == self.type { return name }
    switch (self.type, type) {
    case (.integer, .number): return ".integer(\(name))"
    case (.integer, .any): return ".integer(Int64(\(name)))"
    case (.real, .number), (.real, .any): return ".real(\(name))"
    case (.text, .any): return ".text(\(name))"
    case (.blob, .any): return ".blob(\(name))"
    default: return nil
    }
  }
}

/// A table that the Swift file declares.
struct SwiftTable {
  let reference: TableReference
  /// The name of its type.
  let type: String
  /// The name of a row in a closure.
  let variable: String
  let columns: FilterColumns
  /// The property of each column, by the index of the column.
  let properties: [String]
  /// The columns that hold other values than their declared type allows.
  let misfits: Set<String>
  /// The hidden columns that the query names.
  var hidden: Set<Int> = []

  init(_ reference: TableReference, _ columns: FilterColumns, misfits: Set<String>, names: inout SwiftNames) {
    self.reference = reference
    self.columns = columns
    self.misfits = misfits
    type = names.add(reference.name, isType: true, kind: "Table")
    var rows = SwiftNames()
    variable = rows.add(reference.name, kind: "row")
    var properties = SwiftNames(taken: SwiftNames.members)
    self.properties = columns.all.map { properties.add($0.name, kind: "column") }
  }

  func type(of column: FilterColumn) -> SwiftType { misfits.contains(column.name) ? .any : SwiftType(column) }

  /// The output of a column: `String?` if it may be NULL.
  func output(of column: FilterColumn) -> String {
    let type = type(of: column)
    return type.rawValue + (column.isNullable && type != .any ? "?" : "")
  }

  /// The declaration of the table.
  ///
  ///     struct Album: Table {
  ///       static let tableName = "Album"
  ///       struct Columns {
  ///         let albumId = Column<Int>("AlbumId")
  ///       }
  ///       static let columns = Columns()
  ///     }
  var declaration: String {
    let lines = columns.all.indices.filter { !columns.all[$0].isHidden || hidden.contains($0) }.map { index in
      let column = columns.all[index]
      return "    let \(properties[index]) = Column<\(output(of: column))>(\(SwiftLiteral.string(column.name)))\n"
    }
    return """
      struct \(type): Table {
        static let tableName = \(SwiftLiteral.string(reference.name))
        struct Columns {
      \(lines.joined())  }
        static let columns = Columns()
      }

      """
  }
}
