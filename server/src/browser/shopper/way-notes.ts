import { cleanText } from '../reading/json-ld.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { controlFor } from './card-fields.ts'
import type { Tab } from './tab.ts'

/** One page of a way, as it was seen from when it came until it was left. */
type Noted = { readonly key: string; readonly pages: PageSnapshot[]; readonly pressed: string[] }

const stepsMax = 30
/** Forms that fold out are the same page, seen again. */
const pagesMax = 8
const pressedMax = 20
const labelMax = 80

/** What hands have seen and pressed on a way, by what it is called. What is typed is not in it. */
export class WayNotes {
  readonly steps: Noted[] = []
  #last: PageSnapshot | null = null

  get last(): PageSnapshot | null {
    return this.#last
  }

  /** The same hands, written down. Those of nobody type nothing but how many. */
  over(tab: Tab, { isNobodys }: { isNobodys: boolean }): Tab {
    return {
      ...tab,
      read: async (frame) => {
        const page = await tab.read(frame)
        if (frame === undefined || frame === tab.page.mainFrame()) this.#see(page)
        return page
      },
      press: async (ref, frame) => {
        const called = this.#called(ref)
        const outcome = await tab.press(ref, frame)
        if (outcome === 'pressed') this.#press(called)
        return outcome
      },
      select: async (ref, value, frame) => {
        const called = this.#called(ref, value)
        await tab.select(ref, value, frame)
        this.#press(called)
      },
      type: async (ref, ...more) => {
        const isCount = this.#last !== null && controlFor(this.#last, 'quantity')?.ref === ref
        // guard nobody-types-nothing: on a way that nobody buys on, no word reaches the shop
        if (isNobodys && !isCount) throw new TypeError('nobody has nothing to type')
        await tab.type(ref, ...more)
      },
      put: async (ref, text) => {
        if (isNobodys) throw new TypeError('nobody has nothing to type')
        await tab.put(ref, text)
      },
    }
  }

  #see(page: PageSnapshot): void {
    this.#last = page
    const key = placeOf(page)
    const step = this.steps.at(-1)
    if (step?.key !== key) {
      if (this.steps.length < stepsMax) this.steps.push({ key, pages: [page], pressed: [] })
      return
    }
    const before = step.pages.at(-1)
    if (before !== undefined && drawnAs(before) === drawnAs(page)) step.pages.pop()
    if (step.pages.length < pagesMax) step.pages.push(page)
  }

  #press(called: string | null): void {
    const step = this.steps.at(-1)
    if (called === null || step === undefined || step.pressed.length >= pressedMax) return
    step.pressed.push(called)
  }

  /** What is written at it, and which of its options is chosen. */
  #called(ref: number, value: string | null = null): string | null {
    const { actions = [], controls = [] } = this.#last ?? {}
    const action = actions.find((one) => one.ref === ref)
    const control = controls.find((one) => one.ref === ref)
    const option = control?.options.find((one) => one.value === value)?.text ?? null
    const name = control ? control.label || control.near || control.group : (action?.name ?? '')
    return cleanText([name, option].filter((one) => one !== null && one !== '').join(': '), labelMax)
  }
}

/** Without what gives access to a cart. */
export function placeOf({ url }: PageSnapshot): string {
  const { origin, pathname } = URL.parse(url) ?? { origin: '', pathname: '' }
  return `${origin}${pathname}`.slice(0, 300)
}

/** Which controls a page shows, whatever stands in them. */
function drawnAs({ controls }: PageSnapshot): string {
  return JSON.stringify(controls.map(({ kind, name, label }) => [kind, name, label]))
}
