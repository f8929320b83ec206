internal import QuarryEngine

/// Checks of date function calls, which return NULL, or a day long past, for unsupported arguments.
extension FilterChecker {
  private static let dateFunctions: Set<String> = ["date", "datetime", "julianday", "strftime", "time", "unixepoch"]
  /// Julian days of the years 0 to 9999; a number outside them is a year, or another kind of count.
  private static let firstLikelyDay = 1_721_060.0
  private static let lastDay = 5_373_484.5

  /// Checks the constant arguments of a date function by evaluating them in SQLite.
  mutating func checkDates(of function: TypedFunction, _ operands: [FilterSyntax], _ values: [TypedExpression]) -> Bool {
    guard Self.dateFunctions.contains(function.name) else { return true }
    let count = errors.count
    let momentIndex = function.name == "strftime" ? 1 : 0
    if momentIndex == 1, let format = operands.first { checkFormat(format) }
    guard operands.count > momentIndex else { return errors.count == count }
    let modifiers = operands.dropFirst(momentIndex + 1)
    for modifier in modifiers { checkModifier(modifier, of: function) }
    checkMoment(operands[momentIndex], first: modifiers.first, of: function)
    if errors.count == count { checkWhole(function, operands, values) }
    return errors.count == count
  }

  private mutating func checkFormat(_ node: FilterSyntax) {
    guard let format = node.text, !format.isEmpty, DateConstant.isNull("strftime", [.text(format), .text("now")]) else { return }
    reports.add(
      .wrongOperand, node.range, "\(source(node)) is not a strftime format.",
      hint: "%Y, %m, %d, %H, %M and %S are year, month, day, hour, minute and second.")
  }

  private mutating func checkModifier(_ node: FilterSyntax, of function: TypedFunction) {
    guard case .literal = node.kind, let text = node.dateText else { return }
    let isKnown = [DatabaseValue.text("2000-01-01"), .integer(0)].contains { !DateConstant.isNull("datetime", [$0, .text(text)]) }
    if isKnown { return }
    reports.add(
      .wrongOperand, node.range, "\(source(node)) is not a date modifier.",
      hint: "Write '+3 days' or 'start of month', for example.",
      DateConstant.modifiers(like: text).map(FilterFormatter.quoted))
  }

  private mutating func checkMoment(_ node: FilterSyntax, first modifier: FilterSyntax?, of function: TypedFunction) {
    let tellsUnit = ["unixepoch", "auto", "julianday"].contains(modifier?.text?.lowercased())
    switch node.kind {
    case .literal(.integer(let number)) where !tellsUnit: checkDay(Double(number), node, of: function)
    case .literal(.real(let number)) where !tellsUnit: checkDay(number, node, of: function)
    case .literal(.date(let text)) where text.utf8.count == 7:
      reports.add(.impossibleDate, node.range, "\(function.name) expects a full date: \(text) is a subtraction here.", ["\(text)-01"])
    case .literal(.text(let text)) where DateConstant.isNull("datetime", [.text(text)]):
      let fault = DateFault.unreadable(text)
      reports.add(.impossibleDate, node.range, fault.sentence, fault.suggestions.map(FilterFormatter.quoted))
    case .column: adviseOfUnit(node, modifier, of: function)
    default: break
    }
  }

  /// Rejects a number that SQLite reads as days since 4714 BC, and that results in an implausible day.
  private mutating func checkDay(_ number: Double, _ node: FilterSyntax, of function: TypedFunction) {
    guard number < Self.firstLikelyDay || number > Self.lastDay else { return }
    let text = source(node)
    let replacements: [String] =
      switch number {
      case 1000..<3000 where text.utf8.count == 4: ["\(text)-01-01"]
      case 100_000_000..<100_000_000_000: ["\(text), 'unixepoch'"]
      case 100_000_000_000...: ["\(text) / 1000, 'unixepoch'"]
      default: []
      }
    let day = DateConstant.value("date", [.real(number)])?.text
    let meaning = day.map { ", \($0)" } ?? ", which is too large"
    reports.add(
      .impossibleDate, node.range, "\(function.name) reads \(text) as a Julian day\(meaning).",
      hint: "Write a date as 1997-01-31.", replacements)
  }

  /// Adds a hint that the function reads the numbers of a column in another unit.
  private mutating func adviseOfUnit(_ node: FilterSyntax, _ modifier: FilterSyntax?, of function: TypedFunction) {
    guard let column = columns.compared(with: node), let unit = column.sample.unit else { return }
    guard column.sample.hasNumbers, !column.sample.hasTexts else { return }
    let word = modifier?.text?.lowercased()
    let (isRight, replacement): (Bool, String?) =
      switch unit {
      case .seconds: (word == "unixepoch" || word == "auto", word == nil ? "\(source(node)), 'unixepoch'" : nil)
      case .milliseconds: (false, word == nil && column.type.isNumber ? "\(source(node)) / 1000, 'unixepoch'" : nil)
      case .julianDays: (word != "unixepoch", nil)
      default: (false, nil)
      }
    if isRight { return }
    let taken = word == "unixepoch" ? "seconds" : "Julian days"
    advice.append(
      FilterHint(
        range: node.range, sentence: "\(column.name) holds \(unit.phrase), but \(function.name) reads them as \(taken).",
        replacements: replacement.map { [FilterReplacement(node.range, $0)] } ?? []))
  }

  /// Rejects a call with constant operands that returns NULL.
  private mutating func checkWhole(_ function: TypedFunction, _ operands: [FilterSyntax], _ values: [TypedExpression]) {
    guard let first = operands.first, let last = operands.last, operands.allSatisfy({ $0.isLiteral && !$0.isNull }) else { return }
    guard let call = try? function.call(values), DateConstant.value(call) == .null else { return }
    reports.add(.impossibleDate, first.range.lowerBound..<last.range.upperBound, "\(function.name) returns NULL for these values.")
  }
}

/// The evaluation of constant arguments of date functions.
enum DateConstant {
  /// An empty database for evaluation; nil if there is not enough memory.
  private static let database = try? DatabaseQueue()

  /// Returns the result of a call with constants; nil if it could not be evaluated.
  static func value(_ call: TypedExpression) -> DatabaseValue? {
    let sql: SQLText = "SELECT \(call.expression.sqlText)"
    return try? database?.read { db in try Row.fetchOne(db, literal: sql)?.databaseValues.first }
  }

  /// Returns the result of a function for these values.
  static func value(_ function: String, _ values: [DatabaseValue]) -> DatabaseValue? {
    (try? TypedFunction.named(function)?.call(values.map { TypedExpression(literal: $0) })).flatMap(value)
  }

  static func isNull(_ function: String, _ values: [DatabaseValue]) -> Bool { value(function, values) == .null }

  private static let units = ["day", "hour", "minute", "second", "month", "year"].flatMap { [$0, $0 + "s"] }
  private static let others = ["start of month", "start of year", "start of day", "unixepoch", "julianday", "auto", "localtime", "utc"]

  /// Returns the modifiers probably intended by an invalid one: `+1 month` for `+1 mnth`, `+14 days` for `+2 weeks`.
  static func modifiers(like text: String) -> [String] {
    let words = text.lowercased().split { $0 == " " }.map(String.init)
    guard let first = words.first, let number = Int(first) else { return NearestNames.to(text, among: others, limit: 1) }
    let sign = number < 0 ? "" : "+"
    guard words.count == 2 else { return words.count == 1 && text.first?.isNumber != true ? ["\(sign)\(number) days"] : [] }
    switch words[1] {
    case "week", "weeks": return number.magnitude < 1_000_000 ? ["\(sign)\(number * 7) days"] : []
    case "quarter", "quarters": return number.magnitude < 1_000_000 ? ["\(sign)\(number * 3) months"] : []
    default: break
    }
    let near = units.filter { $0.hasPrefix(words[1]) } + NearestNames.to(words[1], among: units, limit: 1)
    return near.prefix(1).map { "\(sign)\(number) \($0)" }
  }
}

extension DatabaseValue {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
