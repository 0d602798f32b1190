import type { Reads, Tenant } from '../../contract/context.ts'
import type { IdFacts } from '../../contract/ids.ts'
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
  /** Null of a caller who acts for the profile without being an agent. */
  readonly agentId: Id<'agent'> | null
  readonly profileId: Id<'prof'>
}

/** What slices know of such agents. */
export interface BoundAgents {
  /** The prefixes of ids that there are. */
  readonly ids: ReadonlyMap<string, IdFacts>
  /** Which of the ids name objects that the agent may know of. Whose an object is never changes. */
  ownIds(agent: BoundAgent, ids: readonly string[], reads: Reads): Promise<ReadonlySet<string>>
  /** The body of an answer without what is not the agent's. */
  narrowed(body: unknown, agent: BoundAgent): unknown
}

export function boundAgentOf({ tenant, actor, profileId }: Principal): BoundAgent | null {
  if (profileId === null) return null
  return { tenant, agentId: actor.type === 'api_key' ? actor.id : null, profileId }
}

/**
 * One operation as agents bound to a profile call it. Ids of objects that are not theirs become ids that never existed, before anything
 * else sees them: so they are answered word for word like those, whatever the operation makes of them.
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
    /** Where a profile may be named and is not, it is the agent's. */
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

/** A slug, a handle, a word of somebody else's is none of our ids. */
function isFree(id: string, ids: BoundAgents['ids']): boolean {
  const facts = ids.get(id.slice(0, Math.max(0, id.indexOf('_'))))
  return facts === undefined || facts.isOpen === true
}

/** An id of the beginning of time. */
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
