import type { PageEvidence } from '../../src/domain/buying/evidence/public.ts'

/** Bytes that begin as a PNG does and go on with this text; padded to a size where one is given. */
export function pngOf(text: string, size?: number): Buffer {
  const whole = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(text)])
  return size === undefined ? whole : Buffer.concat([whole, Buffer.alloc(size - whole.length, 7)])
}

/** A picture as a way of buying hands it over. */
export function pageEvidence(more: Partial<PageEvidence> = {}): PageEvidence {
  return {
    stage: 'review',
    at: new Date('2026-11-26T12:00:00.000Z'),
    urlHost: 'classic.shop.test',
    picture: pngOf('a page'),
    totalText: '$32.40',
    hosts: ['classic.shop.test', 'cdn.shop.test'],
    ...more,
  }
}
