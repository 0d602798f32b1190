import { type Guard, guardsOf } from './guard.ts'

const protocol = 'src/surfaces/v1/mcp/protocol.test.ts'
const list = 'test/conformance/mcp-list.http.test.ts'
const answers = 'test/flows/answers-by-tool.test.ts'

/** What models are shown, and what tools can do. */
export const toolsGuards: readonly Guard[] = [
  ...guardsOf('src/surfaces/v1/mcp/tool-result.ts', [protocol], {
    'refusals-without-structure': {
      keeps: 'a refusal reaches a model: clients hold what has structure against the schema of success',
      find: `isError ? '"isError":true' : `,
      replace: '',
      only: 'text alone',
    },
  }),
  ...guardsOf('src/surfaces/v1/mcp/mcp.ts', [list], {
    'lists-of-the-key': {
      keeps: 'a list shows what the key may call',
      find: 'mayCall(operation) && (',
      replace: '(',
    },
  }),
  ...guardsOf('src/surfaces/v1/mcp/batch.ts', [protocol], {
    'short-batches': {
      keeps: 'one request is no more calls than a client has under way',
      find: 'messages.length > messagesMax',
      replace: 'messages.length < 0',
      only: 'a batch',
    },
    'batches-of-one-revision': {
      keeps: 'revisions without batches have none',
      find: 'revision !== undefined && revision !== batchRevision',
      replace: 'revision === null',
      only: 'a batch',
    },
  }),
  ...guardsOf('src/surfaces/v1/mcp/mcp.ts', [answers], {
    'tools-carry-no-signature': {
      keeps: 'what a tool is given never passes for a signature',
      find: 'authenticate(operation, { authorization, signed: null })',
      replace:
        'authenticate(operation, { authorization, signed: { ...splitArguments(tool, given), rawBody: noBytes } })',
      only: 'somebody else',
    },
  }),
]
