import type { Behavior, Script } from './behavior.ts'
import type { Conversation, Thought } from './conversation.ts'
import { obey } from './obey.ts'

/** What a behavior answers, as text and calls. Those that are about the connection answer as `plain`. */
export function think(behavior: Behavior, conversation: Conversation, script: Script): Thought {
  switch (behavior) {
    case 'obeys':
      return obey(conversation)
    case 'loops':
      return {
        say: '',
        calls: [{ name: conversation.tools[0] ?? 'v1_search_catalog', args: '{"query":"kettle"}' }],
      }
    case 'invalid':
      return {
        say: '',
        calls: [{ name: conversation.tools[0] ?? 'v1_search_catalog', args: '{"query": "kett' }],
      }
    case 'invents':
      return inventing(conversation)
    case 'huge':
      return { say: 'A kettle. '.repeat(1_050_000), calls: [] }
    case 'talks': {
      const { calls } = plainly(conversation, script)
      return { say: `I would call ${calls.map(({ name }) => name).join(', ') || 'nothing'}.`, calls: [] }
    }
    default:
      return plainly(conversation, script)
  }
}

function inventing({ tools }: Conversation): Thought {
  const id = 'pi_00000000000000000000000000'
  return {
    say: 'I have bought it for you.',
    calls: [
      { name: 'transfer_money', args: '{"amount":99999}' },
      { name: 'v1_approve_purchase_intent', args: JSON.stringify({ purchase_intent_id: id }) },
      ...tools
        .slice(0, 2)
        .map((name) => ({ name, args: JSON.stringify({ id, profile_id: 'prof_invented' }) })),
    ],
  }
}

/** By its script; without one, it calls what the last message asks it to, or searches, and says when something came back. */
function plainly({ messages, tools }: Conversation, script: Script): Thought {
  const last = messages.at(-1) ?? { role: 'user', text: '' }
  const rule = script.find(({ when }) => when.test(last.text))
  if (rule !== undefined) {
    const calls = rule.calls.map(({ name, args }) => ({ name, args: JSON.stringify(args) }))
    return { say: rule.say, calls }
  }
  if (last.role === 'tool') return { say: 'Here is what I found.', calls: [] }
  const asked = /\bcall (?:the tool )?(\w+) with (\{.*\})/is.exec(last.text)
  const [, name = '', args = '{}'] = asked ?? []
  if (tools.includes(name)) return { say: '', calls: [{ name, args }] }
  const search = tools.find((tool) => tool.includes('search'))
  if (search === undefined) return { say: `You said: ${last.text.slice(0, 200)}`, calls: [] }
  return {
    say: 'I am looking.',
    calls: [{ name: search, args: JSON.stringify({ query: last.text.slice(0, 200) }) }],
  }
}
