import { clockTimePattern, monthPattern } from '@gridmast/contract/time.ts'

/** The value of a parameter of the address; undefined when it is absent or invalid. The router reads numbers and booleans as such. */
export type Param<T> = (given: unknown) => T | undefined

type Shape = Record<string, Param<unknown>>
type Values<S extends Shape> = { [K in keyof S]?: ReturnType<S[K]> }

/** Parameters of an address by name. They need no schemas, which load later than the first page. */
export type SearchParams<S extends Shape = Shape> = { shape: S; parse: (search: unknown) => Values<S> }
export type ParamsOf<P extends SearchParams> = P extends SearchParams<infer S> ? Values<S> : never

export const searchParams = <const S extends Shape>(shape: S): SearchParams<S> => ({
  shape,
  parse: (search) => {
    const given = new Map(Object.entries(search ?? {}))
    const values = Object.entries(shape).map(([name, read]) => [name, read(given.get(name))] as const)
    return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Values<S> // each by its own parameter
  },
})

/** Some of the parameters. */
export const pickParams = <S extends Shape, K extends keyof S & string>(
  { shape }: SearchParams<S>,
  ...names: K[]
): SearchParams<Pick<S, K>> =>
  searchParams(Object.fromEntries(names.map((name) => [name, shape[name]])) as unknown as Pick<S, K>)

export const oneOf =
  <const T extends string | number>(...values: readonly T[]): Param<T> =>
  (given) =>
    values.find((value) => value === given)

export const matching =
  (isValid: RegExp | ((written: string) => boolean)): Param<string> =>
  (given) => {
    const written = typeof given === 'number' ? String(given) : given
    if (typeof written !== 'string') return undefined
    return (isValid instanceof RegExp ? isValid.test(written) : isValid(written)) ? written : undefined
  }

export const text = (maxLength: number) => matching((written) => written.length <= maxLength)

export const number =
  (isValid: (value: number) => boolean): Param<number> =>
  (given) => {
    const value = typeof given === 'string' && /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : given
    return typeof value === 'number' && isValid(value) ? value : undefined
  }

/** One of some numbers. */
export const numberOf =
  <const T extends number>(...values: readonly T[]): Param<T> =>
  (given) =>
    values.find((value) => value === Number(given))

export const integer = (min: number, max: number) =>
  number((value) => Number.isInteger(value) && value >= min && value <= max)

export const flag: Param<boolean> = (given) => (typeof given === 'boolean' ? given : undefined)

export const id = matching(/^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i)

const isDay = (written: string) => {
  const ms = /^20\d\d-\d\d-\d\d$/.test(written) ? Date.parse(`${written}T00:00Z`) : NaN
  return new Date(Number.isNaN(ms) ? 0 : ms).toISOString().slice(0, 10) === written
}

/** `2026-11-20` */
export const day = matching(isDay)
/** `2026-11-14..2026-11-20` */
export const dayRange = matching((written) => {
  const [start = '', end = '', ...more] = written.split('..')
  return isDay(start) && isDay(end) && more.length === 0 && start <= end
})
/** `2026-11` */
export const month = matching(monthPattern)
export const clockTime = matching(clockTimePattern)

export const either =
  <A, B>(first: Param<A>, second: Param<B>): Param<A | B> =>
  (given) =>
    first(given) ?? second(given)
