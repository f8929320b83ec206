internal import Libc
internal import QuarryEngine

/// What tells a database file from every other one, also after it was moved or renamed.
///
/// The inode alone would not: it is used again for another file. Together with the time at which the file was made it is the same for as
/// long as there is the file, and other for a copy. The device is no part of it, since its number may be another after the next start of
/// the machine.
package struct DatabaseIdentity: Hashable, Sendable {
  /// The path of the file, without symbolic links.
  package let path: String
  private let inode: UInt64
  private let birthTime: Int64?

  /// Reads the identity of the file at a path; nil where there is none.
  package init?(path: String) {
    guard let file = FileIdentity(path: path), let real = PathText.withPath(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    self.path = PathText.text(UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) })
    inode = file.inode
    birthTime = FileIdentity.birthTime(ofFileAt: path)
  }

  /// The name of the file that is kept for it: `2a41f-17c9d0e2b1f3a4c8`.
  ///
  /// Where a file system does not keep when a file was made, the path takes the place of the time.
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

/// A checksum of bytes that is the same in every process: FNV-1a of 64 bits.
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
