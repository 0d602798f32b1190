import {
  addressMax,
  besideOf,
  buttonTypes,
  contentOf,
  groupOf,
  idsOf,
  isInDialog,
  isShown,
  labelOf,
  nameOf,
  nearOf,
  optionsMax,
  refOf,
  skipped,
  squeeze,
  textBefore,
  textMax,
  textOf,
  titleOfRadios,
  wordsMax,
  writtenDown,
} from './seen-elements.js'

const pressable =
  'button, a[href], summary, input[type=submit], input[type=button], input[type=image], [role=button], [role=link], [role=menuitem], [role=tab], [role=radio], [role=option], [role=switch], [onclick]'

export function kindOfControl(element) {
  if (element.tagName === 'SELECT') return 'select'
  if (element.tagName === 'TEXTAREA') return 'text'
  if (element.tagName === 'INPUT') {
    if (element.type === 'hidden' || buttonTypes.has(element.type) || isStandIn(element)) return null
    return ['checkbox', 'radio', 'file'].includes(element.type) ? element.type : 'text'
  }
  const role = element.getAttribute('role')
  if (role === 'combobox') return 'list'
  if (role === 'radio' || role === 'checkbox' || role === 'switch')
    return role === 'radio' ? 'radio' : 'checkbox'
  return element.isContentEditable && role === 'textbox' ? 'text' : null
}

/** Beside a box that a script draws, component libraries keep a native one for the form. Nobody is meant to press it. */
function isStandIn(input) {
  if (input.type !== 'radio' && input.type !== 'checkbox') return false
  if (input.getAttribute('aria-hidden') !== 'true' || input.parentElement === null) return false
  return [...input.parentElement.children].some((one) =>
    one.matches('[role=radio], [role=checkbox], [role=switch]'),
  )
}

export function controlOf(element, kind, formOf) {
  const isNative = element.matches('input, select, textarea')
  // What was typed into a box that can be edited is its text, and no label.
  const name = kind === 'text' ? '' : nameOf(element)
  const label = labelOf(element) || (isNative ? '' : name || labelAround(element))
  return {
    ref: refOf(element),
    kind,
    type: isNative ? element.type : '',
    name: writtenDown(element.getAttribute('name') || namelessGroup(element, kind)),
    id: writtenDown(element.id),
    autocomplete: writtenDown(element.getAttribute('autocomplete')).toLowerCase(),
    inputMode: writtenDown(element.getAttribute('inputmode')),
    maxLength: element.maxLength > 0 ? element.maxLength : null,
    pattern: writtenDown(element.pattern, 300),
    label: writtenDown(label),
    placeholder: writtenDown(squeeze(element.getAttribute('placeholder'))),
    near: writtenDown(nearOf(element, label)),
    group: writtenDown(groupOf(element) || titleOfRadios(element)),
    isRequired: isRequired(element, kind),
    isDisabled: element.matches(':disabled, [aria-disabled=true]') || element.readOnly === true,
    isChecked: element.checked === true || element.getAttribute('aria-checked') === 'true',
    isEmpty: kind === 'text' ? (element.value ?? contentOf(element, 1)) === '' : false,
    isInvalid: isWrong(element),
    options: kind === 'select' ? optionsOf(element) : kind === 'list' ? shownOption(element) : [],
    form: formOf(element.form ?? element.closest('form')),
    isInDialog: isInDialog(element),
  }
}

/** To HTML, or by the star beside its label, which many shops draw by a style alone. */
function isRequired(element, kind) {
  if (element.required === true || element.getAttribute('aria-required') === 'true') return true
  // What a star is beside is asked for where one becomes a customer, too, and each radio has a label of its own.
  if (kind === 'radio' || element.type === 'password') return false
  const said = [element.getAttribute('placeholder'), labelOf(element) || textBefore(element)]
  return said.map(squeeze).some(isStarred) || [...(element.labels ?? [])].some(drawsStar)
}

function drawsStar(label) {
  const parts = [label, ...[...label.querySelectorAll('*')].slice(0, starsMax)]
  return parts.some((part) => ['::before', '::after'].some((end) => isStarred(drawnAt(part, end))))
}

const starsMax = 5

function isStarred(text) {
  return /^[*＊✱∗](?![*＊])|[*＊✱∗][\s:：]*$/.test(text)
}

/** `content` of a style is written as a text with its quotation marks. */
function drawnAt(element, end) {
  return squeeze(getComputedStyle(element, end).content.replace(/^"|"$/g, ''))
}

/** Boxes that a script draws belong together by their group alone. */
function namelessGroup(element, kind) {
  const group = kind === 'radio' ? element.closest('[role=radiogroup]') : null
  return group === null ? '' : `radios ${refOf(group)}`
}

/** What a script draws is no field to HTML, so a label around it is not its label. */
function labelAround(element) {
  const label = element.closest('label')
  return label === null ? '' : textOf(label)
}

/** `:invalid` holds for what is still empty as well, which is not wrong yet. */
function isWrong(element) {
  if (element.getAttribute('aria-invalid') === 'true') return true
  return (element.value ?? '') !== '' && element.matches(':invalid')
}

function optionsOf(select) {
  const options = []
  for (let at = 0; at < select.options.length && at < optionsMax; at++) {
    const option = select.options[at]
    // One whose value is cut could not be chosen.
    if (option.value.length > wordsMax) continue
    options.push({
      value: writtenDown(option.value),
      text: writtenDown(squeeze(option.label || contentOf(option, textMax))),
      isSelected: option.selected,
      isDisabled: option.disabled,
    })
  }
  return options
}

/** A list that is drawn by a script says what is chosen in it; what else there is it shows when it is opened. */
function shownOption(list) {
  const text = writtenDown(textOf(list))
  return [{ value: text, text, isSelected: true, isDisabled: false }]
}

/** What a drawn list offers while it is open; each option's value is the number of what is pressed. */
export function optionsOfList(list) {
  const ids = [...idsOf(list.getAttribute('aria-controls')), ...idsOf(list.getAttribute('aria-owns'))]
  const named = ids.map((id) => list.getRootNode().getElementById?.(id))
  const boxes = named.some(Boolean) ? named.filter(Boolean) : [...document.querySelectorAll('[role=listbox]')]
  return boxes
    .filter(isShown)
    .flatMap((box) => [...box.querySelectorAll('[role=option]')])
    .slice(0, optionsMax)
    .map((option) => ({
      value: String(refOf(option)),
      text: writtenDown(textOf(option) || squeeze(contentOf(option, textMax))),
      isSelected: option.getAttribute('aria-selected') === 'true',
      isDisabled: option.matches('[aria-disabled=true]'),
    }))
}

export function isPressable(element) {
  if (element.matches(pressable)) return true
  if (element.matches('input, select, textarea, label, option, html, body')) return false
  if (getComputedStyle(element).cursor !== 'pointer') return false
  // Of a box with a hand over it, the outermost takes the click; links and labels say so themselves.
  if (element.closest('a[href], button, label, [role=button], [onclick]') !== null) return false
  const parent = element.parentElement
  return parent !== null && getComputedStyle(parent).cursor !== 'pointer'
}

export function actionOf(element, formOf) {
  const box = element.getBoundingClientRect()
  const form = element.form ?? element.closest('form')
  const role = element.getAttribute('role')
  const name = nameOf(element)
  const isInNavigation =
    element.closest('nav, header, footer, [role=navigation], [role=banner], [role=contentinfo]') !== null
  const list = form && element.tagName !== 'A' ? element.closest('ul, ol, [role=group], fieldset') : null
  return {
    ref: refOf(element),
    role: roleOf(element, role),
    name: writtenDown(name),
    beside: isInNavigation ? '' : writtenDown(besideOf(element, name)),
    href: element.tagName === 'A' ? writtenDown(addressOfLink(element), addressMax) : '',
    formAction: form ? writtenDown(addressOf(element, form), addressMax) : '',
    form: formOf(form),
    isSubmit: form !== null && form !== undefined && element.type === 'submit',
    isDisabled: element.matches(':disabled, [aria-disabled=true]'),
    list: list !== null && form.contains(list) ? refOf(list) : null,
    listName: list !== null && form.contains(list) ? listNameOf(list) : '',
    isPressed: isPressed(element) || (list !== null && isMarked(element)),
    isInDialog: isInDialog(element),
    isInNavigation,
    area: Math.round(box.width * box.height),
  }
}

function isPressed(element) {
  const marks = ['aria-pressed', 'aria-checked', 'aria-selected', 'aria-current']
  return marks.some((one) => ['true', 'page'].includes(element.getAttribute(one)))
}

/** Themes of shops mark what is chosen by a class alone, on the button or on its place in the list. */
function isMarked(element) {
  const marked = [element, element.closest('li')].flatMap((one) => [...(one?.classList ?? [])])
  const isSaid = (name) => /^(?:[^:]*[-_])?(?:selected|active|checked|current)$/i.test(name)
  return marked.some((name) => isSaid(name) && !/(?:^|[-_])(?:un|not|non)[-_]/i.test(name))
}

function listNameOf(list) {
  const name = groupOf(list) || textBefore(list)
  return name.length <= 40 ? name : ''
}

function roleOf(element, role) {
  if (element.tagName === 'A' && role !== 'button') return 'link'
  if (['BUTTON', 'INPUT', 'SUMMARY'].includes(element.tagName) || role !== null)
    return role === 'link' ? 'link' : 'button'
  return 'clickable'
}

/** A link to a part is meant for its own page, also where the page has a base: a script takes it. */
function addressOfLink(link) {
  const own = link.getAttribute('href') ?? ''
  return own.startsWith('#') ? new URL(own, location.href).href : link.href
}

/** A field named `action` hides the address of its form. */
function addressOf(element, form) {
  const own = element.getAttribute('formaction') ?? form.getAttribute('action') ?? ''
  try {
    return new URL(own, document.baseURI).href
  } catch {
    return own
  }
}

const rowsMax = 3_000

/** Label and value side by side. */
export function rowsOf(elements) {
  const groups = new Map()
  const groupNumber = (box) => {
    if (!groups.has(box)) groups.set(box, groups.size)
    return groups.get(box)
  }
  const rows = []
  for (const element of elements) {
    if (rows.length >= rowsMax) break
    const parts = partsOf(element)
    if (parts === null) continue
    const [label, value] = parts
    if (label === '' || value === '' || label.length > 200 || value.length > 60) continue
    const box = element.closest('table, dl') ?? element.parentElement
    rows.push({ label: writtenDown(label), value: writtenDown(value), group: groupNumber(box) })
  }
  return rows
}

function partsOf(element) {
  if (element.tagName === 'TR') return cellsOf(element)
  if (element.tagName === 'DT') {
    const value = element.nextElementSibling
    return value?.tagName === 'DD' && isShown(element) ? [textOf(element), textOf(value)] : null
  }
  if (element.closest('td, th') !== null && element.closest('tr')?.cells.length > 1) return null
  return pairOf(element)
}

function cellsOf(row) {
  if (!isShown(row)) return null
  const texts = [...row.cells]
    .filter(isShown)
    .map(textWithoutActions)
    .filter((text) => text !== '')
  return texts.length < 2 ? null : [texts.slice(0, -1).join(' '), texts.at(-1)]
}

/** What only can be pressed is no text of a row, as the cross that removes it. */
function textWithoutActions(cell) {
  const own = textOf(cell)
  const actions = [...cell.querySelectorAll('button, [role=button], [onclick]')].filter(isShown).map(textOf)
  return squeeze(actions.reduce((text, action) => text.replace(action, ' '), own))
}

/** A box with two texts, of which the second is short. */
function pairOf(element) {
  if (!element.matches('div, li, p, span, section, label, a, strong, b')) return null
  const parts = []
  for (const child of element.childNodes) {
    const text =
      child.nodeType === Node.TEXT_NODE ? squeeze(child.substringData(0, textMax)) : partText(child)
    if (text !== '') parts.push([text, child])
    if (parts.length > 2) return null
  }
  if (parts.length !== 2) return null
  const [[label], [value, box]] = parts
  if (box.nodeType === Node.ELEMENT_NODE && box.querySelectorAll('*').length > 4) return null
  return value.length <= 40 ? [label, value] : null
}

function partText(node) {
  if (node.nodeType !== Node.ELEMENT_NODE || skipped.has(node.tagName) || !isShown(node)) return ''
  if (node.matches('button, [role=button], a.button, [onclick]')) return ''
  if (node.querySelectorAll('*').length > 12) return textOf(node).slice(0, 201)
  return textWithoutActions(node)
}
