internal import ArgumentParser
internal import Libc
internal import QuarryEngine

/// This program as a file for other machines: its name there, and the machines that can run it.
struct ProgramBuild {
  let path: String
  /// The size of the file in bytes.
  let size: Int
  /// The first line of `--version`.
  let version: String
  /// The version and a checksum of the file: `0.1.0-1f0c…`.
  let key: String
  /// The output of `uname -sm` on machines that can run it.
  let system: String

  /// Examines the running program.
  ///
  /// - Throws: `Failure` if its file cannot be read.
  static func current() throws -> ProgramBuild {
    let path = try executablePath()
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(path, .reading)
    } catch {
      throw Self.unreadable(path, error)
    }
    let size = Int(lseek(file.descriptor, 0, SEEK_END))
    guard size > 0, let bytes = mmap(nil, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0), bytes != MAP_FAILED else {
      throw Self.unreadable(path, SystemError(code: errno))
    }
    defer { munmap(bytes, size) }
    let version = Quarry.nameAndVersion
    let number = version.split(separator: " ").last.map(String.init) ?? version
    let checksum = checksum(of: UnsafeRawBufferPointer(start: bytes, count: size))
    return ProgramBuild(path: path, size: size, version: version, key: "\(number)-\(String(checksum, radix: 16))", system: system)
  }

  private static func unreadable(_ path: String, _ error: SystemError) -> Failure {
    .refused("“\(path)”, the file of this program, cannot be read: \(error)")
  }

  private static var system: String {
    var names = utsname()
    uname(&names)
    return "\(text(of: names.sysname)) \(text(of: names.machine))"
  }

  private static func text<Field>(of field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Returns a number that another build is unlikely to have.
  ///
  /// It does not protect against attacks.
  private static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum = UInt64(bytes.count)
    let words = bytes.count / 8
    if let start = bytes.baseAddress?.assumingMemoryBound(to: UInt64.self) {
      var index = 0
      while index < words {
        sum = (sum ^ start[index]) &* 0x9E37_79B9_7F4A_7C15
        sum ^= sum >> 29
        index += 1
      }
    }
    for byte in bytes[(words * 8)...] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return sum
  }

  private static func executablePath() throws -> String {
    #if canImport(Darwin)
      var count = UInt32(PATH_MAX)
      var buffer = [CChar](repeating: 0, count: Int(count))
      guard _NSGetExecutablePath(&buffer, &count) == 0 else { throw unreadable(CommandLine.arguments[0], SystemError(code: ENAMETOOLONG)) }
      return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return "/proc/self/exe"
    #endif
  }
}
