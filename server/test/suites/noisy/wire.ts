/** What the neighbour has to make noise with. */
export type Neighbour = {
  baseUrl: string
  keys: { secret: string; agent: string }
  profile: string
  /** A purchase of its own, whose events can be listened to. */
  intent: string
  /** A quoting merchant of its own that is asked and never answers. */
  silentItem: string
  /** A destination of its own at an endpoint that answers. */
  destination: string
}

export const noiseNames = ['calculations', 'simulations', 'connections', 'waits', 'queues', 'cannon'] as const
export type NoiseName = (typeof noiseNames)[number]

/** How one noise is made: for so long, and so many purchases queued where it queues any. */
export type NoiseOrder = { name: NoiseName; ms: number; queued: number; seed: number }

export type Order =
  | { do: 'open' }
  | { do: 'hang' }
  | { do: 'noise'; noise: NoiseOrder; neighbour: Neighbour }
  | { do: 'count' }

/** What the neighbour got for it. */
export type Report = {
  asked: number
  /** How often each status came back, and each limit by its scope. */
  answers: Record<string, number>
  /** Requests whose connection was closed on them. */
  cutOff: number
  /** What no answer may be, however much was asked. */
  faults: string[]
}

export type Told = {
  ports?: Record<EndpointName, number>
  /** The certificate of the cannon's endpoint, which nobody else vouches for. */
  certificate?: string
  report?: Report
  posts?: number
}

export const endpointNames = ['answers', 'hangs', 'cannon', 'names'] as const
export type EndpointName = (typeof endpointNames)[number]

/** A name that nobody has confirmed anything for; the neighbour's name server says that it is this machine. */
export const cannonHost = 'cannon.example'
