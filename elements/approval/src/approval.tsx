import { render } from 'preact'
import { readAppearance } from '../../frame/src/appearance/read-appearance.ts'
import { showLook } from '../../frame/src/appearance/show-look.ts'
import { keepUntil, keptSecret } from './kept-secrets.ts'
import { takeLink } from './link-token.ts'
import { loadPageWords } from './locales/page-words.ts'
import { ApprovalPage } from './view/approval-page.tsx'

const root = document.getElementById('root') ?? document.body
const dark = matchMedia('(prefers-color-scheme: dark)')
const kept = { storage: () => localStorage, now: Date.now }
const link = await takeLink({
  location,
  history,
  storage: () => sessionStorage,
  secretFor: (token) => keptSecret(token, kept),
})

const showTheme = () => showLook(readAppearance({ theme: 'auto' }, dark.matches))
showTheme()
dark.addEventListener('change', showTheme)
// Another link that is put into the address of this tab is another page.
addEventListener('hashchange', () => location.reload())

const wordsFor = await loadPageWords(navigator.languages)
render(
  <ApprovalPage
    fetch={fetch.bind(globalThis)}
    link={link}
    wordsFor={wordsFor}
    onLooked={({ answerBy }) => link && void keepUntil(link.token, answerBy, kept)}
  />,
  root,
)
