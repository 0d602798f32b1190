import type { Settings } from '../../contract/context.ts'
import { Html, html } from '../../platform/pages/html.ts'
import type { FrameFiles } from './frame-files.ts'
import type { FramePage } from './frame-page.ts'

export const cardPagePath = '/cards/v1/page'
const filesPath = '/cards/v1/files'

type CardPage = {
  /** Of the page of an integrator in which the frame stands; null: none is said. */
  readonly host: string | null
  /** The origin of our frames. */
  readonly pages: string
  readonly cards: NonNullable<Settings['cards']>
}

/** The one document of the third origin: no other one lets a script of somebody else run, and nothing of ours is there to be read by it. */
export function cardPage(page: CardPage, files: FrameFiles): FramePage {
  const facts = JSON.stringify({ pages: page.pages, script: page.cards.script })
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Card</title>
<link rel="stylesheet" href="${cardFilePath(files.of('cards.css').path)}">
<script type="application/json" id="facts">${new Html(facts.replaceAll('<', '\\u003c'))}</script>
<script type="module" src="${cardFilePath(files.of('cards.js').path)}"></script>
</head>
<body>
<div id="root"></div>
</body>
</html>
`
  return { status: 200, headers: headersOf(page), text }
}

/** The same file as on the origin of the frames, under a path of this one. */
export function cardFilePath(path: string): `/${string}` {
  return path.replace('/elements/v1/files', filesPath) as `/${string}` // begins as before
}

function headersOf({ host, pages, cards: { sources } }: CardPage) {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${sources.script.join(' ')}`,
    "style-src 'self'",
    // The processor's script gives its frames their places by attributes.
    "style-src-attr 'unsafe-inline'",
    `connect-src ${sources.connect.join(' ')}`,
    `frame-src ${sources.frame.join(' ')}`,
    // guard cards-in-our-frame: a page of somebody else shows it to nobody
    `frame-ancestors ${host !== null && isOrigin(host) ? `${pages} ${host}` : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  }
}

/** As browsers send it: nothing that could say more in a policy. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && url.origin === text && /^https?:$/.test(url.protocol)
}
