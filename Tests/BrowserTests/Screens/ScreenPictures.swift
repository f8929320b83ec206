import Foundation
import Terminal
import TestSupport
import Testing

/// Every screen, compared with its picture under `Pictures/`: `name-120x36.txt`.
///
/// After a change that is meant, `QUARRY_RENEW_PICTURES=1 swift test --filter ScreenPictures` writes the pictures anew; look at their
/// difference before it is committed. A scene is played by its keys alone, on ``MusicDatabase`` where it names no other database.
@Suite("Every screen is as in its picture", .gated)
struct ScreenPictures {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pictures")
  private static let areRenewed = ProcessInfo.processInfo.environment["QUARRY_RENEW_PICTURES"] != nil

  private static let scenes =
    Scene.catalog + Scene.grid + Scene.filter + Scene.insight + Scene.record + Scene.editor + Scene.results + Scene.editing + Scene.form
    + Scene.lists + Scene.notices + Scene.first + Scene.search + Scene.lens + Scene.charts + Scene.files + Scene.merges + Scene.diff
    + Scene.maps + Scene.designs

  @Test("catalog", arguments: Scene.catalog) func catalog(scene: Scene) async throws { try await compare(scene) }
  @Test("grid", arguments: Scene.grid) func grid(scene: Scene) async throws { try await compare(scene) }
  @Test("filter and order", arguments: Scene.filter) func filter(scene: Scene) async throws { try await compare(scene) }
  @Test("counts, profile and facets", arguments: Scene.insight) func insight(scene: Scene) async throws {
    try await compare(scene)
  }
  @Test("record and details", arguments: Scene.record) func record(scene: Scene) async throws { try await compare(scene) }
  @Test("editor", arguments: Scene.editor) func editor(scene: Scene) async throws { try await compare(scene) }
  @Test("results and transactions", arguments: Scene.results) func results(scene: Scene) async throws {
    try await compare(scene)
  }
  @Test("changing data", arguments: Scene.editing) func editing(scene: Scene) async throws { try await compare(scene) }
  @Test("form", arguments: Scene.form) func form(scene: Scene) async throws { try await compare(scene) }
  @Test("lists", arguments: Scene.lists) func lists(scene: Scene) async throws { try await compare(scene) }
  @Test("start screen and tour", arguments: Scene.first) func first(scene: Scene) async throws { try await compare(scene) }
  @Test("search of all tables", arguments: Scene.search) func search(scene: Scene) async throws { try await compare(scene) }
  @Test("foreign key lens", arguments: Scene.lens) func lens(scene: Scene) async throws { try await compare(scene) }
  @Test("charts", arguments: Scene.charts) func charts(scene: Scene) async throws { try await compare(scene) }
  @Test("designs of tables", arguments: Scene.designs) func designs(scene: Scene) async throws { try await compare(scene) }
  @Test("export and import", arguments: Scene.files) func files(scene: Scene) async throws { try await compare(scene) }
  @Test("conflicts of a merge", arguments: Scene.merges) func merges(scene: Scene) async throws { try await compare(scene) }
  @Test("comparison", arguments: Scene.diff) func diff(scene: Scene) async throws { try await compare(scene) }
  @Test("map of the tables", arguments: Scene.maps) func maps(scene: Scene) async throws { try await compare(scene) }
  @Test("notices", arguments: Scene.notices) func notices(scene: Scene) async throws { try await compare(scene) }

  private func compare(_ scene: Scene) async throws {
    for size in scene.sizes {
      let picture = try await scene.picture(size)
      let file = Self.folder.appending(path: Self.fileName(scene, size))
      if Self.areRenewed { try Data(picture.text.utf8).write(to: file) }
      guard let data = try? Data(contentsOf: file) else {
        Issue.record("there is no picture \(file.lastPathComponent); QUARRY_RENEW_PICTURES=1 makes it")
        continue
      }
      let expected = Picture(text: String(decoding: data, as: UTF8.self))
      #expect(picture == expected, "\(file.lastPathComponent), - as it was and + as it is:\n\(picture.difference(from: expected))")
    }
  }

  @Test("no picture is without its scene, and no two scenes have one picture")
  func fileNames() throws {
    let names = Self.scenes.flatMap { scene in scene.sizes.map { Self.fileName(scene, $0) } }
    #expect(Set(names).count == names.count)
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files).subtracting(names).sorted() == [])
  }

  private static func fileName(_ scene: Scene, _ size: Size) -> String { "\(scene.name)-\(size.columns)x\(size.rows).txt" }
}
