internal import Libc
internal import QuarryEngine

/// The identity of a database file, which remains the same when the file is moved or renamed.
///
/// The inode alone is not sufficient, because it is reused for other files. Together with the creation time it is constant for the lifetime
/// of the file, and differs for a copy. The device is not included, because its number may change when the machine is restarted.
package struct DatabaseIdentity: Hashable, Sendable {
  /// The path of the file, without symbolic links.
  package let path: String
  private let inode: UInt64
  private let birthTime: Int64?

  /// Reads the identity of the file at a path, or returns nil if the file does not exist.
  package init?(path: String) {
    guard let file = FileIdentity(path: path), let real = PathText.withPath(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    self.path = PathText.text(UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) })
    inode = file.inode
    birthTime = FileIdentity.birthTime(ofFileAt: path)
  }

  /// The name of the log file for the database: `2a41f-17c9d0e2b1f3a4c8`.
  ///
  /// If the file system does not store creation times, the path is used instead.
  package var fileName: String {
    let second = birthTime.map { String($0, radix: 16) } ?? "p" + String(Checksum.of(path.utf8), radix: 16)
    return String(inode, radix: 16) + "-" + second
  }

  package static func == (first: DatabaseIdentity, second: DatabaseIdentity) -> Bool {
    first.fileName == second.fileName
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(inode)
  }
}

/// A 64-bit FNV-1a checksum, which is the same in every process.
package struct Checksum {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// Returns the checksum of some bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var checksum = Checksum()
    checksum.add(bytes)
    return checksum.value
  }
}
