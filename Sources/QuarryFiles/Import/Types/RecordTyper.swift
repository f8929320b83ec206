internal import QuarryEngine

/// Decides the types of the columns of one table as its records come, and makes numbers of the fields that spell some.
///
/// A field becomes a number only where the number reads back as the field is written, so that it can be made a text again where a later
/// value shows that its column is one of texts.
final class RecordTyper: @unchecked Sendable {
  // Sendable because one thread at a time has it: the one that reads the file.

  /// How the type of a column is decided.
  enum Rule: Hashable {
    /// The values tell it.
    case found
    /// A person, or the column of the table, tells it.
    case given(ImportType)
    /// The column is not imported.
    case none
  }

  /// Values of which their column makes other numbers, or numbers that are written otherwise, such as 7 of `007`.
  struct Alterations {
    var count = 0
    var firstLine = 0
    var firstText = ""
  }

  fileprivate struct Column {
    let name: String
    let isOfText: Bool
    var rule: Rule
    var alterations = Alterations()
    var inference: ColumnTypeInference

    var type: ImportType {
      switch rule {
      case .found: inference.type
      case .given(let type): type
      case .none: .any
      }
    }
  }

  private let isOfText: Bool
  private let rule: (RecordColumn) -> Rule
  private var columns: [Column] = []

  /// Makes what types the records of a table.
  ///
  /// - Parameters:
  ///   - isOfText: Whether the fields are those of a separated text.
  ///   - rule: Tells how the type of a column is decided; it is asked once for each.
  init(isOfText: Bool, rule: @escaping (RecordColumn) -> Rule) {
    self.isOfText = isOfText
    self.rule = rule
  }

  /// The types as far as they are known.
  var types: [ImportType] { columns.map(\.type) }

  /// What the columns make other numbers of, in sentences.
  var notes: [String] {
    columns.filter { $0.alterations.count > 0 }.map { column in
      let (count, first) = (column.alterations.count, column.alterations)
      return """
        \(column.name) is a column of numbers, which keeps no zeros, signs, exponents or long fractions: \(Plural.of(count, "value")) \
        \(count == 1 ? "is" : "are") stored otherwise, the first “\(first.firstText)” of line \(Plural.grouped(first.firstLine))
        """
    }
  }

  /// Takes the values of records into account, and makes numbers of those that spell some.
  func type(_ batch: RecordBatch) {
    for column in batch.table.columns.dropFirst(columns.count) {
      let inference = ColumnTypeInference(isOfText: isOfText)
      columns.append(Column(name: column.name, isOfText: isOfText, rule: rule(column), inference: inference))
    }
    for index in 0..<batch.columnCount {
      switch columns[index].rule {
      case .none, .given(.text): continue
      // What a separated text has is bytes only where it is written as such.
      case .given(.blob) where isOfText: continue
      case .given: columns[index].makeNumbers(in: batch, at: index)
      case .found: columns[index].inference.add(batch, at: index)
      }
    }
  }

  /// Settles the columns whose types were found by what is in them so far.
  ///
  /// What a separated text has later is stored as a text in a column of texts, and in any other as a number where it spells one. JSON tells
  /// numbers from texts itself.
  func settle() {
    for index in columns.indices where columns[index].rule == .found {
      columns[index].rule = .given(isOfText && columns[index].type == .text ? .text : .any)
    }
  }
}

extension RecordTyper.Column {
  /// Makes numbers of the fields of a column that spell some; the others stay.
  ///
  /// Values that the column changes are counted.
  fileprivate mutating func makeNumbers(in batch: RecordBatch, at index: Int) {
    let type = type
    for record in 0..<batch.count {
      let field = batch.number(record, index, isOfText: isOfText)
      if type.isNumber, let text = batch.text(of: field, changedBy: type) { alterations.add(text, on: batch.line(of: record)) }
    }
  }
}

extension RecordTyper.Alterations {
  /// Counts a value.
  fileprivate mutating func add(_ text: @autoclosure () -> String, on line: Int) {
    if count == 0 { (firstLine, firstText) = (line, text()) }
    count += 1
  }
}

extension RecordBatch {
  /// Puts a number in the place of a field that spells one, and returns what the field is then.
  @inline(__always)
  fileprivate func number(_ record: Int, _ column: Int, isOfText: Bool) -> RecordField {
    let field = field(record, column)
    guard field.kind == .plain, let number = RecordField(spelledBy: bytes(of: field), isOfText: isOfText) else { return field }
    replaceField(record, column, by: number)
    return number
  }

  /// Returns the text of a value of which a column of numbers makes another one; nil where it keeps the value.
  fileprivate func text(of field: RecordField, changedBy type: ImportType) -> String? {
    switch field.kind {
    case .null, .blob, .real: return nil
    case .integer: return type == .real && LosslessNumber.isRounded(asReal: field.integer) ? String(field.integer) : nil
    case .plain, .text:
      let bytes = bytes(of: field)
      return NumericText.isNumber(bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }
  }
}

extension RecordField {
  /// Makes the number that bytes spell; nil where they spell none that reads back as it is written.
  ///
  /// - Parameter isOfText: Whether they are a field of a separated text, which has to read back letter by letter. A number of JSON has to
  ///   read back as the same number.
  @inline(__always)
  init?(spelledBy bytes: UnsafeRawBufferPointer, isOfText: Bool) {
    // Digits and the minus sign are below this letter.
    guard let first = bytes.first, first <= UInt8(ascii: "9") else { return nil }
    if isOfText, let integer = LosslessNumber.integer(bytes) {
      self.init(integer: integer)
    } else if let real = isOfText ? LosslessNumber.real(bytes) : ExactDecimal.real(bytes) {
      self.init(real: real)
    } else {
      return nil
    }
  }
}

extension ColumnTypeInference {
  /// Adds the values of a column of records, and makes numbers of the fields that spell some.
  mutating func add(_ batch: RecordBatch, at column: Int) {
    // A column of a separated text that is one of texts stays so.
    if isOfText, type == .text { return }
    var kinds = kinds
    defer { self.kinds = kinds }
    for record in 0..<batch.count {
      let field = batch.number(record, column, isOfText: isOfText)
      switch field.kind {
      case .null: continue
      case .integer: kinds.insert(.integer)
      case .real: kinds.formUnion(.real(field.real))
      case .blob: kinds.insert(.blob)
      case .plain where !isOfText: kinds.insert(.longNumber)
      case .text, .plain:
        kinds.insert(.text)
        if isOfText { return }
      }
    }
  }
}
