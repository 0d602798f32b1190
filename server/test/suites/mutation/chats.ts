import { type Listed, missedBy } from './guard.ts'

const talk = 'src/domain/chats/chats.http.test.ts'
const acting = 'src/domain/chats/acting.http.test.ts'
const models = 'src/domain/chats/models.http.test.ts'

/** What a chat may do, for whom, and how often. */
export const chatGuards: readonly Listed[] = [
  ...missedBy([talk], {
    'chat-ends-with-its-key': { how: [' and k.revoked_at is null'], only: 'without its key' },
    'frozen-agents-say-nothing': { how: 'never', only: 'frozen' },
    'same-message-one-turn': { how: ['before === null', 'before?.id !== chat.id'], only: 'twenty times' },
    'missing-option-is-asked': {
      how: ['openOption(available)', 'openOption([])'],
      only: 'a size is asked for',
    },
    'messages-after-archive': { how: 'never', only: 'archived' },
    'messages-in-turn': { how: 'never', only: 'at most three' },
    'stopped-runs-say-nothing': { how: 'gone', only: 'at most three' },
    'no-card-number-in-a-chat': { how: 'never', only: 'useChat' },
  }),
  ...missedBy([acting], {
    'chat-acts-for-its-writer': { how: 'never', only: 'what a policy forbids' },
    'chat-is-a-buyer-agent': {
      how: ['presets.buyer_agent.filter((scope) => own.has(scope))', 'own'],
      only: 'may do everything',
    },
    'own-chats-among-ids': {
      how: [' and profile_id = $profile_id and id', ' and $profile_id::text is not null and id'],
      only: 'of one profile',
    },
    'budget-of-another-currency': { how: 'never', only: 'above what somebody wants' },
    'budget-of-a-wish': { how: 'never', only: 'above what somebody wants' },
    'messages-have-a-length': { how: 'never', only: 'has a length' },
    'gone-events-are-told': { how: 'never', only: 'cursor' },
  }),
  ...missedBy(['src/domain/chats/runner/model-messages.test.ts'], {
    'broken-answers-go-on': ["done.at(-1)?.role === 'assistant'", 'done.length < 0'],
  }),
  ...missedBy(['src/domain/chats/runner/tools.test.ts'], {
    'tools-of-a-chat': ['names.has(id)', "id !== ''"],
  }),
  ...missedBy(['src/domain/chats/runner/saying.test.ts'], {
    'amounts-of-objects': {
      how: ['checkedText(text, knownAmounts(turn.parts, turn.open.chat.memory), leftOut(turn)).text', 'text'],
      only: 'names only amounts',
    },
  }),
  ...missedBy([models], {
    'steps-of-a-run': { how: 'never', only: 'loops' },
    'tokens-of-a-run': { how: 'never', only: 'tokens' },
    'tokens-of-a-day': { how: 'never', only: 'tokens' },
  }),
]
