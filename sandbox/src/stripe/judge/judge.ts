import { readFileSync } from 'node:fs'
import type { Description, Schema } from './description.ts'
import { meantBy, treeOf } from './form-values.ts'

/** A request that was worked on, and its answer. `version`: of the API, as the request names it. */
export type Exchange = {
  readonly operation: string
  readonly version: string | undefined
  /** By Stripe's own package, which always names a version; or by a page, which has a publishable key. */
  readonly by: 'package' | 'page' | 'others'
  readonly fields: readonly (readonly [string, string])[]
  readonly status: number
  readonly body: unknown
}

export type Judge = {
  readonly differences: readonly string[]
  /** Adds what the description does not say of it: of a request that was taken, and of every answer. */
  hear(exchange: Exchange): void
}

/** Shared payment tokens have a version of their own, which the description is not of; nor is it of what pages ask. */
const preview = /\.preview$/
const tokens = /shared_payment/

export function openJudge(path: string): Judge {
  const description: Description = JSON.parse(readFileSync(path, 'utf8'))
  const differences = new Set<string>()
  return {
    get differences() {
      return [...differences]
    },
    hear(exchange) {
      for (const what of faultsOf(description, exchange)) differences.add(`${exchange.operation}: ${what}`)
    },
  }
}

function faultsOf(description: Description, exchange: Exchange): string[] {
  const { operation, version, by, fields, status, body } = exchange
  if (
    preview.test(version ?? '') ||
    [operation, ...fields.map(([name]) => name)].some((name) => tokens.test(name))
  )
    return []
  const described = description.operations[operation]
  if (described === undefined) return ['the description that is kept here has no such operation']
  const isNamed = version === description.version || (version === undefined && by !== 'package')
  const versions = isNamed ? [] : [`it names the version ${version}, and not ${description.version}`]
  const { judge } = judging(description)
  // A card that is declined, and a fault that is made, say nothing against the request; what is refused needs no second judge.
  const isTaken = (status < 400 || status === 402) && by !== 'page'
  const request = isTaken ? judge(treeOf(fields), described.request, 'request', true) : []
  const answer = judge(body, status >= 400 ? errorSchema : described.answer, 'answer', false)
  return [...versions, ...request, ...answer]
}

const text: Schema = { type: 'string' }

const errorSchema: Schema = {
  object: {
    error: {
      object: {
        type: { enum: ['api_error', 'card_error', 'idempotency_error', 'invalid_request_error'] },
        message: text,
        code: text,
        param: text,
        decline_code: text,
        advice_code: text,
        network_advice_code: text,
        network_decline_code: text,
        charge: text,
        doc_url: text,
        request_log_url: text,
        payment_intent: { kept: true },
        payment_method: { kept: true },
        setup_intent: { kept: true },
      },
      required: ['type'],
    },
  },
  required: ['error'],
}

function judging({ schemas, kinds }: Description) {
  /** `isForm`: all values are texts, and an empty one takes a value away. */
  function judge(value: unknown, schema: Schema, at: string, isForm: boolean): string[] {
    if (schema.ref !== undefined) return judge(value, schemas[schema.ref] ?? {}, at, isForm)
    if (schema.anyOf) return nearest(schema.anyOf.map((one) => judge(value, one, at, isForm)))
    if (schema.enum)
      return judgeValue(
        schema.enum.includes(meantBy(value, schema, isForm)),
        value,
        schema.enum.join(', '),
        at,
      )
    if (schema.type)
      return judgeValue(typeof meantBy(value, schema, isForm) === schema.type, value, `a ${schema.type}`, at)
    if (schema.items) return judgeList(value, schema.items, at, isForm)
    if (schema.kept) return judgeKept(value, at)
    if (schema.values) return judgeNamed(value, schema.values, at, isForm)
    return schema.object ? judgeObject(value, schema, at, isForm) : []
  }

  function judgeList(value: unknown, items: Schema, at: string, isForm: boolean): string[] {
    const all = isForm && isRecord(value) ? Object.values(value) : value
    if (!Array.isArray(all)) return [`${at} is ${said(value)} and no list`]
    return all.flatMap((one) => judge(one, items, `${at}[]`, isForm))
  }

  function judgeNamed(value: unknown, values: Schema, at: string, isForm: boolean): string[] {
    if (!isRecord(value)) return [`${at} is ${said(value)} and no object`]
    return Object.values(value).flatMap((one) => judge(one, values, `${at}.*`, isForm))
  }

  function judgeKept(value: unknown, at: string): string[] {
    const kind = isRecord(value) ? kinds[String(value.object)] : undefined
    return kind === undefined
      ? [`${at} is no object that is described here`]
      : judge(value, { ref: kind }, at, false)
  }

  function judgeObject(
    value: unknown,
    { object = {}, required = [] }: Schema,
    at: string,
    isForm: boolean,
  ): string[] {
    if (!isRecord(value)) return [`${at} is ${said(value)} and no object`]
    const lacking = required.filter((name) => value[name] === undefined).map((name) => `${at} lacks ${name}`)
    const wrong = Object.entries(value).flatMap(([name, one]) => {
      const schema = object[name]
      return schema === undefined ? [`${at} has no ${name}`] : judge(one, schema, `${at}.${name}`, isForm)
    })
    return [...lacking, ...wrong]
  }

  return { judge }
}

function judgeValue(isRight: boolean, value: unknown, expected: string, at: string): string[] {
  return isRight ? [] : [`${at} is ${said(value)} and not ${expected}`]
}

/** What is wrong with the alternative that fits best: the one whose faults lie deepest, an object where an object is said. */
function nearest(alternatives: readonly string[][]): string[] {
  if (alternatives.some((faults) => faults.length === 0)) return []
  const depthOf = (faults: readonly string[]) =>
    Math.max(...faults.map((fault) => fault.indexOf(' '))) * 2 +
    Number(faults.some((fault) => / lacks | has no /.test(fault)))
  const [best] = [...alternatives].sort(
    (one, other) => depthOf(other) - depthOf(one) || one.length - other.length,
  )
  return best ?? []
}

function said(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
