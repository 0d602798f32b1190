import type { SuiteSize } from '../suite.ts'
import { type Deed, type DeedKind, deedKinds } from './tenant.ts'
import type { HealthLook } from './watch.ts'
import type { Report } from './wire.ts'

/** The observations during one noise. */
export type Stretch = {
  name: string
  size: SuiteSize
  quiet: readonly Deed[]
  deeds: readonly Deed[]
  /** The start times of calls that never ended. */
  openSince: readonly number[]
  health: readonly HealthLook[]
  rssMb: Readonly<Record<string, number>>
  report: Report
  /** POSTs so far that reached a URL which never confirmed. */
  posts: number
  /** How many times slower than a quiet machine this one is, without the noise. */
  pace: number
  /** How long until the quiet figures were there again; null: never. */
  recoveredMs: number | null
  /** What remained of the noise: connections, or places of a limit. */
  left: readonly string[]
}

const laterMs = 1_000
const truthMs = 5_000
const rssMaxMb = 600
const recoveryMs = 30_000
/** Tests of one host in an hour, over all accounts. */
const postsMax = 5

/** All faults of what was seen; empty when there is none. */
export function judge(stretch: Stretch): string[] {
  const { name } = stretch
  return [
    ...judgeDeeds(stretch),
    ...judgeHealth(stretch),
    ...judgeMemory(stretch),
    ...judgeRest(stretch),
  ].map((fault) => `${name}: ${fault}`)
}

function judgeDeeds({ size, quiet, deeds, openSince, pace }: Stretch): string[] {
  const faults = deeds.flatMap(({ kind, fault }) => (fault === null ? [] : [`a ${kind} failed: ${fault}`]))
  const open = openSince.length > 0 ? [`${openSince.length} requests never ended`] : []
  const late = deedKinds.flatMap((kind) => {
    // In the gate the machine may be busy with other things: one call in twenty proves little about us there.
    const seen = quantile(timesOf(deeds, kind), size === 'gate' ? 0.5 : 0.95)
    const usual = quantile(timesOf(quiet, kind), 0.5)
    if (Number.isNaN(seen)) return [`no ${kind} ended`]
    const isLate = seen > usual + laterMs * pace
    return isLate ? [`a ${kind} took ${Math.round(seen)} ms, and ${Math.round(usual)} ms before`] : []
  })
  return [...faults.slice(0, 3), ...open, ...late]
}

/** A health check may be wrong for less than five seconds. */
function judgeHealth({ deeds, openSince, health, pace }: Stretch): string[] {
  const span = truthMs * pace
  const begun = [...deeds.map(({ beganMs }) => beganMs), ...openSince]
  const served = deeds.filter(({ fault }) => fault === null).map(({ beganMs, ms }) => beganMs + ms)
  for (const { atMs, ms, status } of health) {
    const saidMs = atMs + ms
    const isWithin = (time: number) => time > saidMs - span && time <= saidMs
    const wasAsked = begun.some((time) => time <= saidMs - span)
    const wereServed = served.some(isWithin)
    if (status === 200 && wasAsked && !wereServed)
      return [`/healthz said 200 after ${span} ms in which nobody was served`]
    const looks = health.filter((look) => isWithin(look.atMs + look.ms))
    const allBad = looks.every((look) => look.status !== 200)
    const covers = health.some((look) => look.atMs + look.ms <= saidMs - span)
    if (status !== 200 && covers && wereServed && allBad)
      return [`/healthz said ${status} for ${span} ms in which callers were served`]
  }
  const slowest = Math.max(0, ...health.map(({ ms }) => ms))
  return slowest > span ? [`/healthz took ${Math.round(slowest)} ms`] : []
}

function judgeMemory({ rssMb }: Stretch): string[] {
  return Object.entries(rssMb).flatMap(([process, held]) =>
    held > rssMaxMb ? [`${process} held ${held} MB`] : [],
  )
}

function judgeRest({ name, report, posts, pace, recoveredMs, left }: Stretch): string[] {
  const shaped = report.faults.slice(0, 3).map((fault) => `not as documented: ${fault}`)
  const silent = Object.keys(report.answers).length === 0 ? ['the noise was answered by nobody'] : []
  const cannon = posts > postsMax ? [`${posts} POSTs reached a URL that never answered 2xx`] : []
  // The first tests of an hour are sent: if none arrives, the count is wrong.
  const unheard = name === 'cannon' && posts === 0 ? ['no POST at all reached the URL that is counted'] : []
  const late = recoveredMs === null || recoveredMs > recoveryMs * pace
  const slow = late ? [`30 seconds after its end it was not quiet again (${recoveredMs ?? 'never'})`] : []
  return [...shaped, ...silent, ...cannon, ...unheard, ...slow, ...left]
}

export function timesOf(deeds: readonly Deed[], kind: DeedKind): number[] {
  return deeds.filter((deed) => deed.kind === kind && deed.fault === null).map(({ ms }) => ms)
}

export function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Lies to plant in the observations of a run, and the fault that each must be found as. A judge that finds nothing must be able to. */
export const lies: readonly { lie: string; plant: (stretch: Stretch) => Stretch }[] = [
  ...deedKinds.map((kind) => ({
    lie: `every ${kind} took two seconds longer`,
    plant: (stretch: Stretch) => ({
      ...stretch,
      deeds: stretch.deeds.map((deed) =>
        deed.kind === kind ? { ...deed, ms: deed.ms + 2 * laterMs * stretch.pace } : deed,
      ),
    }),
  })),
  {
    lie: 'one read was refused',
    plant: (stretch) => ({
      ...stretch,
      deeds: [...stretch.deeds, { kind: 'read', beganMs: 0, ms: 1, fault: 'a read was answered 503' }],
    }),
  },
  {
    lie: 'health is well while nobody is served',
    plant: (stretch) => ({
      ...stretch,
      deeds: [],
      openSince: [0],
      health: [{ atMs: truthMs * stretch.pace + 1, ms: 1, status: 200 }],
    }),
  },
  {
    lie: 'health is bad for long while callers are served',
    plant: (stretch) => {
      const span = truthMs * stretch.pace
      return {
        ...stretch,
        deeds: [...stretch.deeds, { kind: 'read', beganMs: span, ms: 1, fault: null }],
        health: [0, span / 2, span + 2].map((atMs) => ({ atMs, ms: 1, status: 503 })),
      }
    },
  },
  { lie: 'a process held 601 MB', plant: (stretch) => ({ ...stretch, rssMb: { api: rssMaxMb + 1 } }) },
  {
    lie: 'a refusal without its shape',
    plant: (stretch) => ({ ...stretch, report: { ...stretch.report, faults: ['GET / answered 500'] } }),
  },
  { lie: 'a sixth POST at the cannon', plant: (stretch) => ({ ...stretch, posts: postsMax + 1 }) },
  { lie: 'it never became quiet again', plant: (stretch) => ({ ...stretch, recoveredMs: null }) },
  { lie: 'a place was left taken', plant: (stretch) => ({ ...stretch, left: ['a stream'] }) },
]

/** Each lie must add a fault to those that are found anyway. */
export function unseenLies(stretch: Stretch): string[] {
  const before = new Set(judge(stretch))
  return lies
    .filter(({ plant }) => judge(plant(stretch)).every((fault) => before.has(fault)))
    .map(({ lie }) => lie)
}
