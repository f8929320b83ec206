internal import QuarryEngine

extension GroupCall: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let terms = operands.map { writer.term($0) }
    var options: [String] = []
    if terms.count > 1 { options.append("separator: \(writer.operand(terms[1], as: .text))") }
    // Of distinct values, the least is that of all values.
    if isDistinct, function != .min, function != .max { options.append("distinct: true") }
    if let filter {
      let condition = writer.light(writer.term(filter))
      options.append("filter: \(writer.result(condition, as: .boolean))")
    }
    return writer.aggregate(function.rawValue, terms.first.map { writer.light($0) }, options)
  }
}
