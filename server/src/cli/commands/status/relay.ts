import { type FollowerStatus, listBehind, relayStatus } from '../../../platform/events/relay-status.ts'
import { age, behindLines, renderBehind } from '../../operator/behind.ts'
import { styled } from '../../terminal.ts'
import type { Section } from './section.ts'

const namedMax = 20

/** How far the relay is, and what its followers are behind with: which events, since when and why. */
export const relaySection: Section = async (pools) => {
  const [relay, behind] = await Promise.all([
    relayStatus(pools),
    listBehind(pools, ['parked', 'failing', 'waiting'], namedMax),
  ])
  const { pending, oldestSeconds, shardsHeld, followers } = relay
  const lag = pending > 0 ? `, the oldest for ${oldestSeconds.toFixed(1)} s` : ''
  const lines = [`Relay: ${pending} events pending${lag}; ${shardsHeld} of 16 shards held.`]
  if (followers.length > 0) {
    lines.push(...followers.map(describe), ...behindLines(behind.aggregates))
    if (behind.more > 0) lines.push(`… and ${behind.more} more; \`prokura events parked --all\` lists them.`)
  }
  return {
    json: {
      relay: {
        pending,
        oldest_seconds: oldestSeconds,
        shards_held: shardsHeld,
        followers: followers.map(({ oldestSeconds: seconds, ...one }) => ({
          ...one,
          oldest_seconds: seconds,
        })),
        behind: behind.aggregates.map(renderBehind),
        behind_more: behind.more,
      },
    },
    lines,
  }
}

function describe({ follower, waiting, failing, parked, oldestSeconds }: FollowerStatus): string {
  const counts = Object.entries({ parked, failing, waiting }).filter(([, events]) => events > 0)
  const said = counts.map(([state, events]) => `${events} ${state}`).join(', ')
  return styled(
    'red',
    `A follower of events fails: ${follower} is behind with ${said} events, the oldest for ${age(oldestSeconds)}.`,
  )
}
