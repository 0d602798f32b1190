import { isDeepStrictEqual } from 'node:util'
import type { Tenant } from '../../../contract/context.ts'
import { meaningOf, Problem, ValidationProblem } from '../../../contract/problem.ts'
import { commonProblems, problemCatalog } from '../../../contract/problem-codes.ts'
import type { Id } from '../../../core/id.ts'
import type { ValidationIssue } from '../../../schema/value-faults.ts'
import type { MerchantRecord } from '../merchant/public.ts'
import type { ItemRow, Variant, VariantWrite } from './item.ts'
import type { ItemImport } from './item-import.ts'
import { mediaOf } from './media.ts'
import { problems } from './problems.ts'
import { offerFault, publishFault } from './publishable.ts'
import { requiredInputsOf } from './required-inputs.ts'
import { writtenVariants } from './variants.ts'
import { placedUrl } from './write-item.ts'

export type UpsertFacts = {
  readonly tenant: Tenant
  readonly merchant: MerchantRecord | null
  readonly now: Date
  /** Whether every item that can be published is published. */
  readonly publish: boolean
  newId<P extends 'cat' | 'var'>(prefix: P): Id<P>
}

/** The result of one row of a file. */
export type Upserted =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly id: Id<'cat'> }
  | { readonly kind: 'refused'; readonly issues: readonly Pick<ValidationIssue, 'type' | 'loc' | 'msg'>[] }

export type UpsertPlan = {
  readonly outcomes: readonly Upserted[]
  readonly inserts: readonly ItemRow[]
  readonly updates: readonly ItemRow[]
}

/** The results of rows of a file, applied one after the other to the items that they name. `known` are all items that they could meet. */
export function planUpserts(
  rows: readonly ItemImport[],
  known: readonly ItemRow[],
  facts: UpsertFacts,
): UpsertPlan {
  const shelf = new Shelf(known)
  const outcomes = rows.map((row) => upsert(shelf, row, facts))
  return { outcomes, ...shelf.changes() }
}

/** The items of a catalog that a batch can meet, found in the same way as in the database. */
class Shelf {
  readonly #byId = new Map<string, ItemRow>()
  readonly #byHandle = new Map<string, ItemRow>()
  readonly #byUrl = new Map<string, ItemRow>()
  readonly #new = new Set<string>()
  readonly #changed = new Set<string>()

  constructor(known: readonly ItemRow[]) {
    for (const row of known) this.#put(row)
  }

  find({ id, handle }: ItemImport): ItemRow | undefined {
    return (
      (id === undefined ? undefined : this.#byId.get(id)) ?? (handle ? this.#byHandle.get(handle) : undefined)
    )
  }

  /** Which field of it belongs to another item that is not archived. */
  taken({ id, handle, url_key }: ItemRow): 'handle' | 'url' | null {
    const isOther = (row: ItemRow | undefined) => row !== undefined && row.id !== id
    if (handle !== null && isOther(this.#byHandle.get(handle))) return 'handle'
    return url_key !== null && isOther(this.#byUrl.get(url_key)) ? 'url' : null
  }

  write(row: ItemRow): void {
    const before = this.#byId.get(row.id)
    if (!before) this.#new.add(row.id)
    else {
      if (before.handle !== null) this.#byHandle.delete(before.handle)
      if (before.url_key !== null) this.#byUrl.delete(before.url_key)
      if (!this.#new.has(row.id)) this.#changed.add(row.id)
    }
    this.#put(row)
  }

  changes(): Pick<UpsertPlan, 'inserts' | 'updates'> {
    const rowsOf = (ids: Set<string>) => [...ids].flatMap((id) => this.#byId.get(id) ?? [])
    return { inserts: rowsOf(this.#new), updates: rowsOf(this.#changed) }
  }

  #put(row: ItemRow): void {
    this.#byId.set(row.id, row)
    if (row.status === 'archived') return
    if (row.handle !== null) this.#byHandle.set(row.handle, row)
    if (row.url_key !== null) this.#byUrl.set(row.url_key, row)
  }
}

function upsert(shelf: Shelf, input: ItemImport, facts: UpsertFacts): Upserted {
  const found = shelf.find(input)
  if (!found && !input.handle)
    return refused('id', 'missing', 'Send the handle of the item, or an id that is in this catalog')
  if (found?.status === 'archived') return refusedAs('item_archived', 'id')
  try {
    const before = found ?? blankItem(facts)
    const after = published(written(before, input, facts), input, facts)
    if (after === null) return refusedAs('item_not_publishable', 'status')
    const taken = shelf.taken(after)
    if (taken) return refusedAs('handle_in_use', taken)
    if (found && isDeepStrictEqual(after, { ...found })) return { kind: 'unchanged', id: found.id }
    shelf.write({ ...after, updated_at: facts.now })
    return { kind: found ? 'updated' : 'created', id: after.id }
  } catch (error) {
    if (error instanceof ValidationProblem)
      return { kind: 'refused', issues: error.issues.map((issue) => ({ ...issue, loc: issue.loc.slice(1) })) }
    if (error instanceof Problem)
      return refused(error.options.param ?? '', error.code, meaningOf(error, meanings).message)
    throw error
  }
}

/** The item with the fields of the row; fields that the row leaves out stay. */
function written(before: ItemRow, input: ItemImport, { merchant, newId }: UpsertFacts): ItemRow {
  const { id: _, status: __, url, media, variants, required_inputs: inputs, ...fields } = input
  const priced = { currency: merchant?.currency ?? null, newId }
  return {
    ...before,
    ...fields,
    ...(url === undefined || url === before.url ? {} : placedUrl(url, merchant)),
    ...(media === undefined ? {} : { media: mediaOf(media) }),
    ...(inputs === undefined ? {} : { required_inputs: requiredInputsOf(inputs) }),
    ...(variants === undefined
      ? {}
      : { variants: writtenVariants(recognised(variants, before.variants), before.variants, priced) }),
  }
}

/** Null where the row, or the item's earlier status, requires more than the item has. */
function published(row: ItemRow, input: ItemImport, { merchant, now, publish }: UpsertFacts): ItemRow | null {
  if (row.status === 'published') return offerFault(row) === null ? row : null
  if (input.status !== 'published' && (input.status === 'draft' || !publish)) return row
  if (publishFault(row, merchant) === null) return { ...row, status: 'published', published_at: now }
  return input.status === 'published' ? null : row
}

/**
 * Variants with the ids of the known ones: matched by the id that they name, otherwise by SKU, otherwise by their options. Files made
 * elsewhere do not have our ids, and the same file twice must not make every variant a new one.
 */
function recognised(written: readonly VariantWrite[], known: readonly Variant[]): VariantWrite[] {
  const left = new Set(known)
  function take(isIt: (variant: Variant) => boolean): Variant | undefined {
    const found = [...left].find(isIt)
    if (found) left.delete(found)
    return found
  }
  const byId = written.map((variant) =>
    variant.id === undefined ? undefined : take(({ id }) => id === variant.id),
  )
  const bySku = written.map(
    ({ sku }, index) => byId[index] ?? (sku ? take((variant) => variant.sku === sku) : undefined),
  )
  return written.map((variant, index) => {
    const { id: _, ...fields } = variant
    const found =
      bySku[index] ??
      take(({ sku, options }) => !(sku && variant.sku) && isDeepStrictEqual(options, variant.options ?? []))
    return found ? { ...fields, id: found.id } : fields
  })
}

function blankItem({ tenant, now, newId }: UpsertFacts): ItemRow {
  return {
    account_id: tenant.accountId,
    mode: tenant.mode,
    id: newId('cat'),
    handle: null,
    title: null,
    description: null,
    url: null,
    url_key: null,
    item_type: 'product',
    categories: [],
    media: [],
    options: [],
    variants: [],
    required_inputs: [],
    status: 'draft',
    metadata: {},
    // Its own events begin when it is first changed by itself; the events of a file belong to the import.
    seq: 0,
    created_at: now,
    updated_at: now,
    published_at: null,
    archived_at: null,
  }
}

/** Of the codes that a row can be refused with: those of every operation, and the catalog's own. */
const meanings = problemCatalog([commonProblems, problems])

function refused(field: string, type: string, msg: string): Upserted {
  return { kind: 'refused', issues: [{ type, loc: field === '' ? [] : [field], msg }] }
}

function refusedAs(code: keyof typeof problems, field: string): Upserted {
  return refused(field, code, problems[code].message)
}
