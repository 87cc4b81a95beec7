#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# relations.sh REPORT: print the manual page of the relations, as the program REPORT lists them.

report=$1

cat <<'END'
.\" SPDX-License-Identifier: GPL-2.0
.\" relations.sh made this page. After a change of src/relations/: make -C man update-relations
.TH KMEMTRACE-RELATIONS 5 "" kmemtrace "kmemtrace"
.SH NAME
kmemtrace\-relations \- the tables that a trace of kernel memory gives
.SH DESCRIPTION
What the tools know of a trace is a set of tables, the relations. A relation has the same name,
and its columns have the same names, in
.BR "kmemtrace\-report \-\-json" ,
in its
.BR \-\-csv ,
in the Parquet files of
.BR kmemtrace\-export (1),
and in the library
.BR libkmemtrace (3).
.PP
Times that end in _ns are nanoseconds after the first record, unless the column says otherwise.
A standard error has a value in a sample. Groups of allocations can be grouped by other
properties with
.BR \-\-group\-by :
the relation then has the columns of those.
.SH RELATIONS
END
# A column that an earlier relation has, too, is described there.
$EMULATOR "$report" --csv list | while read -r relation text; do
	printf 'R %s %s\n' "$relation" "$text"
	$EMULATOR "$report" --csv "$relation" --columns list | sed 's/^ */C /'
done | awk '
	function end() { if (above) printf ".TP\nAs above:\n%s\n", above; above = "" }
	/^R/ { end(); name = $2; sub(/^R [^ ]* */, ""); printf ".SS %s\n%s\n", name, $0; next }
	{
		name = $2
		if (seen[$0]++) {
			above = above (above ? ", " : "") name
		} else {
			sub(/^C [^ ]* */, "")
			printf ".TP\n.B %s\n%s\n", name, $0
		}
	}
	END { end() }' | sed 's/-/\\-/g'
cat <<'END'
.SH SEE ALSO
.BR kmemtrace\-report (1),
.BR kmemtrace\-export (1),
.BR libkmemtrace (3)
END
