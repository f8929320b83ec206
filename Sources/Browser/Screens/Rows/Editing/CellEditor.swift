package import QuarryChanges
import QuarryEngine
package import QuarryRows
import Terminal

/// The field that edits the value of a cell.
///
/// It parses the text as the column's type, or as a type that the person chose. It shows the value that will be stored.
package struct CellEditor: Sendable {
  /// The cell, and the properties of its column.
  package struct Subject: Sendable {
    /// The title of the field: `Country`.
    package var title: String
    /// The cells that receive the value; nil if `accept` receives it.
    var cells: EditedCells?
    var column: ColumnSchema
    /// The way a text is parsed if no type was chosen, and the name of that type.
    var reading: ParameterReading
    var typeName: String
    /// The current value of the cell; nil if cells with different values are edited together.
    var value: StagedValue?
    /// Whether the column's DEFAULT can be stored: in a new row, or if the column declares one.
    var takesDefault = false
    /// The position of the cell on the screen.
    var anchor: Rect
    /// The handler of a value for another screen than the rows, where expressions and files are not possible.
    var accept: Handler<StoredValue>?
  }

  /// The type as which the text is parsed.
  enum Reading: Hashable, Sendable {
    /// The column's type.
    case column
    case type(ParameterType)
    case defaultValue
  }

  package let subject: Subject
  package private(set) var editor: EditorPane
  private(set) var reading: Reading
  private(set) var error: String?
  /// The values found so far that match the text.
  package private(set) var choices: [ColumnChoice] = []
  /// The texts that are ambiguous because values of several types have them: the integer and the text `7`.
  private var ambiguousTexts: Set<String> = []
  private(set) var chosen: Int?
  /// The results of an expression for the first rows.
  private(set) var previews: [PreviewExpression.Line] = []
  /// The initial text and reading of the field.
  private let original: (text: String, reading: Reading)
  /// Whether the old value is selected: until the first input or the first move of the caret.
  private var selectsOldValue = true
  private let firstRevision: Int
  /// The parsed text, parsed only once per change because a text may be long.
  private var written: Result<CellInput, ParameterError> = .success(.value(.value(.null)))
  /// The number of times that the text was parsed.
  package private(set) var readings = 0
  /// The line ending of the text in the file.
  private let lineEnd: String
  /// The spacing of the stored JSON text, which the field shows in indented lines; nil for any other text.
  private let spacing: JSONSpacing?
  /// The violation of the table's constraints, if it can be detected before the value is written.
  private(set) var fault: String?
  /// Whether the warning has been shown after Enter, so that the next Enter stages the value anyway.
  private(set) var isWarned = false

  init(_ subject: Subject) {
    self.subject = subject
    let text = subject.value?.text ?? ""
    lineEnd = text.hasOnlyCRLF ? "\r\n" : "\n"
    let json = subject.value.flatMap(\.jsonLine)
    spacing = json?.spacing
    editor = EditorPane(text: json?.layout.indentedText ?? text, isSQL: false)
    editor.change { $0.selectAll() }
    reading = subject.value.map { Self.reading(of: $0, by: subject.reading, text: text) } ?? .column
    original = (editor.text, reading)
    firstRevision = editor.revision
    read()
  }

  /// Returns the reading that parses the text of a value back to that value.
  private static func reading(of value: StagedValue, by reading: ParameterReading, text: String) -> Reading {
    if case .file = value { return .type(.blob) }
    guard case .value(let value) = value else { return .defaultValue }
    if value == .null { return .column }
    return (try? reading.value(of: text, replacing: value)) == value ? .column : .type(value.parameterType)
  }

  // MARK: The entered value

  /// Whether several cells are edited together and no value has been entered yet.
  var lacksValue: Bool { subject.value == nil && editor.revision == firstRevision && reading == original.reading }

  /// Whether the text and the type are unchanged.
  private var isUntouched: Bool {
    guard reading == original.reading, editor.revision != firstRevision else { return reading == original.reading }
    return editor.byteCount == original.text.utf8.count && editor.text == original.text
  }

  /// The name of a value without text: `NULL`, `DEFAULT`; nil for a text.
  var nameOfNoText: String? {
    switch reading {
    case .defaultValue: "DEFAULT"
    case .type(.null): "NULL"
    case .column where isUntouched && subject.value == .value(.null): "NULL"
    case .column, .type: nil
    }
  }

  /// Returns the entered value.
  ///
  /// - Throws: `ParameterError` if the text is not a value of the type.
  package func input() throws(ParameterError) -> CellInput { try written.get() }

  private mutating func read() {
    readings += 1
    do throws(ParameterError) { written = .success(try readInput()) } catch { written = .failure(error) }
  }

  private func readInput() throws(ParameterError) -> CellInput {
    if isUntouched, let value = subject.value { return .value(value) }
    if let spacing, reading == original.reading { return .value(.value(.text(try jsonText(spacing)))) }
    let text = lineEnd == "\n" ? editor.text : editor.text.replacing("\n", with: lineEnd)
    switch reading {
    case .defaultValue: return .value(.defaultValue)
    case .type(.null): return .value(.value(.null))
    case .type(.blob) where text.hasPrefix("@"): return .file(String(text.dropFirst()))
    case .type(let type): return .value(.value(try type.value(of: text)))
    case .column: return try subject.input(text)
    }
  }

  /// Returns the edited JSON as one line, with the original spacing.
  private func jsonText(_ spacing: JSONSpacing) throws(ParameterError) -> String {
    _ = try ParameterReading(type: .json, expression: nil).value(of: editor.text)
    return JSONLayout(editor.text)?.text(spacing) ?? editor.text
  }

  /// A description of the value that will be stored, or of the error in the text.
  package var report: (text: String, isFault: Bool) {
    if let error = error ?? fault { return (error, true) }
    if lacksValue { return ("one value for all of them", false) }
    do throws(ParameterError) {
      let input = try input()
      if leavesNumberToSQLite(input) { return ("will be stored: the next number", false) }
      if input == .expression("") { return ("an expression on the row, such as \(subject.exampleOfExpression)", false) }
      return (isUntouched ? input.presentWords : input.words, false)
    } catch {
      return (error.reason ?? "expected here: \(error.expected)", true)
    }
  }

  /// Returns whether SQLite will choose the INTEGER PRIMARY KEY of a new row for this input.
  private func leavesNumberToSQLite(_ input: CellInput) -> Bool {
    guard subject.column.isRowID, case .new? = subject.cells?.onlyRow else { return false }
    return input == .value(.value(.null)) || input == .value(.defaultValue)
  }

  /// The name of the type: `text`, `NULL`.
  var typeName: String {
    switch reading {
    case _ where spacing != nil && reading == original.reading: "json"
    case .column: subject.typeName
    case .type(.null): "NULL"
    case .type(let type): type.rawValue
    case .defaultValue: "DEFAULT"
    }
  }

  // MARK: Changes

  /// Changes the text; typing replaces NULL and DEFAULT.
  ///
  /// - Parameter replacing: Whether the change replaces the old value if it is selected; otherwise it edits the value.
  mutating func edit<Result>(replacing: Bool = false, _ change: (inout EditorPane) -> Result) -> Result {
    if selectsOldValue, !replacing { editor.clearSelection() }
    selectsOldValue = false
    let before = editor.revision
    let result = change(&editor)
    guard editor.revision != before else { return result }
    chosen = nil
    forgetFaults()
    if reading == .defaultValue || reading == .type(.null) { reading = .column }
    read()
    return result
  }

  /// Selects the next type.
  mutating func changeType() {
    let types = ParameterType.allCases.filter { $0 != .null }.map(Reading.type)
    let all = [.column] + types + [.type(.null)] + (subject.takesDefault ? [.defaultValue] : [])
    reading = all[((all.firstIndex(of: reading) ?? 0) + 1) % all.count]
    read()
    forgetFaults()
  }

  /// Sets NULL, regardless of the text.
  mutating func setNull() {
    reading = .type(.null)
    read()
    forgetFaults()
  }

  private mutating func forgetFaults() { (error, fault, isWarned) = (nil, nil, false) }

  mutating func refuse(_ sentence: String) { error = sentence }

  mutating func warn(_ sentence: String) { (error, isWarned) = (sentence, true) }

  mutating func receive(fault: String?) { self.fault = fault }

  mutating func layOut(columns: Int, rows: Int) {
    editor.extent = GridExtent(rows: rows, columns: columns)
  }

  // MARK: Choices

  mutating func receive(_ choices: [ColumnChoice]) {
    (self.choices, chosen, previews) = (choices, nil, [])
    let values = Dictionary(grouping: Set(choices.map(\.value)), by: \.plainText)
    ambiguousTexts = Set(values.filter { $1.count > 1 }.keys)
  }

  /// Returns the display text of a choice, or its SQL literal (`'7'`) if a choice of another type has the same text.
  package func text(of choice: ColumnChoice) -> String {
    let text = choice.value.plainText
    return ambiguousTexts.contains(text) ? choice.value.sqlLiteral : text
  }

  /// Returns a choice with its label, as one line.
  func line(of choice: ColumnChoice) -> String { choice.label.map { "\(text(of: choice))  \($0)" } ?? text(of: choice) }

  mutating func receive(_ previews: [PreviewExpression.Line]) {
    (choices, chosen) = ([], nil)
    self.previews = previews
  }

  /// The entered expression; nil for a value.
  var expression: String? {
    if case .expression(let text)? = try? input() { text } else { nil }
  }

  /// Fills in the next or the previous choice.
  mutating func choose(by step: Int) {
    guard !choices.isEmpty else { return }
    let index = chosen.map { ($0 + step + choices.count) % choices.count } ?? (step > 0 ? 0 : choices.count - 1)
    let value = choices[index].value
    selectsOldValue = false
    editor.replaceText(value.parameterText)
    editor.change { $0.move(.bottom) }
    reading = (try? subject.reading.value(of: value.parameterText, replacing: nil)) == value ? .column : .type(value.parameterType)
    chosen = index
    read()
    forgetFaults()
  }
}

/// The input in the field of a cell.
package enum CellInput: Hashable, Sendable {
  case value(StagedValue)
  /// The content of a file.
  case file(String)
  /// The text of an expression over the columns of the row, in the filter language.
  case expression(String)

  /// The description of the stored value: `stored: text '007'`.
  fileprivate var presentWords: String {
    if case .value(let value) = self { "stored: \(value.words)" } else { words }
  }

  /// The description of the value that will be stored: `will be stored: text '007'`.
  fileprivate var words: String {
    switch self {
    case .value(let value): "will be stored: \(value.words)"
    case .file(let path): "will be stored: the bytes of the file \(path)"
    case .expression(let text): "will be computed: \(text)"
    }
  }
}

extension CellEditor.Subject {
  /// An expression with the column of the cell: `=upper(Title)`.
  var exampleOfExpression: String {
    let name = FilterSyntax(.column(column.name))
    return switch column.affinity {
    case .text: "=upper(\(name))"
    case .blob: "=hex(\(name))"
    case .integer, .real, .numeric: "=\(name) * 2"
    }
  }

  /// Returns the input that a text represents, parsed as the column's type.
  ///
  /// - Throws: `ParameterError` if the text is not a value of the type.
  func input(_ text: String) throws(ParameterError) -> CellInput {
    if text.hasPrefix("=") { return .expression(String(text.dropFirst())) }
    let text = text.hasPrefix("'=") ? String(text.dropFirst()) : text
    if reading.expression == .blob || reading.type == .blob, text.hasPrefix("@") { return .file(String(text.dropFirst())) }
    return .value(.value(try reading.value(of: text, replacing: value?.stored?.value)))
  }
}

extension StagedValue {
  /// The layout and the spacing of a JSON object or array stored as one line of text; nil for any other value.
  fileprivate var jsonLine: (layout: JSONLayout, spacing: JSONSpacing)? {
    guard case .value(.text(let text)) = self, let layout = JSONLayout(text) else { return nil }
    return JSONSpacing.allCases.first { layout.text($0) == text }.map { (layout, $0) }
  }

  /// The text that a field shows for the value.
  var text: String {
    switch self {
    case .value(let value): value.parameterText
    case .rawText(let bytes): String(decoding: bytes, as: UTF8.self)
    case .file(let file): "@\(file.path)"
    case .defaultValue: ""
    }
  }

  /// The storage class and the display text of the value: `integer 7`, `text '007'`, `NULL`, `blob 16 B`.
  var words: String {
    switch self {
    case .defaultValue: "DEFAULT"
    case .file(let file): "the \(BlobKind.size(file.size)) of the file \(file.path)"
    case .rawText(let bytes): "text, \(Plural.of(bytes.count, "byte")) that are not UTF-8"
    case .value(.null): "NULL"
    case .value(.integer(let number)): "integer \(number)"
    case .value(.real): "real \(text)"
    case .value(.blob(let bytes)): BlobKind.describe(bytes, byteCount: bytes.count)
    case .value(.text(let text)):
      text.dropFirst(60).isEmpty && !text.contains(where: \.isNewline) ? "text '\(text)'" : "text of \(text.sizeInWords)"
    }
  }
}

extension ParameterReading {
  /// Returns the value of a text for a cell with an old value.
  ///
  /// If the column accepts any type, an old text remains a text.
  func value(of text: String, replacing old: DatabaseValue?) throws(ParameterError) -> DatabaseValue {
    if type == nil, expression ?? .any == .any, case .text? = old { return .text(text) }
    return try value(of: text)
  }
}

extension String {
  /// The number of characters; the size in bytes for a long text, because counting its characters is slow.
  fileprivate var sizeInWords: String {
    utf8.count > CellEditor.longest ? BlobKind.size(utf8.count) : Plural.of(count, "character")
  }

  /// Whether all lines end with CR and LF.
  fileprivate var hasOnlyCRLF: Bool {
    var (feeds, previous): (Int, UInt8) = (0, 0)
    for byte in utf8 {
      if byte == 0x0A {
        guard previous == 0x0D else { return false }
        feeds += 1
      }
      previous = byte
    }
    return feeds > 0
  }
}
