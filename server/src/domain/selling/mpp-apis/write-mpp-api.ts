import type { CallContext } from '../../../contract/context.ts'
import { checkAll, invalid } from '../../../contract/problem.ts'
import { changesOf } from '../../../platform/aggregate/changes.ts'
import { checkTargetUrl } from '../../../platform/egress/target.ts'
import { isHostWithin } from '../merchant/public.ts'
import type { mppApiEvents } from './events.ts'
import {
  type MppApiRow,
  type MppApiUpdate,
  mppApiRules,
  renderMppApi,
  schemaBytesMax,
  schemaDepthMax,
} from './mpp-api.ts'
import { insertMppApi, lockMppApi, updateMppApiRow } from './mpp-apis.sql.ts'

export const { add: addMppApi, change: changeMppApi } = changesOf<MppApiRow, keyof typeof mppApiEvents>({
  param: 'mpp_api_id',
  insert: insertMppApi,
  lock: lockMppApi,
  update: updateMppApiRow,
  render: (row, { tenant }) => renderMppApi(row, tenant.mode),
})

type Placing = Pick<CallContext, 'tenant' | 'settings'> & { domain: string | null }

/** The caller's fields, as columns; throws the 422 for everything that breaks a rule. */
export function writtenFields(placing: Placing, written: MppApiUpdate): Partial<MppApiRow> {
  const { url, offers, request_schema, ...fields } = written
  let host: Pick<MppApiRow, 'host'> = { host: null }
  checkAll(
    () => {
      if (url !== undefined) host = { host: placedHost(placing, url) }
    },
    () => request_schema && checkSchema(request_schema),
    () => offers && checkOffers(offers),
  )
  return {
    ...fields,
    ...(url === undefined ? {} : { url, ...host }),
    ...(request_schema === undefined ? {} : { request_schema }),
    ...(offers === undefined
      ? {}
      : {
          offers: offers.map(({ intent, method, amount = null, currency = null }) => ({
            intent,
            method,
            amount,
            currency,
          })),
        }),
  }
}

/** A merchant that has no domain yet may prepare; nothing is shown before the host is at its domain. */
function placedHost({ tenant, settings, domain }: Placing, url: string): string | null {
  const verdict = checkTargetUrl(url, { allowLoopback: false })
  const here = settings.allowLoopback && tenant.mode === 'test'
  if (!verdict.ok && here && checkTargetUrl(url, { allowLoopback: true }).ok) return null
  if (!verdict.ok) throw invalid(['body', 'url'], mppApiRules[verdict.reason])
  const host = verdict.url.hostname
  if (domain !== null && !isHostWithin(host, domain)) throw invalid(['body', 'url'], mppApiRules.domain)
  return host
}

function checkSchema(schema: object): void {
  const at = ['body', 'request_schema']
  if (Buffer.byteLength(JSON.stringify(schema)) > schemaBytesMax) throw invalid(at, mppApiRules.size)
  if (isDeeperThan(schema, schemaDepthMax)) throw invalid(at, mppApiRules.depth)
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1))
}

function checkOffers(offers: NonNullable<MppApiUpdate['offers']>): void {
  checkAll(
    ...offers.map(({ amount, currency }, index) => () => {
      if (typeof amount === 'string' && typeof currency !== 'string')
        throw invalid(['body', 'offers', index, 'currency'], mppApiRules.currency)
    }),
  )
}
