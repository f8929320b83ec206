// swift-tools-version: 6.2
import PackageDescription

// Programs as somebody else would write them: each depends on one product alone.
let package = Package(
  name: "dependents",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "quarry", path: "../..")],
  targets: [
    .executableTarget(name: "players", dependencies: [.product(name: "QuarryEngine", package: "quarry")]),
    .executableTarget(name: "pages", dependencies: [.product(name: "QuarryRows", package: "quarry")]),
  ],
  swiftLanguageModes: [.v6]
)
