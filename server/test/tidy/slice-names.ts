import ts from 'typescript'
import { slices } from '../../src/composition.ts'
import { at, everyNode, type Finding, isServerSource, type Rule, type SourceFile } from './rule.ts'

type Kind = 'prefix of ids' | 'scope' | 'problem code' | 'event' | 'tag' | 'table'
type Name = { readonly kind: Kind; readonly name: string; readonly slice: string }

/** What slices declare by name. */
const names: readonly Name[] = [
  ...slices.flatMap((slice) => [
    ...declared('prefix of ids', slice.ids, slice.name),
    ...declared('scope', slice.scopes, slice.name),
    ...declared('problem code', slice.problems, slice.name),
    ...declared('event', slice.events, slice.name),
    ...declared('tag', slice.tags, slice.name),
    ...(slice.tables ?? []).map((name): Name => ({ kind: 'table', name, slice: slice.name })),
  ]),
]

function declared(kind: Kind, of: object | undefined, slice: string): Name[] {
  return Object.keys(of ?? {}).map((name) => ({ kind, name, slice }))
}

/** A name of the product stands in its slice: below the slices nobody has heard of it. */
export const sliceNameRules: readonly Rule[] = [
  {
    name: 'slices-name-what-is-theirs',
    applies: (path) => isServerSource(path) && /^server\/src\/(?:core|schema|contract|platform)\//.test(path),
    find: namesOfSlices,
  },
]

function namesOfSlices(file: SourceFile): Finding[] {
  if (names.length === 0) throw new Error('no slice declares anything: there is nothing to look for')
  return [...everyNode(file.tree())]
    .filter(isText)
    .flatMap((node) =>
      names
        .filter((each) => isNamedBy(node, each))
        .map(({ kind, name, slice }) => at(file, node, `${name} is a ${kind} of ${slice}, and stands there`)),
    )
}

type Text = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail

function isText(node: ts.Node): node is Text {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  )
}

/** Words that are also words of everybody's count only where they can be nothing else. */
function isNamedBy(node: Text, { kind, name }: Name): boolean {
  const { text, parent } = node
  switch (kind) {
    case 'scope':
    case 'event':
      return text.includes(name) && new RegExp(String.raw`(?<![\w.:])${name}(?![\w:]|\.\w)`).test(text)
    case 'problem code':
    case 'table':
      return text === name
    case 'tag':
      return text === name && (name.includes(' ') || isMember(parent, 'tag'))
    case 'prefix of ids':
      return text === name ? isPlaceOfPrefix(parent) : idOf(name).test(text)
    default:
      return kind satisfies never
  }
}

function isMember(node: ts.Node, name: string): boolean {
  return ts.isPropertyAssignment(node) && node.name.getText() === name
}

/** What a type is made with, such as `Id<'pi'>`, or an argument of what makes ids and their schemas. */
function isPlaceOfPrefix(node: ts.Node): boolean {
  if (ts.isLiteralTypeNode(node)) return isOfType(node)
  return ts.isCallExpression(node) && /(?:^|[a-z])Id(?![a-z])|^id[A-Z]|Head$/.test(node.expression.getText())
}

/** A word in a union that stands alone is one of those alternatives, and of no id. */
function isOfType(node: ts.Node): boolean {
  return ts.isUnionTypeNode(node.parent) ? isOfType(node.parent) : ts.isTypeReferenceNode(node.parent)
}

function idOf(prefix: string): RegExp {
  return new RegExp(String.raw`\b${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}\b`)
}
