import { render } from 'preact'
import type { FrameMessage, PageMessage } from '../../messages/src/messages.ts'
import { readAppearance } from './appearance/read-appearance.ts'
import { showLook } from './appearance/show-look.ts'
import { type CardCalls, createCardCalls } from './calls/add-card.ts'
import { readFacts } from './facts.ts'
import { chooseLocale } from './locales/choose-locale.ts'
import { openPageLine, type PageLine } from './page-line.ts'
import { AddPaymentMethod } from './view/add-payment-method.tsx'
import { Loading } from './view/endings.tsx'
import type { Words } from './view/words.ts'

const root = document.getElementById('root') ?? document.body
const facts = readFacts(document.getElementById('facts')?.textContent ?? '{}')
const dark = matchMedia('(prefers-color-scheme: dark)')

let shown: { appearance: unknown; locale: string | null } = { appearance: null, locale: null }
let line: PageLine | null = null
let calls: CardCalls | null = null
let renewed: () => void = () => undefined

function hear(message: PageMessage): void {
  if (message.kind === 'update') {
    shown = message
    showAppearance()
    show()
  }
  if (message.kind === 'bootstrap') {
    calls?.renew(message.bootstrap)
    renewed()
  }
}

function renew(): Promise<void> {
  tell({ kind: 'renew' })
  return new Promise((resolve) => {
    renewed = resolve
  })
}

function tell(message: FrameMessage): void {
  line?.send(message)
}

function showAppearance(): void {
  const look = readAppearance(shown.appearance, dark.matches)
  showLook(look)
  // biome-ignore lint/suspicious/noConsole: a developer finds out nowhere else; it never has what was typed
  if (facts.isTest) for (const each of look.dropped) console.warn(`Prokura: ${each}`)
}

function show(): void {
  const words: Words = { ...chooseLocale(shown.locale, navigator.languages), isTest: facts.isTest }
  document.documentElement.lang = words.language
  document.documentElement.dir = words.dir
  document.title = words.sentences.number
  const { testCards } = facts
  const given = { words, testCards, tell, renew, onReady }
  render(calls === null ? <Loading words={words} /> : <AddPaymentMethod {...given} calls={calls} />, root)
}

function onReady(): void {
  tell({ kind: 'ready', height: heightNow() })
}

function heightNow(): number {
  return Math.ceil(root.getBoundingClientRect().height)
}

/** The page's frame is as high as what stands in it. */
function watchHeight(): void {
  new ResizeObserver(() => tell({ kind: 'height', height: heightNow() })).observe(root)
}

async function start(): Promise<void> {
  showAppearance()
  show()
  line = await openPageLine(facts.hostOrigin, hear)
  const { publishableKey, component, profileId, clientSecret, appearance, locale } = line.options
  calls = createCardCalls(fetch.bind(globalThis), {
    publishable_key: publishableKey,
    bootstrap: facts.bootstrap,
    component,
    profile_id: profileId,
    ...(clientSecret === null ? {} : { client_secret: clientSecret }),
  })
  shown = { appearance, locale }
  showAppearance()
  show()
  watchHeight()
}

dark.addEventListener('change', showAppearance)
void start()
