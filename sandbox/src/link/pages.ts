import type { Answer, Route } from '../json-server.ts'
import { isUndecided, type Memory, passTime } from './memory.ts'

/** The page of the wallet on which a person decides about one request. */
export function approvalPages(memory: Memory): Route[] {
  const asked = (id: string | undefined) => {
    passTime(memory)
    const request = memory.requests.get(id ?? '')
    return request && isUndecided(request) ? request : null
  }
  return [
    {
      method: 'GET',
      path: '/approve/:id',
      handle({ params }) {
        const request = asked(params.id)
        return request
          ? page(`${request.asked.context}`, `/approve/${params.id}`)
          : page('Nothing is to be approved here any more.')
      },
    },
    {
      method: 'POST',
      path: '/approve/:id',
      handle({ params, raw }) {
        const request = asked(params.id)
        if (request === null) return page('Nothing is to be approved here any more.')
        const isYes = new URLSearchParams(raw.toString('utf8')).get('answer') === 'yes'
        request.status = isYes ? 'approved' : 'denied'
        memory.log.push({ operation: 'decide', id: request.id, status: request.status })
        return page('You can go back.')
      },
    },
  ]
}

/** `action`: where the answer goes; without it nothing is asked. */
export function page(words: string, action?: string): Answer {
  const shown = words.replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  const buttons = ['yes', 'no'].map((answer) => `<button name="answer" value="${answer}">${answer}</button>`)
  const form = action === undefined ? '' : `<form method="post" action="${action}">${buttons.join('')}</form>`
  return {
    kind: 'raw',
    status: 200,
    type: 'text/html; charset=utf-8',
    chunks: [`<!doctype html><p>${shown}</p>${form}`],
  }
}
