"""The pages' style sheet."""

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --back: #fff;
  --band: #f6f8fa; --link: #0969da; --green: #1a7f37; --violet: #8250df; --red: #cf222e; --amber: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --ink: #f0f6fc; --soft: #9198a1; --line: #3d444d;
  --back: #0d1117; --band: #151b23; --link: #4493f8; --green: #3fb950; --violet: #ab7df8; --red: #f85149;
  --amber: #d29922; } }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--back);
  font: 15px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif, "Noto Color Emoji"; }
main { max-width: 860px; margin: 0 auto; padding: 20px 16px 60px; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
h1 { font-size: 1.7em; font-weight: 500; line-height: 1.25; margin: 4px 0 10px; overflow-wrap: anywhere; }
h1 .number { color: var(--soft); font-weight: 300; }
.where, .soft { color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding-bottom: 14px;
  border-bottom: 1px solid var(--line); margin-bottom: 18px; overflow-wrap: anywhere; }
.state { color: #fff; border-radius: 2em; padding: 4px 12px; font-weight: 600; background: var(--soft); }
.state.open { background: #1f883d; } .state.merged { background: #8250df; }
.state.closed { background: #cf222e; }
.label { border: 1px solid var(--line); background: var(--band); border-radius: 2em; padding: 1px 9px;
  font-size: 12px; font-weight: 600; }
.said { display: grid; grid-template-columns: 40px minmax(0, 1fr); gap: 14px; margin: 0 0 18px; }
.face { width: 40px; height: 40px; border-radius: 50%; color: #fff; font-weight: 600; display: grid;
  place-items: center; text-transform: uppercase; }
.face.bot { border-radius: 8px; }
.hue0 { background: #0969da; } .hue1 { background: #1a7f37; } .hue2 { background: #9a6700; }
.hue3 { background: #8250df; } .hue4 { background: #bf3989; } .hue5 { background: #57606a; }
.box { border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.head { background: var(--band); border-bottom: 1px solid var(--line); padding: 7px 14px; font-size: 13.5px;
  color: var(--soft); display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; }
.head b { color: var(--ink); }
.tag { border: 1px solid var(--line); border-radius: 2em; padding: 0 7px; font-size: 11.5px; }
.text { padding: 12px 16px; overflow-wrap: anywhere; }
.text > :first-child { margin-top: 0; } .text > :last-child { margin-bottom: 0; }
.text h1, .text h2, .text h3 { font-weight: 600; margin: 20px 0 10px; line-height: 1.3; }
.text h1 { font-size: 1.6em; } .text h2 { font-size: 1.35em; } .text h3 { font-size: 1.15em; }
.text h1, .text h2 { border-bottom: 1px solid var(--line); padding-bottom: 5px; }
.text p, .text ul, .text ol, .text blockquote, .text pre, .text table, .text details { margin: 0 0 12px; }
.text table { display: block; width: max-content;
  max-width: 100%; overflow-x: auto; border-collapse: collapse; }
.text th, .text td { border: 1px solid var(--line); padding: 5px 12px; text-align: left;
  vertical-align: top; }
.text th[align=right], .text td[align=right] { text-align: right; }
.text th[align=center], .text td[align=center] { text-align: center; }
.text tr:nth-child(2n) td { background: var(--band); }
.text code { background: color-mix(in srgb, var(--soft) 17%, transparent); border-radius: 6px;
  padding: 2px 5px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas,
  "Liberation Mono", monospace; font-size: 86%; }
.text pre { background: var(--band); border-radius: 6px; padding: 12px 14px; overflow-x: auto; }
.text pre code { background: none; padding: 0; font-size: 100%; }
.text blockquote { border-left: 4px solid var(--line); padding: 0 14px; color: var(--soft); margin-left: 0; }
.text summary { cursor: pointer; font-weight: 600; }
.text details[open] > summary { margin-bottom: 8px; }
.text hr { border: 0; border-top: 3px solid var(--line); }
.mention { font-weight: 600; background: color-mix(in srgb, var(--amber) 22%, transparent);
  border-radius: 4px; }
.reactions { display: flex; flex-wrap: wrap; gap: 6px; padding: 0 16px 12px; }
.reactions span { border: 1px solid var(--line); border-radius: 2em; padding: 1px 9px; font-size: 13px; }
.checks { list-style: none; margin: 0; padding: 0; }
.checks li { display: flex; gap: 10px; padding: 8px 14px; border-top: 1px solid var(--line); }
.checks li:first-child { border-top: 0; }
.checks .name { flex: 1; overflow-wrap: anywhere; }
.good { color: var(--green); } .bad { color: var(--red); } .busy { color: var(--amber); }
@media (max-width: 560px) { .said { grid-template-columns: minmax(0, 1fr); } .face { display: none; }
  main { padding: 14px 10px 40px; } h1 { font-size: 1.35em; } }
"""
