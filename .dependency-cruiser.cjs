// The direction of dependencies, as rules. `server/test/direction.ts` runs them, with those between workspaces and those that follow from
// what each slice declares, and `server/test/direction.test.ts` plants a violation of each, so a rule that stops matching anything is noticed.

const tests = String.raw`\.test\.ts$|\.test-d\.ts$|\.testing\.ts$`
const src = '^server/src/'

const port = 'domain/.+/port[.]ts$'
/** What everything but core and schema may see. */
const below = ['core/', 'schema/', 'contract/']

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
    layer(
      'schema',
      ['core/', 'schema/'],
      'schema is a kit of JSON Schema that has never heard of the product.',
    ),
    layer(
      'protocols',
      ['core/', 'schema/', 'protocols/'],
      'protocols says how documents and messages of others are read and written; it has never heard of the product.',
    ),
    layer('contract', ['core/', 'schema/', 'contract/'], 'contract knows core and schema, and no slice.'),
    layer('platform', [...below, 'platform/'], 'platform knows contract, schema and core.'),
    layer(
      'domain',
      [...below, 'protocols/', 'platform/', 'domain/'],
      'slices know platform and what is below it. What they need from outside is a port.',
    ),
    layer(
      'channels',
      [...below, 'protocols/', 'platform/', 'channels/', port],
      'a channel sees of the domain only its port.',
    ),
    layer('rails', [...below, 'platform/', 'rails/', port], 'a rail sees of the domain only its port.'),
    layer('models', [...below, 'platform/', 'models/', port], 'a model sees of the domain only its port.'),
    layer(
      'surfaces',
      [...below, 'protocols/', 'platform/', 'surfaces/'],
      'surfaces mount operations handed to them.',
    ),
    layer('vault', [...below, 'platform/', 'vault/'], 'the vault knows nothing of the product but platform.'),
    layer(
      'browser',
      [...below, 'platform/', 'channels/browser/(?:shopping-(?:words|wire)|page-reader)[.]ts$', 'browser/'],
      'the browser process knows nothing of the product but platform, and the words between it and a worker.',
    ),
    {
      name: 'only-the-program-opens-the-browser',
      comment:
        'Pages of strangers run below a process of its own; a worker asks it through channels/browser.',
      severity: 'error',
      from: { path: src, pathNot: [tests, `${src}(?:cli|browser)/`] },
      to: { path: `${src}browser/` },
    },
    {
      name: 'only-the-program-opens-the-vault',
      comment:
        'What sees card numbers runs in a process of its own; the others ask it through platform/vault-client.',
      severity: 'error',
      from: { path: src, pathNot: [tests, `${src}(?:cli|vault)/`] },
      to: { path: `${src}vault/` },
    },
    {
      name: 'chats-use-the-dispatcher',
      comment:
        'chats know who acts and for whom, and do everything else through the Dispatcher, as any caller would.',
      severity: 'error',
      from: { path: `${src}domain/chats/`, pathNot: tests },
      to: { path: `${src}domain/`, pathNot: `${src}domain/(chats|accounts|buyers/profiles)/` },
    },
    ...['channels', 'rails'].map((room) => ({
      name: `${room}-do-not-meet`,
      comment: 'One of them knows nothing of another; what they share belongs below.',
      severity: 'error',
      from: { path: `${src}${room}/([^/]+)/`, pathNot: tests },
      to: { path: `${src}${room}/`, pathNot: `${src}${room}/$1/` },
    })),
    {
      name: 'surfaces-do-not-meet',
      comment: 'One surface knows nothing of another; the HTTP server that all share is surfaces/http.',
      severity: 'error',
      from: { path: `${src}surfaces/([^/]+)/`, pathNot: tests },
      to: { path: `${src}surfaces/`, pathNot: [`${src}surfaces/$1/`, `${src}surfaces/http/`] },
    },
    {
      name: 'tests-are-for-tests',
      comment: 'Nothing outside tests and benchmarks imports from a test folder or a test file.',
      severity: 'error',
      from: { path: '^[^/]+/', pathNot: [tests, '^[^/]+/test/', '^bench/'] },
      to: { path: ['^[^/]+/test/', tests] },
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
      from: { path: '^(?:elements/)?[^/]+/src/', pathNot: [tests, '^bench/'] },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        // A page that takes a package of ours has its peers by itself.
        dependencyTypesNot: ['type-only', 'npm', 'npm-optional', 'npm-peer'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The pages with React are the code of an integrator, who has packages of their own: `elements/build-site.ts` bundles them.
    exclude: { path: '(?:^|/)[.](?:prokura|tmp)/|^sandbox/src/integrator/(?:buy-react|chat)[.]jsx$' },
    // Types count too: a layer that needs the types of a higher one has the direction wrong.
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    moduleSystems: ['es6'],
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
