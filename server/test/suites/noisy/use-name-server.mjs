// Loaded into the processes of the product: names are asked of the suite's own name server, so that a host that is not this machine by
// name can be counted on it; and that host's certificate is trusted, since only this machine is called without one.
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

const certificate = process.env.NOISY_CERTIFICATE
if (certificate) setDefaultCACertificates([...getCACertificates('default'), certificate])

const server = process.env.NOISY_NAME_SERVER
if (server) {
  dns.Resolver = class extends dns.Resolver {
    constructor(options) {
      super(options)
      this.setServers([server])
    }
  }
  syncBuiltinESMExports()
}
