/** mulberry32: the same picture on every visit. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

/** Nordic frequency in Hz as a mean-reverting walk (theta 1/120 per second, sigma 5.2 mHz) with one disturbance. Simulated, not recorded. */
export const simulatedTrace = (points: number, stepS: number): number[] => {
  const random = randomFrom(3903)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const disturbanceAt = Math.round(points * 0.58)
  let deviation = -0.02
  return Array.from({ length: points }, (_, i) => {
    deviation += (-deviation / 120) * stepS + 0.0052 * Math.sqrt(stepS) * normal()
    const since = (i - disturbanceAt) * stepS
    const dip = since < 0 ? 0 : since < 9 ? -0.11 * (since / 9) : -0.11 * Math.exp(-(since - 9) / 45)
    return Math.round((50 + deviation + dip) * 100) / 100
  })
}
