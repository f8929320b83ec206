extension Manual {
  static let otherMachines = Section(
    title: "Other machines",
    blocks: [
      .code(
        """
        quarry web1:/srv/app.db
        quarry ssh://me@web1:2222/srv/app.db -t orders
        quarry rows web1:/srv/app.db orders --where 'total > 100' -o here.csv
        cat fix.sql | quarry query web1:/srv/app.db -f -
        quarry import web1:/srv/app.db orders new.csv
        quarry backup web1:/srv/app.db app.db
        """),
      .paragraph(
        """
        `host:path` and `ssh://user@host:port/path` name a file on another machine, wherever a database is named: the full screen and every \
        verb. Quarry is started there by this machine's `ssh`, with its configuration, keys, agent and jump hosts, and the file is read \
        and written where it lies, by SQLite there, with its locks. A relative path begins in your home folder there, `~` is that folder, \
        and `ssh://host/~/app.db` names a file in it. A path that exists on this machine is a file here; `./a:b.db` always is one. Several \
        files are opened together where all of them lie on one machine. An address takes no password: ssh asks for it.
        """),
      .entries([
        Entry("what is here", "theme, keys and settings; `-o`, `-f`, `--statement`, `-p name:blob=@file`, standard input, files to import"),
        Entry("what is there", "the file; what is remembered of it, its history and commits, what is staged; paths written on the screen"),
        Entry("refused", "`--log` and the `--rejects` of an import: what writes them runs on the host, not where you look for them"),
      ]),
      .paragraph(
        """
        Where the host has no quarry of this version, and runs the same system on the same processor, this one is offered: it is sent into \
        `~/.cache/quarry` there, whole or not at all, and used from then on; you may delete it at any time. It needs libsqlite3, libncursesw \
        and libstdc++ there, and says so where one is missing.
        """),
      .paragraph(
        """
        The status is that of quarry there; 3 says that the host could not be reached. `^C` stops a verb there, which rolls back what it had \
        not finished. A connection that breaks is told: an open transaction is rolled back, an import whose data was cut is not made, and \
        what was staged on the screen is kept there and offered when the file is opened again. ssh's own keys work at the beginning of a \
        line: `⏎ ~ .` ends a connection that hangs, `⏎ ~ ^Z` suspends it. Each command makes a connection of its own; with `ControlMaster` and \
        `ControlPersist` in `~/.ssh/config` those after the first take one that is there.
        """),
    ])
}
