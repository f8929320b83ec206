import Foundation

/// Returns the locks that this process holds on a database file and its shared memory, as listed by the system: `READ 120 120`.
///
/// SQLite acquires these locks by `fcntl`. The result is empty if the system has no `/proc/locks`.
public func heldLocks(onDatabase path: String) -> [String] {
  let inodes = ["", "-shm"].compactMap { suffix -> Int? in
    var status = stat()
    return stat(path + suffix, &status) == 0 ? Int(status.st_ino) : nil
  }
  guard let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
  return list.split(separator: "\n").compactMap { line in
    // 4: POSIX  ADVISORY  READ  1234 fd:01:5678 1073741826 1073742335
    let words = line.split(separator: " ")
    guard words.count >= 8, words[1] == "POSIX", Int(words[4]) == Int(getpid()),
      let inode = words[5].split(separator: ":").last.flatMap({ Int($0) }), inodes.contains(inode)
    else { return nil }
    return "\(inode) \(words[3]) \(words[6]) \(words[7])"
  }.sorted()
}

/// Returns the number of descriptors that this process has open for a file.
public func descriptorCount(ofFile path: String) throws -> Int {
  let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
  return numbers.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == real }
}
