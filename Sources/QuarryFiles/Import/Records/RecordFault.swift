internal import QuarryEngine

/// A piece of a file that is no record of its table; it is kept as it is, and what follows it is read.
public struct RecordFault: Hashable, Sendable {
  /// What is the matter with it.
  public enum Reason: Hashable, Sendable {
    /// A record of a delimited text has another number of fields than the first one.
    case fieldCount(found: Int, expected: Int)
    /// Something else than a separator or the end of the line follows the quote that ends a field.
    case textAfterQuote
    /// The file ends inside quotes.
    case unclosedQuote
    /// A value where an object should be.
    case notAnObject
    /// An object has a key twice.
    case duplicateKey(String)
    /// Half of a character: an escape such as `\ud800` that the other half does not follow.
    case halfCharacter
    /// Not JSON.
    case invalidJSON(JSONFault)
  }

  /// The number of the table among those of the file, from 0.
  public var tableIndex: Int
  /// The line on which the record begins, from 1.
  public var line: Int
  /// The line of the fault itself, from 1.
  public var faultLine: Int
  /// The place of the fault in its line, in bytes of UTF-8 from 1.
  public var column: Int
  /// What is the matter.
  public var reason: Reason
  /// The record as it stands in the file, in UTF-8, without the end of its last line.
  public var bytes: [UInt8]
}

/// Why a text is not JSON.
public enum JSONFault: Hashable, Sendable {
  /// The file ends before the value does.
  case endsEarly
  /// Something that cannot stand there.
  case unexpected(UInt8)
  /// A character below U+0020 in a string.
  case controlCharacter(UInt8)
  /// A backslash in a string, and after it none of `"\/bfnrtu`, or not four hexadecimal digits.
  case escape
  /// A number such as `01`, `1.` or `+1`.
  case number
  /// Something follows the end of the only value.
  case trailing
}

extension RecordFault: CustomStringConvertible {
  /// A sentence without the line.
  ///
  /// ```swift
  /// fault.description  // It has 3 fields instead of 4.
  /// ```
  public var description: String {
    switch reason {
    case .fieldCount(let found, let expected): "It has \(Plural.of(found, "field")) instead of \(Plural.grouped(expected))."
    case .textAfterQuote: "Text follows the closing quote at \(place)."
    case .unclosedQuote: "The quote at \(place) is never closed."
    case .notAnObject: "It is not a JSON object."
    case .duplicateKey(let key): "It has the key “\(key)” twice."
    case .halfCharacter: "The escape at \(place) is half of a character."
    case .invalidJSON(let fault): "It is not JSON: \(fault) at \(place)."
    }
  }

  private var place: String {
    faultLine == line ? "byte \(Plural.grouped(column))" : "line \(Plural.grouped(faultLine)), byte \(Plural.grouped(column))"
  }
}

extension JSONFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .endsEarly: "the text ends too early"
    case .unexpected(let byte): "unexpected \(Self.name(byte))"
    case .controlCharacter(let byte): "a string has the control character \(Self.name(byte))"
    case .escape: "invalid escape"
    case .number: "invalid number"
    case .trailing: "something follows its end"
    }
  }

  private static func name(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte) ? "“\(Character(Unicode.Scalar(byte)))”" : "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
