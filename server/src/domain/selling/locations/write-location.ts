import type { ActingContext, Tenant } from '../../../contract/context.ts'
import { checkAll, invalid, Problem } from '../../../contract/problem.ts'
import { normalizeTimezone } from '../../../schema/time-zones.ts'
import {
  type BusinessLocation,
  type Hours,
  type LocationRow,
  type LocationUpdate,
  locationRules,
  renderLocation,
} from './location.ts'
import { type LocationWrite, lockLocation, updateLocationRow } from './locations.sql.ts'

/** A row as its statements take it. */
export function writeOf(row: LocationRow, { accountId, mode }: Tenant): LocationWrite {
  return {
    ...row,
    account_id: accountId,
    mode,
    address: JSON.stringify(row.address),
    hours: JSON.stringify(row.hours),
    metadata: JSON.stringify(row.metadata),
  }
}

/**
 * Changes one location: locks it, lets `change` decide (it may throw a refusal), writes the row and the event. A null change writes
 * nothing.
 */
export async function changeLocation(
  ctx: ActingContext,
  locationId: string,
  type: 'business_location.updated' | 'business_location.archived',
  change: (row: LocationRow) => Partial<LocationRow> | null,
): Promise<BusinessLocation> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockLocation({ account_id: accountId, mode, id: locationId }))
  if (!row) throw new Problem('not_found', { param: 'location_id' })
  const changes = change(row)
  if (changes === null) return renderLocation(row, mode)
  const changed = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  const location = renderLocation(changed, mode)
  ctx.tx.write(updateLocationRow(writeOf(changed, ctx.tenant)))
  ctx.tx.emit({ type, aggregateId: row.id, sequence: changed.seq, object: location })
  return location
}

/** What a caller wrote, as columns of the row that it changes; throws the 422 for what contradicts itself. */
export function writtenFields(row: LocationRow, written: LocationUpdate): Partial<LocationRow> {
  const { address, hours, source, timezone, ...fields } = written
  checkAll(
    () => hours && checkHours(hours),
    () => checkCoordinates({ ...row, ...fields }),
  )
  return {
    ...fields,
    ...(timezone === undefined ? {} : { timezone: normalizeTimezone(timezone) ?? row.timezone }),
    ...(address === undefined
      ? {}
      : {
          address: {
            line1: address.line1,
            line2: address.line2 ?? null,
            city: address.city,
            state: address.state ?? null,
            postal_code: address.postal_code ?? null,
            country: address.country,
          },
        }),
    ...(hours === undefined ? {} : { hours }),
    ...(source === undefined
      ? {}
      : { source_provider: source?.provider ?? null, source_fields: source?.fields ?? [] }),
  }
}

/** Half a point is nowhere. */
function checkCoordinates(row: Pick<LocationRow, 'latitude' | 'longitude'>): void {
  if ((row.latitude === null) === (row.longitude === null)) return
  const missing = row.latitude === null ? 'latitude' : 'longitude'
  throw invalid(['body', missing], locationRules.together)
}

function checkHours(hours: readonly Hours[]): void {
  checkAll(
    ...hours.map(({ weekday, opens, closes }, index) => () => {
      if (closes <= opens) {
        throw invalid(['body', 'hours', index, 'closes'], locationRules.closing)
      }
      const other = hours.findIndex(
        (each, at) => at < index && each.weekday === weekday && each.opens < closes && opens < each.closes,
      )
      if (other >= 0) throw invalid(['body', 'hours', index], locationRules.overlap)
    }),
  )
}
