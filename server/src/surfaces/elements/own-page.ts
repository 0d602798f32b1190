import { html } from '../../platform/pages/html.ts'
import type { FrameFiles } from './frame-files.ts'
import { type FramePage, headersOf } from './frame-page.ts'

/**
 * A page of ours, the same for everybody: whose it is stands in the fragment, which no server sees. Whoever embeds it could have a person
 * click what they do not see, and whoever opened it could read where it leads: it stands alone.
 */
export function ownPage(
  name: 'approval' | 'ceremony',
  vaultUrl: string | null,
  files: FrameFiles,
): FramePage {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Prokura</title>
<link rel="stylesheet" href="${files.of(`${name}.css`).path}">
<script type="module" src="${files.of(`${name}.js`).path}"></script>
</head>
<body>
<main id="root"></main>
<noscript><p>This page needs JavaScript. Open the link again in a browser that has it.</p></noscript>
</body>
</html>
`
  return {
    status: 200,
    headers: {
      // guard page-in-no-frame: nobody has a person click on a page that they do not see
      ...headersOf({ origin: "'none'", vaultUrl, cardsUrl: null, isIsolated: false }),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
    },
    text: page.text,
  }
}
