import { Client } from 'pg'
import { expect, test } from 'vitest'
import { driverUrl, sessionConfig } from './session.ts'

test.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
  'sslmode=%s checks the certificate, and the driver has nothing to warn of',
  (mode) => {
    const warned: unknown[] = []
    const { emitWarning } = process
    process.emitWarning = (warning: unknown) => void warned.push(warning)
    try {
      const url = `postgres://u:p%40@db.example/x?sslmode=${mode}&application_name=x`
      const { connectionParameters } = new Client(
        sessionConfig({ url, applicationName: 'x' }),
      ) as unknown as { connectionParameters: { ssl: unknown; password: string } } // the driver's own, without a type
      expect(connectionParameters).toMatchObject({ ssl: {}, password: 'p@' })
      expect(connectionParameters.ssl).not.toHaveProperty('rejectUnauthorized')
    } finally {
      process.emitWarning = emitWarning
    }
    expect(warned).toEqual([])
    expect(driverUrl(`postgres://db.example/x?sslmode=${mode}`)).toContain('sslmode=verify-full')
  },
)

test.each([
  'postgres://u:p@db.example/x',
  'postgres://u@localhost/x?host=%2Ftmp%2Fsockets',
  'postgres://u:p@db.example/x?sslmode=disable',
  'postgres://u:p@db.example/x?sslmode=no-verify',
  'postgres://u:p@db.example/x?uselibpqcompat=true&sslmode=require',
])('a URL with exact settings stays as it is: %s', (url) => {
  expect(driverUrl(url)).toBe(url)
})
