import { type Listed, missedBeside, missedBy } from './guard.ts'

/** What models see, and what tools can do. */
export const toolsGuards: readonly Listed[] = [
  ...missedBeside({
    'pages-of-others': [' && (!origin || allowed.has(hostnameIn(origin)))', ' && origin !== null'],
  }),
  ...missedBy(['src/surfaces/v1/mcp/protocol.test.ts'], {
    'refusals-without-structure': { how: 'never', only: 'text alone' },
    'short-batches': { how: 'never', only: 'a batch' },
    'batches-of-one-revision': { how: 'never', only: 'a batch' },
    'headers-of-the-message': { how: ['decoded(header) === told', 'told !== undefined'], only: 'header' },
  }),
  ...missedBy(['test/conformance/mcp-list.http.test.ts'], {
    'lists-of-the-key': ['mayCall(operation) && '],
  }),
  ...missedBy(['test/flows/answers-by-tool.test.ts'], {
    'tools-carry-no-signature': {
      how: ['null', '{ ...splitArguments(tool, given), rawBody: noBytes }'],
      only: 'only the merchant answers',
    },
  }),
]
