import { expect, test } from 'vitest'
import { cookieOf, sessionCookieOf } from './form-guard.ts'

test('over https the cookie is one that only this host can set', () => {
  const { 'set-cookie': cookie } = cookieOf('https://shop.example/base', 'onbs_1', 60)
  expect(cookie).toBe(
    '__Host-prokura_onboarding=onbs_1; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
  )
  expect(sessionCookieOf('https://shop.example')).toBe('__Host-prokura_onboarding')
})

test('over http, where browsers would refuse that, it is a plain one for its own pages', () => {
  const { 'set-cookie': cookie } = cookieOf('http://127.0.0.1:3000/base/', 'onbs_1', 60)
  expect(cookie).toBe(
    'prokura_onboarding=onbs_1; Path=/base/onboarding; Max-Age=60; HttpOnly; SameSite=Strict',
  )
  expect(sessionCookieOf('http://127.0.0.1:3000')).toBe('prokura_onboarding')
})
