// zod of the contract's schemas in the built portal (`web/deferred-zod.ts`): what builds a schema is recorded and done at its first use, so that
// the first page comes without zod's 23 kB. `zod.ts` brings zod with the first page or dialog that needs a schema.

import type { z as all } from 'zod'

type Zod = typeof all
type Make = () => unknown

let zod: Zod | undefined
const waiting: (() => void)[] = []
const makers = new WeakMap<object, Make>()

const isPlain = (value: object) => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype

/** A value with real schemas in the place of recorded ones. */
const realOf = (value: unknown): unknown => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  const make = makers.get(value)
  if (make) return make()
  if (typeof value === 'function' || !isPlain(value)) return value
  if (Array.isArray(value)) return value.map(realOf)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, realOf(one)]))
}

const recorded = (make: Make): object => {
  let made: { value: unknown } | undefined
  const real = (): object => {
    if (!zod) throw new Error('A schema is used before zod has loaded')
    return (made ??= { value: make() }).value ?? {}
  }
  const proxy: object = new Proxy(() => {}, {
    get: (_, key) => {
      // A recorded answer would look like a success.
      if (zod || key === 'parse' || key === 'safeParse') return Reflect.get(real(), key)
      return recorded(() => Reflect.get(real(), key))
    },
    apply: (_, self, args) => {
      const call = () => Reflect.apply(real() as (...given: unknown[]) => unknown, realOf(self), args.map(realOf))
      return zod ? call() : recorded(call)
    },
    has: (_, key) => key in real(),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
    ownKeys: () => Reflect.ownKeys(real()),
    getOwnPropertyDescriptor: (_, key) => {
      const own = Reflect.getOwnPropertyDescriptor(real(), key)
      return own && { ...own, configurable: true }
    },
  })
  makers.set(proxy, real)
  return proxy
}

const whenLoaded = (work: () => void) => (zod ? work() : void waiting.push(work))

export const z = new Proxy({} as Zod, {
  get: (_, key: keyof Zod) => {
    if (zod) return zod[key]
    if (key === 'config') return (...given: Parameters<Zod['config']>) => whenLoaded(() => zod?.config(...given))
    return recorded(() => zod?.[key])
  },
})

/** The parts of zod that the contract uses. */
export const provideZod = (loaded: object) => {
  zod = loaded as Zod // `deferred-zod.test.ts` compares the parts with the contract
  for (const work of waiting.splice(0)) work()
}
