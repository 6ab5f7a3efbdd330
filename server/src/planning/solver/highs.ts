import highsModule from 'highs'
import { nearEnough } from './dive.ts'
import type { Session, Solution, Solve, Model } from './model.ts'

// The types are those of the CommonJS build; the loaded ESM build's default export is the loader.
const loadHighs = highsModule as unknown as typeof highsModule.default

const dataOf = ({ columns, rows, sunk }: Model) => {
  const [starts, indices, values] = [[0], [] as number[], [] as number[]]
  for (const { terms } of rows) {
    const sums = new Map<number, number>()
    for (const [column, factor] of terms) sums.set(column, (sums.get(column) ?? 0) + factor)
    for (const [column, factor] of sums) {
      if (factor === 0) continue
      indices.push(column)
      values.push(factor)
    }
    starts.push(indices.length)
  }
  return {
    numCols: columns.length,
    numRows: rows.length,
    offset: -sunk,
    colCost: columns.map(({ cost }) => cost),
    colLower: columns.map(({ lower }) => lower),
    colUpper: columns.map(({ upper }) => upper),
    rowLower: rows.map(({ sense, limit }) => (sense === '<=' ? -Infinity : limit)),
    rowUpper: rows.map(({ sense, limit }) => (sense === '>=' ? Infinity : limit)),
    matrix: { format: 'csr' as const, numRows: rows.length, numCols: columns.length, starts, indices, values },
  }
}

/** One heuristic is off: with it 20 loads took 1.4 times as long in the median. */
const precision = {
  mip_rel_gap: nearEnough.relative,
  mip_abs_gap: nearEnough.units,
  mip_heuristic_run_root_reduced_cost: false,
}

/** Loads the solver, about 150 MB in a planner thread. */
export const openSolver = async (): Promise<Solve> => {
  const highs = await loadHighs()
  const { modelStatus, variableType, solutionStatus } = highs.constants
  const read = (program: ReturnType<typeof highs.createModel>, sunk: number, isLinear: boolean): Solution => {
    const status = program.getModelStatus()
    const hasPlan = program.info.get('primal_solution_status') === solutionStatus.feasible
    const { colValue, rowDual, colDual } = program.getSolution()
    const of = (result: Solution['status']): Solution => ({
      status: result,
      objective: program.getObjectiveValue() + sunk,
      gap: isLinear ? null : Math.max(0, program.getObjectiveValue() - Number(program.info.get('mip_dual_bound'))),
      values: [...colValue],
      rowDuals: [...rowDual],
      columnDuals: [...colDual],
    })
    if (status === modelStatus.optimal) return of('optimal')
    if (status === modelStatus.timeLimit) return of(hasPlan ? 'feasible' : 'timed-out')
    if (status === modelStatus.infeasible || status === modelStatus.unboundedOrInfeasible) return of('infeasible')
    throw new Error(`The solver ended with status ${status}`)
  }
  const solve: Solve = (model, { timeLimitS, start }) => {
    const isLinear = model.columns.every(({ isInteger }) => !isInteger)
    const integrality = model.columns.map(({ isInteger }) =>
      isInteger ? variableType.integer : variableType.continuous,
    )
    const program = highs.createModel({ ...dataOf(model), ...(isLinear ? {} : { integrality }) })
    try {
      program.options.set({ output_flag: false, time_limit: timeLimitS, ...precision })
      if (start) program.setSolution({ colValue: [...start] })
      program.run()
      return read(program, model.sunk, isLinear)
    } finally {
      program.dispose()
    }
  }
  const open = (model: Model): Session => {
    const { columns } = model
    const program = highs.createModel(dataOf(model))
    program.options.set({ output_flag: false })
    return {
      fix: (column, value) => void program.changeColBounds(column, value, value),
      bound: (column, lower, upper) => void program.changeColBounds(column, lower, upper),
      free: (column) => void program.changeColBounds(column, columns[column]?.lower ?? 0, columns[column]?.upper ?? 0),
      run: ({ timeLimitS }) => {
        program.zeroAllClocks()
        program.options.set({ time_limit: timeLimitS })
        program.run()
        return read(program, model.sunk, true)
      },
      close: () => program.dispose(),
    }
  }
  return Object.assign(solve, { open })
}
