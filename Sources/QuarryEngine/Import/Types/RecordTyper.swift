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

  /// Values of which their column makes numbers that are written otherwise, such as 7 of `007`.
  struct Alterations {
    var count = 0
    var firstLine = 0
    var firstText = ""
  }

  fileprivate struct Column {
    let name: String
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
        \(column.name) is a column of numbers, which keeps no zeros, signs or exponents as they are written: \(Plural.of(count, "value")) \
        \(count == 1 ? "is" : "are") stored otherwise, the first “\(first.firstText)” of line \(Plural.grouped(first.firstLine))
        """
    }
  }

  /// Takes the values of records into account, and makes numbers of those that spell some.
  func type(_ batch: RecordBatch) {
    for column in batch.table.columns.dropFirst(columns.count) {
      columns.append(Column(name: column.name, rule: rule(column), inference: ColumnTypeInference(isOfText: isOfText)))
    }
    for index in 0..<batch.columnCount {
      switch columns[index].rule {
      case .none, .given(.text), .given(.blob): continue
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
  fileprivate mutating func makeNumbers(in batch: RecordBatch, at index: Int) {
    for record in 0..<batch.count {
      let field = batch.field(record, index)
      guard field.kind == .plain || field.kind == .text else { continue }
      let bytes = batch.bytes(of: field)
      if field.kind == .plain, let number = RecordField(spelledBy: bytes) {
        batch.replaceField(record, index, by: number)
      } else if type.isNumber, NumericText.isNumber(bytes) {
        if alterations.count == 0 {
          alterations.firstLine = batch.line(of: record)
          alterations.firstText = String(decoding: bytes, as: UTF8.self)
        }
        alterations.count += 1
      }
    }
  }
}

extension RecordField {
  /// Makes the number that bytes spell; nil where they spell none that reads back as they are.
  @inline(__always)
  init?(spelledBy bytes: UnsafeRawBufferPointer) {
    // Digits and the minus sign are below this letter.
    guard let first = bytes.first, first <= UInt8(ascii: "9") else { return nil }
    if let integer = LosslessNumber.integer(bytes) {
      self.init(integer: integer)
    } else if let real = LosslessNumber.real(bytes) {
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
      var field = batch.field(record, column)
      if field.kind == .plain, let number = RecordField(spelledBy: batch.bytes(of: field)) {
        batch.replaceField(record, column, by: number)
        field = number
      }
      switch field.kind {
      case .null: continue
      case .integer: kinds.insert(.integer)
      case .real: kinds.formUnion(.real(field.real))
      case .blob: kinds.insert(.blob)
      case .text, .plain:
        kinds.insert(.text)
        if isOfText { return }
      }
    }
  }
}
