/** Random-access noise: the same seed and position give the same number, in any order and process. */

/** FNV-1a: a text as a seed. */
export const seedOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash | 0
}

/** Uniform in [0, 1), from a seed and a whole number up to 2^53. */
export const uniform = (seed: number, n: number): number => {
  let hash = seed ^ Math.imul(n | 0, 0x9e3779b1) ^ Math.imul(Math.floor(n / 4294967296) | 0, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296
}

/** Mean 0, standard deviation 1, bell-shaped within ±3.46 (sum of four uniforms). */
export const bell = (seed: number, n: number): number =>
  (uniform(seed, n) +
    uniform(seed ^ 0x1b873593, n) +
    uniform(seed ^ 0x2545f491, n) +
    uniform(seed ^ 0x5bd1e995, n) -
    2) *
  1.7320508075688772

/** Mean over a cell of (1-w)² + w² with w = 3u² - 2u³ is 26/35: the remaining variance after smoothing between two values. */
const smoothedSd = Math.sqrt(26 / 35)

/** Smooth noise of mean 0 and standard deviation 1 that turns about every `step` units of `x`. */
export const smoothNoise = (seed: number, x: number, step: number): number => {
  const place = x / step
  const cell = Math.floor(place)
  const u = place - cell
  const w = u * u * (3 - 2 * u)
  return (bell(seed, cell) * (1 - w) + bell(seed, cell + 1) * w) / smoothedSd
}
