export type Fit = {
  /** Cost at size 0. */
  base: number
  /** Cost per unit of size. */
  slope: number
  /** Whether each point is within `linearShare` of the line, measured against the range of the costs. */
  isLinear: boolean
}

const linearShare = 0.15

/** Least squares over points of size and cost; at least two different sizes. */
export const fitLine = (points: readonly (readonly [size: number, cost: number])[]): Fit => {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanSize, meanCost] = [mean(points.map(([size]) => size)), mean(points.map(([, cost]) => cost))]
  const spread = points.reduce((sum, [size]) => sum + (size - meanSize) ** 2, 0)
  if (!(spread > 0)) throw new Error('a line needs two different sizes')
  const slope = points.reduce((sum, [size, cost]) => sum + (size - meanSize) * (cost - meanCost), 0) / spread
  const base = meanCost - slope * meanSize
  const costs = points.map(([, cost]) => cost)
  const range = Math.max(...costs) - Math.min(...costs)
  const isLinear = points.every(([size, cost]) => Math.abs(base + slope * size - cost) <= linearShare * range)
  return { base, slope, isLinear }
}
