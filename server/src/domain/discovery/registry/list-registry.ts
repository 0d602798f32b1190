import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { containsPattern, pageOf, renderList, totalCap } from '../../../contract/page.ts'
import { Closed, Filter, ListOf, Page, Search } from '../../../contract/schemas.ts'
import { AgenticCatalogItemType } from '../../selling/catalog/public.ts'
import { takeDiscoveryRate } from '../listings/public.ts'
import { nativeProtocols } from './native-protocols.ts'
import { countRegistryRows, listRegistryRows } from './read-registry.sql.ts'
import { nativePaymentFor, renderEntries, viewerOf } from './read-registry.ts'
import {
  RegistryEntry,
  RegistryPaymentInstrument,
  RegistryPaymentMethodFilter,
  RegistryProtocolFilter,
} from './registry-entry.ts'

const limitDefault = 8
const offsetMax = 10_000
/** More than the longest page. */
const ahead = 101

const Query = Closed({
  q: Type.Optional({
    ...Search,
    description: 'Text in a name, domain or slug.',
  }),
  protocol: Filter(RegistryProtocolFilter, 'Speaks it.'),
  commerce_category: Filter(AgenticCatalogItemType, 'Sells items of this kind.'),
  mpp_category: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Files itself under this word in MPP.',
    }),
  ),
  payment_method: Type.Optional(
    Type.Array(RegistryPaymentMethodFilter, {
      maxItems: 14,
      description: 'Is paid in one of these ways.',
    }),
  ),
  payment_instrument: Type.Optional(
    Type.Array(RegistryPaymentInstrument, {
      maxItems: 6,
      description: 'Takes one of these.',
    }),
  ),
  ...Page(limitDefault, 100),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: offsetMax,
      default: 0,
      description: 'How many entries to skip.',
    }),
  ),
})

export const listRegistry = defineOperation({
  id: 'v1_list_registry',
  method: 'GET',
  path: '/v1/registry',
  auth: 'optional',
  scope: 'registry:read',
  forBound: 'served',
  tag: 'Registry',
  summary: 'List merchants of the registry',
  description:
    'Merchants of this service and sites elsewhere, the protocols that they speak, and how they are paid. All filters must hold; the ' +
    'values of one are alternatives. Verified and live ones come first. Next, search what one sells with v1_search_catalog.',
  query: Query,
  responses: { 200: ListOf(RegistryEntry, 'RegistryEntryList') },
  async handle(ctx, { query }) {
    await takeDiscoveryRate(ctx)
    const page = pageOf(query, limitDefault)
    const native = nativePaymentFor(ctx)
    const filter = {
      ...viewerOf(ctx),
      q: containsPattern(query.q),
      protocol: query.protocol === undefined || query.protocol === 'all' ? null : query.protocol,
      item_type: query.commerce_category ?? null,
      mpp_category: query.mpp_category?.trim().toLowerCase() ?? null,
      payment_methods: listOf(query.payment_method),
      payment_instruments: listOf(query.payment_instrument),
      native_protocols: nativeProtocols,
      native_methods: native.methods,
      native_instruments: native.instruments,
    }
    const rows = await ctx.reads.rows(listRegistryRows({ ...filter, ...page, ahead }))
    const found = rows[0]?.found_ahead ?? 0
    // A filter that finds little has looked at everything by then, and should not do so again to count.
    const isAll = found < ahead && (found > 0 || page.offset === 0)
    const counted = isAll
      ? page.offset + found
      : ((await ctx.reads.maybe(countRegistryRows({ ...filter, cap: totalCap })))?.counted ?? 0)
    const entries = await renderEntries(ctx, rows)
    return reply(
      200,
      renderList(entries, counted, page, (entry) => entry),
    )
  },
})

/** A list without values asks for nothing. */
function listOf(values: readonly string[] | undefined): readonly string[] | null {
  return values === undefined || values.length === 0 ? null : values
}
