import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isLoopbackAddress } from './address.ts'
import type { EgressCode } from './fault.ts'
import type { Resolve } from './resolve.ts'

/** Which addresses may be connected to, and how names become addresses. */
export type Gate = {
  admits: (ip: string) => boolean
  resolve: Resolve
}

/**
 * An undici connector that connects only to addresses that its gate admits. The checked addresses are the very ones that the socket gets,
 * so a name cannot change between check and connect.
 */
export function gatedConnector(
  gate: Gate,
  options: { connectTimeoutMs: number; ca: string[] | undefined },
): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: options.connectTimeoutMs,
    autoSelectFamily: true,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in an environment cannot switch verification off.
    rejectUnauthorized: true,
    lookup: gatedLookup(gate),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  })
  return function connectThroughGate(target, callback) {
    // Sockets skip the lookup for literals.
    if (isIP(target.hostname) !== 0 && !gate.admits(target.hostname)) {
      process.nextTick(callback, new ConnectFailure('blocked_address'), null)
      return
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) {
        callback(asConnectFailure(error, target.protocol), null)
      } else if (socket.remoteAddress !== undefined && !gate.admits(socket.remoteAddress)) {
        // This is not reached while the socket uses the lookup; if it ever does not, nothing has been written yet.
        socket.destroy()
        callback(new ConnectFailure('blocked_address'), null)
      } else {
        callback(null, socket)
      }
    })
  }
}

/**
 * A connector for names of the sandbox: each leads to the one address of this machine that it stands for, and to no other. The authority of
 * the sandbox vouches for them, and no other one.
 */
export function namedConnector(
  { addresses, certificate }: { addresses: Readonly<Record<string, string>>; certificate: string },
  timeout: number,
): buildConnector.connector {
  const connect = buildConnector({ allowH2: false, timeout, rejectUnauthorized: true, ca: certificate })
  return function connectByName(target, callback) {
    const [hostname, port] =
      (Object.hasOwn(addresses, target.hostname) ? addresses[target.hostname] : '')?.split(':') ?? []
    if (!hostname || !port || !isLoopbackAddress(hostname)) {
      process.nextTick(callback, new ConnectFailure('blocked_address'), null)
      return
    }
    connect({ ...target, hostname, port, servername: target.hostname }, (...[error, socket]) => {
      if (error !== null) callback(asConnectFailure(error, target.protocol), null)
      else callback(null, socket)
    })
  }
}

/** Nothing was sent: the connection itself was refused or could not be made. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure'
  readonly egressCode: EgressCode

  constructor(egressCode: EgressCode, cause?: unknown) {
    super(egressCode, { cause })
    this.egressCode = egressCode
  }
}

function gatedLookup(gate: Gate): LookupFunction {
  return (hostname, options, callback) => {
    resolveAdmitted(gate, hostname).then(
      ([first, ...others]) => {
        if (options.all === true) callback(null, [first, ...others])
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(asLookupFailure(error), ''),
    )
  }
}

type Candidate = { address: string; family: number }

async function resolveAdmitted(gate: Gate, hostname: string): Promise<[Candidate, ...Candidate[]]> {
  const addresses = await gate.resolve(hostname)
  const [first, ...others] = addresses.map((address) => ({ address, family: isIP(address) }))
  if (first === undefined) throw new ConnectFailure('dns')
  // One refused address condemns the name: a public name that also points inside is hostile or broken, and if only its good half were
  // tried, the result would depend on the order of a DNS answer.
  // guard resolved-addresses: a public name that points inside is not called
  // guard every-resolved-address: one bad address condemns a name
  if (!addresses.every(gate.admits)) throw new ConnectFailure('blocked_address')
  return [first, ...others]
}

function asLookupFailure(error: unknown): ConnectFailure {
  return error instanceof ConnectFailure ? error : new ConnectFailure('dns', error)
}

function asConnectFailure(error: Error, protocol: string): ConnectFailure {
  if (error instanceof ConnectFailure) return error
  if ('code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT') return new ConnectFailure('timeout', error)
  const isSocketError = error instanceof AggregateError || ('syscall' in error && error.syscall === 'connect')
  // An error on a TLS socket after the TCP handshake and before the end of the TLS handshake is an error of TLS.
  return new ConnectFailure(protocol === 'https:' && !isSocketError ? 'tls' : 'connect', error)
}
