import {
  actionOf,
  controlOf,
  isPressable,
  kindOfControl,
  optionsOfList,
  rowsOf,
} from './describe-elements.js'
import {
  everyElement,
  formsOf,
  isControlShown,
  isReachable,
  isShown,
  linesOf,
  nodesMax,
  refOf,
  seen,
  squeeze,
  textMax,
  textOf,
} from './seen-elements.js'

function snapshot() {
  seen.elements.clear()
  const formOf = formsOf()
  const modal = document.querySelector('dialog:modal')
  const controls = []
  const actions = []
  const shown = []
  const frames = []
  let count = 0
  for (const element of everyElement(document.body ?? document)) {
    if (count++ > nodesMax) break
    if (element.tagName === 'IFRAME') frames.push(frameOf(element))
    const kind = kindOfControl(element)
    if (kind !== null && isControlShown(element) && isReachable(element, modal))
      controls.push(controlOf(element, kind, formOf))
    if (!isShown(element)) continue
    shown.push(element)
    if (isPressable(element) && isReachable(element, modal)) actions.push(actionOf(element, formOf))
  }
  return {
    url: location.href,
    title: squeeze(document.title),
    language: (document.documentElement.lang || '').toLowerCase(),
    text: document.body ? linesOf(document.body).join('\n').slice(0, textMax) : '',
    headings: shown
      .filter((one) => one.matches('h1, h2, h3, [role=heading]'))
      .map(textOf)
      .filter(Boolean),
    jsonLd: [...document.querySelectorAll('script[type="application/ld+json"]')].map(
      (one) => one.textContent,
    ),
    meta: metaOf(),
    microdata: microdataOf(),
    controls,
    actions: actions.filter(({ name, href }) => name !== '' || href !== ''),
    rows: rowsOf(shown),
    frames,
  }
}

function metaOf() {
  return [...document.querySelectorAll('meta[content]')].flatMap((meta) => {
    const name =
      meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('itemprop') ?? ''
    return name === '' ? [] : [{ name, content: meta.content }]
  })
}

function frameOf(frame) {
  let origin = ''
  try {
    origin = new URL(frame.src, document.baseURI).origin
  } catch {}
  return { ref: refOf(frame), origin, title: squeeze(frame.title || frame.name), isVisible: isShown(frame) }
}

function microdataOf() {
  return [...document.querySelectorAll('[itemscope]')]
    .filter((scope) => scope.parentElement?.closest('[itemscope]') == null)
    .map((scope) => ({ type: scope.getAttribute('itemtype') ?? '', properties: propertiesOf(scope, '') }))
}

function propertiesOf(scope, before) {
  const properties = []
  for (const element of scope.querySelectorAll('[itemprop]')) {
    if (element.parentElement?.closest('[itemscope]') !== scope) continue
    const name = before + element.getAttribute('itemprop')
    if (element.hasAttribute('itemscope')) properties.push(...propertiesOf(element, `${name}.`))
    else properties.push({ name, value: markedValueOf(element) })
  }
  return properties
}

function markedValueOf(element) {
  return squeeze(
    element.getAttribute('content') ??
      element.getAttribute('href') ??
      element.getAttribute('src') ??
      element.getAttribute('datetime') ??
      element.textContent,
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
    let timer = setTimeout(end, quietMs)
    const last = setTimeout(end, maxMs)
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(end, quietMs)
    })
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  })
}

/** What is called plus: one more of what stands beside it. */
function plusRefs() {
  const modal = document.querySelector('dialog:modal')
  return [...everyElement(document.body)]
    .filter((one) => isShown(one) && isPressable(one) && isReachable(one, modal))
    .filter((one) => !one.matches(':disabled, [aria-disabled=true]') && /^[+＋➕]$/u.test(textOf(one)))
    .map(refOf)
}

/** What lies over the middle of an element: itself, or something else, by its number. */
function coverOf(ref) {
  const element = seen.elements.get(ref)
  if (element === undefined || !element.isConnected) return { state: 'gone' }
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const box = element.getBoundingClientRect()
  if (box.width === 0 || box.height === 0) return { state: 'hidden' }
  const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1)
  const y = Math.min(Math.max(box.top + box.height / 2, 0), innerHeight - 1)
  const top = deepestAt(x, y)
  const isOwn =
    top !== null && (isAround(element, top) || [...(element.labels ?? [])].some((one) => isAround(one, top)))
  return { state: isOwn ? 'free' : 'covered', x, y }
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
  optionsOf: (ref) => (seen.elements.has(ref) ? optionsOfList(seen.elements.get(ref)) : []),
  element: (ref) => seen.elements.get(ref) ?? null,
}
