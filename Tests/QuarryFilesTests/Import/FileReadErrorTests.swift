import Foundation
import QuarryFiles
import TestSupport
import Testing

@Suite struct FileReadErrorTests {
  @Test(arguments: [(EMFILE, "ulimit -n"), (ENOSPC, "df -i"), (EIO, "connected"), (EFBIG, "ulimit -f")])
  func `what the system lacks is no fault of the file that is read`(_ code: Int32, _ advice: String) {
    let reading = FileReadError(kind: .system(code), path: "a.csv").description
    #expect(reading.hasPrefix("“a.csv” cannot be read: \(String(cString: strerror(code))). ") && reading.contains(advice), "\(reading)")
  }
}
