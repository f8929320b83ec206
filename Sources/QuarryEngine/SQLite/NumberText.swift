/// Formatting of counts with their nouns.
package enum Plural {
  /// Returns `1 row`, `3,503 rows`.
  package static func of(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Returns a count with its digits in groups of three: `10,000,000`.
  package static func grouped(_ count: some BinaryInteger) -> String {
    let digits = String(count.magnitude)
    let groups = stride(from: digits.count % 3 - 3, to: digits.count, by: 3).map { start in
      String(digits.dropFirst(max(0, start)).prefix(start < 0 ? start + 3 : 3))
    }
    return (count < 0 ? "-" : "") + groups.filter { !$0.isEmpty }.joined(separator: ",")
  }
}

/// Formatting of the sizes of files and values.
package enum ByteSize {
  /// Returns a size for people: `3 B`, `10.4 kB`, `100 MB`, in powers of 1,000.
  package static func text(_ byteCount: Int) -> String {
    var value = Double(byteCount)
    for unit in ["B", "kB", "MB", "GB"] {
      if value < 999.5 || unit == "GB" {
        return unit == "B" || value >= 99.95 ? "\(Int(value.rounded())) \(unit)" : "\(tenths(value)) \(unit)"
      }
      value /= 1_000
    }
    return "\(byteCount) B"
  }

  private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
