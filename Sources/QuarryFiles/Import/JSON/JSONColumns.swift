internal import QuarryRows

/// The columns of a table of JSON objects, which are discovered with their keys.
///
/// Objects usually have their keys in the same order. A key is therefore first compared with the key at the same position of the previous
/// object.
struct JSONColumns {
  private(set) var naming = ColumnNaming()
  private var numbers: [[UInt8]: Int] = [:]
  /// The original key and the column at each position of an object.
  private var expected: [(key: [UInt8], column: Int)] = []

  /// Returns the column of a key.
  ///
  /// Adds the column if it is new.
  ///
  /// - Parameters:
  ///   - key: The bytes between the quotes.
  ///   - place: The position of the key in its object, from 0.
  mutating func column(of key: UnsafeBufferPointer<UInt8>, at place: Int) -> Int {
    if place < expected.count, Self.areSame(expected[place].key, key) { return expected[place].column }
    let column = column(named: Self.text(of: key))
    if place < expected.count {
      expected[place] = (Array(key), column)
    } else if place == expected.count {
      expected.append((Array(key), column))
    }
    return column
  }

  private mutating func column(named name: String) -> Int {
    // As bytes, because Swift compares composed and decomposed é as equal.
    let bytes = Array(name.utf8)
    if let number = numbers[bytes] { return number }
    numbers[bytes] = naming.columns.count
    naming.add(name)
    return naming.columns.count - 1
  }

  @inline(__always)
  private static func areSame(_ known: [UInt8], _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    known.count == key.count && known.withUnsafeBytes { ByteOrder.bytes.areSame($0, UnsafeRawBufferPointer(key)) }
  }

  /// Decodes the bytes between the quotes of a string.
  static func text(of string: UnsafeBufferPointer<UInt8>) -> String {
    var bytes = Array(string)
    let count = bytes.withUnsafeMutableBufferPointer { bytes in
      bytes.baseAddress.map { JSONBytes.unescape($0, count: bytes.count) } ?? 0
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
