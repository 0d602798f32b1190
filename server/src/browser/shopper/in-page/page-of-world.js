import {
  actionOf,
  controlOf,
  isPressable,
  kindOfControl,
  optionsOfList,
  rowsOf,
} from './describe-elements.js'
import {
  beginSnapshot,
  contentOf,
  everyElement,
  formsOf,
  isControlShown,
  isReachable,
  isShown,
  labelShown,
  markedLinesOf,
  nodesMax,
  refOf,
  seen,
  squeeze,
  textMax,
  textOf,
  wordsMax,
  writtenDown,
} from './seen-elements.js'

/** How many of each kind are written down. */
const atMost = {
  controls: 2_000,
  actions: 4_000,
  headings: 300,
  scripts: 50,
  meta: 300,
  properties: 1_000,
  frames: 100,
}
/** A longer script would have to be cut, and is no JSON then. */
const scriptMax = 500_000
const describedMax = 5_000
const urlMax = 16_000
const struckTextMax = 200

function snapshot() {
  beginSnapshot()
  const formOf = formsOf()
  const modal = document.querySelector('dialog:modal')
  const controls = []
  const actions = []
  const shown = []
  const frames = []
  let count = 0
  for (const element of everyElement(document.body ?? document)) {
    if (count++ > nodesMax) break
    if (element.tagName === 'IFRAME' && frames.length < atMost.frames) frames.push(frameOf(element))
    const kind = controls.length < atMost.controls ? kindOfControl(element) : null
    if (kind !== null && isControlShown(element) && isReachable(element, modal))
      controls.push(controlOf(element, kind, formOf))
    if (!isShown(element)) continue
    shown.push(element)
    if (actions.length < atMost.actions && isPressable(element) && isReachable(element, modal))
      actions.push(actionOf(element, formOf))
  }
  const seenText = document.body ? markedLinesOf(document.body) : { lines: [], struck: [] }
  return {
    url: writtenDown(location.href, urlMax),
    title: writtenDown(squeeze(document.title)),
    language: writtenDown(document.documentElement.lang, 100).toLowerCase(),
    text: writtenDown(seenText.lines.join('\n'), textMax),
    struck: seenText.struck.map(({ line, text }) => ({ line, text: writtenDown(text, struckTextMax) })),
    headings: shown
      .filter((one) => one.matches('h1, h2, h3, [role=heading]'))
      .slice(0, atMost.headings)
      .map((one) => writtenDown(textOf(one)))
      .filter(Boolean),
    jsonLd: jsonLdOf(),
    meta: metaOf(),
    microdata: microdataOf(),
    controls,
    actions: actions.filter(({ name, href }) => name !== '' || href !== ''),
    rows: rowsOf(shown),
    frames,
  }
}

function jsonLdOf() {
  return [...document.querySelectorAll('script[type="application/ld+json"]')]
    .slice(0, atMost.scripts)
    .map((one) => contentOf(one, scriptMax + 1))
    .filter((text) => text.length <= scriptMax)
    .map((text) => (text.length <= seen.left ? writtenDown(text, scriptMax) : ''))
}

function metaOf() {
  const found = []
  for (const meta of document.querySelectorAll('meta[content]')) {
    if (found.length >= atMost.meta) break
    const name =
      meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('itemprop') ?? ''
    if (name !== '') found.push({ name: writtenDown(name), content: writtenDown(meta.content, describedMax) })
  }
  return found
}

function frameOf(frame) {
  let origin = ''
  try {
    origin = new URL(frame.src, document.baseURI).origin
  } catch {}
  return {
    ref: refOf(frame),
    origin,
    title: writtenDown(squeeze(frame.title || frame.name)),
    isVisible: isShown(frame),
  }
}

function microdataOf() {
  const found = []
  const budget = { left: atMost.properties }
  for (const scope of document.querySelectorAll('[itemscope]')) {
    if (budget.left-- <= 0) break
    if (scope.parentElement?.closest('[itemscope]') != null) continue
    const type = writtenDown(scope.getAttribute('itemtype'))
    found.push({ type, properties: propertiesOf(scope, '', budget) })
  }
  return found
}

function propertiesOf(scope, before, budget) {
  const properties = []
  for (const element of scope.querySelectorAll('[itemprop]')) {
    if (element.parentElement?.closest('[itemscope]') !== scope) continue
    if (budget.left-- <= 0) break
    const name = (before + element.getAttribute('itemprop').slice(0, wordsMax)).slice(-wordsMax)
    if (element.hasAttribute('itemscope')) properties.push(...propertiesOf(element, `${name}.`, budget))
    else
      properties.push({ name: writtenDown(name), value: writtenDown(markedValueOf(element), describedMax) })
  }
  return properties
}

function markedValueOf(element) {
  return squeeze(
    element.getAttribute('content') ??
      element.getAttribute('href') ??
      element.getAttribute('src') ??
      element.getAttribute('datetime') ??
      contentOf(element, textMax),
  )
}

/**
 * What a buyer agrees to with the last button: each line with a figure in it, what stands side by side, what is chosen, and where the page
 * is. No value of a text field is in it.
 */
function agreementOf({ url, text, rows, controls }) {
  const lines = text.split('\n').filter((line) => /\d/.test(line))
  const chosen = controls
    .filter(({ kind }) => kind !== 'text')
    .map(({ ref, isChecked, options }) => [
      ref,
      isChecked,
      options.find(({ isSelected }) => isSelected)?.value,
    ])
  return JSON.stringify([url.split('#')[0], lines, rows.map(({ label, value }) => [label, value]), chosen])
}

/** A page, and what is agreed to on it, of the same moment. */
function agreeable() {
  const page = snapshot()
  return { page, agreement: agreementOf(page) }
}

/** Presses an element if the page still says what was agreed to. One task: no script of the page runs in between. */
function pressIfAgreed(ref, agreement) {
  const element = seen.elements.get(ref)
  if (element === undefined || !element.isConnected) return 'gone'
  if (element.matches(':disabled, [aria-disabled=true]')) return 'disabled'
  if (agreementOf(snapshot()) !== agreement || seen.elements.get(ref) !== element) return 'differs'
  element.click()
  return 'pressed'
}

/** Resolves once nothing in the document has changed for a moment. */
function quiet(quietMs, maxMs) {
  return new Promise((resolve) => {
    const end = () => {
      observer.disconnect()
      clearTimeout(timer)
      clearTimeout(last)
      resolve(document.readyState)
    }
    // What a style moves changes nothing in the document until it has arrived.
    const look = () => {
      if (!isMoving()) return end()
      timer = setTimeout(look, quietMs)
    }
    let timer = setTimeout(look, quietMs)
    const last = setTimeout(end, maxMs)
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(look, quietMs)
    })
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  })
}

/** Something folds, slides or fades, and will have done so in a moment. What turns for ever is not waited for. */
function isMoving() {
  return document.getAnimations().some(({ playState, currentTime, effect }) => {
    const left = Number(effect?.getComputedTiming().endTime) - Number(currentTime)
    return playState === 'running' && left > 0 && left <= movingMaxMs
  })
}

const movingMaxMs = 1_000

/** What is called plus: one more of what stands beside it. */
function plusRefs() {
  const modal = document.querySelector('dialog:modal')
  const elements = []
  for (const one of everyElement(document.body)) if (elements.push(one) >= nodesMax) break
  return elements
    .filter((one) => isShown(one) && isPressable(one) && isReachable(one, modal))
    .filter((one) => !one.matches(':disabled, [aria-disabled=true]') && /^[+＋➕]$/u.test(textOf(one)))
    .map(refOf)
}

/** What lies over the middle of an element: itself, or something else, by its number. */
function coverOf(ref) {
  const element = seen.elements.get(ref)
  if (element === undefined || !element.isConnected) return { state: 'gone' }
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const own = element.getBoundingClientRect()
  const label = own.width === 0 || own.height === 0 ? labelShown(element) : undefined
  const box = label === undefined ? own : beginningOf(label)
  if (box.width === 0 || box.height === 0) return { state: 'hidden' }
  const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1)
  const y = Math.min(Math.max(box.top + box.height / 2, 0), innerHeight - 1)
  const top = deepestAt(x, y)
  const isOwn =
    top !== null && (isAround(element, top) || [...(element.labels ?? [])].some((one) => isAround(one, top)))
  return { state: isOwn ? 'free' : 'covered', x, y }
}

/** Further down in a label that is drawn as a card other fields may stand. */
function beginningOf(label) {
  label.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const { left, top, width, height } = label.getBoundingClientRect()
  return { left, top, width: Math.min(width, 24), height: Math.min(height, 24) }
}

function deepestAt(x, y) {
  let found = document.elementFromPoint(x, y)
  while (found?.shadowRoot?.elementFromPoint(x, y) && found.shadowRoot.elementFromPoint(x, y) !== found)
    found = found.shadowRoot.elementFromPoint(x, y)
  return found
}

function isAround(outer, inner) {
  for (let at = inner; at !== null; at = at.parentNode ?? at.host ?? null) if (at === outer) return true
  return false
}

// In a world of its own: what the page calls by this name is something else.
globalThis.inPage = {
  snapshot,
  agreeable,
  pressIfAgreed,
  quiet,
  coverOf,
  plusRefs,
  leaveFields: () => document.activeElement?.blur(),
  optionsOf: (ref) => (seen.elements.has(ref) ? optionsOfList(seen.elements.get(ref)) : []),
  element: (ref) => seen.elements.get(ref) ?? null,
}
