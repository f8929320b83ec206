internal import QuarryEngine

/// A malformed record of a file.
///
/// Its bytes are preserved, and reading continues after it.
public struct RecordFault: Hashable, Sendable {
  /// The kinds of faults.
  public enum Reason: Hashable, Sendable {
    /// A record of a delimited text has a different number of fields from the first one.
    case fieldCount(found: Int, expected: Int)
    /// The closing quote of a field is not followed by a separator or the end of the line.
    case textAfterQuote
    /// The file ends inside quotes.
    case unclosedQuote
    /// The record is not an object.
    case notAnObject
    /// An object contains a key twice.
    case duplicateKey(String)
    /// An unpaired surrogate: an escape such as `\ud800` without the second half.
    case halfCharacter
    /// The text is not JSON.
    case invalidJSON(JSONFault)
  }

  /// The index of the table in the file, from 0.
  public var tableIndex: Int
  /// The line on which the record begins, counted from 1.
  public var line: Int
  /// The line of the fault itself, counted from 1.
  public var faultLine: Int
  /// The position of the fault in its line, in bytes of UTF-8, counted from 1.
  public var column: Int
  /// The kind of fault.
  public var reason: Reason
  /// The record as written in the file, in UTF-8, without the end of its last line.
  public var bytes: [UInt8]
}

/// The reason why a text is not JSON.
public enum JSONFault: Hashable, Sendable {
  /// The file ends before the value.
  case endsEarly
  /// A byte is not allowed at this position.
  case unexpected(UInt8)
  /// A character below U+0020 in a string.
  case controlCharacter(UInt8)
  /// A backslash in a string is not followed by one of `"\/bfnrtu`, or `\u` is not followed by four hexadecimal digits.
  case escape
  /// A number such as `01`, `1.` or `+1`.
  case number
  /// Text follows the only value.
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
    case .trailing: "unexpected text after its end"
    }
  }

  private static func name(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte) ? "“\(Character(Unicode.Scalar(byte)))”" : "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
