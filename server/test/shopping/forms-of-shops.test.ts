import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillBuyer } from '../../src/browser/shopper/fill-fields.ts'
import { proveStep } from '../../src/browser/shopper/prove-step.ts'
import { openShopTask } from '../../src/browser/shopper/shop-task.ts'
import { type Person, people } from '../forms/buyers.ts'
import type { FormField, ShopForm } from '../forms/form.ts'
import { forms } from '../forms/forms.ts'
import { markupOf, mustStop, rightIn } from '../forms/judge-form.ts'
import { wholeSize } from '../gate/tenth-in-gate.ts'
import { formRequest } from '../harness/form-request.ts'
import { hasChromium, openShopBrowser, type ShopBrowser } from '../harness/shop-browser.ts'

type Pair = { readonly person: Person; readonly form: ShopForm }

/** Each buyer meets some forms of every language, and each form buyers of many countries. */
const candidates: readonly Pair[] = people.flatMap((person, at) =>
  forms
    .filter((_, index) => (at * 3 + index) % 7 < 2 || forms[index]?.language === languageOf(person))
    .map((form) => ({ person, form })),
)

/**
 * Typing costs, and more than a third of it shows again what was shown before. In the gate a pair stays where it is the first to show what
 * becomes of a kind of field for its buyer, or of a field of its form, be there something right for it or nothing; and wherever the form must
 * be stopped.
 */
const pairs = process.env[wholeSize] === 'on' ? candidates : withSomethingNew(candidates)

function withSomethingNew(all: readonly Pair[]): Pair[] {
  const met = new Set<string>()
  return all.filter((pair) => {
    const shown = shownBy(pair)
    const isNew = shown.some((one) => !met.has(one))
    for (const one of shown) met.add(one)
    return isNew || mustStop(pair.form, pair.person)
  })
}

function shownBy({ person, form }: Pair): string[] {
  return form.fields.flatMap((field, at) => {
    const hasRight = rightIn(field, form, person).length > 0
    return [`${person.id}: ${field.right} ${hasRight}`, `${form.id}: field ${at} ${hasRight}`]
  })
}

function languageOf({ country }: Person): string {
  return (
    { DE: 'de', AT: 'de', FR: 'fr', ES: 'es', NL: 'nl', BE: 'nl', IT: 'it', PT: 'pt', BR: 'pt', JP: 'ja' }[
      country
    ] ?? 'en'
  )
}

/** What came of one form. `wrong`: something stands in it that does not belong there, and nothing would keep it from being sent. */
type Outcome = { readonly kind: 'right' | 'stopped' | 'wrong' | 'missed'; readonly about: string }

describe.skipIf(!hasChromium)('forms of shops, filled in and read back', () => {
  let browser: ShopBrowser
  beforeAll(async () => {
    browser = await openShopBrowser({ names: { addresses: {}, certificate: '' } }, 'none')
  })
  afterAll(() => browser.close())

  /** All forms of one language at once, as one page. */
  async function fill(person: Person, some: readonly ShopForm[]): Promise<Outcome[]> {
    const { visit, close } = await browser.visit('nowhere.test')
    const markup = some.map((form, at) => markupOf(form, `f${at}`)).join('\n')
    await visit.page.setContent(`<html lang="${some[0]?.language}"><body>${markup}</body></html>`)
    const task = await openShopTask(visit, formRequest(person))
    for (let count = 0; count < 3; count++) if (!(await fillBuyer(task, await task.tab.read()))) break
    const { controls } = await task.tab.read()
    const outcomes: Outcome[] = []
    for (const [at, form] of some.entries()) {
      const number = controls.find(({ id }) => id === `f${at}-0`)?.form ?? null
      const why = await proveStep(task, { form: number })
      const values = await visit.page.$$eval(`[id^="f${at}-"]`, (fields) =>
        fields.map((one) => ('value' in one ? String(one.value) : '')),
      )
      outcomes.push(judge(person, form, { values, why }))
    }
    await close()
    return outcomes
  }

  test(`nothing wrong is left in any of ${pairs.length} forms`, async () => {
    const outcomes: Outcome[] = []
    for (const person of people) {
      const own = pairs.filter((pair) => pair.person === person).map(({ form }) => form)
      for (const language of new Set(own.map((form) => form.language)))
        outcomes.push(
          ...(await fill(
            person,
            own.filter((form) => form.language === language),
          )),
        )
    }
    const of = (kind: Outcome['kind']) =>
      outcomes.filter((one) => one.kind === kind).map(({ about }) => about)
    expect(outcomes.length).toBeGreaterThanOrEqual(200)
    expect(of('wrong')).toEqual([])
    expect(of('missed')).toEqual([])
    expect(of('right').length).toBeGreaterThan(150)
    expect(of('stopped').length).toBeGreaterThan(20)
  })
})

/** Of these nothing may be missing in the form as a whole, however little the shop insists: goods would be sent to another door. */
function isOfAddress({ right }: FormField): boolean {
  return ![
    'whole',
    'first',
    'last',
    'email',
    'phone',
    'national',
    'afterCode',
    'neutral',
    'nothing',
  ].includes(right)
}

function judge(
  person: Person,
  form: ShopForm,
  { values, why }: { values: readonly string[]; why: string | null },
): Outcome {
  const shown = form.fields.map((field, at) => {
    const value = values[at] ?? ''
    const right = rightIn(field, form, person)
    const start = field.options === undefined ? '' : (field.preset ?? field.options[0]?.[0] ?? '')
    const isRight =
      right.length === 0
        ? value === start
        : right.includes(value) ||
          (value === start &&
            field.isRequired !== true &&
            field.options === undefined &&
            (!isOfAddress(field) || right.some((one) => values.some((other) => other.includes(one)))))
    return {
      isRight,
      text: `${field.right} ${field.label}: ${JSON.stringify(value)}, right is ${JSON.stringify(right)}`,
    }
  })
  const about = `${person.id} ${form.id}: ${shown
    .filter(({ isRight }) => !isRight)
    .map(({ text }) => text)
    .join('; ')} (${why})`
  if (why !== null) return { kind: mustStop(form, person) ? 'stopped' : 'missed', about }
  if (mustStop(form, person)) return { kind: 'wrong', about: `${about} was not stopped` }
  return { kind: shown.every(({ isRight }) => isRight) ? 'right' : 'wrong', about }
}
