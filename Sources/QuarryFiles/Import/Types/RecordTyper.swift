internal import QuarryEngine

/// Infers the column types of one table as its records arrive, and converts the fields of numeric columns to numbers.
///
/// A field becomes a number only if the number is formatted exactly as the field. It can then be converted back to text if a later value
/// shows that the column contains text.
final class RecordTyper: @unchecked Sendable {
  // Sendable because only the thread that reads the file uses it.

  /// How the type of a column is decided.
  enum Rule: Hashable {
    /// The type is inferred from the values.
    case found
    /// The type is set by the user or by the target column.
    case given(ImportType)
    /// The column is not imported.
    case none
  }

  /// Values that the column stores as other numbers or in another notation, for example 7 for `007`.
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

  /// Creates a typer for the records of a table.
  ///
  /// - Parameters:
  ///   - isOfText: Whether the fields come from a delimited text.
  ///   - rule: Returns how the type of a column is decided. Called once per column.
  init(isOfText: Bool, rule: @escaping (RecordColumn) -> Rule) {
    self.isOfText = isOfText
    self.rule = rule
  }

  /// The types inferred so far.
  var types: [ImportType] { columns.map(\.type) }

  /// Sentences about values that the columns store as other numbers.
  var notes: [String] {
    columns.filter { $0.alterations.count > 0 }.map { column in
      let (count, first) = (column.alterations.count, column.alterations)
      return """
        \(column.name) is a column of numbers, which does not preserve zeros, signs, exponents or long fractions: \
        \(Plural.of(count, "value")) \(count == 1 ? "is" : "are") stored differently, \
        the first “\(first.firstText)” on line \(Plural.grouped(first.firstLine))
        """
    }
  }

  /// Updates the types with the values of records, and converts numeric fields to numbers.
  func type(_ batch: RecordBatch) {
    for column in batch.table.columns.dropFirst(columns.count) {
      let inference = ColumnTypeInference(isOfText: isOfText)
      columns.append(Column(name: column.name, isOfText: isOfText, rule: rule(column), inference: inference))
    }
    for index in 0..<batch.columnCount {
      switch columns[index].rule {
      case .none, .given(.text): continue
      // A delimited text contains bytes only if the field is written as such.
      case .given(.blob) where isOfText: continue
      case .given: columns[index].makeNumbers(in: batch, at: index)
      case .found: columns[index].inference.add(batch, at: index)
      }
    }
  }

  /// Fixes the types of the inferred columns to those of the values so far.
  ///
  /// Later values of a delimited text are stored as text in a text column. In any other column they are stored as numbers if they are
  /// numeric. JSON itself distinguishes numbers from text.
  func settle() {
    for index in columns.indices where columns[index].rule == .found {
      columns[index].rule = .given(isOfText && columns[index].type == .text ? .text : .any)
    }
  }
}

extension RecordTyper.Column {
  /// Converts the numeric fields of a column to numbers.
  ///
  /// Other fields are unchanged.
  ///
  /// Counts the values that the column alters.
  fileprivate mutating func makeNumbers(in batch: RecordBatch, at index: Int) {
    let type = type
    for record in 0..<batch.count {
      let written = batch.field(record, index)
      let field = batch.number(record, index, isOfText: isOfText)
      if type.isNumber, batch.isChanged(field, by: type, isOfText: isOfText) {
        alterations.add(batch.text(of: written), on: batch.line(of: record))
      }
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
  /// Replaces a numeric field by its number, and returns the resulting field.
  @inline(__always)
  fileprivate func number(_ record: Int, _ column: Int, isOfText: Bool) -> RecordField {
    let field = field(record, column)
    guard field.kind == .plain, let number = RecordField(spelledBy: bytes(of: field), isOfText: isOfText) else { return field }
    replaceField(record, column, by: number)
    return number
  }

  /// Returns whether a numeric column stores a value as another number, or a field of a delimited text in another notation.
  fileprivate func isChanged(_ field: RecordField, by type: ImportType, isOfText: Bool) -> Bool {
    switch field.kind {
    case .null, .blob: false
    case .integer: type == .real && LosslessNumber.isRounded(asReal: field.integer)
    case .real: field.real.isNegativeZero || isOfText && type != .real && ColumnTypeInference.Kinds.real(field.real) == .wholeReal
    case .plain, .text: NumericText.isNumber(bytes(of: field))
    }
  }

  /// Returns a number as it is written in the file.
  fileprivate func text(of field: RecordField) -> String {
    switch field.kind {
    case .null, .blob: ""
    case .integer: String(field.integer)
    case .real: RealText.shortest(field.real)
    case .plain, .text: String(decoding: bytes(of: field), as: UTF8.self)
    }
  }
}

extension RecordField {
  /// Creates the number that the bytes represent, or returns nil if they do not represent a number that formats back to the same text.
  ///
  /// - Parameter isOfText: Whether the bytes are a field of a delimited text, which must be reproduced character by character. A JSON
  ///   number must only be reproduced as the same number.
  @inline(__always)
  init?(spelledBy bytes: UnsafeRawBufferPointer, isOfText: Bool) {
    // Digits and the minus sign have lower codes than this limit.
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
  /// Adds the values of a column of records, and converts numeric fields to numbers.
  mutating func add(_ batch: RecordBatch, at column: Int) {
    // A text column of a delimited text remains a text column.
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
