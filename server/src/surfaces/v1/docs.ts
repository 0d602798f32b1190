import { Worker } from 'node:worker_threads'
import { type DocumentFacts, openApiDocument } from '../../contract/openapi.ts'
import type { OperationFacts } from '../../contract/operation.ts'
import { programFiles } from '../../platform/files/program-files.ts'
import { registerDocuments } from '../http/documents.ts'
import type { Http, Surface } from '../http/surface.ts'
import { viewerDocument } from './viewer-document.ts'

/**
 * Everything on the reference page comes from this server and goes to it, and only scripts in files of our own run. The viewer writes its
 * styles into the page while it runs.
 */
const contentSecurity = [
  "default-src 'none'",
  // guard no-script-of-text: the reference runs its own files and nothing else
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Prokura API</title>
</head>
<body>
<div id="app"></div>
<script src="/docs/js/scalar.js"></script>
<script src="/docs/js/start.js"></script>
</body>
</html>
`

const configuration = {
  url: '/docs/openapi.json',
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  showDeveloperTools: 'never',
  // It links to a page elsewhere, with the address of this server in the link.
  hideClientButton: true,
  // The button that copies a heading's link stands beyond the edge of a phone's screen, which then scrolls sideways.
  customCss: '.references-rendered{overflow-x:clip}',
  agent: { disabled: true },
  mcp: { disabled: true },
}

const javascript = 'application/javascript; charset=utf-8'
const html = 'text/html; charset=utf-8'

/** `GET /openapi.json`, and the reference that people read at `GET /docs`. */
export function docsSurface(operations: readonly OperationFacts[], facts: DocumentFacts): Surface {
  return { name: 'docs', mount: (http) => mount(http, operations, facts) }
}

function mount(http: Http, operations: readonly OperationFacts[], facts: DocumentFacts): void {
  const headers = { 'content-security-policy': contentSecurity, 'referrer-policy': 'no-referrer' }
  registerDocuments(http, [
    {
      path: '/openapi.json',
      type: 'application/json; charset=utf-8',
      maxAgeSeconds: 300,
      headers: { 'access-control-allow-origin': '*' },
      make: () => JSON.stringify(openApiDocument(operations, facts)),
    },
    {
      path: '/docs/openapi.json',
      type: 'application/json; charset=utf-8',
      maxAgeSeconds: 300,
      make: () => JSON.stringify(viewerDocument(openApiDocument(operations, facts))),
    },
    ...(['/docs', '/docs/'] as const).map((path) => ({
      path,
      type: html,
      maxAgeSeconds: 300,
      headers,
      make: () => page,
    })),
    { path: '/docs/js/scalar.js', type: javascript, maxAgeSeconds: 3600, make: readViewer },
    {
      path: '/docs/js/start.js',
      type: javascript,
      maxAgeSeconds: 300,
      make: () => `Scalar.createApiReference('#app', ${JSON.stringify(configuration)})\n`,
    },
  ])
}

/**
 * The viewer's script. It has megabytes, and extracting it takes several times as much memory. A thread does that for the first reader,
 * so that no other request waits, and its memory is freed when it ends.
 */
function readViewer(): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(programFiles.viewerThread)
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`the thread that reads the viewer ended with ${code}`)))
    thread.unref()
  })
}
