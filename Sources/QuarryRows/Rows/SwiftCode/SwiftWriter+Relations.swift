internal import QuarryEngine

extension RelatedValue: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    guard let source = writer.rows(rows) else { return nil }
    var type = SwiftType.any
    let selection = writer.closure(over: writer.index(of: rows.table)) { writer in
      let value = operand.map { writer.term($0) }
      let term = function.map { writer.aggregate($0.description, value) } ?? value ?? .value(.null)
      type = term.type
      return writer.expression(term)
    }
    return .expression("\(source).select \(selection)", type, weight: 4)
  }
}

extension RelatedExistence: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    guard let source = writer.rows(rows) else { return nil }
    var term = SwiftTerm.expression("\(source).exists()", .boolean, weight: 4)
    term.isOptional = false
    return term
  }
}

extension SwiftWriter {
  /// Returns the query of the rows that a foreign key connects with the current row.
  ///
  ///     Album.where { $0.albumId == track.albumId }
  fileprivate mutating func rows(_ rows: RelatedRows) -> String? {
    let table = index(of: rows.table)
    var query = tables[table].type
    if rows.name != rows.table.name { query += ".as(\(SwiftLiteral.string(rows.name)))" }
    var isKnown = true
    let keys = closure(over: table) { writer in
      let conditions = rows.pairs.map { pair in
        guard let left = writer.column(pair.column), let right = writer.column(pair.outer, outwards: 1) else {
          isKnown = false
          return ""
        }
        return writer.result(writer.infix(left, "==", right), as: .boolean)
      }
      return conditions.joined(separator: " && ")
    }
    query += ".where \(keys)"
    if let condition = rows.condition {
      query += ".where " + closure(over: table) { writer in writer.result(writer.term(condition), as: .boolean) }
    }
    return isKnown ? query : nil
  }

  /// Returns a term as the result of a closure.
  mutating func result(_ term: SwiftTerm, as type: SwiftType) -> String {
    expression(term, as: type, in: .disjunction)
  }

  /// Returns an aggregate over the rows of a query or of a group.
  ///
  ///     track.milliseconds.sum(filter: genre == "Rock")
  ///
  /// - Parameters:
  ///   - operand: The value in each row; nil for `*`.
  ///   - options: The arguments of the call.
  mutating func aggregate(_ function: String, _ operand: SwiftTerm?, _ options: [String] = []) -> SwiftTerm {
    var term = value(of: function, operand, options)
    if function == "count" || function == "total" { term.isOptional = false }
    return term
  }

  private mutating func value(of function: String, _ operand: SwiftTerm?, _ options: [String]) -> SwiftTerm {
    guard let operand else {
      return .expression("\(rowVariable).count(\(options.joined(separator: ", ")))", .integer)
    }
    let number: SwiftType = operand.type.isNumeric ? operand.type : .any
    switch function {
    case "count": return call(operand, operand.type, "count", options, .integer)
    case "total", "avg": return call(operand, number, function, options, .real)
    case "sum": return call(operand, number, function, options, number)
    case "group_concat": return call(operand, .text, "groupConcat", options, .text)
    default:
      let type = operand.type == .boolean ? .any : operand.type
      return call(operand, type, function, options, type)
    }
  }
}
