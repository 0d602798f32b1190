import { modelFaults, type NamedModel, namedModel } from './model-address.ts'

/** The model that chats ask, and what it may use. */
export type ChatModelConfig = NamedModel & {
  readonly keyFile: string | null
  readonly tokensPerRun: number
  readonly tokensPerDay: number
  /** In minor units of the currency of `cost`; null: no limit. */
  readonly costPerDay: number | null
  /** What a million tokens cost, in minor units; null: nobody has said. */
  readonly cost: TokenCost | null
}

type TokenCost = { readonly input: bigint; readonly output: bigint; readonly currency: string }

export const chatSettings = {
  PROKURA_CHAT_MODEL: {
    kind: { type: 'text' },
    default: null,
    description:
      'The language model of chats: openai-compatible/NAME for any API of chat completions, or anthropic/NAME. Without it, chats are led by ' +
      'rules and ask no model.',
  },
  PROKURA_CHAT_URL: {
    kind: { type: 'url', protocols: ['http:', 'https:'], isBase: true },
    default: null,
    description:
      'The base of the API of that model, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1. With anthropic/NAME, ' +
      'https://api.anthropic.com/v1 without it.',
  },
  PROKURA_CHAT_KEY_FILE: {
    kind: { type: 'text' },
    default: null,
    description:
      'A file with the key for PROKURA_CHAT_URL, where it wants one. Workers read it when they start.',
  },
  PROKURA_CHAT_TOKENS_PER_RUN: {
    kind: { type: 'integer', min: 1_000, max: 100_000_000 },
    default: '200000',
    description: 'How many tokens the answer to one message in a chat may use, over all its steps.',
  },
  PROKURA_CHAT_TOKENS_PER_DAY: {
    kind: { type: 'integer', min: 1_000, max: 999_999_999 },
    default: '5000000',
    description: 'How many tokens all chats of an account may use in a day.',
  },
  PROKURA_CHAT_COST_PER_DAY: {
    kind: { type: 'integer', min: 1, max: 999_999_999 },
    default: null,
    description:
      'What all chats of an account may cost in a day, in minor units of the currency of PROKURA_CHAT_COST. Default: no limit but that of tokens.',
  },
  PROKURA_CHAT_COST: {
    kind: { type: 'text' },
    default: null,
    description:
      'What a million tokens cost, of input and of output, in minor units of a currency, such as 300/1500 USD. Chats show what they have ' +
      'cost only if it is set.',
  },
} as const

type Name = keyof typeof chatSettings

export function chatModelOf(
  text: (name: Name) => string | null,
  number: (name: Name) => number | null,
): ChatModelConfig | null {
  const named = namedModel(text('PROKURA_CHAT_MODEL'), text('PROKURA_CHAT_URL'))
  if (named === null) return null
  return {
    ...named,
    keyFile: text('PROKURA_CHAT_KEY_FILE'),
    tokensPerRun: number('PROKURA_CHAT_TOKENS_PER_RUN') ?? 200_000,
    tokensPerDay: number('PROKURA_CHAT_TOKENS_PER_DAY') ?? 5_000_000,
    costPerDay: number('PROKURA_CHAT_COST_PER_DAY'),
    cost: costOf(text('PROKURA_CHAT_COST')),
  }
}

function costOf(text: string | null): TokenCost | null {
  const match = /^(\d{1,9})\s*\/\s*(\d{1,9})\s+([A-Z]{3})$/.exec(text ?? '')
  const [, input = '', output = '', currency = ''] = match ?? []
  return match === null ? null : { input: BigInt(input), output: BigInt(output), currency }
}

export function chatFaults(values: ReadonlyMap<string, unknown>): string[] {
  const text = (name: Name) => {
    const value = values.get(name)
    return typeof value === 'string' ? value : null
  }
  return [
    ...modelFaults({
      prefix: 'PROKURA_CHAT',
      name: text('PROKURA_CHAT_MODEL'),
      url: text('PROKURA_CHAT_URL'),
      keys: text('PROKURA_CHAT_KEY_FILE') === null ? [] : ['PROKURA_CHAT_KEY_FILE'],
    }),
    ...(text('PROKURA_CHAT_COST') !== null && costOf(text('PROKURA_CHAT_COST')) === null
      ? [
          'PROKURA_CHAT_COST must be like 300/1500 USD: minor units for a million tokens of input, and of output',
        ]
      : []),
  ]
}
