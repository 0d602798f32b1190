import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import type { Description, Schema } from '../../src/stripe/judge/description.ts'

/**
 * The part of Stripe's description of its API that the simulator answers for, read from the `stripe` package: its types and its paths are
 * generated from that description, in the version that the package sends.
 */
export function cutDescription(given: {
  /** The folder of the package. */
  package: string
  /** Operations, as `GET /v1/refunds/:id`. */
  operations: readonly string[]
  /** What objects that stand whole in answers call themselves. The ids of all others are enough. */
  objects: ReadonlySet<string>
}): Description {
  const resources = join(given.package, 'esm/resources')
  const paths = globSync('**/*.d.ts', { cwd: resources }).map((path) => join(resources, path))
  const program = ts.createProgram(paths, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noLib: false,
    types: [],
  })
  const checker = program.getTypeChecker()
  const methods = program.getSourceFile(join(resources, 'PaymentMethods.d.ts'))
  const schemas = schemaWriter(checker, {
    objects: given.objects,
    folder: given.package,
    otherMethods: methods ? otherMethodsIn(checker, methods) : new Set(),
  })
  const operations: Description['operations'] = {}
  for (const file of program.getSourceFiles().filter(({ fileName }) => paths.includes(fileName)))
    for (const method of methodsOf(file)) {
      const name = given.operations.find((one) => sameCall(one, method.call))
      if (name === undefined || operations[name]) continue
      const signature = checker.getSignatureFromDeclaration(method.declaration)
      if (signature === undefined) throw new Error(`${method.call} has no signature`)
      const params = signature.parameters.find(({ name }) => name === 'params')
      operations[name] = {
        request: params
          ? schemas.of(checker.getNonNullableType(checker.getTypeOfSymbol(params)))
          : { object: {} },
        answer: schemas.of(answerOf(checker, method.declaration)),
      }
    }
  const missing = given.operations.filter((name) => !operations[name])
  if (missing.length > 0) throw new Error(`the package knows no ${missing.join(', ')}`)
  const read = (path: string) => readFileSync(join(given.package, path), 'utf8').trim()
  const version = /'(.+)'/.exec(read('esm/apiVersion.js'))?.[1] ?? ''
  return {
    version,
    source: `stripe ${read('VERSION')}, which is made from Stripe's OpenAPI file ${read('OPENAPI_VERSION')}`,
    license: read('LICENSE').split('\n').slice(0, 2).join(' ').concat(' MIT'),
    operations: sorted(operations),
    schemas: sorted(schemas.named()),
    objects: [...given.objects].sort(),
    kinds: sorted(schemas.kinds()),
  }
}

const manyValues = 40

type Method = { readonly call: string; readonly declaration: ts.MethodDeclaration }

/** The methods of a file's classes, by the calls that the JavaScript beside it makes. */
function methodsOf(file: ts.SourceFile): Method[] {
  const code = readFileSync(file.fileName.replace(/\.d\.ts$/, '.js'), 'utf8')
  return file.statements.filter(ts.isClassDeclaration).flatMap((declared) => {
    const [, body = ''] = code.split(new RegExp(`class ${declared.name?.text} extends[^{]*\\{`))
    return declared.members.filter(ts.isMethodDeclaration).flatMap((declaration) => {
      const name = declaration.name.getText(file)
      const made = new RegExp(
        `^    ${name}\\([^\\n]*\\{\\n[\\s\\S]*?_makeRequest\\('(\\w+)', ['\`]([^'\`]+)['\`]`,
        'm',
      )
      const [, verb, path] = made.exec(body) ?? []
      return path === undefined
        ? []
        : [{ call: `${verb} ${path.replace(/\$\{[^}]+\}/g, ':id')}`, declaration }]
    })
  })
}

function sameCall(one: string, other: string): boolean {
  return one.replace(/:\w+/g, ':id') === other
}

/** What is answered: X where a method promises `Response<X>`, and a page where it promises a list or the result of a search. */
function answerOf(checker: ts.TypeChecker, { type }: ts.MethodDeclaration): ts.Type {
  const [promised] = type && ts.isTypeReferenceNode(type) ? (type.typeArguments ?? []) : []
  if (promised && ts.isTypeReferenceNode(promised) && promised.getText().startsWith('Response<')) {
    const [answer] = promised.typeArguments ?? []
    if (answer) return checker.getTypeFromTypeNode(answer)
  }
  const page = type && checker.getAwaitedType(checker.getTypeFromTypeNode(type))
  const [answer] = page?.isIntersection() ? page.types : []
  if (answer === undefined) throw new Error(`${type?.getText()} promises nothing`)
  return answer
}

function schemaWriter(
  checker: ts.TypeChecker,
  given: { objects: ReadonlySet<string>; folder: string; otherMethods: ReadonlySet<string> },
) {
  const { objects, folder, otherMethods } = given
  const named = new Map<string, Schema>()

  function of(type: ts.Type): Schema {
    if (type.isUnion()) return union(type.types)
    if (type.isStringLiteral()) return { enum: [type.value] }
    if (type.isNumberLiteral()) return { enum: [type.value] }
    const { flags } = type
    if (flags & ts.TypeFlags.BooleanLiteral) return { enum: [checker.typeToString(type) === 'true'] }
    if (flags & ts.TypeFlags.String) return { type: 'string' }
    if (flags & ts.TypeFlags.Number) return { type: 'number' }
    if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
    if (flags & ts.TypeFlags.Null) return { enum: [null] }
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) return {}
    const name = checker.typeToString(type)
    // A number that is written as a text.
    if (/^Decimal\b/.test(name)) return { type: 'string' }
    if (checker.isArrayType(type))
      return { items: of(checker.getTypeArguments(type as ts.TypeReference)[0] as ts.Type) } // an array has one
    return objectOf(type)
  }

  function union(types: readonly ts.Type[]): Schema {
    // A text that the package does not know yet: what is written today is known.
    const known = types.filter((type) => !isOtherString(type) && !(type.flags & ts.TypeFlags.Undefined))
    const kept = known.filter((type) => !isLeftOut(type))
    const [first] = kept
    if (kept.length > 1 && first && kept.every((type) => kindOf(type) === 'event')) return eventOf(first)
    const values = kept.flatMap((type) => of(type).enum ?? [])
    const rest = kept.filter((type) => of(type).enum === undefined).map(of)
    const all = [...(values.length > 0 ? [valuesOf(values.sort())] : []), ...rest]
    return all.length === 1 && all[0] ? all[0] : { anyOf: all }
  }

  /** A long list of values stands in one place. */
  function valuesOf(values: NonNullable<Schema['enum']>): Schema {
    if (values.length < manyValues) return { enum: values }
    const name = `${values.length} values from ${values[0]} to ${values.at(-1)}`
    named.set(name, { enum: values })
    return { ref: name }
  }

  /** Of what is said about each way of paying, what is said about cards is enough. */
  function isOtherMethod(type: ts.Type, property: string): boolean {
    return /^PaymentMethod(Options|Details|Data)?$/.test(type.symbol.name) && otherMethods.has(property)
  }

  function isOtherString(type: ts.Type): boolean {
    return (
      type.aliasSymbol?.name === 'OtherString' ||
      (type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String))
    )
  }

  /** Each type of event has a type of its own, by which its object is known; the object says itself what it is. */
  function eventOf(type: ts.Type): Schema {
    const { object = {}, required = [] } = properties(type)
    const data = {
      object: { object: { kept: true }, previous_attributes: {} },
      required: ['object'],
    } as const
    return { object: { ...object, type: { type: 'string' }, data }, required }
  }

  /** An object that is only ever named by its id. */
  function isLeftOut(type: ts.Type): boolean {
    const object = kindOf(type)
    return object !== null && !objects.has(object)
  }

  /** Lists of such objects stand in another one only where a request expands them. */
  function isLeftOutList(type: ts.Type): boolean {
    const list = type.isUnion() ? type.types.find(({ symbol }) => symbol?.name === 'ApiList') : type
    if (list?.symbol?.name !== 'ApiList') return false
    const [of] = checker.getTypeArguments(list as ts.TypeReference) // it is of something
    const all = of?.isUnion() ? of.types : [of]
    return all.every((one) => one === undefined || isLeftOut(one))
  }

  function kindOf(type: ts.Type): string | null {
    const property = type.getProperty('object')
    const kind = property && checker.getTypeOfSymbol(property)
    return kind?.isStringLiteral() && type.getProperty('id') ? kind.value : null
  }

  function objectOf(type: ts.Type): Schema {
    const symbol = type.aliasSymbol ?? type.symbol
    const parameters = checker.getTypeArguments(type as ts.TypeReference)
    const name = nameOf(symbol, parameters)
    if (name === null) return properties(type)
    if (!named.has(name)) {
      named.set(name, {})
      named.set(name, properties(type))
    }
    return { ref: name }
  }

  /** By file and name, since names repeat in the namespaces of a file. */
  function nameOf(symbol: ts.Symbol | undefined, parameters: readonly ts.Type[]): string | null {
    const [declaration] = symbol?.declarations ?? []
    if (symbol === undefined || declaration === undefined || symbol.name === '__type') return null
    const path = relative(folder, declaration.getSourceFile().fileName)
    const scope = checker.getFullyQualifiedName(symbol).replace(/^".*"\./, '')
    const of = parameters.map((one) => checker.typeToString(one)).join()
    return `${path.replace(/^esm\/(resources\/)?|\.d\.ts$/g, '')}#${scope}${of && `<${of}>`}`
  }

  function properties(type: ts.Type): Schema {
    const index = checker.getIndexInfosOfType(type)[0]
    if (index !== undefined) return { values: of(index.type) }
    const object: Record<string, Schema> = {}
    const required: string[] = []
    for (const property of checker.getPropertiesOfType(type)) {
      const valueType = checker.getTypeOfSymbol(property)
      // Of an object that is not deleted, `deleted` is nothing.
      if (checker.typeToString(valueType).startsWith('void')) continue
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
      if (isOptional && (isOtherMethod(type, property.name) || isLeftOutList(valueType))) continue
      object[property.name] = of(valueType)
      if (!isOptional) required.push(property.name)
    }
    return { object, ...(required.length > 0 ? { required } : {}) }
  }

  const kinds = () =>
    [...named].flatMap(([name, { object, required }]) => {
      const kind = object?.id && object.object?.enum?.[0]
      return typeof kind === 'string' && objects.has(kind) && !required?.includes('deleted')
        ? [[kind, name] as const]
        : []
    })

  return { of, named: () => Object.fromEntries(named), kinds: () => Object.fromEntries(kinds()) }
}

/** The ways of paying but cards, as a method names its own. */
function otherMethodsIn(checker: ts.TypeChecker, file: ts.SourceFile): Set<string> {
  const declared = file.statements
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'PaymentMethod')
  const type = declared && checker.getTypeAtLocation(declared).getProperty('type')
  const kinds = type ? checker.getTypeOfSymbol(type) : null
  const names = kinds?.isUnion()
    ? kinds.types.flatMap((one) => (one.isStringLiteral() ? [one.value] : []))
    : []
  return new Set(names.filter((name) => name !== 'card'))
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
}
