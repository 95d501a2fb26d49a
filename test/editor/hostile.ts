// Texts that try to break out of a page that shows them.

const run = 'window.hacked=1';

export const HOSTILE: readonly string[] = [
  `<script>${run}</script>`,
  `</script><script>${run}</script>`,
  `</title></style></textarea></noscript><script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `<svg onload="${run}"><script>${run}</script><a xlink:href="javascript:${run}"><text>x</text></a></svg>`,
  `<iframe src="javascript:${run}" srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<details open ontoggle="${run}"><summary>x</summary></details>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  `<form action="https://evil.example"><input autofocus onfocus="${run}"></form>`,
  `<style>*{display:none} @import url(https://evil.example/a.css);</style><link rel=stylesheet href=https://evil.example/a.css>`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example/">`,
  `[a](javascript:${run}) [b](JaVaScRiPt:${run}) [c](java\tscript:${run}) [d](&#106;avascript:${run}) [e](%6Aavascript:${run})`,
  `[quit](command:workbench.action.quit) [file](file:///etc/passwd) [data](data:text/html,<script>${run}</script>) [app](vscode://x/y)`,
  `<javascript:${run}> <command:workbench.action.quit> [r][ref]\n\n[ref]: javascript:${run}`,
  `![pixel](https://evil.example/pixel.png) ![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+) ![y](file:///etc/passwd)`,
  `![a](https://evil.example/"onerror="${run}) [b](https://evil.example/"onclick="${run})`,
  `[t](https://evil.example 'x" onmouseover="${run}') https://evil.example/<b>onclick=${run}</b>`,
  `\`\`\`"><img src=x onerror=${run}>\n<script>${run}</script>\n\`\`\``,
  `\`\`\`html\n</code></pre><script>${run}</script>\n\`\`\``,
  `| a" onclick="${run} | <b> |\n|:--|--:|\n| <img src=x onerror=${run}> | </td></table><script>${run}</script> |`,
  `# <a id=x href="javascript:${run}">heading</a>\n\n> <blockquote onclick="${run}">\n\n1. <li onclick="${run}">`,
  `\u001b]8;;javascript:${run}\u0007link\u001b]8;;\u0007 \u001b[31mred\u001b[0m \u001b[2J\u001b[H`,
  `safe\u202e)1(trela:tpircsavaj\u202c\u2066\u2069 \u200f\u061c \u0000\u0008`,
  'w'.repeat(50_000),
  `${'*'.repeat(5000)}${'['.repeat(5000)}${'> '.repeat(500)}x`,
  `__proto__ constructor {{7*7}} \${${run}} %s <% ${run} %> ' onx=1 " ony=2`,
];
