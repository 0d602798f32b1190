import type { Action, PageSnapshot } from '../reading/page-snapshot.ts'

/** How often the same may be done at the same step. */
const takenMax = 3

/**
 * What tells one step from the next: its controls with what is chosen in them and what is wrong with them, its buttons and its headings. A
 * message that fades is none of it.
 */
export function stateOf({ url, headings, controls, actions }: PageSnapshot): string {
  return JSON.stringify([
    url.split('#')[0],
    headings,
    controls.map(({ kind, name, label, isChecked, isEmpty, isInvalid, isDisabled, options }) => [
      kind,
      name,
      label,
      [isChecked, isEmpty, isInvalid, isDisabled],
      options.find(({ isSelected }) => isSelected)?.value,
    ]),
    actions
      .filter(({ isInNavigation, name }) => !isInNavigation && name.length > 1)
      .map(({ name, beside, isDisabled, isPressed }) => [name, beside, isDisabled, isPressed]),
  ])
}

/** What was done at which step, and what of it changed nothing. */
export class TakenSteps {
  readonly #times = new Map<string, number>()
  readonly #sent = new Set<string>()
  #last: { readonly state: string; readonly key: string } | null = null
  #isLookedAt = false

  /** Whether this is still worth doing at this step. */
  may(state: string, what: string): boolean {
    return (this.#times.get(`${state} ${what}`) ?? 0) < takenMax
  }

  take(state: string, what: string): void {
    const key = `${state} ${what}`
    this.#times.set(key, (this.#times.get(key) ?? 0) + 1)
    this.#last = { state, key }
    this.#isLookedAt = false
  }

  /** Whether a form was sent as it stands: what came of that is known. */
  isSent(form: string): boolean {
    return this.#sent.has(form)
  }

  send(form: string): void {
    this.#sent.add(form)
  }

  /** True, once: what was done last has changed nothing yet, and may do so in a moment. */
  isToBeLookedAtAgain(state: string): boolean {
    if (this.#last?.state !== state || this.#isLookedAt) return false
    this.#isLookedAt = true
    return true
  }

  /** What left the step as it was is not done again. */
  judge(state: string): void {
    if (this.#last?.state === state) this.#times.set(this.#last.key, takenMax)
    this.#last = null
  }
}

/** The form of an action with what stands in it; null where it sends none. */
export function sentBy(page: PageSnapshot, action: Action): string | null {
  if (action.form === null || action.role === 'link') return null
  const controls = page.controls.filter(({ form }) => form === action.form)
  return stateOf({ ...page, headings: [], controls, actions: [] })
}

/** What an action is called, for as long as its page is drawn anew. */
export function keyOfAction({ role, name, href, form, beside }: Action): string {
  return JSON.stringify([role, name, href, form, beside])
}
