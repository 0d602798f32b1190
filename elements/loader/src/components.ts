type Subject = 'profileId' | 'purchaseIntentId'

type ComponentFacts = {
  /** Whose id it takes: exactly one of these. */
  readonly subjects: readonly Subject[]
  /** The options that only the component itself knows. */
  readonly settings: readonly string[]
}

/** Every component that a page can show. */
const components = {
  AddPaymentMethod: { subjects: ['profileId'], settings: ['budget', 'billingAddress'] },
  AddOrSelectPaymentMethod: { subjects: ['profileId', 'purchaseIntentId'], settings: ['preference'] },
  MerchantAuthHandoff: { subjects: ['purchaseIntentId'], settings: ['deferRetry'] },
} as const satisfies Record<string, ComponentFacts>

export type ComponentName = keyof typeof components

/** What a page gives to any of them. */
export type Given = {
  readonly profileId?: string | undefined
  readonly purchaseIntentId?: string | undefined
  readonly clientSecret?: string
  readonly appearance?: unknown
  readonly locale?: string
}

/** A page that names nothing, or too much, is a mistake of its developer, and is told at once. */
export function checkGiven(component: string, given: Given): void {
  if (!Object.hasOwn(components, component)) throw new TypeError(`There is no component ${component}.`)
  const { subjects } = factsOf(component as ComponentName) // it is one of them
  const named = (['profileId', 'purchaseIntentId'] as const).filter((name) => given?.[name] !== undefined)
  const [subject] = named
  if (named.length !== 1 || subject === undefined || !subjects.includes(subject) || !given[subject])
    throw new TypeError(`${component} takes an id as ${subjects.join(' or ')}.`)
  if (typeof given[subject] !== 'string') throw new TypeError(`${subject} is a text.`)
}

export function settingsOf(component: ComponentName, given: Given): Record<string, unknown> {
  const names = factsOf(component).settings
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
}

function factsOf(component: ComponentName): ComponentFacts {
  return components[component]
}
