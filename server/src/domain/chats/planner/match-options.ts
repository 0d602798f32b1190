import type { Shown, ShownVariant, Subject } from './memory.ts'
import { sameOption } from './option-words.ts'
import type { Options } from './understood.ts'

/** The variants that fit what was said and chosen. What is said of an option that a variant does not have is left to its title. */
export function fitting(
  product: Shown,
  { options, chosen }: Pick<Subject, 'options' | 'chosen'>,
): readonly ShownVariant[] {
  return product.variants.filter(
    (variant) =>
      variant.options.every(({ name, label }) => chosen[name] === undefined || chosen[name] === label) &&
      Object.values(options).every((value) => value === undefined || hasValue(product, variant, value)),
  )
}

/** Whether some variant of the product can be had like that. */
export function fits(product: Shown, options: Options): boolean {
  return fitting(product, { options, chosen: {} }).length > 0
}

function hasValue(product: Shown, variant: ShownVariant, value: string): boolean {
  if (variant.options.some(({ label }) => sameOption(label, value))) return true
  // A product with one color says it in its title, and has no option for it.
  const isOptionElsewhere = product.variants.some((one) =>
    one.options.some(({ label }) => sameOption(label, value)),
  )
  return !isOptionElsewhere && sameOption(product.title, value)
}

/** The first option in which these variants differ, with its values; null: they do not differ. */
export function openOption(variants: readonly ShownVariant[]): { name: string; values: string[] } | null {
  for (const { name } of variants[0]?.options ?? []) {
    const values = [
      ...new Set(
        variants.flatMap(({ options }) =>
          options.filter((one) => one.name === name).map(({ label }) => label),
        ),
      ),
    ]
    if (values.length > 1) return { name, values }
  }
  return null
}
