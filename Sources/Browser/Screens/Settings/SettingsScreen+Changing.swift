import QuarryEngine
import Terminal

/// The changes of a line: its choices, and the field in which a value is typed.
extension SettingsScreen {
  // MARK: Choosing

  /// Returns the choices of a line; nil for a number.
  func choices(of key: SettingKey, _ environment: ScreenEnvironment) -> ChoiceLine? {
    switch value(of: key, environment) {
    case .flag(let flag): return ChoiceLine(labels: ["yes", "no"], chosen: flag ? 0 : 1)
    case .text(let text):
      let labels = labelTable(of: key)?.columns ?? themes
      return ChoiceLine(labels: labels, chosen: labels.firstIndex { $0.isSameIdentifier(as: text) } ?? labels.count)
    case .number: return nil
    }
  }

  /// Selects a choice of a line by its index.
  mutating func choose(_ index: Int, of key: SettingKey, _ context: inout ScreenContext<Self>) {
    guard let choices = choices(of: key, context.environment), choices.labels.indices.contains(index) else { return }
    let isFlag = if case .flag = value(of: key, context.environment) { true } else { false }
    change(key, to: isFlag ? .flag(index == 0) : .text(choices.labels[index]), &context)
  }

  /// Selects the next or the previous value of the current line.
  mutating func choose(by step: Int, _ context: inout ScreenContext<Self>) {
    if case .setting(let name) = key, case .number(let number) = value(of: key, context.environment), let range = name.numbers {
      return change(key, to: .number(min(max(number + step * name.step, range.lowerBound), range.upperBound)), &context)
    }
    guard let choices = choices(of: key, context.environment), !choices.labels.isEmpty else { return }
    let count = choices.labels.count
    // An unknown theme and several columns are not among the choices.
    let index = choices.chosen < count ? choices.chosen + step : step > 0 ? 0 : count - 1
    choose((index % count + count) % count, of: key, &context)
  }

  mutating func restoreDefault(_ context: inout ScreenContext<Self>) { change(key, to: nil, &context) }

  // MARK: Typing

  /// Whether the value of the current line can be typed.
  var isTyped: Bool {
    switch key {
    case .setting(let name): name.numbers != nil
    case .label: true
    }
  }

  /// Opens the field with the current value.
  mutating func type(_ context: inout ScreenContext<Self>) {
    guard field == nil, isTyped else { return }
    begin(TextField(value(of: key, context.environment).plainText))
  }

  private mutating func begin(_ text: TextField) {
    formerChanges = changes
    field = text
  }

  mutating func edit<Result>(_ context: inout ScreenContext<Self>, _ change: (inout TextField) -> Result) -> Result? {
    guard isTyped, field != nil || labelTable(of: key) == nil else { return nil }
    var text = field ?? TextField()
    let result = change(&text)
    let isNumber = labelTable(of: key) == nil
    let isInvalid = isNumber && (text.characters.count > Self.mostDigits || !text.characters.allSatisfy { ("0"..."9").contains($0) })
    guard !isInvalid else { return nil }
    if field == nil { begin(text) } else { field = text }
    if case .success(let value) = typed, !isNumber || !text.isEmpty { self.change(key, to: value, &context) }
    return result
  }

  private static let mostDigits = 9

  /// The value in the field, which is nil for the default, or the reason why it is not valid.
  private var typed: Result<SettingValue?, Problem> {
    let text = field?.text ?? ""
    switch key {
    case .setting(let name):
      if text.isEmpty { return .success(nil) }
      let number = Int(text) ?? -1
      return name.complaint(about: .number(number)).map { .failure(Problem($0)) } ?? .success(.number(number))
    case .label:
      return Result { () throws(Problem) in
        let columns = try labelTable(of: key)?.columns(in: text) ?? ""
        return columns.isEmpty ? nil : .text(columns)
      }
    }
  }

  /// Ends typing; returns false, with a notice, if the value is not valid.
  mutating func endTyping(_ context: inout ScreenContext<Self>) -> Bool {
    guard field != nil else { return true }
    if case .failure(let problem) = typed {
      context.notify(problem.text, .warning)
      return false
    }
    field = nil
    return true
  }
}

extension SettingName {
  /// The amount by which an arrow key changes a number.
  fileprivate var step: Int { self == .changesLimit ? 64 : 1 }
}
