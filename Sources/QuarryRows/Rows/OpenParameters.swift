internal import QuarryEngine

extension RowView {
  /// Returns the compiled view, in which only those parameters have values whose values determine the SQL: NULL, and dates.
  func withOpenParameters(for columns: FilterColumns) throws(RowViewError) -> CompiledRowView {
    let whole = try compiled(for: columns)
    var view = self
    for parameter in whole.filter.parameters where parameter.isGiven {
      var one = self
      one.arguments.removeValue(forKey: parameter.identity)
      one.arguments.removeValue(forKey: parameter.key)
      guard let value = arguments[parameter.identity] ?? arguments[parameter.key], value != .null else { continue }
      guard let opened = try? one.compiled(for: columns), opened.filter.isSame(as: whole.filter, binding: parameter, to: value) else {
        continue
      }
      view.arguments.removeValue(forKey: parameter.identity)
      view.arguments.removeValue(forKey: parameter.key)
    }
    return try view.compiled(for: columns)
  }

  /// Returns the view with NULL for each unnamed parameter without a value.
  func withNulls(for columns: FilterColumns) throws(RowViewError) -> RowView {
    var view = self
    for parameter in try compiled(for: columns).filter.parameters where parameter.token == "?" && !parameter.isGiven {
      view.arguments[parameter.identity] = .null
    }
    return view
  }
}

extension Filter {
  /// Returns whether the filter is the same as another one, once one of its parameters has a value.
  fileprivate func isSame(as other: Filter, binding parameter: FilterParameter, to value: DatabaseValue) -> Bool {
    guard let sqlText, let expected = other.sqlText else { return false }
    let tokens = StatementTokens(sqlText.sql)
    var (values, rest) = ([DatabaseValue](), sqlText.values[...])
    var (sql, end) = ("", 0)
    for place in tokens.parameters {
      sql += String(decoding: tokens.bytes[end..<place.range.lowerBound], as: UTF8.self) + "?"
      let token = String(decoding: tokens.bytes[place.range], as: UTF8.self)
      if token == parameter.token { values.append(value) } else if let next = rest.popFirst() { values.append(next) }
      end = place.range.upperBound
    }
    sql += String(decoding: tokens.bytes[end...], as: UTF8.self)
    return sql == expected.sql && values == expected.values
  }
}
