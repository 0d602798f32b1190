import { testCardNumbers } from '../../contract/test-card-numbers.ts'
import type { ElementBootstrap } from '../../platform/doors/element-door.ts'
import { Html, html } from '../../platform/pages/html.ts'
import type { FrameFiles } from './frame-files.ts'

const {
  visa_auto_approved,
  visa_otp_required,
  visa_otp_passkey,
  mastercard_popup,
  amex_ineligible,
  visa_issuer_declined,
} = testCardNumbers

/** Of the numbers that test mode takes, one for each thing that can happen. */
const testCards = [
  { name: 'Visa', number: visa_auto_approved, says: 'pays at once' },
  { name: 'Visa', number: visa_otp_required, says: 'asks for a code: 123456' },
  { name: 'Visa', number: visa_otp_passkey, says: 'asks for a code, then for a passkey' },
  { name: 'Mastercard', number: mastercard_popup, says: 'is confirmed in a window' },
  { name: 'American Express', number: amex_ineligible, says: 'asks for its security code each time' },
  { name: 'Visa', number: visa_issuer_declined, says: 'is declined when it pays' },
]

type Framed = ElementBootstrap & {
  readonly bootstrap: string
  readonly vaultUrl: string | null
  /** Where the payment processor takes cards; null: the vault does. */
  readonly cardsUrl: string | null
  readonly isIsolated: boolean
}

export type FramePage = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The document of a frame. It loads two files of its own origin, talks to that origin and to the vault, and stands in pages of one origin. */
export function framePage(framed: Framed, files: FrameFiles): FramePage {
  const { bootstrap, component, mode, origin } = framed
  const test_cards = mode === 'test' ? testCards : []
  const facts = JSON.stringify({ bootstrap, component, mode, host_origin: origin, test_cards })
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${component}</title>
<link rel="stylesheet" href="${files.of('frame.css').path}">
<script type="application/json" id="facts">${new Html(facts.replaceAll('<', '\\u003c'))}</script>
<script type="module" src="${files.of('frame.js').path}"></script>
</head>
<body>
<div id="root"></div>
</body>
</html>
`
  return { status: 200, headers: headersOf(framed), text: page.text }
}

/** Nothing is shown in its place: the loader waits for a word of the frame, and says to the page why there is none. */
export const noFramePage: FramePage = {
  status: 404,
  headers: headersOf({ origin: "'none'", vaultUrl: null, cardsUrl: null, isIsolated: false }),
  text: '<!doctype html><title>Nothing here</title>',
}

/** Those of every document of this origin; `origin` is the one in whose pages it may stand. */
export function headersOf({
  origin,
  vaultUrl,
  cardsUrl,
  isIsolated,
}: Pick<Framed, 'origin' | 'vaultUrl' | 'cardsUrl' | 'isIsolated'>) {
  const sources = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${vaultUrl === null ? '' : ` ${vaultUrl}`}`,
    ...(cardsUrl === null ? [] : [`frame-src ${cardsUrl}`]),
    // guard one-embedding-origin: a frame appears in pages of the origin that was looked at, and in no other
    `frame-ancestors ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': sources.join('; '),
    'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-resource-policy': 'cross-origin',
    // A page that is isolated shows nothing, and tells nobody, where its frame is not.
    ...(isIsolated ? { 'cross-origin-embedder-policy': 'require-corp' } : {}),
  }
}
