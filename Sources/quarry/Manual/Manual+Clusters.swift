extension Manual {
  static let clusters = Section(
    title: "Clusters of dqlite",
    blocks: [
      .paragraph(
        """
        dqlite is SQLite, replicated by Raft: LXD, Incus and MicroK8s keep their state in it. An address stands wherever a database can, on \
        the full screen and in every verb that reads one. A single node that answers is enough: it names the others, and the leader is \
        found and followed. The title names it with the number of voters.
        """),
      .code(
        """
        quarry 'dqlite://10.0.0.1:9001,10.0.0.2:9001/demo'
        quarry 'dqlite:///k8s?servers=cluster.yaml&cert=c.crt&key=c.key'
        quarry rows 'dqlite://10.0.0.1:9001/demo' model --where 'value > 3'
        quarry query --write 'dqlite://10.0.0.1:9001/demo' \\
          'DELETE FROM model WHERE key = :key' -p key=7
        """),
      .entries([
        Entry("servers=", "A file that lists the nodes, as the cluster's own shell reads it: `cluster.yaml`."),
        Entry("cert=, key=", "The cluster's certificate and its key, as PEM files; without them connections are not encrypted."),
        Entry("servername=", "The name that the certificate is for, where it is not the first one in it."),
      ]),
      .heading("Read-only until you ask"),
      .paragraph(
        """
        The server itself refuses to write until you start with `--write`, or say `:write`. What is staged is then committed in one \
        transaction of the cluster, each row only where it still has the values that you saw; it is recorded here, and `g u` or \
        `quarry undo` takes it back. Rows that triggers and foreign keys changed besides are not in the record, and what statements write \
        is not recorded; both are said before you commit. Where the program was killed in the midst of a commit, the next start looks at the \
        rows and knows whether the cluster has made it. Views cannot be edited, and files cannot be imported: make statements of them.
        """),
      .heading("What is kept from a server"),
      .code(
        """
        quarry rows new.csv new --format sql -o new.sql
        quarry query --write 'dqlite://10.0.0.1:9001/demo' -f new.sql
        """),
      .paragraph(
        """
        Some statements end a server or break the connection to it. Quarry refuses them, also behind EXPLAIN, and says why: ATTACH, VACUUM INTO, \
        a PRAGMA that sets what is the server's own (you can read it), temporary tables, and RETURNING where the server's version loses what \
        it writes. `=~` is refused, since the server has no regular expressions.
        """),
      .paragraph(
        """
        No server can end a statement that is under way, so that rows are counted and looked through in small steps, which `^C` stops \
        between two of them. A filter, a sort or a statement that reads more than 500,000 rows of a table without an index, or as many \
        combinations of rows of several tables, is asked about first, and so is a recursive query, or one that reads a function that yields \
        rows, such as `json_each`. After `^C` the server goes on with it. The verbs ask on a terminal; without one they refuse, unless you give \
        `--long`.
        """),
      .paragraph(
        """
        Counts, facets, profiles and the search everywhere read a copy on this machine: of the columns that they look at, or of all. The title \
        says how far it has come, `^C` and Esc stop it, and then of which moment it is. It is kept as long as nobody has written.
        """),
      .heading("Two clusters, or a cluster and a file"),
      .paragraph(
        """
        `quarry diff` compares them by key, some rows at a time; where others write meanwhile, it says that not all rows are of one moment.
        """),
      .code("quarry diff 'dqlite://10.0.0.1:9001/demo' before.db --table model"),
      .heading("When the leader is lost"),
      .paragraph(
        """
        `leader lost, looking for the new one` is what the screen says then. What you see stays, and keys work. What surely did not run is \
        sent again once. Of what was under way, Quarry repeats only its own short reads, a page of rows by key or the list of tables, and \
        begins a copy of a table anew; a statement of yours is never repeated. After a commit whose answer did not come, Quarry looks at the \
        rows and reports whether it was made. A single node that hangs is given up after some fifteen seconds. Where no machine leads, the \
        title says within a few seconds that the rows may be old.
        """),
    ])
}
