// Runs in an isolated world of a document: scripts of the page neither see nor change what is here. The functions are put into one closure.

export const nodesMax = 30_000
export const textMax = 40_000
export const optionsMax = 400
/** A name, a label or another value of an attribute, and an address. */
export const wordsMax = 1_000
export const addressMax = 4_000
/** All that a snapshot writes down. What a page holds beyond these is not even copied: it may be hundreds of megabytes. */
const charactersMax = 2_000_000

export const buttonTypes = new Set(['submit', 'button', 'image', 'reset'])

export const seen = { next: 1, refOf: new WeakMap(), elements: new Map(), left: charactersMax }

export function beginSnapshot() {
  seen.elements.clear()
  seen.left = charactersMax
}

/** As much of a text as is written down. */
export function writtenDown(text, max = wordsMax) {
  const short = (text ?? '').slice(0, Math.max(0, Math.min(max, seen.left)))
  seen.left -= short.length
  return short
}

/** The text of a subtree, seen or not, up to so many characters. */
export function contentOf(element, max) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let text = ''
  for (
    let node = walker.nextNode(), count = 0;
    node !== null && count < nodesMax;
    node = walker.nextNode(), count++
  ) {
    text += dataOf(node, max - text.length)
    if (text.length >= max) break
  }
  return text
}

function dataOf(node, max) {
  return node.length > max ? node.substringData(0, max) : node.data
}

export function refOf(element) {
  let ref = seen.refOf.get(element)
  if (ref === undefined) {
    ref = seen.next++
    seen.refOf.set(element, ref)
  }
  seen.elements.set(ref, element)
  return ref
}

/** Before white space is taken out. */
const rawMax = 400_000

export function squeeze(text) {
  return (text ?? '').slice(0, rawMax).replace(/\s+/g, ' ').trim()
}

/** Every element, those inside open shadow roots too, in the order in which they are shown. */
export function* everyElement(root) {
  for (const element of root.children ?? []) {
    yield element
    if (element.shadowRoot) yield* everyElement(element.shadowRoot)
    yield* everyElement(element)
  }
}

export function isShown(element) {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
  const box = element.getBoundingClientRect()
  if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return false
  if (box.width > 1 && box.height > 1) return true
  // A box without a size of its own can hold others that are seen.
  return getComputedStyle(element).overflow === 'visible' && element.children.length > 0
}

/** A box to check is often drawn by its label, and transparent itself, or not there at all. */
export function isControlShown(element) {
  if (isShown(element)) return true
  if (element.type !== 'radio' && element.type !== 'checkbox') return false
  if (element.parentElement?.checkVisibility({ visibilityProperty: true }) !== true) return false
  return labelShown(element) !== undefined
}

/** The label that a person presses instead. */
export function labelShown(element) {
  return [...(element.labels ?? [])].find(isShown)
}

export const skipped = new Set([
  'SCRIPT',
  'STYLE',
  'NOSCRIPT',
  'TEMPLATE',
  'HEAD',
  'TEXTAREA',
  'SELECT',
  'OPTION',
  'SVG',
  'svg',
])

/** The texts of a subtree that a person sees; `lines` gets one for each block. */
function collectText(node, lines, budget) {
  for (const child of node.childNodes) {
    if (budget.nodes-- < 0 || budget.characters <= 0) return
    if (child.nodeType === Node.TEXT_NODE) {
      const text = dataOf(child, budget.characters)
      lines[lines.length - 1] += text
      budget.characters -= child.length
      if (text.trim() !== '') budget.last = child.parentElement
      continue
    }
    if (child.nodeType !== Node.ELEMENT_NODE || skipped.has(child.tagName)) continue
    if (child.tagName === 'BR') {
      lines.push('')
      continue
    }
    if (!isShown(child)) continue
    const { display } = getComputedStyle(child)
    if (isRaised(child) || (/\d$/.test(lines.at(-1)) && isSmallBeside(child, budget.last))) {
      lines[lines.length - 1] += raised(contentOf(child, raisedMax))
      continue
    }
    const isBlock = !display.startsWith('inline') && display !== 'contents'
    const isCell = display === 'table-cell'
    if (isCell) lines[lines.length - 1] += ' '
    else if (isBlock) lines.push('')
    const isStruck = budget.struck !== undefined && isStruckThrough(child)
    const at = lines.length - 1
    const before = lines[at].length
    if (child.shadowRoot) collectText(child.shadowRoot, lines, budget)
    collectText(child, lines, budget)
    if (isStruck) budget.struck.push(...struckIn(lines, at, before))
    if (isBlock && !isCell) lines.push('')
  }
}

const raisedMax = 100

/** Cents are often raised: written as such they are no further digits of the number. */
function isRaised(element) {
  if (!/^\s*\d{1,3}\s*$/.test(contentOf(element, raisedMax))) return false
  return element.tagName === 'SUP' || getComputedStyle(element).verticalAlign === 'super'
}

/** Cents right beside a number, in smaller letters: `24` and `99` that are one price. */
function isSmallBeside(element, last) {
  if (!last || !/^\s*\d{2}\s*$/.test(contentOf(element, raisedMax))) return false
  const sizeOf = (one) => Number.parseFloat(getComputedStyle(one).fontSize)
  return sizeOf(element) <= sizeOf(last) * 0.8
}

function isStruckThrough(element) {
  return (
    element.matches('del, s, strike') || getComputedStyle(element).textDecorationLine.includes('line-through')
  )
}

/** Each line of what has been collected since, by its number. */
function struckIn(lines, first, before) {
  return lines
    .slice(first)
    .map((line, index) => ({ line: first + index, text: squeeze(index === 0 ? line.slice(before) : line) }))
    .filter(({ text }) => /\d/.test(text))
}

function raised(text) {
  return squeeze(text).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit])
}

function linesOf(element) {
  const lines = ['']
  collectText(element, lines, { nodes: nodesMax, characters: rawMax })
  return lines.map(squeeze).filter((line) => line !== '')
}

const struckMax = 300

/** The same lines, and what is struck through in which of them. */
export function markedLinesOf(element) {
  const raw = ['']
  const budget = { nodes: nodesMax, characters: rawMax, struck: [] }
  collectText(element, raw, budget)
  const lines = []
  const places = raw.map((line) => {
    const text = squeeze(line)
    return text === '' ? -1 : lines.push(text) - 1
  })
  const struck = budget.struck
    .map(({ line, text }) => ({ line: places[line], text }))
    .filter(({ line }) => line >= 0)
    .slice(0, struckMax)
  return { lines, struck }
}

export function textOf(element) {
  return linesOf(element).join(' ')
}

const picturesMax = 20
const idsMax = 20

/** The accessible name in short: what labels it, what it says, what its pictures say, its title. */
export function nameOf(element) {
  const labelled = byIds(element, 'aria-labelledby')
  if (labelled !== '') return labelled
  const aria = squeeze(element.getAttribute('aria-label'))
  if (aria !== '') return aria
  // What stands in a field is no name, also where the field can be pressed.
  if (element.tagName === 'INPUT')
    return squeeze((buttonTypes.has(element.type) && element.value) || element.alt || element.title)
  // It is made of all that is inside, so it is asked of what is small alone.
  const isSmall = contentOf(element, textMax).length < textMax
  const own = textOf(element) || (isSmall ? squeeze(element.innerText) : '')
  if (own !== '') return own.slice(0, 300)
  const pictures = [...element.querySelectorAll('img[alt], svg title, [aria-label]')].slice(0, picturesMax)
  const drawn = squeeze(
    pictures
      .map((one) =>
        (one.getAttribute('alt') || one.getAttribute('aria-label') || contentOf(one, wordsMax)).slice(
          0,
          wordsMax,
        ),
      )
      .join(' '),
  )
  return drawn || squeeze(element.title) || squeeze(element.getAttribute('value'))
}

function byIds(element, attribute) {
  const root = element.getRootNode()
  const named = idsOf(element.getAttribute(attribute)).map((id) => root.getElementById?.(id))
  return squeeze(named.map((one) => (one ? contentOf(one, textMax) : '')).join(' '))
}

export function idsOf(value) {
  return squeeze((value ?? '').slice(0, addressMax))
    .split(' ')
    .filter(Boolean)
    .slice(0, idsMax)
}

export function labelOf(element) {
  const labels = [...(element.labels ?? [])].map(labelText)
  return squeeze(
    [byIds(element, 'aria-labelledby'), element.getAttribute('aria-label') ?? '', ...labels].join(' '),
  )
}

/** Without what the fields inside of it say, such as the options of a list. */
function labelText(label) {
  const shown = isShown(label) ? textOf(label) : ''
  return shown || squeeze(contentOf(label, textMax))
}

export function nearOf(element, label) {
  const said = [
    element.title,
    element.getAttribute('aria-description') ?? '',
    byIds(element, 'aria-describedby'),
  ]
  if (label === '') said.push(textBefore(element))
  return squeeze(said.join(' ')).slice(0, 200)
}

export function textBefore(element) {
  for (let at = element, depth = 0; at !== null && depth < 3; at = at.parentElement, depth++) {
    for (let before = at.previousSibling; before !== null; before = before.previousSibling) {
      if (before.nodeType === Node.ELEMENT_NODE && before.querySelector('input, select, textarea') !== null)
        return ''
      if (before.nodeType === Node.ELEMENT_NODE && before.matches('input, select, textarea')) return ''
      const text = before.nodeType === Node.ELEMENT_NODE ? textOf(before) : squeeze(before.data)
      if (text !== '') return text.slice(-120)
    }
  }
  return ''
}

export function groupOf(element) {
  const group = element.closest('fieldset, [role=radiogroup], [role=group]')
  if (group === null) return ''
  const legend = group.querySelector(':scope > legend')
  return (legend && squeeze(contentOf(legend, textMax))) || nameFromAria(group)
}

/** Radios that nothing marks as a group are named by what stands before the first of them. */
export function titleOfRadios(radio) {
  if (radio.tagName !== 'INPUT' || radio.type !== 'radio' || radio.name === '') return ''
  const named = `input[type=radio][name="${CSS.escape(radio.name)}"]`
  const all = [...(radio.form ?? radio.getRootNode()).querySelectorAll(named)]
  let [branch] = all
  while (branch?.parentElement && !all.every((one) => branch.parentElement.contains(one)))
    branch = branch.parentElement
  const text = branch === undefined ? '' : textBefore(branch)
  return text.length <= titleMax ? text : ''
}

const titleMax = 80

const besideMax = 400

/** The rest of the row that a button stands in, where its own name says nothing of what it is for. */
export function besideOf(element, name) {
  if (name === '' || name.length > 40 || (element.tagName === 'A' && !isDrawnAsButton(element))) return ''
  for (let at = element.parentElement, depth = 0; at !== null && depth < 5; at = at.parentElement, depth++) {
    if (contentOf(at, 4 * besideMax).length >= 4 * besideMax) return textBefore(element)
    const text = textOf(at)
    if (text.length <= name.length) continue
    const alike = [
      ...at.querySelectorAll('button, a[href], input[type=submit], input[type=button], [role=button]'),
    ]
    if (text.length > besideMax || alike.some((one) => one !== element && nameOf(one) === name))
      return textBefore(element)
    return squeeze(text.replace(name, ' '))
  }
  return ''
}

function isDrawnAsButton(link) {
  return /btn|button/i.test(`${link.getAttribute('class')} ${link.getAttribute('role')}`)
}

function nameFromAria(element) {
  return byIds(element, 'aria-labelledby') || squeeze(element.getAttribute('aria-label'))
}

export function isInDialog(element) {
  return element.closest('dialog, [role=dialog], [role=alertdialog], [aria-modal=true]') !== null
}

export function formsOf() {
  const forms = new Map()
  return (form) => {
    if (!form) return null
    if (!forms.has(form)) forms.set(form, forms.size)
    return forms.get(form)
  }
}

/** What a modal dialog covers can be neither pressed nor filled in. */
export function isReachable(element, modal) {
  if (element.closest('[inert]') !== null) return false
  return modal === null || modal.contains(element)
}
