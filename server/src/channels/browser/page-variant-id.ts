import { isRecord } from '../../platform/egress/peer-json.ts'
import type { ShopItem } from './shopping-words.ts'

type Variant = NonNullable<ShopItem['variant']>
type Selections = NonNullable<Variant['selections']>

const prefix = 'page_'

/** As long as the id of a variant in a request may be. */
const idLengthMax = 255

/** Pages have no ids of variants: the id under which one is shown is what has to be chosen there. Null: it would be too long. */
export function pageVariantId({
  sku,
  selections,
}: {
  sku: string | null
  selections: Selections
}): string | null {
  const said = {
    ...(sku === null ? {} : { sku }),
    selections: selections.map(({ name, value }) => [name, value]),
  }
  const id = prefix + Buffer.from(JSON.stringify(said)).toString('base64url')
  return id.length <= idLengthMax ? id : null
}

/** The variant in words of the page. What the caller says besides the id goes first. */
export function chosenAtPage(variant: ShopItem['variant']): ShopItem['variant'] {
  const meant = variant?.id === undefined ? null : readPageVariantId(variant.id)
  if (variant === null || meant === null) return variant
  const { id: _, ...said } = variant
  const whole = { ...meant, ...said }
  return whole.sku === undefined && whole.selections === undefined ? null : whole
}

function readPageVariantId(id: string): Omit<Variant, 'id'> | null {
  if (!id.startsWith(prefix)) return null
  const said = parsed(Buffer.from(id.slice(prefix.length), 'base64url').toString())
  if (!isRecord(said) || !Array.isArray(said.selections)) return null
  const selections = said.selections.flatMap((pair: unknown) => {
    const [name, value] = Array.isArray(pair) ? pair : []
    return typeof name === 'string' && typeof value === 'string' ? [{ name, value }] : []
  })
  return {
    ...(typeof said.sku === 'string' ? { sku: said.sku } : {}),
    ...(selections.length > 0 ? { selections } : {}),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
