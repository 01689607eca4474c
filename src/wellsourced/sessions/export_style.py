"""The looks of an exported page: light and dark, from a phone's width up, and on paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --soft: #566172; --paper: #fcfbf8; --card: #fff; --line: #dcd8ce;
  --accent: #17598a; --good: #1b6b3a; --warning: #8a5a00; --bad: #a3201f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e7e2; --soft: #a5adb8; --paper: #14181e; --card: #1b2028;
  --line: #353d49; --accent: #86bce4; --good: #7fce9b; --warning: #e6b65c; --bad: #ff9a94; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 2px solid var(--line); }
p, blockquote, dd { overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0; padding: 0; list-style: none;
  color: var(--soft); font-size: .9rem; }
.facts b { color: var(--ink); }
.text { white-space: pre-line; }
.summary { padding: .75rem 1rem; border-left: 4px solid var(--accent); background: var(--card); }
ol.line { list-style: none; margin: 0; padding: 0 0 0 1.1rem; border-left: 2px solid var(--line); }
ol.line > li { position: relative; margin: 0 0 1.1rem; }
ol.line > li::before { content: ""; position: absolute; left: calc(-1.1rem - 6px); top: .5rem; width: 10px;
  height: 10px; border-radius: 50%; background: var(--accent); }
ol.line > li.old::before { background: var(--line); }
ol.line > li.old > .text { color: var(--soft); text-decoration: line-through; }
.branch { margin: .75rem 0 0 .5rem; }
.branch > h4 { margin: 0 0 .4rem; font-size: .9rem; color: var(--soft); overflow-wrap: anywhere; }
.branch > h4::first-letter { text-transform: uppercase; }
h3 { margin: 0; font-size: 1rem; }
.tag { display: inline-block; padding: 0 .5em; border: 1px solid currentColor; border-radius: 1em; font-size: .78rem;
  font-weight: 500; color: var(--soft); overflow-wrap: anywhere; }
.good { color: var(--good); } .warning { color: var(--warning); } .bad { color: var(--bad); }
.bad { font-weight: 600; }
.step-more { margin: .3rem 0 0; color: var(--soft); font-size: .9rem; padding-left: 1.1rem; }
.step p { margin: .2rem 0; }
h3 time { color: var(--soft); font-size: .82rem; font-weight: 400; white-space: nowrap; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; table-layout: fixed; }
.evidence th:nth-child(1) { width: 35%; } .evidence th:nth-child(2) { width: 27%; }
.evidence th:nth-child(3) { width: 11%; } .evidence th:nth-child(4) { width: 10%; }
caption { text-align: left; color: var(--soft); padding-bottom: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--line);
  overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--soft); font-size: .9em; }
th.group { padding-top: 1rem; font-size: 1.03em; }
td blockquote { margin: 0; }
.site { color: var(--soft); font-size: .9em; }
td.date { white-space: nowrap; }
footer { margin-top: 3rem; padding-top: .75rem; border-top: 1px solid var(--line); color: var(--soft);
  font-size: .84rem; }
@media (max-width: 44rem) {
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  table, caption, tbody, tr, td, th.group { display: block; width: 100% !important; }
  tr { border-top: 1px solid var(--line); padding: .5rem 0; }
  th, td { border: 0; padding: .1rem 0; }
  td:empty { display: none; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); font-size: .9em; }
  tr.head { border-top: 0; padding-bottom: 0; }
}
@page { margin: 16mm; }
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #444; --paper: #fff; --card: #fff; --line: #bbb; --accent: #123f66;
    --good: #14522c; --warning: #6b4600; --bad: #8a1211; }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  li, tr, blockquote { break-inside: avoid; }
  h2, h3, h4, th.group { break-after: avoid; }
  table { font-size: 8.5pt; }
  .evidence th:nth-child(1) { width: 32%; } .evidence th:nth-child(2) { width: 26%; }
  .evidence th:nth-child(3) { width: 13%; } .evidence th:nth-child(4) { width: 12%; }
}
"""
