import Essentials
import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal

extension ParameterForm: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { .form }
  var placement: ScreenPlacement { .grid(rows: leastRows) }
  func purpose(in workspace: Workspace) -> String {
    "A value for each parameter. Its type comes from the column that it is compared with. Enter accepts the values, Esc goes back."
  }
  func helpTitle(in workspace: Workspace) -> String { "Keys in the form" }

  mutating func start(_ context: inout ScreenContext<Self>) { loadChoices(&context) }

  static let commands: [CommandBinding<Self>] = [
    CommandBinding(.accept, "Accept the selected item or the text", keys: [.form: ["enter", "f5"]], hint: "run") { form, context, _ in
      form.submit(&context)
    },
    CommandBinding(.nextPane, "Go to the next pane", hint: "next field") { form, context, _ in form.move(by: 1, &context) },
    CommandBinding(.previousPane, "Go to the previous pane") { form, context, _ in form.move(by: -1, &context) },
    CommandBinding(.moveDown, "Move down", keys: [.form: ["down"]]) { form, context, _ in form.move(by: 1, &context) },
    CommandBinding(.moveUp, "Move up", keys: [.form: ["up"]]) { form, context, _ in form.move(by: -1, &context) },
    CommandBinding(.nextChoice, "Fill in the next suggestion", keys: [.form: ["alt-down"]], hint: "value", hintedWhen: hasOffers) {
      form, _, _ in
      form.choose(by: 1)
    },
    CommandBinding(.previousChoice, "Fill in the previous suggestion", keys: [.form: ["alt-up"]]) { form, _, _ in form.choose(by: -1) },
    CommandBinding(.changeType, "Read the field as another type", keys: [.form: ["alt-t"]], hint: "type") { form, _, _ in form.changeType()
    },
    CommandBinding(.parameters, "Fill in the parameters again", unless: { _, _ in "the form is already open" }) { _, _, _ in },
  ]

  private static func hasOffers(_ form: ParameterForm, _: ScreenEnvironment) -> Bool {
    form.current?.offers.isEmpty == false
  }

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    edit { $0.handle(key) }
    return true
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    var left = 0
    edit { field in
      left = field.insert(text)
      return true
    }
    context.notifyLeftOut(left)
  }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    if let field = field(at: point, area: area) { select(field) }
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    if !isAccepted { context.then(cancel(self)) }
  }

  private mutating func move(by step: Int, _ context: inout ScreenContext<Self>) {
    move(by: step)
    loadChoices(&context)
  }

  /// Submits the arguments, after checking the files among them.
  private mutating func submit(_ context: inout ScreenContext<Self>) {
    guard let inputs = self.inputs() else { return loadChoices(&context) }
    let files = inputs.files
    guard let first = files.keys.min() else { return accept(inputs, &context) }
    guard takesFiles else { return refuse(first, "a filter cannot use a file: write the bytes in hexadecimal") }
    context.ask(CheckFiles(paths: files)) { form, context, result in
      // Text typed in the meantime must be checked again.
      guard case .success(let faults) = result, let inputs = form.inputs(), inputs.files == files else { return }
      if faults.isEmpty { return form.accept(inputs, &context) }
      for (identity, fault) in faults.sorted(by: { $0.key > $1.key }) { form.refuse(identity, fault) }
    }
  }

  private mutating func accept(_ inputs: [String: ParameterInput], _ context: inout ScreenContext<Self>) {
    isAccepted = true
    context.close()
    context.then(accept(inputs))
  }

  /// Requests values for the field under the cursor, only once.
  private func loadChoices(_ context: inout ScreenContext<Self>) {
    guard let field = current, field.offers.isEmpty, let choices = field.parameter.choices else { return }
    let identity = field.parameter.identity
    context.ask(LoadChoices(choices: choices)) { form, _, result in
      if case .success(let values) = result { form.receive(values, for: identity) }
    }
  }
}

extension [String: ParameterInput] {
  /// The paths of the files, by parameter identity.
  fileprivate var files: [String: String] {
    compactMapValues { if case .file(let path) = $0 { path } else { nil } }
  }
}

/// A request that checks whether the files in a form can be read; it answers with the errors, by parameter identity.
struct CheckFiles: Request {
  /// The paths, by parameter identity.
  let paths: [String: String]

  var slot: RequestSlot? { RequestSlot("form files") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [String: String] {
    paths.compactMapValues { path in
      let file = Storage.url(of: path).path
      guard FileManager.default.fileExists(atPath: file) else { return "There is no file “\(path)”." }
      let type = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
      if type == .typeDirectory { return "“\(path)” is a folder: name a file." }
      return FileManager.default.isReadableFile(atPath: file) ? nil : "“\(path)” cannot be read: check its permissions."
    }
  }
}

/// A request that finds the values that can be chosen for a parameter.
struct LoadChoices: Request {
  let choices: ParameterChoices

  var slot: RequestSlot? { RequestSlot("choices") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [DatabaseValue] {
    try await services.statements.values(of: choices, limit: 50)
  }
}
