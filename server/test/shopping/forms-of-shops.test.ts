import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Control } from '../../src/browser/reading/page-snapshot.ts'
import { fillBuyer } from '../../src/browser/shopper/fill-fields.ts'
import { proveStep } from '../../src/browser/shopper/prove-step.ts'
import { openShopTask } from '../../src/browser/shopper/shop-task.ts'
import { hasChromium, openShopBrowser, type ShopBrowser } from '../harness/shop-browser.ts'
import { fillIn, requestOf, whyNotSent } from '../suites/forms/buy.ts'
import { type CorpusControl, type CorpusForm, corpusBuyers, readCorpus } from '../suites/forms/corpus.ts'
import { FormDocument } from '../suites/forms/document.ts'

/** Every seventh form, each for another buyer. What is drawn by what is checked has no place in markup. */
const sample = readCorpus()
  .filter(({ controls, buttons }) => buttons.length === 1 && controls.every(({ when }) => when === 'always'))
  .filter((_, at) => at % 7 === 0)

describe.skipIf(!hasChromium)('forms of the corpus in a browser', () => {
  let browser: ShopBrowser
  beforeAll(async () => {
    browser = await openShopBrowser({ names: { addresses: {}, certificate: '' } }, 'none')
  })
  afterAll(() => browser.close())

  test.each(sample.map((form, at) => [form.id, form, at] as const))(
    '%s is read and filled in as it is in memory',
    async (_, form, at) => {
      const buyer = corpusBuyers[at % corpusBuyers.length]
      if (buyer === undefined) throw new Error('there are no buyers')
      const { visit, close } = await browser.visit('nowhere.test')
      await visit.page.setContent(markupOf(form))
      const task = await openShopTask(visit, requestOf(buyer))
      const inMemory = new FormDocument(form)
      const read = (await task.tab.read()).controls
      expect(read.map(comparable)).toEqual(inMemory.snapshot().controls.map(comparable))
      for (let count = 0; count < 4; count++) if (!(await fillBuyer(task, await task.tab.read()))) break
      const why = await proveStep(task, { form: read[0]?.form ?? null })
      const memoryTask = await fillIn(inMemory, buyer)
      // The markup is set, so the page has no address of its own.
      expect(why?.replace(' at  ', ' at nowhere.test ') ?? null).toBe(await whyNotSent(memoryTask))
      const { values } = await task.tab.standing()
      expect([...values.values()]).toEqual((await memoryTask.tab.standing()).values.values().toArray())
      await close()
    },
  )
})

function comparable({ ref: _, form: __, ...control }: Control): unknown {
  return control
}

/** The form as a page shows it. */
function markupOf({ language, controls }: CorpusForm): string {
  const written = controls.map((control) => {
    const { group } = control
    const shown = `<p>${fieldOf(control)}</p>`
    return group === '' ? shown : `<fieldset><legend>${escaped(group)}</legend>${shown}</fieldset>`
  })
  return `<html lang="${language}"><body><form>${written.join('\n')}<button>Continue</button></form></body></html>`
}

function fieldOf(control: CorpusControl): string {
  const { label, name, id, autocomplete, kind, type, maxLength, pattern, inputMode, placeholder, title } =
    control
  const { isRequired, isChosen, options, preset } = control
  const attributes: [string, string][] = [
    ['name', name],
    ['id', id],
    ['autocomplete', autocomplete],
    ['inputmode', inputMode],
    ['maxlength', maxLength === null ? '' : String(maxLength)],
    ['pattern', pattern],
    ['placeholder', placeholder],
    ['title', title],
    ['required', isRequired ? 'required' : ''],
    ['checked', isChosen ? 'checked' : ''],
  ]
  const shared = attributes
    .flatMap(([key, value]) => (value === '' ? [] : [`${key}="${escaped(value)}"`]))
    .join(' ')
  const list = options.map(({ value, text }) => {
    const isPreset = preset !== '' && value === preset
    return `<option value="${escaped(value)}"${isPreset ? ' selected' : ''}>${escaped(text)}</option>`
  })
  const field =
    kind === 'select'
      ? `<select ${shared}>${list.join('')}</select>`
      : `<input type="${kind === 'text' ? type : kind}" ${shared}>`
  return label === '' ? field : `<label>${escaped(label)} ${field}</label>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
