/// Something that reads bytes from outside, played on any bytes.
package struct FuzzTarget: Sendable {
  /// The name, which is also that of its folder in the corpus.
  package let name: String
  private let complaint: @Sendable ([UInt8]) throws -> String?

  /// Creates a target.
  ///
  /// - Parameter complaint: Reads the bytes, and returns what is wrong with the result. An error means that the bytes are refused.
  init(_ name: String, _ complaint: @escaping @Sendable ([UInt8]) throws -> String?) {
    (self.name, self.complaint) = (name, complaint)
  }

  /// Returns what is wrong after the bytes were read, or nil if nothing is.
  package func finding(in bytes: [UInt8]) -> String? {
    do { return try complaint(bytes) } catch { return nil }
  }

  /// All targets.
  package static let all = languages + files + terminal + messages

  /// Returns the target with a name.
  package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Returns the bytes as a text in which what is not UTF-8 is replaced, as editors of lines do it.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Returns a complaint about the first range that lies outside a text of so many bytes.
func complaint(about ranges: some Sequence<Range<Int>>, in count: Int) -> String? {
  ranges.first { $0.lowerBound < 0 || $0.upperBound > count }.map { "\($0) lies outside the \(count) bytes" }
}
