import { createHash } from 'node:crypto'
import { keyPlaceholder, mcpConfiguration } from '../../contract/mcp-configuration.ts'
import { documentVersion } from '../../contract/openapi.ts'
import { registerDocuments } from '../http/documents.ts'
import type { Http, Surface } from '../http/surface.ts'

const about =
  'Agents buy things for people, safely: an agent asks to buy, a policy or a person approves, and the purchase cannot cost more than was ' +
  'approved.'

/** Relative, so that they work under any name of this server. */
const links = {
  reference: 'docs',
  openapi: 'openapi.json',
  mcp: 'mcp/v1',
  mcp_manifest: 'mcp/v1/manifest.json',
  health: { live: 'livez', serving: 'healthz', ready: 'readyz' },
} as const

/** `GET /`: what this server is and where to read more, as a page for people and as JSON for programs. */
export const frontPage: Surface = {
  name: 'front-page',
  mount: (http, { publicUrl }) => mount(http, publicUrl),
}

function mount(http: Http, publicUrl: string): void {
  const shared = { path: '/', maxAgeSeconds: 300 } as const
  registerDocuments(http, [
    {
      ...shared,
      type: 'application/json; charset=utf-8',
      headers: { 'access-control-allow-origin': '*' },
      make: () => JSON.stringify({ name: 'Prokura', version: documentVersion, description: about, links }),
    },
    { ...shared, type: 'text/html; charset=utf-8', headers: pageHeaders, make: () => pageOf(publicUrl) },
    // Browsers request it by themselves for any page.
    { path: '/favicon.ico', type: 'image/svg+xml', maxAgeSeconds: 86_400, make: () => icon },
  ])
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#1f4fd8"/>' +
  '<path d="M5 13V3h4a3 3 0 0 1 0 6H5" fill="none" stroke="#fff" stroke-width="2"/></svg>'

const style = `
:root{color-scheme:light dark;--ink:#1a1c22;--soft:#5b6170;--line:#c6cad4;--page:#f4f5f8;--card:#fff;--act:#1f4fd8}
@media (prefers-color-scheme:dark){:root{--ink:#eceef3;--soft:#a5abb9;--line:#4a505e;--page:#14161b;--card:#1d2027;--act:#8fb0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:3rem 1rem 4rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.125rem;margin:0 0 .5rem}
p{margin:0 0 1rem}
.lead{color:var(--soft);font-size:1.125rem;margin-bottom:2rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.25rem 1.5rem;margin:0 0 1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.6rem 1.25rem;margin:0}
dt{font-weight:600}
dd{margin:0;color:var(--soft)}
a{color:var(--act)}
a:focus-visible{outline:3px solid var(--act);outline-offset:2px}
pre,code{font:.875rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
pre{margin:0;overflow-x:auto;padding:1rem;background:var(--page);border:1px solid var(--line);border-radius:8px}
footer{color:var(--soft);font-size:.875rem}
@media (max-width:34rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.75rem}}
`

/** The page loads nothing, runs nothing, cannot be framed, and has nowhere to send anything. */
const contentSecurity = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const pageHeaders = { 'content-security-policy': contentSecurity, 'referrer-policy': 'no-referrer' }

function pageOf(publicUrl: string): string {
  const configuration = JSON.stringify(mcpConfiguration(publicUrl, keyPlaceholder), null, 2)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Prokura</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Prokura</h1>
<p class="lead">${about}</p>
<section class="card">
<dl>
<dt><a href="${links.reference}">Reference</a></dt><dd>Every operation: its fields, its answers and its errors.</dd>
<dt><a href="${links.openapi}">OpenAPI</a></dt><dd>The reference as a document for generators and tools.</dd>
<dt><a href="${links.mcp_manifest}">Agent tools</a></dt><dd>Every operation that an agent can call over the Model Context Protocol, at <code>/${links.mcp}</code>.</dd>
<dt><a href="${links.health.ready}">Health</a></dt><dd>Whether the service can answer calls right now. See also <a href="${links.health.serving}">healthz</a> and <a href="${links.health.live}">livez</a>.</dd>
</dl>
</section>
<section class="card">
<h2>Connect an agent</h2>
<p>Paste this into the MCP configuration of the agent’s host. Use a key with the preset <code>buyer_agent</code>: the agent can buy, but cannot approve its own purchases.</p>
<pre tabindex="0">${escaped(configuration)}</pre>
</section>
<footer>Version ${documentVersion}</footer>
</main>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
