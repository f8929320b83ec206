internal import QuarryEngine

/// Some values of a column, with the filter condition that matches them.
///
///     Country in ('USA', 'UK')    (Country = 'USA' or Country is null)    (Price >= 10 and Price < 20)
struct FilterChoice {
  let column: FilterColumn
  let members: [CountedValue]

  /// The operand: the column, or a path in one.
  private let operand: FilterSyntax

  /// Creates the choice of values of a result column, which may be a path in a JSON column.
  init(ofColumnNamed name: String, in columns: FilterColumns, _ members: [CountedValue]) {
    column = columns.named(name) ?? FilterColumn(name, type: .any)
    operand = FilterSyntax(named: name, in: columns)
    self.members = members
  }

  /// Parses a condition; nil if it does not list values of the column.
  init?(_ syntax: FilterSyntax, of column: FilterColumn) {
    self.column = column
    operand = FilterSyntax(.column(column.name))
    var members: [CountedValue] = []
    let alternatives = if case .any(let terms) = syntax.kind { terms } else { [syntax] }
    for alternative in alternatives {
      guard let kept = Self.members(alternative, of: column) else { return nil }
      members += kept
    }
    self.members = members
  }

  // MARK: Writing

  /// The condition that matches the values.
  var syntax: FilterSyntax {
    let terms = alternatives
    return terms.count == 1 ? terms[0] : FilterSyntax(.any(terms))
  }

  /// The conditions that exclude the values one by one, and include NULL.
  var exclusions: [FilterSyntax] {
    members.map { member in
      switch member {
      case .value(let value): Filter.term(operand, value, isExcluded: true, in: FilterColumns([column]))
      case .rawText(let bytes): FilterSyntax(.not(condition(ofRawText: bytes)))
      case .bin(let bin): exclusion(of: bin)
      }
    }
  }

  private var alternatives: [FilterSyntax] {
    let columns = FilterColumns([column])
    var listed: [FilterSyntax] = []
    var others: [FilterSyntax] = []
    for member in members {
      switch member {
      case .rawText(let bytes): others.append(condition(ofRawText: bytes))
      case .bin(let bin): others.append(condition(of: bin))
      case .value(let value):
        let term = Filter.term(operand, value, in: columns)
        if case .comparison(.equal, _, let literal) = term.kind { listed.append(literal) } else { others.append(term) }
      }
    }
    let list: FilterSyntax? =
      switch listed.count {
      case 0: nil
      case 1: FilterSyntax(.comparison(.equal, operand, listed[0]))
      default: FilterSyntax(.membership(operand, listed, isNegated: false))
      }
    return [list].compactMap(\.self) + others
  }

  /// Returns the condition for a text that is not valid UTF-8: it has these bytes and is not a blob.
  private func condition(ofRawText bytes: [UInt8]) -> FilterSyntax {
    let type = FilterSyntax(.comparison(.equal, FilterSyntax(.call("typeof", [operand])), FilterSyntax(.literal(.text("text")))))
    let cast = FilterSyntax(.cast(operand, .blob))
    return FilterSyntax(.all([type, FilterSyntax(.comparison(.equal, cast, FilterSyntax(.literal(.blob(bytes)))))]))
  }

  private func condition(of bin: ValueBin) -> FilterSyntax {
    FilterSyntax(
      .all([
        FilterSyntax(.comparison(.atLeast, operand, bound(bin.lower))),
        FilterSyntax(.comparison(bin.includesUpper ? .atMost : .less, operand, bound(bin.upper))),
      ]))
  }

  private func exclusion(of bin: ValueBin) -> FilterSyntax {
    FilterSyntax(
      .any([
        FilterSyntax(.comparison(.less, operand, bound(bin.lower))),
        FilterSyntax(.comparison(bin.includesUpper ? .greater : .atLeast, operand, bound(bin.upper))),
        FilterSyntax(.identity(operand, FilterSyntax(.literal(.null)), isNegated: false)),
      ]))
  }

  private func bound(_ value: DatabaseValue) -> FilterSyntax {
    switch value {
    case .null: FilterSyntax(.literal(.null))
    case .integer(let value): FilterSyntax(.literal(.integer(value)))
    case .real(let value): FilterSyntax(.literal(.real(value)))
    case .text(let text): FilterSyntax(.literal(.text(text)))
    case .blob(let bytes): FilterSyntax(.literal(.blob(bytes)))
    }
  }

  // MARK: Parsing

  private static func members(_ syntax: FilterSyntax, of column: FilterColumn) -> [CountedValue]? {
    switch syntax.kind {
    // A date compared with `=` covers all its times, and is not a single value.
    case .comparison(.equal, let operand, let literal) where column.type != .date || literal.isNull:
      return value(of: operand, literal).map { [.value($0)] }
    case .identity(let operand, let literal, isNegated: false): return value(of: operand, literal).map { [.value($0)] }
    case .membership(let operand, let literals, isNegated: false) where column.type != .date:
      let values = literals.compactMap { value(of: operand, $0) }
      return values.count == literals.count ? values.map(CountedValue.value) : nil
    case .all(let terms) where terms.count == 2: return bin(terms[0], terms[1]) ?? stored(terms[0], terms[1])
    default: return nil
    }
  }

  private static func value(of operand: FilterSyntax, _ literal: FilterSyntax) -> DatabaseValue? {
    operand.columnName == nil ? nil : literal.value
  }

  private static func bin(_ lower: FilterSyntax, _ upper: FilterSyntax) -> [CountedValue]? {
    guard case .comparison(.atLeast, let first, let start) = lower.kind, case .comparison(let comparison, let second, let end) = upper.kind,
      comparison == .less || comparison == .atMost, let lower = value(of: first, start), let upper = value(of: second, end)
    else { return nil }
    return [.bin(ValueBin(lower: lower, upper: upper, includesUpper: comparison == .atMost))]
  }

  /// Parses `typeof(c) = 'text' and cast(c as text) = 'x'`.
  private static func stored(_ type: FilterSyntax, _ value: FilterSyntax) -> [CountedValue]? {
    guard case .comparison(.equal, let call, let typeName) = type.kind, case .call(let name, _) = call.kind, name.lowercased() == "typeof",
      case .comparison(.equal, let cast, let literal) = value.kind, case .cast(let operand, _) = cast.kind
    else { return nil }
    guard let value = Self.value(of: operand, literal) else { return nil }
    if case .blob(let bytes) = value, typeName.text == "text" { return [.rawText(bytes)] }
    return [.value(value)]
  }
}

extension FilterSyntax {
  /// The value of a literal; nil for a date, which may cover many values, and for anything but a literal.
  fileprivate var value: DatabaseValue? {
    guard case .literal(let literal) = kind else { return nil }
    return switch literal {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let text): .text(text)
    case .blob(let bytes): .blob(bytes)
    case .truth(let truth): .integer(truth ? 1 : 0)
    case .date: nil
    }
  }
}

extension CountedValue {
  /// Returns whether both values are equal in SQLite: 1 and 1.0 are one value, and the text '1' is another.
  public func isSame(as other: CountedValue) -> Bool { isSame(as: other, by: .binary) }

  /// Returns whether both values are equal in SQLite in a column with a collation.
  package func isSame(as other: CountedValue, by collation: TextCollation) -> Bool {
    switch (self, other) {
    case (.value(.text(let first)), .value(.text(let second))) where collation != .binary:
      let order = ByteOrder(collation: collation)
      return Array(first.utf8).withUnsafeBytes { first in Array(second.utf8).withUnsafeBytes { order.areSame(first, $0) } }
    case (.value(let first), .value(let second)): return first.isSame(as: second)
    case (.bin(let first), .bin(let second)):
      return first.lower.isSame(as: second.lower) && first.upper.isSame(as: second.upper) && first.includesUpper == second.includesUpper
    default: return false
    }
  }
}

extension DatabaseValue {
  fileprivate func isSame(as other: DatabaseValue) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)): Int64(exactly: real) == integer
    default: self == other
    }
  }
}
