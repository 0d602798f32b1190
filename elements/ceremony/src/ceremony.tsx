import { render } from 'preact'
import { readAppearance } from '../../frame/src/appearance/read-appearance.ts'
import { showLook } from '../../frame/src/appearance/show-look.ts'
import { chooseLocale } from '../../frame/src/locales/choose-locale.ts'
import { loadWords } from '../../frame/src/locales/load-words.ts'
import { CeremonyView } from './ceremony-view.tsx'
import { windowWords } from './locales/window-words.ts'
import { createWindowCalls } from './window-calls.ts'

const root = document.getElementById('root') ?? document.body
const dark = matchMedia('(prefers-color-scheme: dark)')
const token = location.hash.slice(1)
// Whoever looks over a shoulder, or at the history of the browser, finds no token.
history.replaceState(null, '', location.pathname)
// A second proof is put into the address of the window that the first has left open: it takes its token as this one did.
addEventListener('hashchange', () => {
  if (location.hash !== '') location.reload()
})

function showAppearance(): void {
  showLook(readAppearance({ theme: 'auto' }, dark.matches))
}

dark.addEventListener('change', showAppearance)
showAppearance()
const { language, texts } = await loadWords(chooseLocale(null, navigator.languages).language, windowWords)
document.documentElement.lang = language

/** The way back in the browser's history leads to this window again, and not to one without a token. */
function leave(url: string): void {
  history.replaceState(null, '', `#${token}`)
  location.assign(url)
}

render(
  <CeremonyView calls={createWindowCalls(fetch.bind(globalThis), token)} sentences={texts} leave={leave} />,
  root,
)
