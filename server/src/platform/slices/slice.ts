import type { Mode } from '../../contract/context.ts'
import { type EventCatalog, type EventDefinitions, eventCatalog } from '../../contract/event.ts'
import type { HostedPage } from '../../contract/hosted-page.ts'
import type { IdFacts, ProfileId } from '../../contract/ids.ts'
import type { Operation } from '../../contract/operation.ts'
import { type Binding, type BoundPorts, bindPorts } from '../../contract/port.ts'
import {
  commonProblems,
  type ProblemCatalog,
  type ProblemDefinitions,
  problemCatalog,
} from '../../contract/problem-codes.ts'
import { type ScopeCatalog, type ScopeDefinitions, scopeCatalog } from '../../contract/scopes.ts'
import type { Id } from '../../core/id.ts'
import type { Invariant } from '../audit/invariants.ts'
import type { BoundAgent } from '../calls/bound-agent.ts'
import type { Dispatch } from '../calls/dispatch.ts'
import type { ActingParts } from '../calls/run-as.ts'
import type { Part } from '../database/combine-reads.ts'
import type { Egress } from '../egress/egress.ts'
import type { Follower } from '../events/follower.ts'
import { platformEvents } from '../events/platform-events.ts'
import { platformIds } from '../ids/platform-ids.ts'
import type { Sweep } from '../retention/sweep.ts'
import type { WorkKind } from '../work/work.ts'
import type { Queue } from './queue.ts'

/** What a worker provides for the work of a slice. */
type WorkMeans = {
  readonly events: EventCatalog
  readonly egress: Egress
  /** The real time, by which receivers check signatures. */
  readonly wallNow: () => Date
  readonly ports: BoundPorts
  /** Runs an operation in the name of a principal, as every surface does. */
  readonly dispatch: Dispatch
}

/** A value, or a function of the events of all slices and of the ports that slices bind for each other. */
type OfProduct<T> = T | ((events: EventCatalog, ports: BoundPorts) => T)

/** Reads which of `ids` belong to a profile. */
export type OwnIds = Part<
  { id: string },
  { account_id: Id<'acct'>; mode: Mode; profile_id: ProfileId; agent_id: Id<'agent'> | null; ids: string[] }
>

/**
 * Everything that a slice brings to the product. A slice is its folder, its migrations and its place in the list of `composition.ts`:
 * whatever a process runs is made from these.
 */
export type Slice = {
  /** Its folder in `domain/`. */
  readonly name: string
  /** What it does, in one sentence with a verb. */
  readonly about: string
  /** The slices that it imports, by name. It cannot import any other. */
  readonly needs: readonly string[]
  /** The tables that it alone reads and writes. Others are given fragments and functions. */
  readonly tables?: readonly string[]
  /** The prefixes of its ids. */
  readonly ids?: Readonly<Record<string, IdFacts>>
  /** What keys may be allowed of it. */
  readonly scopes?: ScopeDefinitions
  /** What it refuses with. */
  readonly problems?: ProblemDefinitions
  /** Descriptions of its groups of operations. */
  readonly tags?: Readonly<Record<string, string>>
  /** The types of its events, from its `events.ts`. */
  readonly events?: EventDefinitions
  readonly operations?: OfProduct<readonly Operation[]>
  /** Pages that people see, at addresses of their own. */
  readonly pages?: (parts: ActingParts & { hashToken: (token: string) => Buffer }) => readonly HostedPage[]
  /** What its workers do with rows that are due. */
  readonly work?: (means: WorkMeans) => readonly WorkKind[]
  /** The tables of that work: they are searched for rows that wait, that no worker serves, and that fail. */
  readonly queues?: readonly Queue[]
  /** What follows from events. */
  readonly followers?: OfProduct<readonly Follower[]>
  /** Rows that are kept for a limited time. */
  readonly sweeps?: readonly Sweep[]
  /** What `prokura audit` checks. */
  readonly invariants?: readonly Invariant[]
  /** Which of some ids name objects that an agent of one profile may see; for slices whose objects belong to profiles. */
  readonly ownIds?: OwnIds
  /** The body of an answer without the parts that such an agent may not see. */
  readonly withoutOthers?: (body: unknown, agent: BoundAgent) => unknown
  /** What it does for lower slices that have a port for it. */
  readonly binds?: readonly Binding[]
}

export function defineSlice(slice: Slice): Slice {
  return slice
}

/** What the slices bring, all together. */
export type Product = {
  readonly slices: readonly Slice[]
  readonly ids: ReadonlyMap<string, IdFacts>
  readonly scopes: ScopeCatalog
  readonly problems: ProblemCatalog
  readonly tags: ReadonlyMap<string, string>
  readonly events: EventCatalog
  readonly operations: readonly Operation[]
  readonly queues: readonly Queue[]
  readonly followers: readonly Follower[]
  readonly sweeps: readonly Sweep[]
  readonly invariants: readonly Invariant[]
}

/** Combines the slices, once it is certain that they fit. Throws with what is wrong with them. */
export function composeSlices(slices: readonly Slice[]): Product {
  checkNeeds(slices)
  const events = eventCatalog([platformEvents, ...slices.map((slice) => slice.events ?? {})])
  const ports = bindPorts(slices.flatMap(({ binds }) => binds ?? []))
  const made = <T>(of: OfProduct<readonly T[]> | undefined): readonly T[] =>
    typeof of === 'function' ? of(events, ports) : (of ?? [])
  const operations = slices.flatMap((slice) => made(slice.operations))
  const queues = slices.flatMap((slice) => slice.queues ?? [])
  for (const kind of twice(queues.map((queue) => queue.kind)))
    throw new Error(`two slices have work of the kind ${kind}`)
  for (const id of twice(operations.map((operation) => operation.id)))
    throw new Error(`two slices have an operation ${id}`)
  const product: Product = {
    slices,
    ids: union('prefix', [platformIds, ...slices.map((slice) => slice.ids ?? {})]),
    scopes: scopeCatalog(slices.map((slice) => slice.scopes ?? {})),
    problems: problemCatalog([commonProblems, ...slices.map((slice) => slice.problems ?? {})]),
    tags: union(
      'tag',
      slices.map((slice) => slice.tags ?? {}),
    ),
    events,
    operations,
    queues,
    followers: slices.flatMap((slice) => made(slice.followers)),
    sweeps: slices.flatMap((slice) => slice.sweeps ?? []),
    invariants: slices.flatMap((slice) => slice.invariants ?? []),
  }
  checkWords(product)
  return product
}

/** What an operation names is declared by some slice: else its callers would read words that nobody explains. */
function checkWords({ operations, scopes, problems, tags }: Product): void {
  for (const { id, scope, tag, problems: codes, conflicts } of operations) {
    if (scope !== null && !scopes.facts.has(scope))
      throw new Error(`${id} needs the scope ${scope}, which no slice has`)
    if (!tags.has(tag)) throw new Error(`${id} is of the group ${tag}, which no slice has`)
    const code = [...codes, ...Object.values(conflicts)].find((each) => !problems.has(each))
    if (code !== undefined) throw new Error(`${id} refuses with ${code}, which no slice has`)
  }
}

/** All of them together; throws where two slices use one name. */
function union<T>(what: string, some: readonly Readonly<Record<string, T>>[]): ReadonlyMap<string, T> {
  const all = new Map<string, T>()
  for (const [name, one] of some.flatMap((each) => Object.entries(each))) {
    if (all.has(name)) throw new Error(`two slices have the ${what} ${name}`)
    all.set(name, one)
  }
  return all
}

function checkNeeds(slices: readonly Slice[]): void {
  const names = slices.map(({ name }) => name)
  for (const name of twice(names)) throw new Error(`there are two slices ${name}`)
  for (const { name, needs } of slices) {
    const missing = needs.find((need) => !names.includes(need))
    if (missing !== undefined) throw new Error(`${name} needs ${missing}, which is no slice`)
    const below = new Set(needs)
    for (const need of below) {
      if (need === name) throw new Error(`${name} needs itself, over the slices that it needs`)
      for (const next of slices.find((slice) => slice.name === need)?.needs ?? []) below.add(next)
    }
  }
}

function twice(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}
