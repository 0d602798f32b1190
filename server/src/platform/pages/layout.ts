import { createHash } from 'node:crypto'
import type { HostedReply } from '../../contract/hosted-page.ts'
import type { AssetDirective, PlacedAssets } from './assets.ts'
import { Html, html } from './html.ts'

const style = `
:root{color-scheme:light dark;--ink:#1a1c22;--soft:#5b6170;--line:#c6cad4;--page:#f4f5f8;--card:#fff;--act:#1f4fd8;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#eceef3;--soft:#a5abb9;--line:#4a505e;--page:#14161b;--card:#1d2027;--act:#8fb0ff;--bad:#ff9d94}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:36rem;margin:0 auto;padding:2rem 1rem 4rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.5rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1rem;margin:0 0 .5rem}
p{margin:0 0 1rem}
fieldset{border:0;margin:1.5rem 0 0;padding:0;min-width:0}
legend{font-weight:600;padding:0;margin:0 0 .25rem}
.row{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem}
.date{display:grid;grid-template-columns:1fr 1fr 1.5fr;gap:0 .75rem;max-width:20rem}
.field{margin-top:.9rem;min-width:0}
label{display:block;font-weight:500;margin-bottom:.25rem}
.hint{color:var(--soft);font-size:.875rem;margin:0 0 .25rem}
.optional{color:var(--soft);font-weight:400}
input,select{width:100%;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.55rem .65rem}
input:focus-visible,select:focus-visible,button:focus-visible,a:focus-visible,.faults:focus-visible{outline:3px solid var(--act);outline-offset:1px}
[aria-invalid]{border-color:var(--bad);border-width:2px}
.fault{color:var(--bad);font-size:.875rem;margin:.25rem 0 0}
.faults{border:2px solid var(--bad);border-radius:8px;padding:1rem;margin:0 0 1rem}
.faults ul{margin:0;padding-left:1.25rem}
.faults a{color:var(--bad)}
button{font:inherit;font-weight:600;border:0;border-radius:8px;padding:.7rem 1.4rem;margin-top:1.5rem;background:var(--act);color:var(--card);cursor:pointer}
.mode{border:1px solid var(--line);border-radius:12px;padding:.4rem 1.5rem;font-size:.8125rem;color:var(--soft);margin-bottom:1rem}
.foot{color:var(--soft);font-size:.875rem;margin:1rem 0 0}
@media (max-width:30rem){.row{grid-template-columns:1fr}}
`

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** The page loads and runs its own assets and nothing else, only those whom it names can frame it, and its form goes to this server. */
function contentSecurity({ assets, framedBy = [] }: Pick<PageContent, 'assets' | 'framedBy'>): string {
  const own = (directive: AssetDirective) => (assets?.directives.has(directive) ? [assets.source] : [])
  const sources: readonly (readonly [string, ...string[]])[] = [
    ['default-src', "'none'"],
    ['style-src', styleHash, ...own('style-src')],
    ['script-src', ...own('script-src')],
    ['img-src', ...own('img-src')],
    ['font-src', ...own('font-src')],
    ['form-action', "'self'"],
    ['frame-ancestors', ...(framedBy.length > 0 ? framedBy : ["'none'"])],
    ['base-uri', "'none'"],
  ]
  return sources
    .filter(({ length }) => length > 1)
    .map((each) => each.join(' '))
    .join('; ')
}

function headersOf(page: Pick<PageContent, 'assets' | 'framedBy'>) {
  return {
    'content-security-policy': contentSecurity(page),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(page.framedBy ? {} : { 'x-frame-options': 'DENY' }),
    'x-robots-tag': 'noindex, nofollow',
  }
}

type PageContent = {
  readonly status: number
  readonly title: string
  readonly isTest?: boolean
  readonly body: Html
  readonly headers?: Readonly<Record<string, string>>
  /** The files in its folder that it loads. */
  readonly assets?: PlacedAssets
  /** The origins whose pages may show it in a frame; by default none. */
  readonly framedBy?: readonly string[]
}

/** A whole page, in the common layout. */
export function pageOf(content: PageContent): HostedReply {
  const { status, title, isTest = false, body, headers = {}, assets } = content
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>
${assets?.head ?? null}</head>
<body>
<main>
${isTest ? html`<p class="mode">Test mode: nothing you enter here is used for a real purchase.</p>` : null}
<div class="card">
${body}
</div>
</main>
</body>
</html>
`
  return { status, headers: { ...headersOf(content), ...headers }, html: page.text }
}

/** To another page of ours; the path is relative to the requested one. */
export function redirectTo(location: string, headers: Readonly<Record<string, string>>): HostedReply {
  return { status: 303, headers: { ...headersOf({}), ...headers, location }, html: '' }
}
