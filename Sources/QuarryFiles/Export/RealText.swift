/// The text form of reals.
public enum RealText {
  /// Returns the fewest digits that read back as `value`, in the notation of the sqlite3 shell.
  ///
  /// ```swift
  /// RealText.shortest(1)        // 1.0
  /// RealText.shortest(0.1)      // 0.1
  /// RealText.shortest(1e15)     // 1.0e+15
  /// RealText.shortest(.infinity) // 9e999
  /// ```
  public static func shortest(_ value: Double) -> String {
    var buffer = ByteBuffer(capacity: 32)
    buffer.append(real: value)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
