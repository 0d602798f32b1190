import type { Reaction, Wish } from './scripted-agent.ts'
import { allowSmall, revokeKeyOfAgent, type World } from './world.ts'

/** What the person does when told something: in words, and in deeds. */
type Deed = { does: string; reaction: Reaction; act?: (world: World) => Promise<unknown> }

export type Scenario = {
  name: string
  card?: string
  prepare?: (world: World) => Promise<unknown>
  wish: Wish
  /** One for each time that the person is told something. */
  person?: readonly Deed[]
  /** The tool whose first answer never arrives. */
  loses?: string
  /** How it must end: the status of the one purchase, or null where none was made; what was charged, each charge by itself. */
  ends: { status: string | null; charged: readonly number[]; says: RegExp }
}

const cup = (scenario = 'none', host = 'shop.example') => `https://${host}/cup?scenario=${scenario}`

function item(url: string, more: object = {}) {
  return { url, quantity: 1, expected_amount: 1000, expected_currency: 'USD', ...more }
}

function want(say: string, scenario = 'none', more: object = {}): Wish {
  return { say, args: { items: [item(cup(scenario))], ...more } }
}

const buyIt = 'Buy one cup at shop.example for $10.00.'
const approves: Deed = { does: 'approves', reaction: 'done', act: ({ decide }) => decide({ approve: true }) }
const leavesIt: Deed = { does: 'leaves it at that', reaction: 'nothing' }

export const scenarios: readonly Scenario[] = [
  {
    name: 'Bought within the limits of a policy',
    prepare: allowSmall,
    wish: want(buyIt),
    ends: {
      status: 'succeeded',
      charged: [1380],
      says: /^Bought 1 item from shop\.example: \$13\.80 charged\.$/,
    },
  },
  {
    name: 'A person must approve, and does',
    wish: want(buyIt),
    person: [approves],
    ends: { status: 'succeeded', charged: [1380], says: /^Bought/ },
  },
  {
    name: 'A person must approve, and says no',
    wish: want(buyIt),
    person: [{ does: 'says no', reaction: 'done', act: ({ decide }) => decide({ approve: false }) }],
    ends: { status: 'declined', charged: [], says: /^Declined: nothing was bought/ },
  },
  {
    name: 'A person must approve, and is not there',
    wish: want(buyIt),
    person: [{ does: 'does not answer', reaction: 'nothing' }],
    ends: { status: 'awaiting_approval', charged: [], says: /A person must approve/ },
  },
  {
    name: 'Above what may be bought unattended',
    prepare: (world) => allowSmall(world, { approval: { mode: 'above_threshold', auto_approve_up_to: 500 } }),
    wish: want(buyIt),
    person: [approves],
    ends: { status: 'succeeded', charged: [1380], says: /^Bought/ },
  },
  {
    name: 'Over the cap of a policy',
    prepare: (world) =>
      allowSmall(world, {
        limits: { per_transaction_max: 500 },
        approval: { mode: 'above_threshold', auto_approve_up_to: 500 },
      }),
    wish: want(buyIt),
    ends: { status: 'declined', charged: [], says: /^Declined: .*policy/ },
  },
  {
    name: 'The price rose a little',
    prepare: allowSmall,
    wish: want(buyIt, 'price_up_3'),
    ends: { status: 'succeeded', charged: [1412], says: /^Bought/ },
  },
  {
    name: 'The price rose, and a person agrees to it',
    prepare: allowSmall,
    wish: want(buyIt, 'price_up_20'),
    person: [approves],
    ends: { status: 'succeeded', charged: [1596], says: /^Bought .* \$15\.96 charged/ },
  },
  {
    name: 'The price rose above what the person wants to pay',
    prepare: allowSmall,
    wish: want(`${buyIt} Pay at most $14.00 in all.`, 'price_up_3', { max_amount: 1400 }),
    person: [leavesIt],
    ends: { status: 'failed', charged: [], says: /^Nothing was bought and nothing was charged/ },
  },
  {
    name: 'One of two shops sells',
    prepare: allowSmall,
    wish: {
      say: 'Buy a cup at a.example and one at b.example, $10.00 each.',
      args: { items: [item(cup('none', 'a.example')), item(cup('out_of_stock', 'b.example'))] },
    },
    ends: { status: 'failed', charged: [1380], says: /^1 of 2 shops sold: \$13\.80 charged\./ },
  },
  {
    name: 'Out of stock',
    prepare: allowSmall,
    wish: want(buyIt, 'out_of_stock'),
    person: [leavesIt],
    ends: { status: 'failed', charged: [], says: /^Nothing was bought/ },
  },
  {
    name: 'The bank declines, and pays when it is asked again',
    prepare: async (world) => {
      await allowSmall(world)
      await world.buying.sandbox.fault({
        match: { operation: 'issue_credential' },
        fault: 'decline=do_not_honor',
      })
    },
    wish: want(buyIt),
    person: [{ does: 'calls the bank, and wants it tried again', reaction: 'done' }],
    ends: { status: 'succeeded', charged: [1380], says: /^Bought/ },
  },
  {
    name: 'The card is declined',
    card: 'visa_insufficient_funds',
    prepare: allowSmall,
    wish: want(buyIt),
    person: [leavesIt],
    ends: { status: 'failed', charged: [], says: /declined/i },
  },
  {
    name: 'A price as text instead of a number',
    prepare: allowSmall,
    wish: {
      say: 'Buy one cup at shop.example, the price is “1000”.',
      args: { items: [item(cup(), { expected_amount: '1000', colour: 'red' })] },
    },
    ends: { status: 'succeeded', charged: [1380], says: /^Bought/ },
  },
  {
    name: 'A wish that cannot be put right without asking',
    prepare: allowSmall,
    wish: { say: 'Buy no cup.', args: { items: [item(cup(), { quantity: 0 })] } },
    person: [leavesIt],
    ends: { status: null, charged: [], says: /items\.0\.quantity/ },
  },
  {
    name: 'A profile that does not exist',
    prepare: allowSmall,
    wish: want(`${buyIt} My profile is prof_mine.`, 'none', { profile_id: 'prof_mine' }),
    ends: { status: 'succeeded', charged: [1380], says: /^Bought/ },
  },
  {
    name: 'Frozen, and unfrozen by a person',
    prepare: async (world) => {
      await allowSmall(world)
      await world.rest('/v1/controls/freeze', { target: { type: 'account' } })
    },
    wish: want(buyIt),
    person: [
      {
        does: 'unfreezes the account',
        reaction: 'done',
        act: ({ rest }) => rest('/v1/controls/unfreeze', { target: { type: 'account' } }),
      },
    ],
    ends: { status: 'succeeded', charged: [1380], says: /^Bought/ },
  },
  {
    name: 'Frozen, and left so',
    prepare: async (world) => {
      await allowSmall(world)
      await world.rest('/v1/controls/freeze', { target: { type: 'profile', id: world.profileId } })
    },
    wish: want(buyIt),
    person: [leavesIt],
    ends: { status: null, charged: [], says: /frozen/i },
  },
  {
    name: 'The answer to the purchase is lost',
    wish: want(buyIt),
    loses: 'v1_create_purchase_intent',
    person: [approves],
    ends: { status: 'succeeded', charged: [1380], says: /^Bought/ },
  },
  {
    name: 'The shop’s answer is lost after it took the order',
    prepare: allowSmall,
    wish: want(buyIt, 'lost_answer_placed'),
    ends: { status: 'succeeded', charged: [1380], says: /^Bought/ },
  },
  {
    name: 'The shop never takes the order, however often it is asked',
    prepare: allowSmall,
    wish: want(buyIt, 'lost_answer_not_placed'),
    ends: { status: 'failed', charged: [], says: /^Nothing was bought/ },
  },
  {
    name: 'The person changes their mind',
    wish: want(buyIt),
    person: [{ does: 'wants it no more', reaction: 'cancel' }],
    ends: { status: 'cancelled', charged: [], says: /^Cancelled/ },
  },
  {
    name: 'The shop wants a sign-in',
    prepare: allowSmall,
    wish: want(buyIt, 'sign_in_required'),
    person: [{ does: 'has no account there and wants it no more', reaction: 'cancel' }],
    ends: { status: 'cancelled', charged: [], says: /^Cancelled/ },
  },
  {
    name: 'The shop confirms late',
    prepare: allowSmall,
    wish: want(buyIt, 'late_confirmation'),
    ends: { status: 'succeeded', charged: [1380], says: /^Bought/ },
  },
  {
    name: 'The shop asks for a proof that a human buys',
    prepare: allowSmall,
    wish: want(buyIt, 'captcha'),
    person: [leavesIt],
    ends: { status: 'failed', charged: [], says: /^Nothing was bought/ },
  },
  {
    name: 'The key is revoked while a person is asked',
    wish: want(buyIt),
    person: [{ does: 'revokes the key of the agent', reaction: 'done', act: revokeKeyOfAgent }],
    ends: { status: 'awaiting_approval', charged: [], says: /API key/ },
  },
]
