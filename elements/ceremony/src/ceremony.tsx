import { render } from 'preact'
import { readAppearance } from '../../frame/src/appearance/read-appearance.ts'
import { showLook } from '../../frame/src/appearance/show-look.ts'
import { CeremonyView } from './ceremony-view.tsx'
import { chooseLanguage } from './languages.ts'
import { createWindowCalls } from './window-calls.ts'

const root = document.getElementById('root') ?? document.body
const dark = matchMedia('(prefers-color-scheme: dark)')
const token = location.hash.slice(1)
// Whoever looks over a shoulder, or at the history of the browser, finds no token.
history.replaceState(null, '', location.pathname)

function showAppearance(): void {
  showLook(readAppearance({ theme: 'auto' }, dark.matches))
}

const { language, sentences } = chooseLanguage(navigator.languages)
document.documentElement.lang = language
dark.addEventListener('change', showAppearance)
showAppearance()
render(<CeremonyView calls={createWindowCalls(fetch.bind(globalThis), token)} sentences={sentences} />, root)
