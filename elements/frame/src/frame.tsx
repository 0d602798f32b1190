import { render } from 'preact'
import type { ElementOptions, FrameMessage, PageMessage } from '../../messages/src/messages.ts'
import { readAppearance } from './appearance/read-appearance.ts'
import { showLook } from './appearance/show-look.ts'
import { createFrameCalls, type FrameCalls } from './calls/open-session.ts'
import { readFacts } from './facts.ts'
import { chooseLocale } from './locales/choose-locale.ts'
import { formWords } from './locales/form-words.ts'
import { loadWords } from './locales/load-words.ts'
import { openPageLine, type PageLine } from './page-line.ts'
import { AddPaymentMethod } from './view/add-payment-method.tsx'
import type { AnswerAuthorize, ComponentView } from './view/component-view.ts'
import { Loading, Stopped } from './view/endings.tsx'
import { MerchantAuthHandoff } from './view/merchant-auth-handoff.tsx'
import { AddOrSelectPaymentMethod } from './view/select/add-or-select.tsx'
import type { Words } from './view/words.ts'

/** What stands in the frame, by the name that page and server say. */
const views: Readonly<Record<string, ComponentView>> = {
  AddPaymentMethod: { View: AddPaymentMethod, title: ({ number }) => number },
  AddOrSelectPaymentMethod: { View: AddOrSelectPaymentMethod, title: ({ payWith }) => payWith },
  MerchantAuthHandoff: { View: MerchantAuthHandoff, title: ({ signIn }) => signIn.submit },
}

const root = document.getElementById('root') ?? document.body
const facts = readFacts(document.getElementById('facts')?.textContent ?? '{}')
const dark = matchMedia('(prefers-color-scheme: dark)')
const component = (Object.hasOwn(views, facts.component) ? views[facts.component] : undefined) ?? null

let shown: { appearance: unknown; locale: string | null } = { appearance: null, locale: null }
let words: Words = { language: 'en', dir: 'ltr', sentences: formWords.en, isTest: facts.isTest }
let line: PageLine | null = null
let calls: FrameCalls | null = null
let renewed: () => void = () => undefined
let answer: AnswerAuthorize | null = null

function hear(message: PageMessage): void {
  if (message.kind === 'update') {
    shown = message
    showAppearance()
    void speak()
  }
  if (message.kind === 'bootstrap') {
    calls?.renew(message.bootstrap)
    renewed()
  }
  if (message.kind === 'authorize') {
    const { id } = message
    if (answer !== null) answer(message)
    else tell({ kind: 'not_authorized', id, code: 'not_ready', message: 'The component is not ready.' })
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

/** Until the words of another language are there, the form stays in the one that it has. */
async function speak(): Promise<void> {
  const asked = shown
  const { language, dir } = chooseLocale(asked.locale, navigator.languages)
  const loaded = await loadWords(language, formWords)
  // Meanwhile the page may have chosen again.
  if (asked !== shown) return
  words = { language: loaded.language, dir, sentences: loaded.texts, isTest: facts.isTest }
  show()
}

function show(): void {
  document.documentElement.lang = words.language
  document.documentElement.dir = words.dir
  document.title = component?.title(words.sentences) ?? ''
  render(viewNow(), root)
}

function viewNow() {
  if (component === null)
    return <Stopped message={`There is no component ${facts.component}.`} words={words} />
  if (calls === null || line === null) return <Loading words={words} />
  const { testCards } = facts
  const given = { words, testCards, options: line.options, tell, renew, onReady, answerAuthorize }
  return <component.View {...given} session={calls} />
}

function answerAuthorize(next: AnswerAuthorize | null): void {
  answer = next
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
  const { appearance, locale } = line.options
  shown = { appearance, locale }
  const spoken = speak()
  calls = createFrameCalls(fetch.bind(globalThis), sessionRequestOf(line.options), spoken)
  showAppearance()
  show()
  watchHeight()
}

function sessionRequestOf(options: ElementOptions) {
  const { publishableKey, component, profileId, purchaseIntentId, clientSecret } = options
  return {
    publishable_key: publishableKey,
    bootstrap: facts.bootstrap,
    component,
    ...(profileId === null ? {} : { profile_id: profileId }),
    ...(purchaseIntentId === null ? {} : { purchase_intent_id: purchaseIntentId }),
    ...(clientSecret === null ? {} : { client_secret: clientSecret }),
  }
}

dark.addEventListener('change', showAppearance)
void start()
