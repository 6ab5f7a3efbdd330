import { isIPv6 } from 'node:net'

const groupsOf = (address: string): string[] => {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  if (tail === undefined) return left
  const right = tail === '' ? [] : tail.split(':')
  return [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
}

/** The neighbourhood of an address that one party usually holds: the /24 of IPv4, the /64 of IPv6. */
export const addressPrefix = (address: string): string => {
  const plain = address.toLowerCase().split('%')[0] ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped || !isIPv6(plain)) return `${(mapped ?? plain).split('.').slice(0, 3).join('.')}.0/24`
  const network = groupsOf(plain)
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
