import { checkAll, invalid } from '../../../contract/problem.ts'
import { changesOf } from '../../../platform/aggregate/changes.ts'
import { normalizeTimezone } from '../../../schema/time-zones.ts'
import type { locationEvents } from './events.ts'
import {
  type Hours,
  type LocationRow,
  type LocationUpdate,
  locationRules,
  renderLocation,
} from './location.ts'
import { insertLocation, lockLocation, updateLocationRow } from './locations.sql.ts'

export const { add: addLocation, change: changeLocation } = changesOf<
  LocationRow,
  keyof typeof locationEvents
>({
  param: 'location_id',
  insert: insertLocation,
  lock: lockLocation,
  update: updateLocationRow,
  render: (row, { tenant }) => renderLocation(row, tenant.mode),
})

/** The caller's fields, as columns of the row that it changes; throws the 422 for a contradiction. */
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

/** One coordinate without the other is not a place. */
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
