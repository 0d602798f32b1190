import { addressOf, type Buyer, type CorpusControl, type CorpusForm, lists, wholeName } from './corpus.ts'

/** What may stand in a control once somebody has filled it in for this buyer. None: it cannot be right, and stays as it was. */
export function rightIn(control: CorpusControl, form: CorpusForm, buyer: Buyer): readonly string[] {
  const { maxLength, options } = control
  const all = valuesOf(control, form, buyer).filter(
    (value) => value !== '' && (maxLength === null || value.length <= maxLength),
  )
  const fitting =
    control.pattern === '' ? all : all.filter((one) => new RegExp(`^(?:${control.pattern})$`, 'v').test(one))
  if (options.length === 0) return fitting
  return options.flatMap(({ value, text }) =>
    value !== '' && isMeant(control, { value, text }, all, buyer) ? [value] : [],
  )
}

function isMeant(
  { meaning }: CorpusControl,
  { value, text }: { value: string; text: string },
  all: readonly string[],
  buyer: Buyer,
): boolean {
  if (meaning === 'neutral') return /^(?:Mx|keine Angabe|Keine Anrede|Divers|Neutre|Anders)$/u.test(text)
  if (meaning === 'dial') return isDialOf(buyer, { value, text })
  return all.some((one) => one.toLowerCase() === text.toLowerCase() || one === value)
}

/** Where two countries share a code, that of the buyer is meant. */
function isDialOf(buyer: Buyer, { value, text }: { value: string; text: string }): boolean {
  const code = lists.dialCodes[buyer.country]
  if (buyer.phone === null || code === undefined || value.split(':')[0] !== code) return false
  const names = lists.countries[buyer.country] ?? []
  return !/\p{L}/u.test(text) || names.some((name) => text.startsWith(name))
}

function valuesOf(control: CorpusControl, form: CorpusForm, buyer: Buyer): readonly string[] {
  const { meaning } = control
  const address = addressOf(buyer, control, form)
  const beside = form.controls.filter((one) => one.form === control.form && one.isOfBill === control.isOfBill)
  const asks = (...wanted: CorpusControl['meaning'][]) => beside.some((one) => wanted.includes(one.meaning))
  const zip = address.zip ?? ''
  const bareZip = zip.replaceAll(/[ -]/gu, '')
  switch (meaning) {
    case 'first':
      return [buyer.first]
    case 'last':
      return [buyer.last ?? buyer.first]
    case 'whole':
      return [wholeName(buyer)]
    case 'email':
      return [buyer.mail ?? buyer.email]
    case 'phone':
    case 'national':
    case 'afterCode':
    case 'tel1':
    case 'tel2':
    case 'tel3':
      return areBoxesWide(form, buyer) ? phonesOf(control, buyer) : []
    case 'line1':
      return linesOf(address)
    case 'line2':
      return secondsOf(address, asks('number', 'bareNumber', 'house'))
    case 'street':
      return streetsOf(address, asks('line2'))
    case 'number':
      return address.number
    case 'house':
      return address.house === undefined ? address.number : [address.house]
    case 'bareNumber':
      return [address.bareNumber ?? '']
    case 'addition':
      return [address.addition ?? '']
    case 'city':
      return [address.city]
    case 'state':
      return address.state === undefined
        ? []
        : [address.state, lists.states[address.state] ?? address.state, `${address.country}-${address.state}`]
    case 'zip':
      return [zip, bareZip, ...(address.country === 'US' ? [zip.slice(0, 5)] : [])]
    case 'zip5':
      return address.country === 'US' ? [zip.slice(0, 5)] : [zip, bareZip]
    case 'zip1':
      return bareZip.length === 7 ? [bareZip.slice(0, 3)] : []
    case 'zip2':
      return bareZip.length === 7 ? [bareZip.slice(3)] : []
    case 'country':
      return [address.country, address.country.toLowerCase(), ...(lists.countries[address.country] ?? [])]
    case 'dial':
    case 'neutral':
    case 'press':
    case 'agree':
    case 'same':
    case 'elsewhere':
    case 'nothing':
    case 'card':
    case 'expiry':
    case 'expMonth':
    case 'expYear':
    case 'cvc':
    case 'holder':
      return []
    default:
      return meaning satisfies never
  }
}

function phonesOf({ meaning }: CorpusControl, { phone, country }: Buyer): readonly string[] {
  if (phone === null) return []
  const [e164, national, significant] = phone
  const [first, second, third] = boxesOf(country, national)
  switch (meaning) {
    case 'phone':
      return [e164, national, `00${e164.slice(1)}`]
    case 'national':
      return [national]
    case 'afterCode':
      return [significant, national]
    case 'tel1':
      return first === undefined ? [] : [first]
    case 'tel2':
      return second === undefined ? [] : [second]
    default:
      return third === undefined ? [] : [third]
  }
}

/** A number that does not fit into all boxes fits into none. */
function areBoxesWide({ controls }: CorpusForm, { phone, country }: Buyer): boolean {
  const boxes = controls.filter(({ meaning }) => /^tel\d$/u.test(meaning))
  const parts = boxesOf(country, phone?.[1] ?? '')
  return boxes.every(({ maxLength }, at) => (parts[at] ?? '').length <= (maxLength ?? 20))
}

/** Where numbers are written in three parts. */
function boxesOf(country: string, national: string): readonly string[] {
  if (country === 'US' || country === 'CA')
    return [national.slice(0, 3), national.slice(3, 6), national.slice(6)]
  if (country !== 'JP') return []
  return national.length === 11
    ? [national.slice(0, 3), national.slice(3, 7), national.slice(7)]
    : [national.slice(0, 2), national.slice(2, 6), national.slice(6)]
}

type Address = ReturnType<typeof addressOf>

/** Whole, as people shorten it, and with the second line behind it. */
function linesOf({ line1, line2, short }: Address): readonly string[] {
  const lines = [line1, ...(short ?? [])]
  return line2 === undefined ? lines : [...lines, ...lines.map((line) => `${line}, ${line2}`)]
}

/** Beside a field for the number. */
function streetsOf({ street, unit, line2 }: Address, hasSecond: boolean): readonly string[] {
  const more = [unit, line2].filter((text) => text !== undefined).join(', ')
  return hasSecond || more === '' ? [street] : [street, `${street}, ${more}`]
}

/** What does not fit into the first line may stand here as well. */
function secondsOf({ unit, line2 }: Address, isApart: boolean): readonly string[] {
  const both = [unit, line2].filter((text) => text !== undefined).join(', ')
  return isApart ? [both] : [line2 ?? '', unit ?? '', both]
}

/** Whether a form cannot be sent for this buyer: it insists on what has no right answer, or shows a wrong one that cannot be undone. */
export function mustStop(form: CorpusForm, buyer: Buyer): boolean {
  return (
    form.controls.some((control) => control.form === 0 && isWithoutRoom(control, form, buyer)) ||
    isLacking(form, buyer)
  )
}

/** What belongs into the second line fits neither there nor anywhere else. */
function isWithoutRoom(control: CorpusControl, form: CorpusForm, buyer: Buyer): boolean {
  if (control.meaning !== 'line2' || control.maxLength === null) return false
  const texts = valuesOf(control, form, buyer).filter((text) => text !== '')
  return texts.length > 0 && texts.every((text) => text.length > (control.maxLength ?? 0))
}

function isLacking(form: CorpusForm, buyer: Buyer): boolean {
  return form.controls.some(
    (control) =>
      control.form === 0 &&
      !ofCards.has(control.meaning) &&
      (control.isRequired || control.preset !== '') &&
      !isPressed(control, form) &&
      rightIn(control, form, buyer).length === 0,
  )
}

export const ofCards: ReadonlySet<string> = new Set([
  'card',
  'expiry',
  'expMonth',
  'expYear',
  'cvc',
  'holder',
])

/** Boxes are checked, and not filled in; of radios that are required one is enough. */
function isPressed({ kind, name, meaning }: CorpusControl, { controls }: CorpusForm): boolean {
  if (kind === 'checkbox') return meaning !== 'nothing'
  return kind === 'radio' && controls.some((one) => one.name === name && one.meaning === 'press')
}
