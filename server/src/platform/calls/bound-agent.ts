import { agentOf } from '../../contract/actor.ts'
import type { Reads, Tenant } from '../../contract/context.ts'
import type { IdFacts, ProfileId } from '../../contract/ids.ts'
import type { OperationFacts, StreamReply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { Id } from '../../core/id.ts'
import { fillId, type IdPlaces, idPlacesOf, mapIds } from '../../schema/id-places.ts'
import type { AnyArgs, RawSections } from './arguments.ts'
import type { Outcome } from './outcome.ts'
import type { Principal } from './principal.ts'

/** A caller that acts for one profile alone. */
export type BoundAgent = {
  readonly tenant: Tenant
  /** Null for a caller that acts for the profile without being an agent. */
  readonly agentId: Id<'agent'> | null
  readonly profileId: ProfileId
}

/** What slices know of such agents. */
export interface BoundAgents {
  /** The id prefixes that exist. */
  readonly ids: ReadonlyMap<string, IdFacts>
  /** Which of the ids name objects that the agent may see. The owner of an object never changes. */
  ownIds(agent: BoundAgent, ids: readonly string[], reads: Reads): Promise<ReadonlySet<string>>
  /** The body of an answer without the parts that do not belong to the agent. */
  narrowed(body: unknown, agent: BoundAgent): unknown
}

export function boundAgentOf({ tenant, actor, profileId }: Principal): BoundAgent | null {
  if (profileId === null) return null
  return { tenant, agentId: agentOf(actor), profileId }
}

/**
 * One operation as agents bound to a profile call it. Ids of objects that belong to others are replaced by ids that never existed, before
 * anything else sees them. So both kinds of id are answered word for word alike, whatever the operation does with them.
 */
export function bindOperation(operation: OperationFacts) {
  const query = idPlacesOf(operation.query)
  const body = idPlacesOf(operation.body)
  const path = idPlacesOf(operation.params)
  const all = (args: AnyArgs): [unknown, IdPlaces | null][] => [
    [args.path, path],
    [args.query, query],
    [args.body, body],
  ]
  return {
    /** Where a profile may be named and is not, the agent's profile is filled in. */
    fill(raw: RawSections, { profileId }: BoundAgent): RawSections {
      const named = { name: 'profile_id', id: profileId }
      return {
        ...raw,
        query: fillId(raw.query, query, named) as RawSections['query'], // an object stays one
        body: fillId(raw.body, body, named),
      }
    },
    async narrow(
      args: AnyArgs,
      agent: BoundAgent,
      { agents, reads }: { agents: BoundAgents; reads: Reads },
    ): Promise<AnyArgs> {
      const named = new Set<string>()
      for (const [value, places] of all(args)) {
        mapIds(value, places, (id) => {
          if (!isFree(id, agents.ids) && id !== agent.profileId) named.add(id)
          return id
        })
      }
      if (named.size === 0) return args
      const own = await agents.ownIds(agent, [...named], reads)
      // guard ids-of-others-never-existed: an agent of one customer reaches nothing of another
      const change = (id: string) => (named.has(id) && !own.has(id) ? neverMade(id) : id)
      return {
        ...args,
        path: mapIds(args.path, path, change),
        query: mapIds(args.query, query, change),
        body: mapIds(args.body, body, change),
      }
    },
  }
}

/** A slug, a handle or a word of another system is not one of our ids. */
function isFree(id: string, ids: BoundAgents['ids']): boolean {
  const facts = ids.get(id.slice(0, Math.max(0, id.indexOf('_'))))
  return facts === undefined || facts.isOpen === true
}

/** An id whose time is the beginning of time. */
function neverMade(id: string): string {
  return `${id.slice(0, id.indexOf('_'))}_${'0'.repeat(26)}`
}

/** The outcome as the agent may see it. */
export function outcomeFor(outcome: Outcome, agent: BoundAgent, agents: BoundAgents): Outcome {
  const narrow = (json: string) => JSON.stringify(agents.narrowed(JSON.parse(json), agent))
  switch (outcome.kind) {
    case 'answered':
      return { ...outcome, body: narrow(outcome.body) }
    case 'stream':
      return { ...outcome, stream: narrowedStream(outcome.stream, narrow) }
    case 'refused': {
      const { refusal } = outcome
      if (!(refusal instanceof Problem && refusal.options.extra)) return outcome
      const extra = JSON.parse(narrow(JSON.stringify(refusal.options.extra)))
      return { ...outcome, refusal: new Problem(refusal.code, { ...refusal.options, extra }) }
    }
    case 'download':
      return outcome
    default:
      return outcome satisfies never
  }
}

async function* narrowedStream(
  stream: StreamReply['stream'],
  narrow: (json: string) => string,
): StreamReply['stream'] {
  for await (const event of stream)
    yield event.data === undefined ? event : { ...event, data: narrow(event.data) }
}
