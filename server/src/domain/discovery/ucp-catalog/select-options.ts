type Choice = { readonly name: string; readonly label: string }

type Selectable = {
  readonly id: string
  readonly options: readonly Choice[]
  readonly availability: { available: boolean }
}

type Asked = {
  /** The variant that was asked for by its own name: it decides everything. */
  readonly variantId: string | null
  readonly selected: readonly Choice[] | undefined
  readonly preferences: readonly string[] | undefined
}

type Selection<V> = {
  /** What is chosen, after choices that fit nothing were dropped. */
  readonly selected: readonly Choice[]
  /** The variants that fit it, the featured one first. */
  readonly variants: readonly V[]
}

/** What a buyer's choices leave of a product. */
export function select<V extends Selectable>(variants: readonly V[], asked: Asked): Selection<V> {
  const named = variants.find(({ id }) => id === asked.variantId)
  if (named) return { selected: named.options, variants: featured(named, variants, named.options) }
  if (asked.selected === undefined) {
    const first = firstOf(variants)
    return first
      ? { selected: first.options, variants: featured(first, variants, first.options, true) }
      : none
  }
  for (
    let choices = byImportance(asked.selected, asked.preferences ?? []);
    ;
    choices = choices.slice(0, -1)
  ) {
    const first = firstOf(variants.filter((variant) => fits(variant, choices)))
    if (first) {
      const kept = asked.selected.filter((choice) => choices.includes(choice))
      return { selected: kept, variants: featured(first, variants, choices) }
    }
    if (choices.length === 0) return none
  }
}

/** Whether a value of an option is in a variant with the other choices, and whether one of these can be bought. */
export function signalsOf(
  variants: readonly Selectable[],
  selected: readonly Choice[],
  choice: Choice,
): { available: boolean; exists: boolean } {
  const others = selected.filter(({ name }) => name !== choice.name)
  const found = variants.filter((variant) => fits(variant, [...others, choice]))
  return { available: found.some(({ availability }) => availability.available), exists: found.length > 0 }
}

const none = { selected: [], variants: [] }

/** The most important first; those that nobody ranked come last, and fall first. */
function byImportance(selected: readonly Choice[], preferences: readonly string[]): readonly Choice[] {
  const rank = ({ name }: Choice) =>
    preferences.includes(name) ? preferences.indexOf(name) : preferences.length
  return selected.toSorted((a, b) => rank(a) - rank(b))
}

function firstOf<V extends Selectable>(variants: readonly V[]): V | undefined {
  return variants.find(({ availability }) => availability.available) ?? variants[0]
}

/** All variants where nobody has chosen anything. */
function featured<V extends Selectable>(
  first: V,
  variants: readonly V[],
  choices: readonly Choice[],
  all = false,
): V[] {
  return [first, ...variants.filter((variant) => variant !== first && (all || fits(variant, choices)))]
}

function fits({ options }: Selectable, choices: readonly Choice[]): boolean {
  return choices.every(({ name, label }) =>
    options.some((option) => option.name === name && option.label === label),
  )
}
