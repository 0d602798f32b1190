import { labelOf, seen } from './seen-elements.js'

const standingFieldsMax = 500
const standingTextMax = 500

/** Tells a document from the next one, whose numbers begin anew. */
const documentId = `${performance.timeOrigin} ${Math.random()}`

/** Fields that a buyer fills in, of the last snapshot. What is typed hidden is none of them. */
function fields() {
  return [...seen.elements].filter(
    ([, one]) =>
      one.isConnected &&
      (one.matches(
        'input:not([type=password], [type=checkbox], [type=radio], [type=file]), textarea, select',
      ) ||
        one.isContentEditable),
  )
}

function textIn(element) {
  return String(element.value ?? element.textContent ?? '').slice(0, standingTextMax)
}

function standing() {
  const values = fields().slice(0, standingFieldsMax)
  return { document: documentId, values: values.map(([ref, element]) => [ref, textIn(element)]) }
}

function lengths(refs) {
  return refs.map((ref) => {
    const element = seen.elements.get(ref)
    return element?.isConnected ? (element.value ?? element.textContent ?? '').length : 0
  })
}

let kept = new Map()

function keep() {
  kept = new Map(fields().map(([, element]) => [element, [textIn(element), labelOf(element)]]))
}

function isOther(element, [text, label]) {
  return textIn(element) !== text || labelOf(element) !== label
}

function changed(but) {
  const left = new Set(but.map((ref) => seen.elements.get(ref)))
  return [...kept]
    .filter(([element, before]) => !left.has(element) && element.isConnected && isOther(element, before))
    .map(([element]) => seen.refOf.get(element) ?? 0)
}

Object.assign(globalThis.inPage, { standing, lengths, keep, changed })
