import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** On the public internet (IANA special-purpose registries); IPv4-mapped IPv6 is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0) return false
  const read = ipaddr.parse(address)
  return read.range() === 'unicast' && (read.kind() === 'ipv4' || read.match(globalUnicast))
}

/** The literal address of a URL, or null for a name. `new URL` has normalised forms such as 0x7f.1. */
export const literalAddress = (url: URL): string | null => {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) > 0 ? host : null
}

export class NotPublic extends Error {}

export type Resolve = typeof lookup

/**
 * The addresses of a name, refused when any of them is not public. The connection uses the checked addresses, so a
 * changed DNS answer gains nothing.
 */
export const publicLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new NotPublic('Not a public address'), '')
      if (options.all) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
