public import QuarryEngine

/// One of the conditions that `and` joins at the top of a filter: `Country in ('USA', 'UK')`.
///
/// Facets count the values of a column under all conditions except its own. They show the values listed by its own conditions as chosen.
public struct FilterCondition: Hashable, Sendable {
  /// The only column of the condition; nil if it has several columns, or none.
  public let column: String?
  /// The matching values and ranges of values, if the condition only lists them; otherwise nil.
  public let chosen: [CountedValue]?
  /// The condition itself.
  public let syntax: FilterSyntax

  fileprivate init(_ syntax: FilterSyntax, in columns: FilterColumns) {
    self.syntax = syntax
    let named = Set(syntax.namedColumns?.map { columns.named($0)?.name ?? $0 } ?? [])
    let column = named.count == 1 ? named.first.flatMap(columns.named) : nil
    self.column = column?.name
    chosen = column.flatMap { FilterChoice(syntax, of: $0)?.members }
  }
}

extension [FilterCondition] {
  /// Returns the listed values of a column: those of the last condition that only lists values.
  public func chosen(of column: String) -> [CountedValue] {
    last { $0.isAbout(column) && $0.chosen != nil }?.chosen ?? []
  }
}

extension [FilterCondition] {
  /// Returns the position of the condition that excludes a value of a column; nil if no condition excludes it.
  fileprivate func exclusion(of member: CountedValue, of column: String, in columns: FilterColumns) -> Int? {
    let terms = FilterChoice(ofColumnNamed: column, in: columns, [member]).exclusions
    return lastIndex { $0.isAbout(column) && terms.contains($0.syntax) }
  }

  /// Returns whether a value of a column is excluded by a condition that does only this.
  public func leaveOut(_ member: CountedValue, of column: String, in columns: FilterColumns) -> Bool {
    contains { $0.isAbout(column) } && exclusion(of: member, of: column, in: columns) != nil
  }
}

extension FilterCondition {
  /// Returns whether the condition uses only this column.
  public func isAbout(_ name: String) -> Bool { column?.isSameIdentifier(as: name) ?? false }
}

extension Filter {
  /// Returns the conditions that `and` joins at the top of a filter, in order.
  ///
  ///     Filter.conditions(of: "Country = 'USA' and (Price > 3 or Name ~ x)", in: columns).map(\.column)   // ["Country", nil]
  ///
  /// - Throws: The errors of the text.
  public static func conditions(of text: String, in columns: FilterColumns) throws(FilterErrors) -> [FilterCondition] {
    try FilterSyntax.parse(text, columns: columns)?.separateTerms.map { FilterCondition($0, in: columns) } ?? []
  }

  /// Returns the compiled conditions of a filter for counting facets.
  ///
  /// - Throws: The errors of the text, including parameters without a value.
  public static func facetConditions(
    of text: String, in columns: FilterColumns, parameters: [String: DatabaseValue] = [:]
  ) throws(FilterErrors) -> [FacetCondition] {
    // One checker for all conditions, because parameters without a name are numbered across them.
    var checker = FilterChecker(Array(text.utf8), columns: columns, values: parameters)
    let compiled = try conditions(of: text, in: columns).compactMap { condition in
      checker.filter(condition.syntax).map { FacetCondition(RowFilter($0), column: condition.column) }
    }
    if let errors = FilterErrors(checker.errors) { throw errors }
    return compiled
  }

  /// Returns a text that matches only these values of a column, replacing the values matched so far.
  ///
  /// The rest of the text is unchanged.
  ///
  ///     Filter.text("Price > 3", choosing: [.value("USA"), .value("UK")], of: "Country", in: columns)
  ///     // Price > 3 and Country in ('USA', 'UK')
  ///     Filter.text("Country = 'UK' and Price > 3", choosing: [], of: "Country", in: columns)   // Price > 3
  ///
  /// - Throws: The errors of the text.
  public static func text(
    _ text: String, choosing members: [CountedValue], of column: String, in columns: FilterColumns
  ) throws(FilterErrors) -> String {
    let conditions = try conditions(of: text, in: columns)
    let term = members.isEmpty ? nil : FilterChoice(ofColumnNamed: column, in: columns, members).syntax
    guard let index = conditions.lastIndex(where: { $0.isAbout(column) && $0.chosen != nil }) else {
      return try term.map { term throws(FilterErrors) in try self.text(text, adding: term, in: columns) } ?? text
    }
    guard let term else { return self.text(text, without: index, of: conditions) }
    let bytes = Array(text.utf8)
    let range = conditions[index].syntax.range
    let written = termText(term, isAlone: conditions.count == 1)
    return String(decoding: bytes[..<range.lowerBound] + Array(written.utf8) + bytes[range.upperBound...], as: UTF8.self)
  }

  /// Returns a text without one of its conditions.
  private static func text(_ text: String, without index: Int, of conditions: [FilterCondition]) -> String {
    guard conditions.count > 1 else { return "" }
    let bytes = Array(text.utf8)
    let ranges = conditions.map(\.syntax.range)
    let removed =
      index == 0 ? ranges[0].lowerBound..<ranges[1].lowerBound : ranges[index - 1].upperBound..<ranges[index].upperBound
    return String(decoding: bytes[..<removed.lowerBound] + bytes[removed.upperBound...], as: UTF8.self)
  }

  /// Returns a text without the condition that excludes a value of a column.
  ///
  ///     Filter.text("Country != 'UK' and Price > 3", admitting: .value("UK"), of: "Country", in: columns)   // Price > 3
  ///
  /// - Throws: The errors of the text.
  public static func text(
    _ text: String, admitting member: CountedValue, of column: String, in columns: FilterColumns
  ) throws(FilterErrors) -> String {
    let conditions = try conditions(of: text, in: columns)
    return conditions.exclusion(of: member, of: column, in: columns).map { self.text(text, without: $0, of: conditions) } ?? text
  }

  /// Returns a text that excludes a value of a column, and no longer lists it; if the text already excludes it, that condition is removed.
  ///
  ///     Filter.text("Country = 'UK'", togglingExclusionOf: .value("UK"), of: "Country", in: columns)    // Country != 'UK'
  ///     Filter.text("Country != 'UK'", togglingExclusionOf: .value("UK"), of: "Country", in: columns)   // nothing
  ///
  /// - Throws: The errors of the text.
  public static func text(
    _ text: String, togglingExclusionOf member: CountedValue, of column: String, in columns: FilterColumns
  ) throws(FilterErrors) -> String {
    let admitting = try self.text(text, admitting: member, of: column, in: columns)
    guard admitting == text else { return admitting }
    let chosen = try conditions(of: text, in: columns).chosen(of: column)
    let rest = chosen.filter { !$0.isSame(as: member) }
    let kept = rest.count < chosen.count ? try self.text(text, choosing: rest, of: column, in: columns) : text
    return try self.text(kept, with: [member], of: column, isExcluded: true, in: columns)
  }

  /// Returns a text that also matches a value of a column; if the text already lists the value, it is removed from the list.
  ///
  /// A condition that excludes the value is removed.
  ///
  ///     Filter.text("Country = 'USA'", toggling: .value("UK"), of: "Country", in: columns)   // Country in ('USA', 'UK')
  ///     Filter.text("Country = 'USA'", toggling: .value("USA"), of: "Country", in: columns)   // nothing
  ///
  /// - Throws: The errors of the text.
  public static func text(
    _ text: String, toggling member: CountedValue, of column: String, in columns: FilterColumns
  ) throws(FilterErrors) -> String {
    let text = try self.text(text, admitting: member, of: column, in: columns)
    let chosen = try conditions(of: text, in: columns).chosen(of: column)
    let rest = chosen.filter { !$0.isSame(as: member) }
    return try self.text(text, choosing: rest.count < chosen.count ? rest : chosen + [member], of: column, in: columns)
  }

  /// Returns a text with an additional condition that matches or excludes these values of a column.
  ///
  ///     Filter.text("Price > 3", with: [.value("USA")], of: "Country", isExcluded: true, in: columns)   // Price > 3 and Country != 'USA'
  ///
  /// - Throws: The errors of the text, to which nothing can be added then.
  public static func text(
    _ text: String, with members: [CountedValue], of column: String, isExcluded: Bool, in columns: FilterColumns
  ) throws(FilterErrors) -> String {
    let choice = FilterChoice(ofColumnNamed: column, in: columns, members)
    var text = text
    for term in isExcluded ? choice.exclusions : [choice.syntax] { text = try self.text(text, adding: term, in: columns) }
    return text
  }
}
