# A formula for Homebrew on Linux. Not tested here: replace the address by that of the published tarball, and run `brew audit`.
class Quarry < Formula
  desc "Full-screen browser for SQLite databases in the terminal"
  homepage "https://quarry.invalid/"
  url "https://quarry.invalid/releases/quarry-@VERSION@-linux-x86_64.tar.gz"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on arch: :x86_64
  depends_on :linux

  def install
    bin.install "bin/quarry"
    man1.install "share/man/man1/quarry.1"
    bash_completion.install "share/bash-completion/completions/quarry"
    zsh_completion.install "share/zsh/site-functions/_quarry"
    fish_completion.install "share/fish/vendor_completions.d/quarry.fish"
    doc.install Dir["share/doc/quarry/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/quarry --version")
  end
end
