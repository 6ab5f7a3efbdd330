import { isIP, type LookupFunction } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { lookup } from 'node:dns'

/** Without the zone of a link-local address; IPv4-mapped IPv6 becomes IPv4. */
const read = (address: string) => ipaddr.process(address.split('%')[0] ?? '')

/** The network of an address that usually belongs to one party: /24 of IPv4, /64 of IPv6. */
export const addressPrefix = (address: string, { ipv4 = 24, ipv6 = 64 } = {}): string => {
  if (!ipaddr.isValid(address)) return address
  const plain = read(address)
  const cidr = `${plain.toString()}/${plain.kind() === 'ipv4' ? ipv4 : ipv6}`
  const network =
    plain.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${network.toString()}/${plain.kind() === 'ipv4' ? ipv4 : ipv6}`
}

/** Rate limit key of a caller without a session: an IPv4 address, or the /64 of IPv6, because one machine can use all of its addresses. */
export const countedAs = (address: string): string => addressPrefix(address, { ipv4: 32 })

export const isLoopback = (address: string): boolean => ipaddr.isValid(address) && read(address).range() === 'loopback'

export const proxiesOf = (trustProxy: string): ((address: string) => boolean) => {
  const isProxy = proxyAddr.compile(trustProxy.split(',').map((part) => part.trim()))
  return (address) => isIP(address) > 0 && isProxy(address, 0)
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/** A request from this machine: not through a proxy, and not from a page whose host name resolves to the loopback (DNS rebinding). */
export const isAtThisMachine = ({ socket, headers, hostname }: FastifyRequest): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  proxyHeaders.every((name) => headers[name] === undefined) &&
  (hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)

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
 * The addresses of a name, refused when any of them is not public. The connection uses the checked addresses, so a changed DNS answer gains
 * nothing.
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
