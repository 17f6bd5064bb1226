# SPDX-License-Identifier: Apache-2.0
"""Raw files of test sets with everything in them that files of WMT have, and archives of these."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zipfile

#: Tags of WMT before 2021: space, entities that stay, tags inside, lines that are no segments, a
#: document that says nothing and so has what the one before said, and one with single quotes.
SOURCE = """<srcset setid="newstest" srclang="any">
<seg id="0">before any document</seg>
<doc sysid="src" docid="bbc.381790" genre="news" origlang="de">
<p>
<seg id="1">  Ein   Satz\t&amp; noch &lt;einer&gt;. </seg>
 <seg id="2">not at the start of its line</seg>
<seg id="2"></seg>
<seg id="3">zwei</seg> <seg id="4">auf einer Zeile</seg>
</p>
</doc>
<doc sysid="src" docid="upi.176266" genre="" origlang="en">
<hl>
<seg id="1">Titel\u00a0mit\u2003Raum \u3000</seg>
<seg id="2">offen
<seg id="3" note="a > b">Wert</seg> Rest
</doc>
<DOC docid="big">
<seg id="1">a<b>fett</b>c\r</seg>
</DOC>
<doc docid='single' origlang='cs'>
<seg id="1">\u0085Zeile\u2028</seg>
<doc genre="talk">
<seg>ohne Nummer</seg>
<seg  id="1">zwei Leerzeichen</seg>
</doc>
</srcset>
"""


def reference(word):
    """A reference of the source."""
    return "".join(
        f"<seg id='{i}'>{word} {i} &quot;so&quot;  </seg>\n" if line.startswith("<seg ") else line
        for i, line in enumerate(SOURCE.splitlines(keepends=True))
    )


#: XML of WMT since 2021: segments out of order, without text, without a reference, with markup and
#: comments; two translators of whom one is not everywhere; a test suite; an own entity.
XML = """<?xml version='1.0' encoding='utf-8'?>
<!DOCTYPE dataset [<!ENTITY wer "Wer &#8211; &amp; was">]>
<dataset id="wmttest">
<collection id="general">
<doc origlang="en" id="doc.1" DOMAIN>
  <src lang="en"><p><seg id="2">Two &amp; two\r
 lines</seg><seg id="10">Ten</seg><seg id="1">  One &lt;b&gt; &#xA0;&wer; </seg></p></src>
  <ref lang="de" translator="A"><p><seg id="1">Eins</seg><seg id="2">Zwei<!-- so? --> mehr</seg>
  <seg id="10"/></p></ref>
  <ref lang="de" translator="B"><seg id="1">eins</seg><seg id="10">zehn <i>fett</i> Ende</seg></ref>
  <hyp system="Online-A" language="de"><seg id="1">1</seg><seg id="2"><![CDATA[<2>]]></seg>
  <seg id="10">10</seg></hyp>
  <hyp system="refinery"><seg id="1"></seg><seg id="2">b</seg><seg id="10">c</seg></hyp>
</doc>
<doc origlang="de" id="doc.2" DOMAIN>
  <src lang="en"><seg id="1">no reference</seg><seg id="2">one\u2028reference</seg></src>
  <ref lang="de" translator="A"><seg id="1"></seg><seg id="2">A\u2003zwei</seg></ref>
  <hyp system="Online-A"><seg id="1">x</seg><seg id="2">y</seg></hyp>
  <hyp system="refinery"><seg id="1">x</seg><seg id="2">z</seg></hyp>
</doc>
<doc origlang="en" id="suite.1" testsuite="hard"><src lang="en"><seg id="1">not this</seg></src>
<ref lang="de" translator="A"><seg id="1">nicht dies</seg></ref></doc>
<doc origlang="en" id="doc.3" DOMAIN><src lang="en"><seg id="1">Three</seg></src>
<ref lang="de" translator="A"><seg id="1">Drei</seg></ref>
<ref lang="de" translator="B"><seg id="1">drei</seg></ref>
<hyp system="Online-A"><seg id="1">3</seg></hyp><hyp system="refinery"><seg id="1">3</seg></hyp>
</doc>
</collection></dataset>
"""


def xml(domains=("news", "social", "news")):
    """The XML with a domain for each document, or with none."""
    pieces = XML.split(" DOMAIN")
    said = [f' domain="{domain}"' for domain in domains] or [""] * (len(pieces) - 1)
    return pieces[0] + "".join(one + piece for one, piece in zip(said, pieces[1:], strict=True))


#: One reference, whose translator has no name.
UNNAMED = """<dataset><doc origlang="liv" id="1"><src lang="liv"><seg id="1">x</seg></src>
<ref lang="en"><seg id="1">y</seg></ref></doc></dataset>"""

PLAIN = "one \n  two\t\n\n\x0bthree\r\n four\x1c\u2028\nno end\u3000"

TSV = "7\t3\tsource \t ref\n8\t4\t\t\n9\t5\ta\tb\tc\r\n"


def tgz(files, links=()):
    """A tar.gz of texts by name, and of links to them."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
        for name, target in links:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            tar.addfile(info)
    return out.getvalue()


def zipped(files):
    """A zip of texts by name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def gz(text):
    """A gz of a text."""
    return gzip.compress(text.encode())


def md5(data):
    """The MD5 sum in hexadecimal digits."""
    return hashlib.md5(data, usedforsecurity=False).hexdigest()
