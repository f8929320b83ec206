internal import Libc

/// Checks for available memory before large values are created, because Swift terminates a program that cannot allocate an array or a
/// string.
package enum MemoryRoom {
  /// The minimum size of a checked value, in bytes.
  static let largeSize = 16 << 20

  /// Checks that `count` bytes can be allocated now; does nothing below ``largeSize``.
  ///
  /// The corresponding C function is `malloc`.
  ///
  /// - Throws: `SQLITE_NOMEM`
  @inline(__always)
  package static func require(_ count: Int) throws {
    if count >= largeSize { try allocate(count) }
  }

  /// Returns bytes that are about to be copied, after checking the memory for the copy.
  ///
  /// - Throws: `SQLITE_NOMEM` if there is no memory for the copy.
  @inline(__always)
  static func checked(_ bytes: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
    try require(bytes.count)
    return bytes
  }

  private static func allocate(_ count: Int) throws {
    guard let room = malloc(count) else { throw DatabaseError(DatabaseError.SQLITE_NOMEM) }
    free(room)
  }
}
