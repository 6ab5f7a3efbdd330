import { isNode, LineCounter, parseDocument, type Document } from 'yaml'
import { provisioningFile, type ProvisioningFile, type ProvisionedCustomer } from './file.ts'

type Problem = { line: number; path: string; expected: string }

export class BadProvisioningFile extends Error {
  readonly problems: Problem[]

  constructor(problems: Problem[]) {
    super(
      problems
        .map((problem) => `line ${problem.line}: ${problem.path ? `${problem.path}: ` : ''}${problem.expected}`)
        .join('\n'),
    )
    this.problems = problems
  }
}

type Path = (string | number)[]

const lineOf = (document: Document, lines: LineCounter, path: Path): number => {
  for (let depth = path.length; depth >= 0; depth--) {
    const node: unknown = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}

const words = (path: Path) =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')

type Dangling = { path: Path; expected: string }

const named = (what: string, names: readonly string[]) =>
  `expected the key of ${what}: ${names.join(', ') || 'none is listed'}`

const danglingIn = (company: ProvisionedCustomer, at: Path): Dangling[] => {
  const found: Dangling[] = []
  const keysOfFile = {
    licence: company.licences.map((one) => one.type),
    edge: company.edges.map((one) => one.key),
    instance: company.instances.map((one) => one.key),
    frequency: company.frequency.map((one) => one.key),
    priceSignal: company.priceSignals.map((one) => one.key),
  }
  const article = {
    licence: 'a licence',
    edge: 'an edge',
    instance: 'an instance',
    frequency: 'a frequency signal',
    priceSignal: 'a price signal',
  }
  const refer = (to: keyof typeof keysOfFile, value: string | undefined, path: Path) => {
    if (value !== undefined && !keysOfFile[to].includes(value))
      found.push({ path: [...at, ...path], expected: named(article[to], keysOfFile[to]) })
  }
  company.instances.forEach((one, i) => {
    refer('licence', one.licence, ['instances', i, 'licence'])
    refer('edge', one.edge, ['instances', i, 'edge'])
  })
  company.chargers.forEach((one, i) => {
    refer('licence', one.licence, ['chargers', i, 'licence'])
    refer('priceSignal', one.priceSignal, ['chargers', i, 'priceSignal'])
  })
  company.frequency.forEach((one, i) => refer('instance', one.instance, ['frequency', i, 'instance']))
  for (const [name, cell] of Object.entries(company.dashboard)) {
    if (typeof cell !== 'object' || Array.isArray(cell)) continue
    for (const to of ['frequency', 'instance', 'priceSignal', 'licence'] as const)
      refer(to, cell[to], ['dashboard', name, to])
  }
  for (const list of ['edges', 'instances', 'frequency', 'priceSignals'] as const)
    company[list].forEach((one, i) => {
      if (company[list].findIndex((other) => other.key === one.key) < i)
        found.push({ path: [...at, list, i, 'key'], expected: `expected a key not used before: ${one.key}` })
    })
  company.chargers.forEach(({ identity }, i) => {
    if (company.chargers.findIndex((other) => other.identity === identity) < i)
      found.push({
        path: [...at, 'chargers', i, 'identity'],
        expected: `expected an identity not used before: ${identity}`,
      })
  })
  return found
}

const overlappingIn = (company: ProvisionedCustomer, at: Path): Dangling[] =>
  company.instances.flatMap(({ contracts }, i) =>
    contracts.flatMap(({ from, to }, j) => {
      const other = contracts.find(
        (one, k) => k < j && one.from <= (to ?? '9999-12-31') && from <= (one.to ?? '9999-12-31'),
      )
      const path = [...at, 'instances', i, 'contracts', j, 'from']
      return other ? [{ path, expected: `expected days of its own: another contract begins on ${other.from}` }] : []
    }),
  )

/** Reads and checks a provisioning file. Throws {@link BadProvisioningFile} with the line and the expected value; changes nothing. */
export const readProvisioning = (text: string): ProvisioningFile => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0)
    throw new BadProvisioningFile(
      document.errors.map((error) => ({
        line: lines.linePos(error.pos[0]).line,
        path: '',
        expected: `expected valid YAML: ${error.message}`,
      })),
    )
  const read = provisioningFile.safeParse(document.toJS())
  const at = (path: Path, expected: string): Problem => ({
    line: lineOf(document, lines, path),
    path: words(path),
    expected,
  })
  if (!read.success)
    throw new BadProvisioningFile(read.error.issues.map((issue) => at(issue.path as Path, issue.message))) // YAML has no symbol keys
  const file = read.data
  const problems = file.customers.flatMap((company, i) => {
    const path = ['customers', i]
    return [...danglingIn(company, path), ...overlappingIn(company, path)]
  })
  const versions = file.versions ?? []
  versions.forEach(({ application, title }, i) => {
    if (versions.findIndex((other) => other.application === application && other.title === title) < i)
      problems.push({ path: ['versions', i], expected: `expected a version not named before: ${application} ${title}` })
  })
  file.gates.forEach(({ market, auction }, i) => {
    if (file.gates.findIndex((other) => other.market === market && other.auction === auction) < i)
      problems.push({ path: ['gates', i], expected: `expected a gate not named before: ${market} ${auction ?? ''}` })
  })
  const seen = new Map<string, number>()
  file.customers.forEach((company, i) =>
    [
      `customer ${company.key}`,
      ...company.edges.map((edge) => `edge ${edge.key}`),
      ...company.chargers.map((charger) => `charger ${charger.identity}`),
      ...company.users.map((user) => `user ${user.email.toLowerCase()}`),
    ].forEach((name) => {
      if (seen.has(name) && seen.get(name) !== i)
        problems.push({
          path: ['customers', i],
          expected: `expected a name of its own, ${name} is used by another customer`,
        })
      seen.set(name, i)
    }),
  )
  if (problems.length > 0) throw new BadProvisioningFile(problems.map((problem) => at(problem.path, problem.expected)))
  return file
}
