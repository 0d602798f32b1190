// The direction of dependencies, as rules. `server/test/direction.ts` runs them and `server/test/direction.test.ts`
// plants a violation of each, so a rule that stops matching anything is noticed.

/** Low to high: a slice may import only the slices before it. A new slice gets its place here first. */
const slices = [
  'api-keys',
  'profiles',
  'payment-methods',
  'policies',
  'merchant',
  'merchant-catalog',
  'catalog-imports',
  'locations',
  'markets',
  'rate-cards',
  'promotions',
  'onboarding-links',
  'destinations',
  'quotes',
  'orders',
  'integration-checks',
  'attribution',
  'catalog-search',
  'registry',
  'purchase-intents',
  'execution',
  'ucp-business',
  'mpp-business',
  'identity',
  'element-sessions',
  'credential-tickets',
  'chats',
]

const tests = String.raw`\.test\.ts$|\.test-d\.ts$|\.testing\.ts$`
const src = '^server/src/'

/** What a layer may see of our own server code; packages from the registry and Node itself are another question. */
function layer(name, sees, comment) {
  return {
    name: `${name}-sees-only-lower-layers`,
    comment,
    severity: 'error',
    from: { path: `${src}${name}/`, pathNot: tests },
    to: { path: src, pathNot: sees.map((path) => `${src}${path}`) },
  }
}

const sliceOrder = slices.map((slice, place) => ({
  name: `slice-order-${slice}`,
  comment: `${slice} may import only slices below it: ${slices.slice(0, place).join(', ') || 'none'}`,
  severity: 'error',
  from: { path: `${src}features/${slice}/`, pathNot: tests },
  to: { path: `${src}features/(?:${slices.slice(place + 1).join('|') || '$^'})/` },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'core-is-pure',
      comment: 'core imports nothing but itself: no layer, no package, nothing of Node.',
      severity: 'error',
      from: { path: `${src}core/`, pathNot: tests },
      to: { pathNot: `${src}core/` },
    },
    layer('contract', ['core/', 'contract/'], 'contract knows core, and no feature.'),
    layer('platform', ['core/', 'contract/', 'platform/'], 'platform knows contract and core.'),
    layer(
      'features',
      ['core/', 'contract/', 'platform/', 'features/'],
      'features know platform, contract and core. What they need from outside is a port.',
    ),
    layer(
      'adapters',
      ['core/', 'contract/', 'platform/', 'adapters/', 'features/[^/]+/port[.]ts$'],
      'adapters see of a slice only its port.',
    ),
    layer(
      'http',
      ['core/', 'contract/', 'platform/', 'http/'],
      'transports mount operations handed to them.',
    ),
    layer('mcp', ['core/', 'contract/', 'platform/', 'mcp/'], 'transports mount operations handed to them.'),
    {
      name: 'slices-meet-in-public',
      comment: 'Of another slice, only public.ts and events.ts.',
      severity: 'error',
      from: { path: `${src}features/([^/]+)/`, pathNot: tests },
      to: {
        path: `${src}features/[^/]+/`,
        pathNot: [`${src}features/$1/`, `${src}features/[^/]+/(?:public|events)[.]ts$`],
      },
    },
    {
      name: 'slice-has-a-place',
      comment: 'Every slice stands in the list of .dependency-cruiser.cjs, low to high.',
      severity: 'error',
      from: { path: `${src}features/`, pathNot: `${src}features/(?:${slices.join('|')})/` },
      to: {},
    },
    ...sliceOrder.slice(0, -1),
    {
      name: 'chats-use-the-dispatcher',
      comment: 'chats call operations only through the Dispatcher, never another slice.',
      severity: 'error',
      from: { path: `${src}features/chats/`, pathNot: tests },
      to: { path: `${src}features/`, pathNot: `${src}features/chats/` },
    },
    {
      name: 'adapters-do-not-meet',
      comment: 'One kind of adapter knows nothing of another; what they share belongs below.',
      severity: 'error',
      from: { path: `${src}adapters/([^/]+)/`, pathNot: tests },
      to: { path: `${src}adapters/`, pathNot: `${src}adapters/$1/` },
    },
    {
      name: 'server-never-imports-the-outside-world',
      comment: 'The sandbox can only testify as long as the server shares no code with it.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(?:sandbox|bench)/' },
    },
    {
      name: 'sandbox-stands-alone',
      comment: 'The sandbox plays strangers: it knows the server only over the wire.',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: '^(?:server|bench)/' },
    },
    {
      name: 'tests-are-for-tests',
      comment: 'Nothing outside tests imports from a test folder or a test file.',
      severity: 'error',
      from: { path: '^(?:server|sandbox|bench)/', pathNot: [tests, '^(?:server|sandbox|bench)/test/'] },
      to: { path: ['^(?:server|sandbox|bench)/test/', `^(?:server|sandbox|bench)/.*(?:${tests})`] },
    },
    {
      name: 'no-cycles',
      comment: 'Two modules that need each other are one module, or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'everything-resolves',
      comment: 'An import that leads nowhere breaks at start, not at compile time.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'dependencies-are-declared',
      comment:
        'A package that only happens to be hoisted, or only helps development, is missing in production.',
      severity: 'error',
      from: { path: '^(?:server|sandbox)/src/', pathNot: tests },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm', 'npm-optional'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)[.](?:prokura|tmp)/' },
    // Types count too: a layer that needs the types of a higher one has the direction wrong.
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    moduleSystems: ['es6'],
    enhancedResolveOptions: {
      extensions: ['.ts', '.mts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
