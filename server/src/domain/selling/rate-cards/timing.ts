import Type, { type Static } from 'typebox'
import { checkAll, invalid } from '../../../contract/problem.ts'
import { Closed, Described, Named, OneOf } from '../../../contract/schemas.ts'
import { Ruled } from '../../../schema/rules.ts'

export const timeUnits = ['minute', 'hour', 'day', 'business_day', 'week', 'month'] as const
export type TimeUnit = (typeof timeUnits)[number]

const Count = Type.Integer({ minimum: 0, maximum: 1000 })
const rules = { order: 'max must not be below min' }
const Span = Named(
  'TimeSpan',
  Ruled(
    Closed(
      {
        min: Described(Count, 'At least this many.'),
        max: Described(Count, 'At most this many.'),
        unit: OneOf(timeUnits, { description: 'The unit of time; business days are Monday to Friday.' }),
      },
      { description: 'A span of time, from the shortest to the longest.' },
    ),
    rules,
  ),
)

export const Timing = Named(
  'Timing',
  Closed(
    {
      handling: Type.Optional(Described(Span, 'How long until the goods leave.')),
      transit: Type.Optional(Described(Span, 'How long they are on their way.')),
      cutoff_local_time: Type.Optional(
        Type.String({
          pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$',
          description:
            'Orders from this time of day on count as of the next day, in the time zone of the first location, or UTC.',
        }),
      ),
    },
    { description: 'How long until the goods leave, and then until they arrive. `{}`: not known.' },
  ),
)
export type Timing = Static<typeof Timing>

export type Estimate = { readonly earliest: Date; readonly latest: Date }

/** Throws the 422 for a span that ends before it begins. */
export function checkTiming(timing: Timing): void {
  checkAll(
    ...(['handling', 'transit'] as const).map((part) => () => {
      const span = timing[part]
      if (span && span.max < span.min) throw invalid(['body', 'timing', part, 'max'], rules.order)
    }),
  )
}

/** When an order of this time arrives; null where the card has no timing. Days are those of the time zone. */
export function estimateOf(timing: Timing, at: Date, timeZone: string): Estimate | null {
  const spans = [timing.handling, timing.transit].filter((span) => span !== undefined)
  if (spans.length === 0) return null
  const ordered = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  const start = isLate(timing, ordered) ? ordered.add({ days: 1 }).startOfDay() : ordered
  const after = (bound: 'min' | 'max') =>
    new Date(spans.reduce((moment, span) => later(moment, span[bound], span.unit), start).epochMilliseconds)
  return { earliest: after('min'), latest: after('max') }
}

function isLate({ cutoff_local_time: cutoff }: Timing, ordered: Temporal.ZonedDateTime): boolean {
  return (
    cutoff !== undefined &&
    Temporal.PlainTime.compare(ordered.toPlainTime(), Temporal.PlainTime.from(cutoff)) >= 0
  )
}

function later(moment: Temporal.ZonedDateTime, count: number, unit: TimeUnit): Temporal.ZonedDateTime {
  switch (unit) {
    case 'minute':
      return moment.add({ minutes: count })
    case 'hour':
      return moment.add({ hours: count })
    case 'day':
      return moment.add({ days: count })
    case 'week':
      return moment.add({ weeks: count })
    case 'month':
      return moment.add({ months: count })
    case 'business_day':
      return afterBusinessDays(moment, count)
    default:
      return unit satisfies never
  }
}

/** A span that begins on a weekend begins on Monday. */
function afterBusinessDays(moment: Temporal.ZonedDateTime, count: number): Temporal.ZonedDateTime {
  const isWeekend = moment.dayOfWeek > 5
  const first = isWeekend ? moment.add({ days: 8 - moment.dayOfWeek }).startOfDay() : moment
  const beyond = (first.dayOfWeek - 1 + count) % 5
  const weeks = Math.floor((first.dayOfWeek - 1 + count) / 5)
  return first.add({ days: 7 * weeks + beyond - (first.dayOfWeek - 1) })
}
