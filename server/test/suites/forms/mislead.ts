import { fillBuyer } from '../../../src/browser/shopper/fill-fields.ts'
import { nameLacking } from '../../../src/browser/shopper/page-help.ts'
import { proveStep, readBack } from '../../../src/browser/shopper/prove-step.ts'
import { openShopTask, type ShopTask } from '../../../src/browser/shopper/shop-task.ts'
import { type BuyerField, buyerFields, type ReaderPage } from '../../../src/channels/browser/page-reader.ts'
import { scriptedReader } from '../../../src/channels/browser/scripted-reader.testing.ts'
import { requestOf } from './buy.ts'
import type { Buyer, CorpusControl, CorpusForm } from './corpus.ts'
import { FormDocument } from './document.ts'
import { judge } from './judge.ts'
import { visitOf } from './page.ts'
import { oneOf } from './plant.ts'

/** `right`: it says what is meant. `swaps`: it mixes two of them up. `anything`: it says whatever comes to its mind. */
export const readerKinds = ['right', 'swaps', 'anything'] as const
type ReaderKind = (typeof readerKinds)[number]

type Asked = { readonly form: CorpusForm; readonly buyer: Buyer; readonly kind: ReaderKind }

/** `problem`: a card could be typed although something stands in the form that does not belong there. */
type MisledOutcome = { readonly isSent: boolean; readonly problem: string | null; readonly told: string }

/** A form in which some fields are called what nobody understands, filled in with the help of a reader, up to the page that shows it all. */
export async function buyMisled({ form, buyer, kind }: Asked, random: () => number): Promise<MisledOutcome> {
  const odd = inOddWords(form, random)
  const document = new FormDocument(odd)
  const said: string[] = []
  const reader = scriptedReader((page) => moveOf(page, { odd, kind, said }, random))
  const task = await openShopTask(visitOf(document), requestOf(buyer), { reader })
  const why = await fillWithReader(task)
  const told = `${kind}: ${said.join(', ')}`
  if (why !== null) return { isSent: false, problem: null, told: `${told}: ${why}` }
  document.text = shownBy(document, random)
  const unproven = await proveStep(task, { form: 0, isReview: true })
  if (unproven !== null) return { isSent: false, problem: null, told: `${told}: ${unproven}` }
  const outcome = judge({ form: odd, buyer, document }, null)
  return { isSent: true, problem: outcome.kind === 'right' ? null : outcome.about, told }
}

/** As often as a reader is asked about a form, and the form is filled in anew. */
const roundsMax = 20

async function fillWithReader(task: ShopTask): Promise<string | null> {
  for (let count = 0; count < roundsMax; count++) {
    if (await fillBuyer(task, await task.tab.read())) continue
    const unproven = await readBack(task, { form: 0 })
    if (unproven === null) return null
    if (!(await nameLacking(task, unproven))) return unproven.why
  }
  return 'it comes to no end'
}

const words = ['Blorp', 'Quimble', 'Vashtek', 'Trundel', 'Oskwit', 'Fenzig', 'Gralup'] as const

/** Up to so many fields of a form lose all that a program could understand, and each is required. */
const oddMax = 4

function inOddWords(form: CorpusForm, random: () => number): CorpusForm {
  // A list that shows something from the start asks for nothing.
  const able = form.controls.filter(
    ({ form: at, meaning, kind, options, preset }) =>
      at === 0 && fieldOf[meaning] !== undefined && (kind === 'text' || (preset || options[0]?.value) === ''),
  )
  const count = 1 + Math.floor(random() * oddMax)
  const chosen = new Set(Array.from({ length: count }, () => oneOf(able, random)))
  let next = 0
  const controls = form.controls.map((control) => {
    if (!chosen.has(control)) return control
    const label = words[next++ % words.length] ?? ''
    const type = control.type === 'email' || control.type === 'tel' ? 'text' : control.type
    return { ...control, ...silent, label, type, name: `q${next}`, isRequired: true }
  })
  return { ...form, controls }
}

const silent = { id: '', autocomplete: '', placeholder: '', title: '', group: '', pattern: '', inputMode: '' }

/** What a person would call it. Parts of one value are called nothing: no reader can say which part it is. */
const fieldOf: Partial<Record<CorpusControl['meaning'], BuyerField>> = {
  first: 'first_name',
  last: 'last_name',
  whole: 'full_name',
  email: 'email',
  phone: 'phone',
  line1: 'line1',
  line2: 'line2',
  street: 'street',
  number: 'house_number',
  city: 'city',
  state: 'state',
  zip: 'postal_code',
  country: 'country',
}

type Script = { readonly odd: CorpusForm; readonly kind: ReaderKind; readonly said: string[] }

function moveOf({ elements }: ReaderPage, { odd, kind, said }: Script, random: () => number): unknown {
  const asked = elements.find(({ states }) => states.includes('asked'))
  const about = odd.controls.find(({ label }) => label !== '' && asked?.name === label)
  if (asked === undefined || about === undefined) return { move: 'stuck' }
  const others = odd.controls.filter(({ name }) => /^q\d$/u.test(name))
  const meant = fieldOf[about.meaning]
  const swapped = fieldOf[oneOf(others, random)?.meaning ?? 'nothing']
  const field = kind === 'right' ? meant : kind === 'swaps' ? swapped : oneOf(buyerFields, random)
  said.push(`${about.meaning} is ${field}`)
  return { move: 'fill', ref: asked.ref, field }
}

/** An address as shops write one, of what stands in the fields that it is made of. */
function shownBy(document: FormDocument, random: () => number): string[] {
  const of = (...meanings: string[]) =>
    document.fields
      .filter(({ about, value }) => meanings.includes(about.meaning) && !about.isOfBill && value !== '')
      .map((field) => textIn(field))
      .join(' ')
  const [city, state, zip] = [of('city'), of('state'), of('zip', 'zip1', 'zip2', 'zip5')]
  const streets = [
    `${of('line1', 'street')} ${of('number', 'bareNumber', 'house')} ${of('addition')}`,
    `${of('number', 'bareNumber', 'house')} ${of('street')} ${of('line1')}`,
  ]
  const cities = [`${zip} ${city}`, `${city}, ${state} ${zip}`, `${city} ${zip}`]
  return [
    'Ship to',
    of('first', 'whole', 'last'),
    oneOf(streets, random) ?? '',
    of('line2'),
    oneOf(cities, random) ?? '',
    of('country'),
    of('email'),
    of('phone', 'national'),
  ].map((line) => line.replaceAll(/\s+/gu, ' ').trim())
}

function textIn({ about, value }: FormDocument['fields'][number]): string {
  return about.options.find((one) => one.value === value)?.text ?? value
}
