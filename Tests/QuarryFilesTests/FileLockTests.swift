import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

#if os(Linux)
  /// Files of open databases that are imported, read as tables or written to.
  @Suite struct FileLockTests {
    @Test(arguments: ["DELETE", "WAL"], OpenDatabase.Opening.allCases)
    func `no reading of a file by an import or an export releases the locks of a connection`(
      _ mode: String, _ opening: OpenDatabase.Opening
    ) throws {
      let other = try makeDatabase("CREATE TABLE t(a)")
      try OpenDatabase.with(mode, opening) { database in
        try database.expectLocksKept(by: [
          { path in _ = try? FileKind(path: path) },
          { path in _ = try? FileTables([path]) },
          { path in _ = try? OutputFile(path: path) },
          { path in _ = try? BackupFile(path: path, of: other, isReplacing: true) },
          { path in
            let plan = ImportPlan(path: path, into: .existing(TableReference(name: "t")))
            _ = try? other.write { db in _ = try Importer(plan, in: db).preview }
          },
        ])
      }
    }
  }
#endif
