import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** What the zone of a link-local address names is of this machine; IPv4 that came as IPv6 is IPv4. */
const read = (address: string) => ipaddr.process(address.split('%')[0] ?? '')

/** The neighbourhood of an address that one party usually holds: the /24 of IPv4, the /64 of IPv6. */
export const addressPrefix = (address: string, { ipv4 = 24, ipv6 = 64 } = {}): string => {
  if (!ipaddr.isValid(address)) return address
  const plain = read(address)
  const cidr = `${plain.toString()}/${plain.kind() === 'ipv4' ? ipv4 : ipv6}`
  const network =
    plain.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${network.toString()}/${plain.kind() === 'ipv4' ? ipv4 : ipv6}`
}

/** Whom a caller without a session is counted as: an IPv4 address, or the /64 of IPv6, whose addresses one machine may change at will. */
export const countedAs = (address: string): string => addressPrefix(address, { ipv4: 32 })

export const isLoopback = (address: string): boolean => ipaddr.isValid(address) && read(address).range() === 'loopback'

/** Whether an address is one of the proxies in front (`TRUST_PROXY`). */
export const proxiesOf = (trustProxy: string): ((address: string) => boolean) => {
  const isProxy = proxyAddr.compile(trustProxy.split(',').map((part) => part.trim()))
  return (address) => isIP(address) > 0 && isProxy(address, 0)
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/** From whoever sits at this machine: not through a proxy, nor by a page that has bent a name of its own to this address. */
export const isAtThisMachine = ({ socket, headers, hostname }: FastifyRequest): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  proxyHeaders.every((name) => headers[name] === undefined) &&
  (hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
