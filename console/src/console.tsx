import { createRoot } from 'react-dom/client'
import { home } from './address.tsx'
import { App } from './app.tsx'
import { loadWords, SpokenContext } from './words.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')

// Passkeys are of one name. Who comes by another, such as the number of this machine, goes on under that one.
if (location.origin === home.origin) {
  const spoken = await loadWords(navigator.languages)
  document.documentElement.lang = spoken.language
  createRoot(root).render(
    <SpokenContext value={spoken}>
      <App />
    </SpokenContext>,
  )
} else location.replace(home.origin + location.pathname + location.search + location.hash)
