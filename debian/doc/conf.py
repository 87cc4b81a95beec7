# SPDX-License-Identifier: GPL-2.0
"""Build the documents without the kernel's tree, whose extensions they use there."""

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.directives.patches import Figure

project = "kmemtrace"
html_theme = "sphinx_rtd_theme"
html_show_copyright = False
highlight_language = "none"


class KernelDoc(Directive):
    """Name the file whose comments kernel-doc would insert."""

    required_arguments = 1
    option_spec = dict.fromkeys(("doc", "export", "functions", "identifiers",
                                 "internal", "no-identifiers"), directives.unchanged)

    def run(self):
        text = nodes.paragraph("", "The comments in ", nodes.literal("", self.arguments[0]),
                               nodes.Text(" document the interface."))
        return [text]


def setup(app):
    app.add_directive("kernel-doc", KernelDoc)
    app.add_directive("kernel-figure", Figure)
