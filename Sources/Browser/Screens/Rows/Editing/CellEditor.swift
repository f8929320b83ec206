package import QuarryChanges
import QuarryEngine
package import QuarryRows
import Terminal

/// The field in which a cell's value is written: it is read as the column's type, or as one that was chosen, and tells what will be stored.
package struct CellEditor: Sendable {
  /// The cell, and what is known of its column.
  package struct Subject: Sendable {
    /// What the field is for: `Country`.
    package var title: String
    /// The cells that the value is for.
    var cells: EditedCells
    var column: ColumnSchema
    /// How a text is read where no type was chosen, and what that is called.
    var reading: ParameterReading
    var typeName: String
    /// The value that the cell has; nil where cells with different values are changed together.
    var value: StagedValue?
    /// Whether the column's DEFAULT can be stored: in new rows, and where one is declared.
    var takesDefault = false
    /// Where the cell is on the screen.
    var anchor: Rect
  }

  /// How the text is read.
  enum Reading: Hashable, Sendable {
    /// As the column's type says.
    case column
    case type(ParameterType)
    case defaultValue
  }

  package let subject: Subject
  package private(set) var editor: EditorPane
  private(set) var reading: Reading
  private(set) var error: String?
  /// The values to choose from that fit what was written, as far as they have been found.
  package private(set) var choices: [ColumnChoice] = []
  /// The texts that values of several types among them have: `7` of an integer and a text.
  private var ambiguousTexts: Set<String> = []
  private(set) var chosen: Int?
  /// What an expression makes of the first rows.
  private(set) var previews: [PreviewExpression.Line] = []
  /// What the field had at first.
  private let original: (text: String, reading: Reading)
  /// Whether the old value is selected, as it is until something is typed or a key has moved the caret.
  private var selectsOldValue = true
  private let firstRevision: Int
  /// What was written, read once after each change: a text may be long.
  private var written: Result<CellInput, ParameterError> = .success(.value(.value(.null)))
  /// The number of times that it was read.
  package private(set) var readings = 0
  /// What a line of the text ends with in the file.
  private let lineEnd: String
  /// Where the JSON text in the file has blanks, which the field shows in indented lines; nil for any other text.
  private let spacing: JSONSpacing?
  /// What is wrong with the value by the table's rules, as far as that can be told before it is written.
  private(set) var fault: String?
  /// Whether that has been shown in answer to Enter, so that the next one stages the value all the same.
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

  /// Returns the reading that gives a value back from its text.
  private static func reading(of value: StagedValue, by reading: ParameterReading, text: String) -> Reading {
    if case .file = value { return .type(.blob) }
    guard case .value(let value) = value else { return .defaultValue }
    if value == .null { return .column }
    return (try? reading.value(of: text, replacing: value)) == value ? .column : .type(value.parameterType)
  }

  // MARK: What was written

  /// Whether cells are changed together, and no value has been written for them.
  var lacksValue: Bool { subject.value == nil && editor.revision == firstRevision && reading == original.reading }

  /// Whether nothing has been changed.
  private var isUntouched: Bool {
    guard reading == original.reading, editor.revision != firstRevision else { return reading == original.reading }
    return editor.byteCount == original.text.utf8.count && editor.text == original.text
  }

  /// What stands in the place of a text where none is stored: `NULL`, `DEFAULT`.
  var nameOfNoText: String? {
    switch reading {
    case .defaultValue: "DEFAULT"
    case .type(.null): "NULL"
    case .column where isUntouched && subject.value == .value(.null): "NULL"
    case .column, .type: nil
    }
  }

  /// Returns what was written.
  ///
  /// - Throws: `ParameterError` for a text that is no value of the type.
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

  /// Returns the JSON that was written, in one line as it was.
  private func jsonText(_ spacing: JSONSpacing) throws(ParameterError) -> String {
    _ = try ParameterReading(type: .json, expression: nil).value(of: editor.text)
    return JSONLayout(editor.text)?.text(spacing) ?? editor.text
  }

  /// What will be stored, or what is wrong with the text.
  package var report: (text: String, isFault: Bool) {
    if let error = error ?? fault { return (error, true) }
    if lacksValue { return ("one value for all of them", false) }
    do throws(ParameterError) {
      let input = try input()
      if leavesNumberToSQLite(input) { return ("will be stored: the next number", false) }
      return (isUntouched ? input.presentWords : input.words, false)
    } catch {
      return (error.reason ?? "expected here: \(error.expected)", true)
    }
  }

  /// Whether an input leaves the INTEGER PRIMARY KEY of a new row to SQLite.
  private func leavesNumberToSQLite(_ input: CellInput) -> Bool {
    guard subject.column.isRowID, case .new? = subject.cells.onlyRow else { return false }
    return input == .value(.value(.null)) || input == .value(.defaultValue)
  }

  /// The type in a word: `text`, `NULL`.
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

  /// Changes the text; NULL and DEFAULT give way to what is written.
  ///
  /// - Parameter replacing: Whether the old value is replaced while it is selected; else it is edited.
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

  /// Changes to the next type.
  mutating func changeType() {
    let types = ParameterType.allCases.filter { $0 != .null }.map(Reading.type)
    let all = [.column] + types + [.type(.null)] + (subject.takesDefault ? [.defaultValue] : [])
    reading = all[((all.firstIndex(of: reading) ?? 0) + 1) % all.count]
    read()
    forgetFaults()
  }

  /// Stores NULL, whatever is written.
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

  /// Returns a value of the list as a person reads it; as SQL has it, `'7'`, where a value of another type looks the same.
  package func text(of choice: ColumnChoice) -> String {
    let text = choice.value.plainText
    return ambiguousTexts.contains(text) ? choice.value.sqlLiteral : text
  }

  /// Returns a value of the list with its label, in a line.
  func line(of choice: ColumnChoice) -> String { choice.label.map { "\(text(of: choice))  \($0)" } ?? text(of: choice) }

  mutating func receive(_ previews: [PreviewExpression.Line]) {
    (choices, chosen) = ([], nil)
    self.previews = previews
  }

  /// The expression that is written; nil for a value.
  var expression: String? {
    if case .expression(let text)? = try? input() { text } else { nil }
  }

  /// Fills in the next or the previous of the values to choose from.
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

/// What was written into the field of a cell.
package enum CellInput: Hashable, Sendable {
  case value(StagedValue)
  /// The content of a file.
  case file(String)
  /// What is computed from the row's own columns, in the filter language.
  case expression(String)

  /// What is stored now, in words: `stored: text '007'`.
  fileprivate var presentWords: String {
    if case .value(let value) = self { "stored: \(value.words)" } else { words }
  }

  /// What will be stored, in words: `will be stored: text '007'`.
  fileprivate var words: String {
    switch self {
    case .value(let value): "will be stored: \(value.words)"
    case .file(let path): "will be stored: the bytes of the file \(path)"
    case .expression(let text): text.isEmpty ? "an expression over the row's columns, as =upper(Name)" : "will be computed: \(text)"
    }
  }
}

extension CellEditor.Subject {
  /// Returns what a text means that is read as the column's type.
  ///
  /// - Throws: `ParameterError` for a text that is no value of the type.
  func input(_ text: String) throws(ParameterError) -> CellInput {
    if text.hasPrefix("=") { return .expression(String(text.dropFirst())) }
    let text = text.hasPrefix("'=") ? String(text.dropFirst()) : text
    if reading.expression == .blob || reading.type == .blob, text.hasPrefix("@") { return .file(String(text.dropFirst())) }
    return .value(.value(try reading.value(of: text, replacing: value?.stored?.value)))
  }
}

extension StagedValue {
  /// A JSON object or array that is a text of one line, and where this has blanks; nil for another value.
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

  /// The value with its storage class, as a person reads it: `integer 7`, `text '007'`, `NULL`, `blob 16 B`.
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
  /// Returns the value that a text means in a cell that has another one: where the column leaves it open, a text stays one.
  func value(of text: String, replacing old: DatabaseValue?) throws(ParameterError) -> DatabaseValue {
    if type == nil, expression ?? .any == .any, case .text? = old { return .text(text) }
    return try value(of: text)
  }
}

extension String {
  /// The number of characters, or for a long text, whose characters take long to count, its size.
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
