import { type Guard, guardsOf } from './guard.ts'

const protocol = 'src/surfaces/v1/mcp/protocol.test.ts'
const hosts = 'src/surfaces/v1/mcp/host-guard.test.ts'
const list = 'test/conformance/mcp-list.http.test.ts'
const answers = 'test/flows/answers-by-tool.test.ts'

/** What models see, and what tools can do. */
export const toolsGuards: readonly Guard[] = [
  ...guardsOf('src/surfaces/v1/mcp/tool-result.ts', [protocol], {
    'refusals-without-structure': {
      keeps:
        'a refusal reaches a model, though clients hold structured content against the schema of success',
      find: `isError ? '"isError":true' : `,
      replace: '',
      only: 'text alone',
    },
  }),
  ...guardsOf('src/surfaces/v1/mcp/mcp.ts', [list], {
    'lists-of-the-key': {
      keeps: 'a list shows what the key may call',
      find: 'mayCall(operation) && ',
      replace: '',
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
      find: '!revisionNamedIn(headers)?.hasBatches',
      replace: 'messages.length < 0',
      only: 'a batch',
    },
  }),
  ...guardsOf('src/surfaces/v1/mcp/host-guard.ts', [hosts], {
    'pages-of-others': {
      keeps: 'a page of somebody else has no tools called by the browser that shows it',
      find: ' && (!origin || allowed.has(hostnameIn(origin)))',
      replace: ' && origin !== null',
    },
  }),
  ...guardsOf('src/surfaces/v1/mcp/request-meta.ts', [protocol], {
    'headers-of-the-message': {
      keeps: 'a proxy that reads headers alone is told which tool is called',
      find: 'decoded(header) === told',
      replace: 'told !== undefined',
      only: 'header',
    },
  }),
  ...guardsOf('src/surfaces/v1/mcp/mcp.ts', [answers], {
    'tools-carry-no-signature': {
      keeps: 'arguments of a tool never pass for a signature',
      find: 'signed: null,',
      replace: 'signed: { ...splitArguments(tool, given), rawBody: noBytes },',
      only: 'only the merchant answers',
    },
  }),
]
