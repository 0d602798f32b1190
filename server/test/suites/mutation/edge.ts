import { type Listed, missedBeside, missedBy } from './guard.ts'

/** How much of a process a caller may take before it is authenticated, and the bytes that leave for browsers and spreadsheets. */
export const edgeGuards: readonly Listed[] = [
  ...missedBeside({
    'room-of-all': 'gone',
    'room-without-a-key': 'gone',
    'room-of-one': 'gone',
    'bodies-are-counted': 'never',
    'strangers-forward-nothing': 'gone',
    'nearest-hop': 'gone',
    'doubtful-cookies': 'gone',
    'cookie-of-this-host': 'never',
    'no-formulas': 'never',
    'packing-is-bounded': 'always',
  }),
  ...missedBy(['src/surfaces/http/edge.http.test.ts'], {
    'no-key-no-body': { how: 'gone', only: 'with no key is 401' },
    'key-guesses': { how: 'never', only: 'unknown keys are counted' },
    'guesses-lock-nobody-out': { how: 'always', only: 'unknown keys are counted' },
    'revoked-key-in-a-crowd': { how: [' and k.revoked_at is null'], only: 'unknown keys are counted' },
    'connections-of-an-address': { how: 'never', only: 'very many connections' },
    'proven-connections-stay': { how: 'gone', only: 'very many connections' },
    'no-script-of-text': {
      how: [`"script-src 'self'"`, `"script-src 'self' 'unsafe-eval'"`],
      only: 'the reference runs',
    },
  }),
  ...missedBy(['src/surfaces/http/slow-readers.http.test.ts'], {
    'unread-answers-end': {
      how: ['isUnderWay(socket) && socket.writableLength === 0', 'isUnderWay(socket)'],
      only: 'reads nothing of its answer',
    },
  }),
  ...missedBy(['src/domain/selling/catalog-imports/catalog-imports.http.test.ts'], {
    'every-cell-is-guarded': {
      how: ["quoted(guarded(cells[column] ?? ''))", "quoted(cells[column] ?? '')"],
      only: 'no cell of an exported table',
    },
  }),
  ...missedBy(['src/surfaces/http/representations.http.test.ts'], {
    'secrets-are-not-packed': {
      how: ['!operation.readOnly || status !== 200', 'status >= 300'],
      only: 'a small answer, a stream, a file',
    },
    'head-holds-no-place': { how: 'gone', only: 'HEAD of a stream or a file' },
  }),
  ...missedBy(['test/reset.test.ts'], {
    'only-a-state-folder-goes': {
      how: ['!names.some((name) => marks.includes(name))', 'names.length === 0'],
      only: 'a folder that is no state folder',
    },
    'foreign-files-stay': {
      how: ['if (foreign.length === 0) return', 'if (names.length > 0) return'],
      only: 'a file of somebody else there',
    },
    'keys-of-a-living-database-stay': {
      how: ['!url || isOwnDatabase(state, url)', 'url'],
      only: 'the keys of a database that is elsewhere',
    },
  }),
]
