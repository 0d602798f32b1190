import { type Guard, guardsOf } from './guard.ts'

const edge = 'src/surfaces/http/edge.http.test.ts'
const slowReaders = 'src/surfaces/http/slow-readers.http.test.ts'
const clientAddress = 'src/surfaces/http/client-address.test.ts'
const bodyRoom = 'src/surfaces/http/body-room.test.ts'
const readBody = 'src/surfaces/http/read-body.test.ts'
const hostedPages = 'src/surfaces/pages/hosted-pages.test.ts'
const formGuard = 'src/domain/buyers/onboarding-links/form-guard.test.ts'
const representations = 'src/surfaces/http/representations.http.test.ts'
const compress = 'src/surfaces/http/compress.test.ts'
const reset = 'test/reset.test.ts'
const csvFormulas = 'src/domain/selling/catalog-imports/csv-formulas.test.ts'
const catalogImports = 'src/domain/selling/catalog-imports/catalog-imports.http.test.ts'

/** How much of a process a caller may take before it is authenticated, and the bytes that leave for browsers and spreadsheets. */
export const edgeGuards: readonly Guard[] = [
  ...guardsOf('src/surfaces/v1/admit.ts', [edge], {
    'no-key-no-body': {
      keeps: 'a client that shows no key sends no body',
      find: "if (need === 'secret' || (need === 'optional' && !anonymousDiscovery)) throw unauthorized()",
      replace: '',
      only: 'with no key is 401',
    },
    'key-guesses': {
      keeps: 'an address that guesses keys costs a statement a moment and no more',
      find: 'if (guesses.isSpent(address)) {',
      replace: "if (address === ' ') {",
      only: 'unknown keys are counted',
    },
    'guesses-lock-nobody-out': {
      keeps: 'a valid key works while another client guesses keys',
      find: "if (grant === null || grant === 'crowded') throw tooManyGuesses(address)",
      replace: 'if (address) throw tooManyGuesses(address)',
      only: 'unknown keys are counted',
    },
  }),
  ...guardsOf('src/domain/accounts/api-keys/key-lookups.sql.ts', [edge], {
    'revoked-key-in-a-crowd': {
      keeps: 'a revoked key opens nothing, however it is looked up',
      after: "'door_api_keys',",
      find: ' and k.revoked_at is null',
      replace: '',
      only: 'unknown keys are counted',
    },
  }),
  ...guardsOf('src/surfaces/http/body-room.ts', [bodyRoom], {
    'room-of-all': {
      keeps: 'unfinished bodies do not fill the memory',
      find: 'if (held + bytes > bytesMax) return false',
      replace: '',
    },
    'room-without-a-key': {
      keeps: 'callers without a key leave room to those with one',
      find: 'if (!isKnown && heldWithoutKey + bytes > ofStrangers) return false',
      replace: '',
    },
    'room-of-one': {
      keeps: 'one client does not fill the room alone',
      find: 'if (own > bytesMax / (isKnown ? 4 : 16)) return false',
      replace: '',
    },
  }),
  ...guardsOf('src/surfaces/http/read-body.ts', [readBody], {
    'bodies-are-counted': {
      keeps: 'the bytes of a body that have arrived are counted',
      find: 'if (length < lengthAtEnd) {',
      replace: 'if (length < 0) {',
    },
  }),
  ...guardsOf('src/surfaces/http/client-address.ts', [clientAddress], {
    'strangers-forward-nothing': {
      keeps: 'a client does not choose the address that we know it by',
      find: 'if (!isTrusted(peer)) return peer',
      replace: '',
    },
    'nearest-hop': {
      keeps: 'addresses that a client writes before the proxy are not believed',
      find: 'if (!isTrusted(address)) return address',
      replace: '',
    },
  }),
  ...guardsOf('src/surfaces/http/connections.ts', [edge], {
    'connections-of-an-address': {
      keeps: 'one address does not hold all connections',
      find: '!isProxy && of.open.size >= limits.addressConnections && !pushOut(of)',
      replace: 'isProxy && of.open.size < 0',
      only: 'very many connections',
    },
    'proven-connections-stay': {
      keeps: 'a client without a key does not push out one that has shown a key',
      find: 'of.unproven.delete(socket)\n      unproven.delete(socket)',
      replace: 'unproven.delete(socket)',
      only: 'very many connections',
    },
    'unread-answers-end': {
      keeps: 'a client that does not read an answer does not hold it for ever',
      find: 'isUnderWay(socket) && socket.writableLength === 0',
      replace: 'isUnderWay(socket)',
      killers: [slowReaders],
      only: 'reads nothing of its answer',
    },
  }),
  ...guardsOf('src/surfaces/v1/docs.ts', [edge], {
    'no-script-of-text': {
      keeps: 'the reference runs its own files and nothing else',
      find: `"script-src 'self'"`,
      replace: `"script-src 'self' 'unsafe-eval'"`,
      only: 'the reference runs',
    },
  }),
  ...guardsOf('src/surfaces/pages/hosted-pages.ts', [hostedPages], {
    'doubtful-cookies': {
      keeps: 'a cookie that a neighbour planted is not taken for ours',
      find: 'if (cookies.has(name) && cookies.get(name) !== value) doubtful.add(name)',
      replace: '',
    },
  }),
  ...guardsOf('src/domain/buyers/onboarding-links/form-guard.ts', [formGuard], {
    'cookie-of-this-host': {
      keeps: 'no neighbouring domain sets the session of a page',
      find: "isSecure(publicUrl) ? '__Host-prokura_onboarding' : 'prokura_onboarding'",
      replace: "'prokura_onboarding'",
    },
  }),
  ...guardsOf('src/domain/selling/catalog-imports/csv-formulas.ts', [csvFormulas], {
    'no-formulas': {
      keeps: 'an export runs nothing in a spreadsheet',
      after: 'export function guarded(cell: string): string {',
      find: 'formula.test(cell) ? ',
      replace: 'cell === null ? ',
    },
  }),
  ...guardsOf('src/domain/selling/catalog-imports/export-csv.ts', [catalogImports], {
    'every-cell-is-guarded': {
      keeps: 'no cell of an export is a formula',
      find: "quoted(guarded(cells[column] ?? ''))",
      replace: "quoted(cells[column] ?? '')",
      only: 'no cell of an exported table',
    },
  }),
  ...guardsOf('src/surfaces/v1/rest.ts', [representations], {
    'secrets-are-not-packed': {
      keeps: 'the length of an answer tells nothing of a secret that is shown in it this once',
      find: 'const isPlain = !operation.readOnly || status !== 200',
      replace: 'const isPlain = status >= 300',
      only: 'a small answer, a stream, a file',
    },
  }),
  ...guardsOf('src/surfaces/http/compress.ts', [compress], {
    'packing-is-bounded': {
      keeps: 'many readers of large lists do not fill the memory',
      find: 'underWay < atOnceMax ? ',
      replace: 'underWay >= 0 ? ',
    },
  }),
  ...guardsOf('src/surfaces/http/write-download.ts', [representations], {
    'head-holds-no-place': {
      keeps: 'a client that asks for HEAD of files leaves the places of its account free',
      find: 'await download[Symbol.asyncIterator]().return?.()',
      replace: '',
      only: 'HEAD of a stream or a file',
    },
  }),
  ...guardsOf('src/cli/up/remove-state.ts', [reset], {
    'only-a-state-folder-goes': {
      keeps: 'a wrong path removes nothing',
      find: 'if (!names.some((name) => marks.includes(name)))',
      replace: 'if (names.length === 0)',
      only: 'a folder that is no state folder',
    },
    'foreign-files-stay': {
      keeps: 'files of other owners in the folder are not removed with it',
      find: 'if (foreign.length === 0) return',
      replace: 'if (names.length > 0) return',
      only: 'a file of somebody else there',
    },
    'keys-of-a-living-database-stay': {
      keeps: 'encrypted values in a database elsewhere can still be read',
      find: 'if (!url || isOwnDatabase(state, url)) return',
      replace: 'if (url) return',
      only: 'the keys of a database that is elsewhere',
    },
  }),
]
