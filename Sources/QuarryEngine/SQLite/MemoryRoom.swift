internal import Libc

/// Whether there is memory for a large value: Swift ends a program that gets none for an array or a string.
package enum MemoryRoom {
  /// The size from which a value is checked, in bytes.
  static let largeSize = 16 << 20

  /// Checks that so many bytes can be allocated now; does nothing below ``largeSize``.
  ///
  /// The corresponding C function is `malloc`.
  ///
  /// - Throws: `SQLITE_NOMEM`
  @inline(__always)
  package static func require(_ count: Int) throws {
    if count >= largeSize { try allocate(count) }
  }

  /// Returns bytes that are about to be copied.
  ///
  /// - Throws: `SQLITE_NOMEM` where there is no memory for the copy.
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
